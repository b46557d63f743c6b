#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "engine/kinematics/two_point.hpp"
#include "engine/mechanism/finding.hpp"

namespace counterpoise {

/// The paths of everything that spans two points, once per structure.
struct Paths {
  explicit Paths(const Mechanism& mechanism);
  std::vector<Path> loops;
  std::vector<Path> actuators;  // empty paths for actuators on joints
  std::vector<Path> springs;    // empty paths for torsion springs
};

enum class EquationKind { joint_drive, line_drive, coupling, loop };

/// One condition on the joint positions. `slot` numbers the driven value of the two drives.
struct Equation {
  EquationKind kind;
  int element;  // body index of the joint, or index of the actuator, coupling or loop
  int slot = -1;

  [[nodiscard]] int rows() const { return kind == EquationKind::loop ? 3 : 1; }
};

/// The moving joints an equation involves, as body indices.
std::vector<int> joints_of(const Equation& equation, const Mechanism& mechanism,
                           const Paths& paths);

/// The moving joints whose positions a spring's length depends on, as body indices.
std::vector<int> joints_of_spring(const Mechanism& mechanism, const Paths& paths, int spring);

/// Several equations as one dense system c(q, s) = 0 at one sample, in double:
///   joint drive  q - s      line drive  length - s
///   coupling     q - ratio * q_of - offset        loop  p_first - p_second (ancestor's axes)
/// Redundant rows are normal; whoever solves must expect them. Allocates when made, not later.
class EquationSystem {
 public:
  EquationSystem(std::vector<Equation> equations, const Mechanism& mechanism, const Paths& paths);

  /// residual (rows) and jacobian (rows x bodies) at the state's positions.
  void evaluate(const Mechanism& mechanism, std::span<const JointFrame> frames,
                const JointState<double>& state, std::span<const double> driven);
  /// Second derivative of c by time at the state's v and a, without the driven values' share; after
  /// `evaluate` at the same positions.
  void accelerate(std::span<const JointFrame> frames, const JointState<double>& state);

  [[nodiscard]] const std::vector<Equation>& equations() const { return equations_; }
  [[nodiscard]] int rows() const { return static_cast<int>(residual.size()); }
  /// Adds a driven value per drive (its velocity or acceleration) to that drive's row.
  void add_driven(std::span<const double> driven, Eigen::VectorXd& rows) const;
  /// Size of the geometry [m], for tolerances: the farthest end of a path from its ancestor.
  [[nodiscard]] double scale() const;
  /// That the equation with the largest residual cannot be met.
  [[nodiscard]] Finding open_finding(double time) const;
  /// That the pose is singular, or that it jumped: about the first loop, or else the first
  /// actuator.
  [[nodiscard]] Finding singular_finding(double time, double conditioning) const;
  [[nodiscard]] Finding jump_finding(double time) const;

  Eigen::VectorXd residual;
  Eigen::MatrixXd jacobian;
  Eigen::VectorXd acceleration;

 private:
  const Path& path(const Equation& equation) const;
  [[nodiscard]] const Equation& worst() const;
  [[nodiscard]] const Equation& spokesman() const;

  std::vector<Equation> equations_;
  const Paths* paths_;
  const std::vector<Coupling>* couplings_ = nullptr;
  std::vector<Line<double>> lines_;  // one per equation, used by lines and loops
};

}  // namespace counterpoise
