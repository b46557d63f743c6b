#pragma once

#include <array>
#include <optional>

namespace counterpoise {

/// The cubic through values and slopes at both ends of a step of length h.
struct Cubic {
  double h, x0, v0, x1, v1;

  [[nodiscard]] double at(double t) const;
  /// The places strictly inside the step where the slope is zero, ascending; `count` of them.
  struct Extrema {
    std::array<double, 2> at{};
    int count = 0;
  };
  [[nodiscard]] Extrema extrema() const;
  [[nodiscard]] double largest() const;
  /// The least value at these places; infinity where there are none.
  [[nodiscard]] double least_inside() const;
  /// About how far the cubic is from a smooth curve through its ends, whose second derivatives
  /// there are a0 and a1: they differ from the cubic's by the fourth derivative times h^2 / 12, and
  /// the curves by that times h^4 / 384.
  [[nodiscard]] double error(double a0, double a1) const;
  /// The first place at which the cubic crosses zero downwards and then goes below -depth. A cubic
  /// that begins below zero and falls crosses at 0.
  [[nodiscard]] std::optional<double> falls_below(double depth) const;
  /// The last place at which the cubic's size is larger than `bound`.
  [[nodiscard]] std::optional<double> last_beyond(double bound) const;
};

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
