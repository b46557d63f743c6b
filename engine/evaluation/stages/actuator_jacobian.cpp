#include "engine/evaluation/stages/actuator_jacobian.hpp"

#include "engine/math/pack.hpp"

namespace counterpoise {

template <class S>
ActuatorJacobian<S>::ActuatorJacobian(const EvaluationPlan& plan)
    : plan_(&plan),
      transmission_(plan.nominal, plan.paths, plan.actuator_plan),
      forces_(plan.nominal.bodies.size()),
      loads_(plan.nominal.actuators.size()) {}

template <class S>
std::optional<Finding> ActuatorJacobian<S>::run(const Mechanism& mechanism,
                                                Kinematics<S>& kinematics) {
  const JointMotion<S>& joints = kinematics.joints();
  const DesignGeometry geometry = kinematics.geometry(mechanism);
  blocks_ = static_cast<std::size_t>(joints.blocks());
  values_.resize(plan_->force_series * blocks_);
  transmission_.begin(geometry, kinematics.zero(), joints, kinematics.step(),
                      kinematics.closures());
  for (int block = 0; block < joints.blocks(); ++block) {
    auto finding = transmission_.prepare(geometry, joints, block);
    if (finding) {
      finding->time = kinematics.step() * (block * lanes<S> + finding->time);
      return finding;
    }
    for (std::size_t body = 0; body < plan_->routes.size(); ++body) {
      const std::vector<ForceShare>& shares = plan_->force_shares[body];
      if (shares.empty() || shares.front().series < 0) continue;
      const Route& route = plan_->routes[body];
      for (BodyIndex joint : route.joints) forces_[joint] = S(0.0);
      forces_[body] = S(1.0);
      transmission_.apply(route, forces_, loads_);
      for (const ForceShare& share : shares)
        values_[static_cast<std::size_t>(share.series) * blocks_ +
                static_cast<std::size_t>(block)] = loads_[share.actuator];
    }
  }
  return std::nullopt;
}

template class ActuatorJacobian<double>;
template class ActuatorJacobian<Pack>;

}  // namespace counterpoise
