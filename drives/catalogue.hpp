#pragma once

#include <limits>
#include <string>

namespace counterpoise {

/// A motor of a catalogue.
struct Motor {
  std::string name;
  double rated_torque = 0.0;     // that it can give for ever                      [N m]
  double peak_torque = 0.0;      // that it can give for a moment                  [N m]
  double rated_speed = 0.0;      // up to which it gives the rated torque          [rad/s]
  double no_load_speed = 0.0;    // at which it gives none                         [rad/s]
  double torque_constant = 0.0;  // [N m/A]; 0: not known
  double resistance = 0.0;       // of its windings [ohm]; 0: not known
  double rotor_inertia = 0.0;    // [kg m^2]
  double mass = 0.0;             // [kg]
  double price = 0.0;

  /// The speed that it loses per torque  [rad/s per N m].
  [[nodiscard]] double droop() const { return (no_load_speed - rated_speed) / rated_torque; }
};

/// A gearbox of a catalogue.
struct Gearbox {
  std::string name;
  double ratio = 1.0;            // turn of the motor per turn of its output
  double efficiency = 1.0;       // share of power that arrives at its output where the motor drives
  double back_efficiency = 1.0;  // and at the motor where the output drives; 0: it locks
  double rated_torque = std::numeric_limits<double>::infinity();  // at its output   [N m]
  double peak_torque = std::numeric_limits<double>::infinity();   // at its output   [N m]
  double input_speed = std::numeric_limits<double>::infinity();   // at most         [rad/s]
  double inertia = 0.0;                                           // at its input    [kg m^2]
  double mass = 0.0;                                              // [kg]
  double price = 0.0;
  double backlash = 0.0;  // at its output [rad]; no demand reads it
};

/// What is to be least among the drives that suffice.
enum class DriveCost { price, mass };

}  // namespace counterpoise
