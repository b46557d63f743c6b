#pragma once

#include <array>
#include <optional>

#include "engine/evaluation/kinematics.hpp"
#include "engine/math/extremes.hpp"

namespace counterpoise {

/// Position and velocity of each actuator over a stretch of a motion, and their ranges so far.
template <class S>
class ActuatorMotion {
 public:
  explicit ActuatorMotion(const EvaluationPlan& plan);

  /// Computes positions and velocities of all actuators. A position or velocity that is not finite
  /// is a finding, for the first such actuator so far; it stays until the motion starts again, and
  /// later actuators are then unspecified.
  std::optional<Finding> run(const Mechanism& mechanism, Kinematics<S>& kinematics);

  [[nodiscard]] std::span<const S> position(std::size_t actuator) const {
    return std::span<const S>(positions_).subspan(actuator * blocks_, blocks_);
  }
  [[nodiscard]] std::span<const S> velocity(std::size_t actuator) const {
    return std::span<const S>(velocities_).subspan(actuator * blocks_, blocks_);
  }

  /// The accelerations of one actuator, from the joints of the last run. Computed when they are
  /// first asked for.
  std::span<const S> accelerate(const Mechanism& mechanism, Kinematics<S>& kinematics,
                                std::size_t actuator);

  struct ActuatorExtremes {
    Extremes position, velocity;
  };
  [[nodiscard]] const ActuatorExtremes& extremes(std::size_t actuator) const {
    return extremes_[actuator];
  }

 private:
  void follow_line(const Mechanism& mechanism, Kinematics<S>& kinematics, std::size_t actuator,
                   std::span<S> position, std::span<S> velocity) const;
  [[nodiscard]] Finding not_finite(std::size_t actuator, const Kinematics<S>& kinematics) const;

  const Paths* paths_;
  Line<S> line_;
  std::size_t blocks_ = 0;
  std::vector<S> positions_, velocities_, accelerations_;
  std::vector<char> accelerated_;  // per actuator, whether its accelerations are those of this run
  std::vector<ActuatorExtremes> extremes_;
  std::vector<std::array<std::optional<RunningExtremes<S>>, 2>> running_;
  std::size_t finite_ = 0;  // how many actuators come before the one of the finding
  std::optional<Finding> finding_;
};

}  // namespace counterpoise
