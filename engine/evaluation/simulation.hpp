#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/kinematics/closure/plan.hpp"
#include "engine/mechanism/finding.hpp"
#include "engine/motion/motion.hpp"

namespace counterpoise {

/// How many samples are evaluated at a time: studies use Pack; one sample at a time is the same
/// code with double.
enum class Lanes { pack, one };

struct SimulationOptions {
  bool springs = true;     // if false, as if the mechanism had no springs
  bool reactions = false;  // whether to add the wrench through each joint and loop closure
  Closure closure = Closure::closed_form;
  Lanes lanes_of_samples = Lanes::pack;
};

struct Series {
  std::string name;            // "lift.load", "torso.q", ...; see README, `simulate`
  std::vector<double> values;  // one per sample
};

/// The result of one inverse-dynamics run as columns; the first is "t".
struct Simulation {
  std::vector<Series> columns;
  std::vector<Finding> broken_limits;  // first finding per element and limit; the run goes on
  std::vector<Finding>
      wrong_senses;  // springs built to pull that push, or the reverse; where worst
  // how many components per sample neither equilibrium nor sharing rules settle, and the joints and
  // closures that they concern; see Reactions
  int open_reactions = 0;
  std::vector<std::string> open_joints;
};

/// Runs `mechanism` through `motion`. Returns the finding when it cannot follow. Throws
/// MechanismError when the motion's coordinates or the actuators are too few or too many, or when
/// the sharing rules contradict each other.
std::variant<Simulation, Finding> simulate(const Mechanism& mechanism, const Motion& motion,
                                           const SimulationOptions& options);

}  // namespace counterpoise
