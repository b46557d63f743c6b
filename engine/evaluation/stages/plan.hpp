#pragma once

#include "engine/kinematics/closure/plan.hpp"
#include "engine/kinematics/drive_samples.hpp"
#include "engine/motion/motion.hpp"

namespace counterpoise {

/// What every evaluation of one mechanism over one motion needs and no number of a design changes:
/// paths, mobility, and the order in which coordinates and actuators determine the joints.
struct EvaluationPlan {
  /// Throws MechanismError when the motion's coordinates or the actuators are too few or too many.
  EvaluationPlan(const Mechanism& nominal, const Motion& motion, Closure closure);
  EvaluationPlan(const EvaluationPlan&) = delete;
  EvaluationPlan& operator=(const EvaluationPlan&) = delete;

  Mechanism nominal;
  Paths paths;
  Freedom freedom;
  Plan actuator_plan;
  DriveSelection drives;
  Plan motion_plan;
};

}  // namespace counterpoise
