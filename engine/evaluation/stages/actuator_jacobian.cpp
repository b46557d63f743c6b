#include "engine/evaluation/stages/actuator_jacobian.hpp"

#include "engine/math/pack.hpp"

namespace counterpoise {

template <class S>
ActuatorJacobian<S>::ActuatorJacobian(const EvaluationPlan& plan)
    : plan_(&plan), transmission_(plan.nominal, plan.paths, plan.actuator_plan) {}

template <class S>
std::optional<Finding> ActuatorJacobian<S>::run(const Mechanism& mechanism,
                                                Kinematics<S>& kinematics) {
  const Stretch& stretch = kinematics.stretch();
  if (stretch.starts()) finding_.reset();
  if (finding_) return finding_;
  const JointMotion<S>& joints = kinematics.joints();
  const DesignGeometry geometry = kinematics.geometry(mechanism);
  blocks_ = static_cast<std::size_t>(joints.blocks());
  values_.resize(plan_->force_series * blocks_);
  transmission_.begin(geometry, kinematics.zero(), joints, kinematics.step(), stretch.starts(),
                      kinematics.closures());
  for (int block = 0; block < joints.blocks(); ++block) {
    finding_ = transmission_.follow(geometry, joints, block);
    if (finding_) {
      finding_->time = kinematics.step() * (stretch.first + block * lanes<S> + finding_->time);
      return finding_;
    }
    for (BodyIndex body = 0; body < mechanism.body_count(); ++body)
      for (const ForceShare& share : plan_->force_shares[static_cast<std::size_t>(body)])
        if (share.series >= 0)
          values_[static_cast<std::size_t>(share.series) * blocks_ +
                  static_cast<std::size_t>(block)] = transmission_.slope(body, share.actuator);
  }
  return std::nullopt;
}

template class ActuatorJacobian<double>;
template class ActuatorJacobian<Pack>;

}  // namespace counterpoise
