#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "studies/instants.hpp"

namespace counterpoise {

/// The largest value of a quantity over all motions of a case, and when it occurs.
struct Extreme {
  double value = 0.0;
  std::size_t motion = 0;  // index of Study::motions
  double time = 0.0;       // [s]
};

/// The largest force [N] or moment [N m] through the joint of a body or through a loop closure.
struct ReactionChange {
  std::string joint;  // the body, or the loop
  bool open = false;  // not determined by equilibrium and sharing rules; see Reactions
  Extreme robot, baseline;

  [[nodiscard]] double change() const { return robot.value - baseline.value; }
};

struct SpringPull {
  int spring = -1;  // index in the mechanism
  Extreme robot;    // largest |tension| [N], torsion: |torque| [N m]
  std::optional<Extreme> baseline;
};

/// The work of an actuator in one motion.
struct Work {
  int sign_changes = 0;     // of the load: each goes through the backlash of a gear
  double energy = 0.0;      // integral of |load * velocity| [J]
  double peak_power = 0.0;  // [W]
};

struct ActuatorWork {
  int actuator = -1;
  std::size_t motion = 0;  // index of Study::motions
  Work robot;
  std::optional<Work> baseline, without_springs;
};

/// What else a design changes, besides its objectives.
struct SideEffects {
  static constexpr std::size_t most_reactions = 6;
  static constexpr double least_change = 0.01;  // as a fraction of the baseline's value

  /// Forces and moments that change by more than `least_change`, largest change first; the number
  /// of each is limited.
  std::vector<ReactionChange> forces, moments;
  std::size_t forces_left_out = 0, moments_left_out = 0;
  std::string no_reactions;  // why none are compared, in words; empty if they are
  std::vector<SpringPull> springs;
  std::vector<ActuatorWork> actuators;  // by actuator, then motion
};

/// The number of changes of sign in a series; a value not larger than `zero` has no sign.
int sign_changes(std::span<const double> values, double zero);

/// The side effects on these actuators, and on all joints and springs.
SideEffects side_effects(const std::vector<ComparedMotion>& motions,
                         std::span<const int> actuators);

}  // namespace counterpoise
