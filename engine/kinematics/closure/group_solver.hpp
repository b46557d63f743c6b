#pragma once

#include <memory>

#include "engine/kinematics/closure/equation_system.hpp"
#include "engine/kinematics/closure/sample_state.hpp"
#include "engine/math/orthogonal_decomposition.hpp"

namespace counterpoise {

/// Solves a group of equations for several joints at one sample, in double: Newton's method for
/// positions and one linear system each for velocities and accelerations. Redundant equations are
/// met in the least-squares sense, and undetermined joints move as little as possible.
class GroupSolver {
 public:
  GroupSolver(std::vector<Equation> equations, std::vector<BodyIndex> unknowns,
              const Mechanism& mechanism, const Paths& paths);

  enum class Result { solved, open, diverged };

  /// Runs Newton's method from the state's positions, at most 40 steps. Steps that do not help are
  /// shortened, and damped where that does not help either (which allocates). On any result but
  /// `solved` the state is the nearest pose found.
  Result solve_positions(const DesignGeometry& geometry, SampleState& sample,
                         std::span<const double> driven);

  /// Sets the driven values of the group's drives, by slot, to those that the state's positions
  /// have; angles of turned bodies lie between -pi and pi.
  void read_driven(const DesignGeometry& geometry, const JointView<double>& state,
                   std::span<double> driven);

  /// Evaluates and factorises the equations at the state's positions, for the next two calls.
  void linearise(const DesignGeometry& geometry, const JointView<double>& state,
                 std::span<const double> driven);
  /// Sets the unknowns' v from the v of all other joints and the velocities of the driven values.
  void solve_velocities(const JointState<double>& state, std::span<const double> driven_velocity);
  /// Sets the unknowns' a from all velocities and all other accelerations.
  void solve_accelerations(std::span<const JointFrame> frames, const JointState<double>& state,
                           std::span<const double> driven_acceleration);

  /// The smallest over the largest pivot of the unknowns' columns; 0 where the pose is singular.
  [[nodiscard]] double conditioning() const;
  /// The columns of the equations' Jacobian that belong to the unknowns.
  [[nodiscard]] const Eigen::MatrixXd& columns() const { return columns_; }
  /// Writes an orthonormal basis of the unknowns' columns into `basis`, which has their size. The
  /// pose must not be singular.
  void read_basis(Eigen::MatrixXd& basis);
  /// The volume that the unknowns' columns span: the size of their determinant in an orthonormal
  /// basis.
  [[nodiscard]] double volume() const;
  /// The smallest singular value of the unknowns' columns: the distance from a singular pose in the
  /// columns' own units. Allocates; meant for findings.
  [[nodiscard]] double smallest_singular_value() const;
  [[nodiscard]] const EquationSystem& system() const { return system_; }
  [[nodiscard]] const std::vector<BodyIndex>& unknowns() const { return unknowns_; }
  [[nodiscard]] bool determines(BodyIndex body) const { return is_unknown_[body] != 0; }

 private:
  void factorise();
  template <class Move>
  bool descend(double before, const Move& move);

  EquationSystem system_;
  std::vector<BodyIndex> unknowns_;
  std::vector<char> is_unknown_;
  std::vector<std::pair<BodyIndex, Eigen::Index>>
      known_;                // other joints and their columns, in order
  std::vector<char> bends_;  // by body: whether its joint is on the path of an equation
  Eigen::MatrixXd columns_;  // Jacobian columns of the unknowns
  Eigen::VectorXd right_, solution_;
  Eigen::RowVectorXd work_;
  std::vector<double> start_;
  OrthogonalDecomposition factor_;
};

}  // namespace counterpoise
