#include "engine/mechanism/motion.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/differences.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using test::Random;

namespace {

constexpr double duration = 4.0;
constexpr double step = 1e-3;  // of the differences [s]
constexpr double rounding = 1e-14;

/// Velocity and acceleration against differences of position where the profile is smooth for
/// three steps to both sides.
void check_slopes(const Profile& profile, double t) {
  const auto position = [&](double by) { return evaluate(profile, t + by, duration).position; };
  const ProfileValue here = evaluate(profile, t, duration);
  const test::Slope velocity = test::slope_at_zero(position, step, rounding);
  const test::Slope acceleration = test::curvature_at_zero(position, step, rounding);
  CAPTURE(t);
  CHECK(std::abs(here.velocity - velocity.value) < velocity.error + 1e-10);
  CHECK(std::abs(here.acceleration - acceleration.value) < acceleration.error + 1e-7);
}

/// Position and velocity do not jump; where asked, neither does acceleration.
void check_continuity(const Profile& profile, double t, bool acceleration_too) {
  constexpr double instant = 1e-9;
  const ProfileValue before = evaluate(profile, t - instant, duration);
  const ProfileValue after = evaluate(profile, t + instant, duration);
  CAPTURE(t);
  // what slopes of up to `steepest` change in the meantime
  constexpr double steepest = 1e4;
  CHECK(std::abs(after.position - before.position) < 2.0 * instant * steepest);
  CHECK(std::abs(after.velocity - before.velocity) < 2.0 * instant * steepest);
  if (acceleration_too)
    CHECK(std::abs(after.acceleration - before.acceleration) < 2.0 * instant * steepest);
}

void check_value(const ProfileValue& value, double position, double velocity, double acceleration) {
  CHECK(value.position == Approx(position).margin(1e-14));
  CHECK(value.velocity == Approx(velocity).margin(1e-14));
  CHECK(value.acceleration == Approx(acceleration).margin(1e-13));
}

std::vector<double> random_times(Random& random) {
  std::vector<double> times = {0.0};
  while (times.back() < duration - 0.8) times.push_back(times.back() + random.uniform(0.2, 0.6));
  times.push_back(duration);
  return times;
}

std::vector<double> random_values(Random& random, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(random.uniform(-1.0, 1.0));
  return values;
}

}  // namespace

TEST_CASE("a hold stays") {
  check_value(evaluate(Hold{0.7}, 1.3, duration), 0.7, 0.0, 0.0);
}

TEST_CASE("a bang-bang accelerates for half the motion and brakes to rest") {
  const BangBang move{0.3, -0.5};
  check_value(evaluate(move, 0.0, duration), 0.3, 0.0, -0.5);
  check_value(evaluate(move, 1.0, duration), 0.3 - 0.25, -0.5, -0.5);
  // at the middle the brake is on: a for t < duration/2, then -a
  check_value(evaluate(move, 2.0, duration), 0.3 - 1.0, -1.0, 0.5);
  check_value(evaluate(move, 4.0, duration), 0.3 - 2.0, 0.0, 0.5);
  check_continuity(move, 2.0, false);
  check_slopes(move, 0.7);
  check_slopes(move, 3.1);
}

TEST_CASE("a sine has mean, amplitude, period and phase") {
  const double pi = std::acos(-1.0);
  const Sine sine{0.2, 0.5, 2.0, pi / 2.0};
  check_value(evaluate(sine, 0.0, duration), 0.7, 0.0, -0.5 * pi * pi);
  check_value(evaluate(sine, 0.5, duration), 0.2, -0.5 * pi, 0.0);
  for (double t = 0.1; t < duration; t += 0.37) check_slopes(sine, t);
}

TEST_CASE("a point-to-point move rests at both ends") {
  for (const MoveShape shape : {MoveShape::quintic, MoveShape::trapezoid}) {
    const PointToPoint move{-0.2, 0.6, 0.5, 3.0, shape, 0.25};
    check_value(evaluate(move, 0.2, duration), -0.2, 0.0, 0.0);
    check_value(evaluate(move, 3.5, duration), 0.6, 0.0, 0.0);
    CHECK(evaluate(move, 3.0, duration).position == Approx(0.6));
    CHECK(evaluate(move, 1.75, duration).position == Approx(0.2));  // half way at half time
    check_continuity(move, 0.5, shape == MoveShape::quintic);
    check_continuity(move, 3.0, shape == MoveShape::quintic);
    for (const double t : {0.6, 0.9, 1.4, 1.9, 2.2, 2.6, 2.9}) check_slopes(move, t);
  }
}

