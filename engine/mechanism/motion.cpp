#include "engine/mechanism/motion.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace counterpoise {

int Motion::sample_count() const {
  return static_cast<int>(std::lround(duration / step)) + 1;
}

std::size_t PoseLevels::level_of(int k) const {
  const int count = static_cast<int>(levels.size());
  const int turn = k / repeat / count;
  const int level = k / repeat % count;
  return static_cast<std::size_t>(turn % 2 == 0 ? level : count - 1 - level);
}

namespace {

struct Evaluation {
  double t;
  double duration;

  ProfileValue operator()(const Hold& hold) const { return {hold.value, 0.0, 0.0}; }

  ProfileValue operator()(const BangBang& move) const {
    const double half = duration / 2.0;
    const double a = move.acceleration;
    if (t < half) return {move.start + a * t * t / 2.0, a * t, a};
    const double late = t - half;
    const double peak = a * half;
    return {move.start + peak * half / 2.0 + peak * late - a * late * late / 2.0, peak - a * late,
            -a};
  }

  ProfileValue operator()(const Sine& sine) const {
    const double omega = 2.0 * std::numbers::pi / sine.period;
    const double angle = omega * t + sine.phase;
    const double swing = sine.amplitude * std::sin(angle);
    return {sine.mean + swing, sine.amplitude * omega * std::cos(angle), -omega * omega * swing};
  }

  ProfileValue operator()(const PointToPoint& move) const {
    const double length = move.end_time - move.start_time;
    const double s = (t - move.start_time) / length;
    const double way = move.to - move.from;
    if (s < 0.0) return {move.from, 0.0, 0.0};
    if (s > 1.0) return {move.to, 0.0, 0.0};
    const ProfileValue unit =
        move.shape == MoveShape::quintic ? unit_quintic(s) : unit_trapezoid(s, move.ramp);
    return {move.from + way * unit.position, way * unit.velocity / length,
            way * unit.acceleration / (length * length)};
  }

  ProfileValue operator()(const CubicSpline& spline) const {
    const auto& x = spline.times;
    assert(x.size() >= 2);
    const auto above = std::upper_bound(x.begin() + 1, x.end() - 1, t);
    const auto i = static_cast<std::size_t>(above - x.begin()) - 1;
    const double h = x[i + 1] - x[i];
    const double u = std::clamp(t, x.front(), x.back()) - x[i];
    const double m0 = spline.curvature[i];
    const double m1 = spline.curvature[i + 1];
    const double slope = (spline.values[i + 1] - spline.values[i]) / h - h * (2.0 * m0 + m1) / 6.0;
    const double jerk = (m1 - m0) / h;
    return {spline.values[i] + u * (slope + u * (m0 / 2.0 + u * jerk / 6.0)),
            slope + u * (m0 + u * jerk / 2.0), m0 + u * jerk};
  }

  ProfileValue operator()(const PoseLevels& poses) const {
    const auto k = static_cast<int>(std::lround(t));
    const auto last = static_cast<int>(std::lround(duration));
    const auto position = [&](int pose) { return poses.levels[poses.level_of(pose)]; };
    const double now = position(k);
    if (last == 0) return {now, 0.0, 0.0};
    // central differences: the trapezoids of accelerations are the steps of velocities exactly
    const double before = k > 0 ? position(k - 1) : 2.0 * now - position(1);
    const double after = k < last ? position(k + 1) : 2.0 * now - before;
    return {now, (after - before) / 2.0, after - 2.0 * now + before};
  }

  static ProfileValue unit_quintic(double s) {
    const double r = 1.0 - s;
    return {s * s * s * (10.0 + s * (-15.0 + 6.0 * s)), 30.0 * s * s * r * r,
            60.0 * s * r * (1.0 - 2.0 * s)};
  }

  static ProfileValue unit_trapezoid(double s, double ramp) {
    const double speed = 1.0 / (1.0 - ramp);
    const double a = speed / ramp;
    if (s < ramp) return {a * s * s / 2.0, a * s, a};
    const double r = 1.0 - s;
    if (r <= ramp) return {1.0 - a * r * r / 2.0, a * r, -a};
    return {speed * (s - ramp / 2.0), speed, 0.0};
  }
};

/// Returns the second derivatives at the knots from the tridiagonal system of a C2 cubic spline
/// (Thomas). If `clamped`, the slope is zero at both ends, otherwise the second derivative.
std::vector<double> spline_curvature(const std::vector<double>& x, const std::vector<double>& y,
                                     bool clamped) {
  const std::size_t n = x.size();
  assert(n >= 2 && y.size() == n);
  std::vector<double> lower(n, 0.0), diagonal(n, 1.0), upper(n, 0.0), right(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double h0 = x[i] - x[i - 1];
    const double h1 = x[i + 1] - x[i];
    lower[i] = h0 / 6.0;
    diagonal[i] = (h0 + h1) / 3.0;
    upper[i] = h1 / 6.0;
    right[i] = (y[i + 1] - y[i]) / h1 - (y[i] - y[i - 1]) / h0;
  }
  if (clamped) {
    const double h0 = x[1] - x[0];
    const double h1 = x[n - 1] - x[n - 2];
    diagonal[0] = h0 / 3.0;
    upper[0] = h0 / 6.0;
    right[0] = (y[1] - y[0]) / h0;
    diagonal[n - 1] = h1 / 3.0;
    lower[n - 1] = h1 / 6.0;
    right[n - 1] = -(y[n - 1] - y[n - 2]) / h1;
  }
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    right[i] -= factor * right[i - 1];
  }
  std::vector<double> curvature(n);
  curvature[n - 1] = right[n - 1] / diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;)
    curvature[i] = (right[i] - upper[i] * curvature[i + 1]) / diagonal[i];
  return curvature;
}

CubicSpline make_spline(std::vector<double> times, std::vector<double> values, bool clamped) {
  CubicSpline spline;
  spline.curvature = spline_curvature(times, values, clamped);
  spline.times = std::move(times);
  spline.values = std::move(values);
  return spline;
}

}  // namespace

CubicSpline clamped_spline(std::vector<double> times, std::vector<double> values) {
  return make_spline(std::move(times), std::move(values), true);
}

CubicSpline natural_spline(std::vector<double> times, std::vector<double> values) {
  return make_spline(std::move(times), std::move(values), false);
}

ProfileValue evaluate(const Profile& profile, double t, double duration) {
  return std::visit(Evaluation{t, duration}, profile);
}

}  // namespace counterpoise
