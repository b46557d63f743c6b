#include "engine/evaluation/stages/plan.hpp"

namespace counterpoise {

EvaluationPlan::EvaluationPlan(const Mechanism& mechanism, const Motion& motion, Closure closure)
    : nominal(mechanism),
      paths(nominal),
      freedom(nominal, paths),
      actuator_plan(plan_actuators(nominal, paths, freedom, closure)),
      drives(nominal, freedom, motion),
      motion_plan(make_plan(nominal, paths, freedom, drives.coordinates, closure)) {}

}  // namespace counterpoise
