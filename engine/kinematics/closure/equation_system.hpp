#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "engine/kinematics/chains/two_point.hpp"
#include "engine/kinematics/closure/equations.hpp"
#include "engine/mechanism/finding.hpp"

namespace counterpoise {

/// Several equations as one dense system c(q, s) = 0 at one sample, in double:
///   joint drive  q - s      line drive  length - s
///   coupling     q - sum of ratio * q_of - offset
///   loop         p_first - p_second (ancestor's axes), then cosines that must vanish of angles
///                between directions on its two bodies (see axis_pairs)
/// Redundant rows are normal; whoever solves must expect them. Allocates when made, not later.
class EquationSystem {
 public:
  EquationSystem(std::vector<Equation> equations, const Mechanism& mechanism, const Paths& paths);

  /// residual (rows) and jacobian (rows x bodies) at the state's positions.
  void evaluate(const DesignGeometry& geometry, const JointView<double>& state,
                std::span<const double> driven);
  /// Second derivative of c by time at the state's v and a, without the driven values' share; after
  /// `evaluate` at the same positions.
  void accelerate(std::span<const JointFrame> frames, const JointView<double>& state);

  [[nodiscard]] const std::vector<Equation>& equations() const { return equations_; }
  [[nodiscard]] int rows() const { return static_cast<int>(residual.size()); }
  /// Adds a driven value per drive (its velocity or acceleration) to that drive's row.
  void add_driven(std::span<const double> driven, Eigen::VectorXd& rows) const;
  /// The largest residual: of lengths as a share of the geometry's size, which is the farthest end
  /// of a path from its ancestor, of all other rows as they are.
  [[nodiscard]] double misfit() const;
  /// Size of the geometry [m].
  [[nodiscard]] double scale() const;
  /// That the equation with the largest residual cannot be met.
  [[nodiscard]] Finding open_finding(double time) const;
  /// That the pose is singular, that a singular pose was passed between two samples, or that it
  /// jumped: about the first loop, or else the first actuator. `smallest`: singular value of the
  /// slopes by the joints that are determined.
  [[nodiscard]] Finding singular_finding(double time, double smallest) const;
  [[nodiscard]] Finding passage_finding(double time) const;
  [[nodiscard]] Finding jump_finding(double time) const;

  Eigen::VectorXd residual;
  Eigen::MatrixXd jacobian;
  Eigen::VectorXd acceleration;

 private:
  /// The largest misfit and its equation.
  struct Worst {
    std::size_t equation;  // index
    double misfit, residual;
    bool angle;  // whether it is about directions
  };

  const Path& path(const Equation& equation) const;
  [[nodiscard]] Worst worst() const;
  [[nodiscard]] double angle_off(std::size_t loop_equation) const;
  void evaluate_loop(const Equation& equation, const Path& way, const Line<double>& line,
                     Eigen::Index row);
  [[nodiscard]] const Equation& spokesman() const;

  std::vector<Equation> equations_;
  const Paths* paths_;
  const Mechanism* mechanism_ = nullptr;  // of the last evaluation
  bool flipped_ = false;                  // a weld there meets its rows, but turned over
  std::vector<Line<double>> lines_;       // one per equation, used by lines and loops
};

}  // namespace counterpoise