TEST_CASE("a quintic move peaks at 15/8 of the mean speed") {
  const PointToPoint move{0.0, 1.0, 0.0, duration, MoveShape::quintic, 0.0};
  CHECK(evaluate(move, 2.0, duration).velocity == Approx(1.875 / duration));
}

TEST_CASE("a trapezoid keeps constant speed between its ramps and constant acceleration in them") {
  for (const double ramp : {0.1, 1.0 / 3.0, 0.5}) {
    CAPTURE(ramp);
    const PointToPoint move{1.0, -1.0, 0.0, duration, MoveShape::trapezoid, ramp};
    const double speed = -2.0 / (duration * (1.0 - ramp));
    const double acceleration = speed / (ramp * duration);
    double fastest = 0.0;
    for (double s = 0.001; s < 1.0; s += 0.01) {
      const ProfileValue value = evaluate(move, s * duration, duration);
      fastest = std::max(fastest, std::abs(value.velocity));
      const double expected = s < ramp ? acceleration : s > 1.0 - ramp ? -acceleration : 0.0;
      CHECK(value.acceleration == Approx(expected).margin(1e-12));
      if (expected == 0.0) CHECK(value.velocity == Approx(speed));
    }
    CHECK(fastest <= std::abs(speed) * (1.0 + 1e-12));
    check_continuity(move, ramp * duration, false);
    check_continuity(move, (1.0 - ramp) * duration, false);
  }
}

TEST_CASE("splines pass their knots twice differentiably, with their own ends") {
  Random random(5);
  for (int trial = 0; trial < test::trials(50); ++trial) {
    const bool clamped = trial % 2 == 0;
    const std::vector<double> times = random_times(random);
    const std::vector<double> values = random_values(random, times.size());
    const Profile spline = clamped ? clamped_spline(times, values) : natural_spline(times, values);
    CAPTURE(trial);
    for (std::size_t i = 0; i < times.size(); ++i) {
      CHECK(evaluate(spline, times[i], duration).position == Approx(values[i]).margin(1e-14));
      if (i > 0 && i + 1 < times.size()) check_continuity(spline, times[i], true);
      if (i > 0) check_slopes(spline, (times[i - 1] + times[i]) / 2.0);
    }
    for (const double end : {times.front(), times.back()}) {
      const ProfileValue value = evaluate(spline, end, duration);
      CHECK((clamped ? value.velocity : value.acceleration) == Approx(0.0).margin(1e-11));
    }
    // times a little outside, as sums of steps give, count as the ends
    CHECK(evaluate(spline, duration + 1e-10, duration).position ==
          Approx(values.back()).margin(1e-9));
  }
}

TEST_CASE("a spline through two knots is the cubic or the line between them") {
  const Profile clamped = clamped_spline({0.0, duration}, {0.0, 1.0});
  const double t = 1.3, s = t / duration;
  CHECK(evaluate(clamped, t, duration).position == Approx(s * s * (3.0 - 2.0 * s)));
  const Profile natural = natural_spline({0.0, duration}, {0.0, 1.0});
  check_value(evaluate(natural, t, duration), s, 1.0 / duration, 0.0);
}

TEST_CASE("a clamped spline reproduces a cubic that rests at both ends") {
  std::vector<double> times = {0.0, 0.3, 1.1, 2.7, 3.2, duration}, values;
  const auto cubic = [](double t) { return t * t * (3.0 * duration - 2.0 * t) / 10.0; };
  for (const double t : times) values.push_back(cubic(t));
  const Profile spline = clamped_spline(times, values);
  for (double t = 0.05; t < duration; t += 0.1)
    CHECK(evaluate(spline, t, duration).position == Approx(cubic(t)).margin(1e-13));
}

TEST_CASE("a motion has one sample more than steps, whatever the rounding of its step") {
  Motion motion;
  motion.duration = 60.0;
  motion.step = 0.1;
  CHECK(motion.sample_count() == 601);
  motion.duration = 0.3;
  CHECK(motion.sample_count() == 4);
}
