#include "engine/mechanism/moves.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {

MoveTimes fastest_move(double way, const MoveLimits& limits) {
  const double distance = std::abs(way);
  const double v = limits.speed, a = limits.acceleration, j = limits.jerk;
  if (distance == 0.0) return {};
  // without constant acceleration a ramp reaches the speed j t^2, and both go 2 j t^3
  const double to_acceleration = a / j;
  MoveTimes times{
      .jerk = std::min({to_acceleration, std::sqrt(v / j), std::cbrt(distance / (2.0 * j))})};
  // with it a ramp reaches a (jerk + constant), and both go a (jerk + constant) (2 jerk + constant)
  if (times.jerk == to_acceleration) {
    const double half = times.jerk / 2.0;
    const double to_speed = v / a - times.jerk;
    const double to_distance = std::sqrt(half * half + distance / a) - 3.0 * half;
    times.constant = std::max(std::min(to_speed, to_distance), 0.0);
  }
  // negative where the ramps do not reach the top speed
  times.cruise = std::max(distance / v - times.ramp(), 0.0);
  return times;
}

MoveTimes move_of_duration(MoveShape shape, double duration, double ramp) {
  const double lasts = ramp * duration;
  const double cruise = std::max(duration - 2.0 * lasts, 0.0);
  if (shape == MoveShape::s_curve) return {.jerk = lasts / 2.0, .cruise = cruise};
  return {.constant = lasts, .cruise = cruise};
}

void MoveList::rest(double start) {
  // behind a piece that lasts no longer than rounding
  if (!moves_.pieces.empty()) start = std::max(start, moves_.pieces.back().start);
  moves_.pieces.push_back({start, {position_}});
}

void MoveList::quintic(double start, double to, double duration) {
  const double way = to - position_;
  const double c3 = way / (duration * duration * duration);
  const double c4 = c3 / duration;
  moves_.pieces.push_back(
      {start, {position_, 0.0, 0.0, 10.0 * c3, -15.0 * c4, 6.0 * c4 / duration}});
  position_ = to;
  rest(start + duration);
}

void MoveList::move(double start, double to, const MoveTimes& times) {
  const double way = to - position_;
  if (way == 0.0) return rest(start + times.duration());
  const double speed = way / (times.ramp() + times.cruise);
  const double a = speed / (times.jerk + times.constant);
  const double j = times.jerk > 0.0 ? a / times.jerk : 0.0;

  // the state at the start of each piece; the second half is the first one from its end
  const double t_jerk = times.jerk, t_constant = times.constant;
  const double v1 = j * t_jerk * t_jerk / 2.0, x1 = v1 * t_jerk / 3.0;
  const double v2 = v1 + a * t_constant, x2 = x1 + (v1 + v2) * t_constant / 2.0;
  const double x3 = speed * times.ramp() / 2.0;
  double t = start;
  const auto piece = [&](double lasts, const std::array<double, 6>& coefficients) {
    if (!(lasts > 0.0)) return;
    moves_.pieces.push_back({t, coefficients});
    t += lasts;
  };
  const double from = position_;
  piece(t_jerk, {from, 0.0, 0.0, j / 6.0});
  piece(t_constant, {from + x1, v1, a / 2.0});
  piece(t_jerk, {from + x2, v2, a / 2.0, -j / 6.0});
  piece(times.cruise, {from + x3, speed});
  piece(t_jerk, {to - x3, speed, 0.0, -j / 6.0});
  piece(t_constant, {to - x2, v2, -a / 2.0});
  piece(t_jerk, {to - x1, v1, -a / 2.0, j / 6.0});
  position_ = to;
  rest(start + times.duration());
}

}  // namespace counterpoise
