#pragma once

#include <variant>
#include <vector>

namespace counterpoise {

/// Position, velocity and acceleration of one coordinate at one time  [rad or m, /s, /s^2].
struct ProfileValue {
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
};

struct Hold {
  double value = 0.0;
  bool operator==(const Hold&) const = default;
};

/// Starts at rest and moves with `acceleration` for t < duration/2, then with -acceleration.
struct BangBang {
  double start = 0.0;
  double acceleration = 0.0;
  bool operator==(const BangBang&) const = default;
};

/// Position mean + amplitude * sin(2 pi t / period + phase); period is not zero.
struct Sine {
  double mean = 0.0;
  double amplitude = 0.0;
  double period = 1.0;
  double phase = 0.0;
  bool operator==(const Sine&) const = default;
};

enum class MoveShape { quintic, trapezoid };

/// Rests at `from` until start_time and at `to` from end_time on (end_time > start_time). The
/// trapezoid accelerates for the share `ramp` (0 < ramp <= 1/2) of the move's time and brakes as
/// long.
struct PointToPoint {
  double from = 0.0;
  double to = 0.0;
  double start_time = 0.0;
  double end_time = 1.0;
  MoveShape shape = MoveShape::quintic;
  double ramp = 1.0 / 3.0;
  bool operator==(const PointToPoint&) const = default;
};

/// A piecewise cubic, twice continuously differentiable, given by its knots and second derivatives.
struct CubicSpline {
  std::vector<double> times;  // strictly increasing, at least two
  std::vector<double> values;
  std::vector<double> curvature;  // second derivative at each knot
  bool operator==(const CubicSpline&) const = default;
};

/// Returns the spline through the values with zero slope at both ends.
CubicSpline clamped_spline(std::vector<double> times, std::vector<double> values);
/// Returns the spline through the values with zero second derivative at both ends.
CubicSpline natural_spline(std::vector<double> times, std::vector<double> values);

using Profile = std::variant<Hold, BangBang, Sine, PointToPoint, CubicSpline>;

/// Returns the profile and its exact derivatives at time t [s] of a motion that lasts `duration`
/// [s]. A spline is defined between its first and last knot (a time up to 1e-9 outside counts as
/// the end).
ProfileValue evaluate(const Profile& profile, double t, double duration);

}  // namespace counterpoise
