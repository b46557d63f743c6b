#pragma once

namespace counterpoise {

/// The cubic through the positions and velocities at both ends of an interval of length h, at u in
/// [0, 1] of the interval.
struct Hermite {
  double q0, v0, q1, v1, h;
  [[nodiscard]] double position(double u) const {
    const double w = 1.0 - u;
    return w * w * (1.0 + 2.0 * u) * q0 + u * u * (3.0 - 2.0 * u) * q1 +
           h * u * w * (w * v0 - u * v1);
  }
  [[nodiscard]] double velocity(double u) const {
    return 6.0 * u * (1.0 - u) * (q1 - q0) / h + (1.0 - u) * (1.0 - 3.0 * u) * v0 +
           u * (3.0 * u - 2.0) * v1;
  }
};

}  // namespace counterpoise
