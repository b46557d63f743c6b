#pragma once

#include <vector>

#include "engine/falls/scenario.hpp"

namespace counterpoise {

/// The motor of an actuator that falls with the mechanism, as the actuator's coordinate feels it:
/// the rotor and the gears at the ratio i, and what brakes them.
struct FallingMotor {
  std::size_t actuator = 0;
  Friction friction = {};    // of the gears, of shorted windings, and of a brake that is closed
  double inertia = 0.0;      // of the rotor: i^2 J                                  [kg m^2, kg]
  double brake = 0.0;        // dry friction of a brake that is still open             [N m or N]
  double closes = no_limit;  // when that closes                                           [s]
};

/// A coordinate that friction and rotors act on by themselves: the position of a joint, or the
/// length of a two-point actuator.
struct Slide {
  BodyIndex joint;         // none of a length
  ActuatorIndex line;      // none of a joint
  Friction own = {};       // of the joint
  Friction friction = {};  // of the joint and of all motors
  double inertia = 0.0;    // of all rotors
  std::vector<FallingMotor> motors = {};

  /// Whether it has friction, or may get some.
  [[nodiscard]] bool rubs() const;
};

/// The slides of a mechanism that falls: of joints in their order, then of two-point actuators.
/// What is held or followed has none, as nothing of its motor reaches the mechanism.
std::vector<Slide> slides_of(const Mechanism& mechanism, const Scenario& scenario);

/// The scenario with actuators held whose gears lock.
Scenario with_locks(const Mechanism& mechanism, Scenario scenario);

}  // namespace counterpoise
