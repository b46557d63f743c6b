#include "engine/mechanism/moves.hpp"

#include <Eigen/Dense>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/support/differences.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using test::Random;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double of_rounding = 1e-12;

double log_uniform(Random& random, double low, double high) {
  return std::exp(random.uniform(std::log(low), std::log(high)));
}

/// Limits and a way of all sizes, so that every set of phases occurs; half of them trapezoids.
struct RandomMove {
  MoveLimits limits;
  double from, way;

  explicit RandomMove(Random& random)
      : limits{log_uniform(random, 0.05, 20.0), log_uniform(random, 0.05, 20.0),
               random.chance(0.5) ? infinite : log_uniform(random, 0.05, 200.0)},
        from(random.uniform(-1.0, 1.0)),
        way(random.chance(0.5) ? log_uniform(random, 1e-3, 100.0)
                               : -log_uniform(random, 1e-3, 100.0)) {}
};

/// How long a ramp from rest to a speed takes within the limits.
double ramp_time(double speed, const MoveLimits& limits) {
  const double a = limits.acceleration, j = limits.jerk;
  if (j == infinite) return speed / a;
  return speed * j < a * a ? 2.0 * std::sqrt(speed / j) : speed / a + a / j;
}

/// The least time of a move by bisection of its top speed: two ramps go the speed times the time of
/// one of them.
double least_time(double distance, const MoveLimits& limits) {
  const auto ramps = [&](double speed) { return speed * ramp_time(speed, limits); };
  if (ramps(limits.speed) <= distance)
    return 2.0 * ramp_time(limits.speed, limits) + (distance - ramps(limits.speed)) / limits.speed;
  double low = 0.0, high = limits.speed;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2.0;
    (ramps(middle) < distance ? low : high) = middle;
  }
  return 2.0 * ramp_time(low, limits);
}

Moves moves_of(const RandomMove& move, const MoveTimes& times, double start) {
  MoveList list(move.from);
  list.move(start, move.from + move.way, times);
  return list.moves();
}

/// The time of each phase, and in between.
std::vector<double> times_in(const Moves& moves) {
  std::vector<double> times;
  for (std::size_t i = 0; i + 1 < moves.pieces.size(); ++i)
    for (const double share : {0.0, 0.1, 0.5, 0.9})
      times.push_back(moves.pieces[i].start +
                      share * (moves.pieces[i + 1].start - moves.pieces[i].start));
  return times;
}

/// Velocity, acceleration and jerk against differences, inside each piece. Times are rounded, the
/// more the later they are.
void check_slopes(const Moves& moves) {
  for (std::size_t i = 0; i + 1 < moves.pieces.size(); ++i) {
    const double length = moves.pieces[i + 1].start - moves.pieces[i].start;
    const double t = moves.pieces[i].start + length / 2.0;
    const double step = length / 8.0;
    if (length < 1e-3) continue;
    const Profile profile = moves;
    const auto at = [&](double by) { return evaluate(profile, t + by, 0.0); };
    const ProfileValue here = at(0.0);
    const auto check = [&](double found, const std::function<double(double)>& of, double size) {
      const test::Slope expected = test::slope_at_zero(of, step, 1e-14 * size);
      CHECK(std::abs(found - expected.value) < expected.error + of_rounding * size / step);
    };
    check(
        here.velocity, [&](double by) { return at(by).position; },
        std::abs(here.position) + (1.0 + t) * std::abs(here.velocity) + 1.0);
    check(
        here.acceleration, [&](double by) { return at(by).velocity; },
        std::abs(here.velocity) + (1.0 + t) * std::abs(here.acceleration) + 1.0);
    check(
        jerk(profile, t, 0.0), [&](double by) { return at(by).acceleration; },
        std::abs(here.acceleration) + (1.0 + t) * std::abs(jerk(profile, t, 0.0)) + 1.0);
  }
}

}  // namespace

