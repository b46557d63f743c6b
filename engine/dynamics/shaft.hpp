#pragma once

#include <algorithm>
#include <cmath>

#include "engine/mechanism/elements.hpp"

namespace counterpoise {

/// The load where dry friction may carry up to `range` of it, or as much more, to either side: as
/// small as it can be, or as large. It never decreases with the load.
inline double with_range(double load, double range, bool favourable) {
  const double size = std::abs(load);
  return std::copysign(favourable ? std::max(0.0, size - range) : size + range, load);
}

/// The same where dry friction may add up to `up` to the load or take up to `down` from it.
inline double with_range(double load, double up, double down, bool favourable) {
  const double most = load + up, least = load - down;
  if (!favourable) return std::abs(most) < std::abs(least) ? least : most;
  return least > 0.0 ? least : most < 0.0 ? most : std::copysign(0.0, load);
}

/// A motor's shaft and the gears between it and the coordinate of an actuator.
struct Shaft {
  double ratio = 1.0;       // i, turn of the motor per unit of the coordinate    [rad/rad, rad/m]
  double efficiency = 1.0;  // eta, where the motor drives
  double back_efficiency = 1.0;  // eta_b, where it is driven
  double inertia = 0.0;          // J, of all that turns with the motor             [kg m^2]
  double torque_constant = 0.0;  // k [N m/A]; 0: not known
  double resistance = 0.0;       // R [ohm]; 0: not known

  /// The torque that the load asks of the motor, without its own inertia:
  ///   u / (i eta) where u v > 0,   u eta_b / i where u v < 0,   u / i at rest.
  [[nodiscard]] double carried(double u, double v) const {
    const double power = u * v;
    return u * (power > 0.0 ? 1.0 / efficiency : power < 0.0 ? back_efficiency : 1.0) / ratio;
  }
  /// The torque of the motor:  carried(u, v) + J i a.
  [[nodiscard]] double torque(double u, double v, double a) const {
    return carried(u, v) + inertia * ratio * a;
  }
  /// The heat of the windings at this torque [W]; 0 where k or R is not known.
  [[nodiscard]] double heat(double torque) const {
    if (torque_constant == 0.0) return 0.0;
    const double current = torque / torque_constant;
    return resistance * current * current;
  }
};

/// The shaft of a motor that a mechanism knows.
inline Shaft shaft_of(const MotorSide& motor) {
  return {.ratio = motor.ratio,
          .efficiency = motor.efficiency,
          .back_efficiency = motor.back_efficiency,
          .inertia = motor.rotor_inertia,
          .torque_constant = motor.resistance > 0.0 ? motor.torque_constant : 0.0,
          .resistance = motor.resistance};
}

}  // namespace counterpoise
