#pragma once

#include "engine/kinematics/closure/plan.hpp"
#include "engine/kinematics/drive_samples.hpp"
#include "engine/kinematics/transmission.hpp"
#include "engine/mechanism/motion.hpp"
#include "engine/mechanism/stage.hpp"

namespace counterpoise {

/// The data of every evaluation of one mechanism over one motion that no number of a design
/// changes: the paths, the mobility, the order in which coordinates and actuators determine the
/// joints, which forces load which actuators, and what each unit of the evaluation reads.
struct EvaluationPlan {
  /// Throws MechanismError when the motion's coordinates or the actuators are too few or too many.
  /// A motion that leaves out poses follows all loops by Newton's method, from pose to pose.
  EvaluationPlan(const Mechanism& nominal, const Motion& motion, Closure closure);
  EvaluationPlan(const EvaluationPlan&) = delete;
  EvaluationPlan& operator=(const EvaluationPlan&) = delete;

  Mechanism nominal;
  Paths paths;
  Mobility mobility;
  Plan actuator_plan;
  DriveSelection drives;
  Plan motion_plan;

  std::vector<std::vector<ForceShare>> force_shares;  // per body, shares of a force on its joint
  std::vector<std::vector<BodyIndex>> spring_joints;  // per spring, the joints that move it
  std::vector<std::vector<ActuatorIndex>>
      influenced;  // per spring, the actuators it can load, ascending
  std::vector<std::vector<ActuatorIndex>>
      weighed;  // per spring, the actuators that its mass can load, ascending
  StageUnits stage_units;

 private:
  void find_shares();
};

/// Declares every unit of an evaluation and what it reads, for the nominal mechanism of a plan
/// whose other members are set.
StageUnits declare_units(const EvaluationPlan& plan);

/// Declares the unit of the tree forces for a design: it reads the geometry of those bodies and
/// legs that have mass, or carry some.
StageUnit declare_tree_forces(const EvaluationPlan& plan, const Mechanism& design);

/// Declares the unit of each actuator's bare load for a design: it reads the slopes of joints that
/// get forces. `declared` must have the units before them.
std::vector<StageUnit> declare_bare_loads(const EvaluationPlan& plan, const StageUnits& declared,
                                          const Mechanism& design);

}  // namespace counterpoise
