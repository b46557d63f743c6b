#pragma once

#include <memory>

#include "engine/kinematics/closure/equation_system.hpp"
#include "engine/kinematics/closure/sample_state.hpp"
#include "engine/math/orthogonal_decomposition.hpp"

namespace counterpoise {

/// Solves a group of equations for several joints at one sample, in double: Newton for positions,
/// one linear system each for velocities and accelerations, and its transpose for forces. Redundant
/// equations are met in the least-squares sense, undetermined joints move as little as possible.
class GroupSolver {
 public:
  GroupSolver(std::vector<Equation> equations, std::vector<BodyIndex> unknowns,
              const Mechanism& mechanism, const Paths& paths);

  enum class Result { solved, open, diverged };

  /// Newton from the state's positions; at most 40 steps, shortened where they do not help, damped
  /// where that does not help either (which allocates). On anything but `solved` the state is the
  /// nearest pose found.
  Result solve_positions(const DesignGeometry& geometry, SampleState& sample,
                         std::span<const double> driven);

  /// Evaluates and factorises at the state's positions; the next three calls build on it.
  void linearise(const DesignGeometry& geometry, const JointView<double>& state,
                 std::span<const double> driven);
  /// Sets the unknowns' v from all other joints' v and the driven values' velocities.
  void solve_velocities(const JointState<double>& state, std::span<const double> driven_velocity);
  /// Sets the unknowns' a from everything else.
  void solve_accelerations(std::span<const JointFrame> frames, const JointState<double>& state,
                           std::span<const double> driven_acceleration);
  /// Virtual work: takes the unknowns' generalised forces in `x` (one entry per body) over to the
  /// other joints' and returns the multipliers of the equations' rows, those of drives being loads.
  const Eigen::VectorXd& transfer_forces(std::span<double> x);

  /// Smallest over largest pivot of the unknowns' columns; 0 where the pose is singular.
  [[nodiscard]] double conditioning() const;
  /// The unknowns' columns of the equations' slopes.
  [[nodiscard]] const Eigen::MatrixXd& columns() const { return columns_; }
  /// An orthonormal basis of them, into a matrix of their size; of a pose that is not singular.
  void read_basis(Eigen::MatrixXd& basis);
  /// The volume that they span: the size of their determinant by such a basis.
  [[nodiscard]] double volume() const;
  /// Smallest singular value of the unknowns' columns: how far from singular, in their own units.
  /// Allocates; for findings.
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
  Eigen::MatrixXd columns_;  // of the unknowns
  Eigen::VectorXd right_, solution_, multipliers_, unknown_forces_;
  Eigen::RowVectorXd work_;
  std::vector<double> start_;
  OrthogonalDecomposition factor_, transposed_;
  bool transposed_ready_ = false;
};

}  // namespace counterpoise
