#pragma once

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "engine/kinematics/closure/path.hpp"
#include "engine/mechanism/finding.hpp"

namespace counterpoise {

/// The paths of all elements that span two points, made once per structure.
struct Paths {
  explicit Paths(const Mechanism& mechanism);
  std::vector<Path> loops;
  std::vector<Path> actuators;  // empty paths for actuators on joints
  std::vector<Path> springs;    // empty paths for torsion springs
};

enum class EquationKind { joint_drive, line_drive, coupling, loop };

/// One condition on the joint positions. `slot` is the index of the driven value of a joint or line
/// drive.
struct Equation {
  EquationKind kind;
  int element;  // body index of the joint, or index of the actuator, coupling or loop
  int slot = -1;
  int rows = 1;
};

/// The equations of all couplings and loops.
std::vector<Equation> closing_equations(const Mechanism& mechanism);

/// The path of a loop or of the line of an actuator.
const Path& path_of(const Equation& equation, const Paths& paths);

/// The moving joints an equation involves, as body indices.
std::vector<BodyIndex> joints_of(const Equation& equation, const Mechanism& mechanism,
                                 const Paths& paths);

/// The moving joints whose positions a spring's length depends on, as body indices.
std::vector<BodyIndex> joints_of_spring(const Mechanism& mechanism, const Paths& paths,
                                        SpringIndex spring);

/// Two directions, each on one body of a loop and in its axes, that are to stay at right angles.
struct AxisPair {
  Vec3d first, second;
};

/// The directions that the two bodies of a loop keep at right angles besides keeping the points
/// together: as many pairs as its equation has rows after the first three; the others are
/// unspecified.
std::array<AxisPair, 3> axis_pairs(const Loop& loop);

/// Several equations as one dense system c(q, s) = 0 at one sample, in double:
///   joint drive  q - s      line drive  length - s
///   coupling     q - sum of ratio * q_of - offset
///   loop         p_first - p_second (ancestor's axes), then cosines of angles between directions
///                on its two bodies, which must vanish (see axis_pairs)
/// Redundant rows are normal, and every solver must expect them. Allocates only when made.
class EquationSystem {
 public:
  EquationSystem(std::vector<Equation> equations, const Mechanism& mechanism, const Paths& paths);

  /// Sets `residual` (rows) and `jacobian` (rows x bodies) at the state's positions.
  void evaluate(const DesignGeometry& geometry, const JointView<double>& state,
                std::span<const double> driven);
  /// Sets `acceleration` to the second time derivative of c at the state's v and a, without the
  /// share of the driven values. Call it after `evaluate` at the same positions.
  void accelerate(std::span<const JointFrame> frames, const JointView<double>& state);

  [[nodiscard]] const std::vector<Equation>& equations() const { return equations_; }
  [[nodiscard]] int rows() const { return static_cast<int>(residual.size()); }
  /// Adds the driven value of each drive (its velocity or acceleration) to the row of that drive.
  void add_driven(std::span<const double> driven, Eigen::VectorXd& rows) const;
  /// The largest residual. Lengths are divided by the size of the geometry, which is the largest
  /// distance of an end of a path, or of a body on it, from their ancestor, and couplings by their
  /// largest term if it is above 1; other rows count as they are.
  [[nodiscard]] double misfit() const;
  /// The size of the geometry that `misfit` divides lengths by [m].
  [[nodiscard]] double scale() const;
  /// The finding that the equation with the largest residual cannot be met.
  [[nodiscard]] Finding open_finding(double time) const;
  /// The findings that the pose is singular, that a singular pose was passed between two samples,
  /// and that the pose jumped. They name the first loop, or else the first actuator. `smallest` is
  /// the smallest singular value of the Jacobian of the joints that are determined.
  [[nodiscard]] Finding singular_finding(double time, double smallest) const;
  [[nodiscard]] Finding passage_finding(double time) const;
  [[nodiscard]] Finding jump_finding(double time) const;

  Eigen::VectorXd residual;
  Eigen::MatrixXd jacobian;
  Eigen::VectorXd acceleration;

 private:
  /// The largest misfit and its equation.
  struct Worst {
    std::size_t equation;  // index of the equation
    double misfit, residual;
    bool angle;  // whether the residual is one of directions
  };

  const Path& path(const Equation& equation) const;
  [[nodiscard]] Worst worst() const;
  [[nodiscard]] double angle_off(std::size_t loop_equation) const;
  void evaluate_loop(const Equation& equation, const Path& way, const Line<double>& line,
                     Eigen::Index row);
  [[nodiscard]] const Equation& spokesman() const;

  std::vector<Equation> equations_;
  const Paths* paths_;
  const Mechanism* mechanism_ = nullptr;  // mechanism of the last evaluation
  bool flipped_ = false;                  // whether a weld met its rows in it, but turned over
  std::vector<Line<double>> lines_;       // one per equation, used by lines and loops
  std::vector<double> terms_;             // of each equation: a coupling's largest term, at least 1
};

}  // namespace counterpoise
