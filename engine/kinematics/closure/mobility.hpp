#pragma once

#include <optional>
#include <string>

#include "engine/kinematics/closure/equation_groups.hpp"
#include "engine/kinematics/closure/sample_state.hpp"
#include "engine/mechanism/motion.hpp"

namespace counterpoise {

/// The equation that drives a coordinate with the value in `slot`.
Equation drive_equation(const Coordinate& coordinate, int slot, const Mechanism& mechanism);

/// The mobility of a mechanism, from the rank of its constraints at closed configurations near the
/// zero configuration. Of several configurations the largest rank counts, so that a zero
/// configuration that happens to be singular does not mislead. Redundant loop equations are normal.
/// Loops and couplings that have no joints in common are closed and looked at apart, so that many
/// of them cost in proportion to their number.
class Mobility {
 public:
  Mobility(const Mechanism& mechanism, const Paths& paths);

  [[nodiscard]] int degrees_of_freedom() const { return degrees_of_freedom_; }
  /// The number of rows of loops and couplings that other rows imply.
  [[nodiscard]] int redundant_equations() const;
  /// The rank of the equations' Jacobian with respect to `joints`.
  [[nodiscard]] int rank(const std::vector<Equation>& equations,
                         const std::vector<BodyIndex>& joints) const;

  /// The coordinates of the tool that follow from coordinates before them, as flags: the height of
  /// an arm that only moves in a horizontal plane. They cannot be given freely.
  [[nodiscard]] std::vector<char> implied(const std::vector<Coordinate>& coordinates) const;

  /// Whether these coordinates, given freely, determine all joints.
  [[nodiscard]] bool determined_by(const std::vector<Coordinate>& coordinates) const;
  /// Throws MechanismError unless the coordinates determine all joints. The message begins with
  /// `what`, e.g. "actuators", and names the undetermined joints, the coordinates that are too
  /// many, or the loop that does not close at all, where nothing is certain about mobility.
  void require_determined_by(const std::vector<Coordinate>& coordinates,
                             const std::string& what) const;

 private:
  struct Configuration {
    SampleState state;
    std::vector<JointFrame> frames;
  };
  void add_configuration(int trial);
  std::optional<Finding> close(const EquationGroup& group, Configuration& configuration) const;
  [[nodiscard]] Eigen::MatrixXd slopes(const EquationGroup& group,
                                       const Configuration& configuration,
                                       std::span<const double> driven) const;
  [[nodiscard]] std::vector<Equation> with_drives(const std::vector<Coordinate>& coordinates) const;
  [[nodiscard]] std::string undetermined_joints(const std::vector<Equation>& equations) const;
  [[nodiscard]] std::string surplus_coordinates(const std::vector<Coordinate>& coordinates) const;
  [[nodiscard]] std::string locking_loops() const;

  Mechanism mechanism_;
  const Paths* paths_;
  std::vector<Equation> constraints_;  // loops and couplings
  std::vector<BodyIndex> moving_;
  std::vector<EquationGroup> groups_;  // of the constraints
  std::vector<Configuration> configurations_;
  std::optional<Finding> open_;  // set if loops and couplings close in no configuration
  int degrees_of_freedom_ = 0;
};

}  // namespace counterpoise
