#pragma once

#include <stdexcept>
#include <string>

#include "engine/mechanism/mechanism.hpp"

namespace counterpoise {

/// Why a mechanism cannot follow a motion, or which limit it breaks.
enum class FindingKind {
  loop_open,             // a loop cannot close
  actuator_unreachable,  // a two-point actuator cannot have the prescribed length
  singular_loop,         // the pose of the joints a loop determines is singular
  singular_actuator,     // likewise, of the joints an actuator determines
  coupling_open,
  loop_jump,
  actuator_jump,
  transmission_singular,  // the actuators do not determine the forces in this pose
  spring_too_short,
  spring_too_long,
  spring_overloaded,
  position_too_small,
  position_too_large,
  actuator_overloaded,
  actuator_too_fast,
  not_finite,  // a load that is not a number; a failure of the tool, not of the design
};

/// A located finding; plain numbers, so that reporting one costs no allocation.
struct Finding {
  FindingKind kind = FindingKind::not_finite;
  int element = -1;        // index of the loop, spring or actuator concerned
  double time = 0.0;       // of the first sample concerned                                     [s]
  double value = 0.0;      // what was found at that time: gap, length, load ..., smallest sine
  double limit = 0.0;      // what it was held against
  double violation = 0.0;  // the worst over the motion, relative to the limit's size, >= 0
};

/// In words, with element and time: "spring lean_spring shorter than min_length at t=1.5 s (...)".
std::string describe(const Finding& finding, const Mechanism& mechanism);

/// The structure is wrong, whatever the numbers of a motion: too few or too many actuators or
/// coordinates, inconsistent loops. `what()` names the coordinates concerned.
class MechanismError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace counterpoise
