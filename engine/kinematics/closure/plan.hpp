#pragma once

#include "engine/kinematics/closure/closed_form.hpp"
#include "engine/kinematics/closure/mobility.hpp"

namespace counterpoise {

enum class StepKind {
  joint,     // the joint is driven itself
  coupling,  // one joint follows others
  line,      // one joint follows from the length between two points, closed form
  dyad,      // two joints follow from a planar loop, closed form
  group,     // joints follow from several equations by Newton's method
};

/// One step of a plan, from known joints to the next ones.
struct Step {
  StepKind kind = StepKind::joint;
  std::vector<Equation> equations;
  std::vector<BodyIndex> unknowns;  // body indices of the joints that the step determines
  PathJoint line_joint;             // only for kind line
  Dyad dyad;                        // only for kind dyad
};

/// The order in which given coordinates determine all joints: driven joints first, then whatever
/// one coupling, line or loop determines alone, and Newton's method on the smallest groups found of
/// equations that can only be solved together.
struct Plan {
  std::vector<Coordinate> coordinates;  // slot i of the equations drives coordinate i
  std::vector<Step> steps;
  // loops between joints that are determined without them, and drives of implied coordinates
  std::vector<Equation> redundant;
};

enum class Closure { closed_form, newton };  // newton: Newton's method for all lines and loops

/// Makes the plan for coordinates that determine the mechanism, without those that are `implied`
/// (see Mobility; empty: none is).
Plan make_plan(const Mechanism& mechanism, const Paths& paths, const Mobility& mobility,
               std::vector<Coordinate> coordinates, const std::vector<char>& implied,
               Closure closure);

/// Makes the plan for all actuators, in their order. Throws MechanismError naming what is too few
/// or too many unless every degree of freedom has one actuator.
Plan plan_actuators(const Mechanism& mechanism, const Paths& paths, const Mobility& mobility,
                    Closure closure);

}  // namespace counterpoise
