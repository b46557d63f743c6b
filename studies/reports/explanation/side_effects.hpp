#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "studies/reports/explanation/compared_motion.hpp"

namespace counterpoise {

/// The largest value of something over all motions of a case, and where.
struct Extreme {
  double value = 0.0;
  std::size_t motion = 0;  // index of Study::motions
  double time = 0.0;       // [s]
};

/// The largest force [N] or moment [N m] through the joint of a body or through a loop closure.
struct ReactionChange {
  std::string joint;  // the body, or the loop
  bool open = false;  // neither equilibrium nor sharing rules settle it; see Reactions
  Extreme robot, baseline;

  [[nodiscard]] double change() const { return robot.value - baseline.value; }
};

struct SpringPull {
  int spring = -1;  // index in the mechanism
  Extreme robot;    // largest |tension| [N], torsion: |torque| [N m]
  std::optional<Extreme> baseline;
};

/// How hard an actuator works in one motion.
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

/// What a design changes besides its objectives.
struct SideEffects {
  static constexpr std::size_t most_reactions = 6;
  static constexpr double least_change = 0.01;  // of the baseline's

  /// Those that change by more than `least_change`, largest change first, at most so many each.
  std::vector<ReactionChange> forces, moments;
  std::size_t forces_left_out = 0, moments_left_out = 0;
  std::string no_reactions;  // why none are compared, in words; empty if they are
  std::vector<SpringPull> springs;
  std::vector<ActuatorWork> actuators;  // by actuator, then motion
};

/// Changes of sign of a series; what is not larger than `zero` has no sign.
int sign_changes(std::span<const double> values, double zero);

/// Of these actuators, and of all joints and springs.
SideEffects side_effects(const std::vector<ComparedMotion>& motions,
                         std::span<const int> actuators);

}  // namespace counterpoise
