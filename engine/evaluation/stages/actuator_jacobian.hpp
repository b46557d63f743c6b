#pragma once

#include "engine/evaluation/stages/kinematics.hpp"
#include "engine/evaluation/stages/plan.hpp"

namespace counterpoise {

/// The actuator Jacobian dq/ds (joints by actuators), transposed, over a stretch of a motion: the
/// load of each actuator per unit force on each joint, one series for every pair that can influence
/// each other. A joint that an actuator drives itself needs no series: its force is that actuator's
/// load.
template <class S>
class ActuatorJacobian {
 public:
  explicit ActuatorJacobian(const EvaluationPlan& plan);

  /// Computes every series at the joint motion of this design. A pose in which the actuators do not
  /// determine the forces is a finding, which stays until the motion starts again.
  std::optional<Finding> run(const Mechanism& mechanism, Kinematics<S>& kinematics);

  /// The actuators that a force on this joint loads.
  [[nodiscard]] std::span<const ForceShare> shares(BodyIndex joint) const {
    return plan_->force_shares[joint];
  }
  [[nodiscard]] std::span<const S> series(const ForceShare& share) const {
    const auto i = static_cast<std::size_t>(share.series);
    return std::span<const S>(values_).subspan(i * blocks_, blocks_);
  }

 private:
  const EvaluationPlan* plan_;
  Transmission<S> transmission_;
  std::size_t blocks_ = 0;
  std::vector<S> values_;
  std::optional<Finding> finding_;
};

}  // namespace counterpoise
