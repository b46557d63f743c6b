#include "engine/evaluation/stages/plan.hpp"

#include <algorithm>

#include "engine/evaluation/stages/declared_units.hpp"

namespace counterpoise {

EvaluationPlan::EvaluationPlan(const Mechanism& mechanism, const Motion& motion, Closure closure)
    : nominal(mechanism),
      paths(nominal),
      mobility(nominal, paths),
      actuator_plan(plan_actuators(nominal, paths, mobility, closure)),
      drives(nominal, mobility, motion),
      motion_plan(make_plan(nominal, paths, mobility, drives.coordinates, closure)) {
  find_shares();
  stage_units = declare_units(*this);
}

void EvaluationPlan::find_shares() {
  force_shares = find_force_shares(nominal, paths, actuator_plan);
  for (int s = 0; s < static_cast<int>(nominal.springs.size()); ++s) {
    spring_joints.push_back(joints_of_spring(nominal, paths, s));
    std::vector<ActuatorIndex>& actuators = influenced.emplace_back();
    for (const BodyIndex joint : spring_joints.back())
      for (const ForceShare& share : force_shares[joint]) actuators.push_back(share.actuator);
    std::sort(actuators.begin(), actuators.end());
    actuators.erase(std::unique(actuators.begin(), actuators.end()), actuators.end());
  }
}

}  // namespace counterpoise
