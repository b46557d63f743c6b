#pragma once

#include <optional>

#include "engine/evaluation/stages/extremes.hpp"
#include "engine/evaluation/stages/kinematics.hpp"

namespace counterpoise {

/// Position and velocity of each actuator over a whole motion, and their ranges.
template <class S>
class ActuatorMotion {
 public:
  explicit ActuatorMotion(const EvaluationPlan& plan);

  /// Computes positions and velocities of all actuators. One that is not finite is a finding.
  std::optional<Finding> run(const Mechanism& mechanism, Kinematics<S>& kinematics);

  [[nodiscard]] std::span<const S> position(std::size_t actuator) const {
    return std::span<const S>(positions_).subspan(actuator * blocks_, blocks_);
  }
  [[nodiscard]] std::span<const S> velocity(std::size_t actuator) const {
    return std::span<const S>(velocities_).subspan(actuator * blocks_, blocks_);
  }

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
  std::size_t blocks_ = 0;
  std::vector<S> positions_, velocities_;
  std::vector<ActuatorExtremes> extremes_;
};

}  // namespace counterpoise