TEST_CASE("the fastest move is the shortest within its limits, and meets its ends") {
  Random random(11);
  for (int trial = 0; trial < test::trials(20'000); ++trial) {
    const RandomMove move(random);
    CAPTURE(trial, move.way, move.limits.speed, move.limits.acceleration, move.limits.jerk);
    const MoveTimes times = fastest_move(move.way, move.limits);
    CHECK(times.duration() == Approx(least_time(std::abs(move.way), move.limits)).epsilon(1e-11));

    const double start = random.uniform(0.0, 2.0);
    const double end = start + times.duration();
    const Profile profile = moves_of(move, times, start);
    const double size = std::abs(move.from) + std::abs(move.way);
    CHECK(evaluate(profile, 0.0, 0.0).position == move.from);
    CHECK(evaluate(profile, end + 1e-9, 0.0).position == move.from + move.way);
    CHECK(evaluate(profile, end * (1.0 - 1e-15), 0.0).position ==
          Approx(move.from + move.way).margin(1e-12 * size));
    for (const double t : times_in(std::get<Moves>(profile))) {
      if (t < start || t >= end) continue;
      const ProfileValue value = evaluate(profile, t, 0.0);
      const double speed = std::abs(value.velocity) / move.limits.speed;
      const double acceleration = std::abs(value.acceleration) / move.limits.acceleration;
      const double jerked =
          move.limits.jerk == infinite ? 0.0 : std::abs(jerk(profile, t, 0.0)) / move.limits.jerk;
      const double fullest = std::max({speed, acceleration, jerked});
      if (std::abs(fullest - 1.0) > 1e-9) {
        CAPTURE(t, speed, acceleration, jerked);
        CHECK(fullest == Approx(1.0).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("neither position nor velocity of a move jumps, nor the acceleration of an S-curve") {
  Random random(12);
  for (int trial = 0; trial < test::trials(500); ++trial) {
    const RandomMove move(random);
    const bool smooth = move.limits.jerk != infinite;
    const MoveTimes times = fastest_move(move.way, move.limits);
    const Moves moves = moves_of(move, times, 0.0);
    CAPTURE(trial);
    CHECK(jerk_is_bounded(moves) == smooth);
    check_slopes(moves);
    const double size = std::abs(move.from) + std::abs(move.way);
    for (std::size_t i = 1; i < moves.pieces.size(); ++i) {
      const double t = moves.pieces[i].start;
      const double length = t - moves.pieces[i - 1].start;
      const ProfileValue before = evaluate(Moves{{moves.pieces[i - 1]}}, t, 0.0);
      const ProfileValue after = evaluate(moves, t, 0.0);
      CHECK(before.position == Approx(after.position).margin(of_rounding * size));
      CHECK(before.velocity == Approx(after.velocity).margin(1e-9 * move.limits.speed));
      if (smooth && length > 1e-9)
        CHECK(before.acceleration ==
              Approx(after.acceleration).margin(1e-9 * move.limits.acceleration));
    }
  }
}

TEST_CASE("trapezoid and S-curve are those of the textbook") {
  // 1 m within 0.5 m/s and 1 m/s^2: ramps of 0.5 s, and 1.5 s at top speed
  const MoveTimes trapezoid = fastest_move(1.0, {0.5, 1.0, infinite});
  CHECK(trapezoid.jerk == 0.0);
  CHECK(trapezoid.constant == Approx(0.5));
  CHECK(trapezoid.cruise == Approx(1.5));
  // too short for the top speed
  const MoveTimes triangle = fastest_move(-0.16, {0.5, 1.0, infinite});
  CHECK(triangle.duration() == Approx(2.0 * std::sqrt(0.16)));
  CHECK(triangle.cruise == Approx(0.0).margin(1e-15));
  // all seven phases: j = 4, a = 1, v = 0.5 give 0.25 + 0.25 + 0.25 s up
  const MoveTimes full = fastest_move(1.0, {0.5, 1.0, 4.0});
  CHECK(full.jerk == Approx(0.25));
  CHECK(full.constant == Approx(0.25));
  CHECK(full.cruise == Approx(2.0 - 0.75));
  // nothing but jerk: 2 j t^3
  const MoveTimes jerked = fastest_move(2.0 * 4.0 * 0.001, {5.0, 5.0, 4.0});
  CHECK(jerked.jerk == Approx(0.1));
  CHECK(jerked.duration() == Approx(0.4));
  CHECK(fastest_move(0.0, {0.5, 1.0, 4.0}).duration() == 0.0);
}

TEST_CASE("a move of a given duration takes it, with ramps of their share") {
  for (const MoveShape shape : {MoveShape::trapezoid, MoveShape::s_curve})
    for (const double ramp : {0.1, 1.0 / 3.0, 0.5}) {
      const MoveTimes times = move_of_duration(shape, 2.0, ramp);
      CHECK(times.duration() == Approx(2.0));
      CHECK(times.ramp() == Approx(2.0 * ramp));
      MoveList list(0.2);
      list.move(1.0, -0.4, times);
      CHECK(jerk_is_bounded(list.moves()) == (shape == MoveShape::s_curve));
      CHECK(evaluate(list.moves(), 2.0, 0.0).velocity == Approx(-0.3 / (1.0 - ramp)));
      check_slopes(list.moves());
    }
  // a trapezoid is what a point-to-point trapezoid is
  MoveList list(0.2);
  list.move(1.0, -0.4, move_of_duration(MoveShape::trapezoid, 2.0, 0.2));
  const Profile known = PointToPoint{0.2, -0.4, 1.0, 3.0, MoveShape::trapezoid, 0.2};
  list.quintic(3.0, 0.7, 1.5);
  const Profile quintic = PointToPoint{-0.4, 0.7, 3.0, 4.5, MoveShape::quintic};
  const Profile moves = list.moves();
  for (double t = 0.05; t < 5.0; t += 0.1) {
    const ProfileValue found = evaluate(moves, t, 5.0);
    const ProfileValue expected = evaluate(t < 3.0 ? known : quintic, t, 5.0);
    CAPTURE(t);
    CHECK(found.position == Approx(expected.position).margin(1e-14));
    CHECK(found.velocity == Approx(expected.velocity).margin(1e-13));
    CHECK(found.acceleration == Approx(expected.acceleration).margin(1e-12));
    if (t > 3.0) CHECK(jerk(moves, t, 5.0) == Approx(jerk(quintic, t, 5.0)).margin(1e-11));
  }
  check_slopes(list.moves());
  CHECK_FALSE(jerk_is_bounded(moves));
}

TEST_CASE("a list of moves rests before, between and behind them") {
  MoveList list(1.0);
  list.quintic(0.5, 2.0, 1.0);
  list.rest(1.5);
  list.quintic(2.0, 0.0, 1.0);
  const Profile moves = list.moves();
  for (const auto& [t, position] :
       {std::pair{0.0, 1.0}, {0.3, 1.0}, {1.5, 2.0}, {1.8, 2.0}, {3.0, 0.0}, {9.0, 0.0}}) {
    const ProfileValue value = evaluate(moves, t, 10.0);
    CHECK(value.position == position);
    CHECK(value.velocity == 0.0);
    CHECK(value.acceleration == 0.0);
  }
  CHECK(evaluate(moves, 1.0, 10.0).position == Approx(1.5));
  CHECK(evaluate(moves, 2.5, 10.0).position == Approx(1.0));
  CHECK(jerk_is_bounded(moves));
}

TEST_CASE("the jerk of a profile is the slope of its acceleration") {
  const double duration = 4.0;
  const std::vector<Profile> profiles = {Sine{0.2, 0.5, 2.0, 0.7}, PointToPoint{0.3, 1.2, 0.5, 3.5},
                                         clamped_spline({0.0, 1.0, 4.0}, {0.0, 1.0, 0.3}),
                                         periodic_spline({0.0, 1.0, 4.0}, {0.3, 1.0, 0.3}),
                                         Hold{1.0}};
  for (const Profile& profile : profiles) {
    CHECK(jerk_is_bounded(profile));
    for (const double t : {0.6, 1.7, 2.9}) {
      const auto acceleration = [&](double by) {
        return evaluate(profile, t + by, duration).acceleration;
      };
      const test::Slope expected = test::slope_at_zero(acceleration, 1e-2, 1e-14);
      CHECK(std::abs(jerk(profile, t, duration) - expected.value) < expected.error + 1e-9);
    }
  }
  CHECK_FALSE(jerk_is_bounded(BangBang{0.0, 1.0}));
  CHECK_FALSE(jerk_is_bounded(PointToPoint{0.0, 1.0, 0.0, 1.0, MoveShape::trapezoid}));
}

TEST_CASE("a periodic spline is the one that a dense system of slopes gives") {
  Random random(13);
  for (int trial = 0; trial < test::trials(200); ++trial) {
    const int n = 1 + random.below(9);  // intervals
    std::vector<double> x = {0.0}, y;
    for (int i = 0; i < n; ++i) {
      x.push_back(x.back() + random.uniform(0.1, 1.0));
      y.push_back(random.uniform(-1.0, 1.0));
    }
    y.push_back(y.front());
    // at each knot the second derivatives of the Hermite cubics on both sides agree
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd right(n);
    for (int i = 0; i < n; ++i) {
      const int before = (i + n - 1) % n, after = (i + 1) % n;
      const double h0 = x[before + 1] - x[before], h1 = x[i + 1] - x[i];
      const double rise0 = y[before + 1] - y[before], rise1 = y[i + 1] - y[i];
      matrix(i, before) += 2.0 / h0;
      matrix(i, i) += 4.0 / h0 + 4.0 / h1;
      matrix(i, after) += 2.0 / h1;
      right(i) = 6.0 * (rise0 / (h0 * h0) + rise1 / (h1 * h1));
    }
    const Eigen::VectorXd slopes = matrix.fullPivLu().solve(right);
    const double end = x.back();
    const Profile spline = periodic_spline(x, y);
    CAPTURE(trial, n);
    for (int i = 0; i < n; ++i) {
      CHECK(evaluate(spline, x[i], end).position == Approx(y[i]).margin(1e-13));
      CHECK(evaluate(spline, x[i], end).velocity == Approx(slopes(i)).margin(1e-11));
    }
    const ProfileValue first = evaluate(spline, 0.0, end), last = evaluate(spline, end, end);
    CHECK(first.position == Approx(last.position).margin(1e-13));
    CHECK(first.velocity == Approx(last.velocity).margin(1e-11));
    CHECK(first.acceleration == Approx(last.acceleration).margin(1e-10));
  }
}
