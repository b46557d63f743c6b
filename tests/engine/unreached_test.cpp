#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "engine/evaluation/evaluator.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/random.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// A planar four-bar about y whose crank need not go round, with an arm on its rocker that has a
/// motor of its own, and a spring from the world to the rocker.
struct FourBar {
  static constexpr double upright = std::numbers::pi / 2.0;
  double crank = 0.3, coupler = 0.4, rocker = 0.35, ground = 0.5;

  /// By how much the coupler spans the distance of the crank's tip from the rocker's pivot, below 0
  /// where it cannot.
  [[nodiscard]] double span(double angle) const {
    const double x = crank * std::cos(angle) - ground, z = crank * std::sin(angle);
    const double distance = std::hypot(x, z);
    return std::min(distance - std::abs(coupler - rocker), coupler + rocker - distance);
  }
  /// The least span on the way of the crank from upright to this angle.
  [[nodiscard]] double least_span(double angle) const {
    constexpr int steps = 2000;
    double least = span(angle);
    for (int i = 0; i < steps; ++i)
      least = std::min(least, span(upright + (angle - upright) * i / steps));
    return least;
  }
};

Body bar(const char* name, BodyIndex parent, const Vec3d& origin, double length, double mass) {
  Body body;
  body.name = name;
  body.parent = parent;
  body.joint.type = JointType::revolute;
  body.joint.axis = -Vec3d::UnitY();  // turns x towards z
  body.joint.origin = origin;
  body.mass = mass;
  body.com = {length / 2.0, 0.0, 0.0};
  return body;
}

Mechanism mechanism_of(const FourBar& lengths) {
  Mechanism mechanism;
  mechanism.bodies = {bar("crank", -1, Vec3d::Zero(), lengths.crank, 1.0),
                      bar("coupler", 0, {lengths.crank, 0.0, 0.0}, lengths.coupler, 0.7),
                      bar("rocker", -1, {lengths.ground, 0.0, 0.0}, lengths.rocker, 1.3),
                      bar("arm", 2, {lengths.rocker, 0.0, 0.0}, 0.5, 0.9)};
  mechanism.points = {{.name = "coupler.end", .body = 1, .position = {lengths.coupler, 0.0, 0.0}},
                      {.name = "rocker.end", .body = 2, .position = {lengths.rocker, 0.0, 0.0}},
                      {.name = "post", .body = -1, .position = {0.2, 0.0, 0.6}},
                      {.name = "mount", .body = 2, .position = {0.2, 0.0, 0.0}}};
  Loop loop;
  loop.name = "loop";
  loop.points = {0, 1};
  mechanism.loops = {loop};
  Spring spring;
  spring.name = "spring";
  spring.points = {2, 3};
  spring.rate = 150.0;
  spring.free_length = 0.2;
  mechanism.springs = {spring};
  for (const BodyIndex joint : {BodyIndex(0), BodyIndex(3)}) {
    Actuator motor;
    motor.name = mechanism.bodies[joint].name;
    motor.joint = joint;
    mechanism.actuators.push_back(motor);
  }
  // the zero configuration: the crank upright, the coupler above the rocker's pivot
  mechanism.bodies[0].joint.guess = FourBar::upright;
  mechanism.bodies[1].joint.guess = -std::numbers::pi / 2.0;
  mechanism.bodies[2].joint.guess = std::numbers::pi / 2.0;
  return mechanism;
}

Motion grid_of(const std::vector<std::vector<double>>& levels, bool skips) {
  Motion motion;
  motion.name = "poses";
  motion.step = 1.0;
  motion.inertia = false;
  motion.poses = true;
  motion.skips = skips;
  int repeat = 1;
  for (std::size_t i = levels.size(); i-- > 0;) {
    Drive drive;
    drive.actuator = static_cast<int>(i);
    drive.profile = PoseLevels{levels[i], repeat};
    motion.drives.insert(motion.drives.begin(), drive);
    repeat *= static_cast<int>(levels[i].size());
  }
  motion.duration = repeat - 1;
  return motion;
}

double angle_of(const Motion& motion, std::size_t drive, int k) {
  return evaluate(motion.drives[drive].profile, k, motion.duration).position;
}

Motion at_rest_in(const Motion& poses, int k) {
  Motion motion = poses;
  motion.poses = motion.skips = false;
  motion.duration = 1.0;
  for (std::size_t d = 0; d < motion.drives.size(); ++d)
    motion.drives[d].profile = Hold{angle_of(poses, d, k)};
  return motion;
}

std::vector<double> turn(int count, double first) {
  std::vector<double> levels;
  for (int i = 0; i < count; ++i) levels.push_back(first + 2.0 * std::numbers::pi * i / count);
  return levels;
}

bool is_left_out(const Simulation& simulation, int k) {
  return std::isnan(column(simulation, "crank.load")[static_cast<std::size_t>(k)]);
}

}  // namespace

TEST_CASE("poses in which a linkage cannot close are left out, and no others") {
  Random random(41);
  for (int trial = 0; trial < test::trials(60); ++trial) {
    CAPTURE(trial);
    FourBar lengths;
    for (double* length : {&lengths.crank, &lengths.coupler, &lengths.rocker})
      *length *= random.uniform(0.85, 1.15);
    if (lengths.span(FourBar::upright) < 0.01) continue;
    const Mechanism mechanism = mechanism_of(lengths);
    // the whole turn of the crank, from a place that may be out of reach; the arm is the slow axis
    // or the fast one
    const bool arm_first = trial % 2 == 1;
    std::vector<std::vector<double>> levels = {turn(23, random.uniform(-3.0, 3.0)),
                                               {-0.4, 0.3, 0.9}};
    Motion motion = grid_of(levels, true);
    if (arm_first) {
      std::get<PoseLevels>(motion.drives[0].profile).repeat = 1;
      std::get<PoseLevels>(motion.drives[1].profile).repeat = 23;
    }
    bool any = false;  // else the crank cannot leave the turn in which it stands upright
    for (int k = 0; k < motion.sample_count(); ++k)
      any = any || lengths.least_span(angle_of(motion, 0, k)) > -1e-3;
    if (!any) {
      CHECK(std::holds_alternative<Finding>(simulate(mechanism, motion, {})));
      continue;
    }
    const Simulation simulation = run(mechanism, motion);
    for (int k = 0; k < motion.sample_count(); ++k) {
      const double angle = angle_of(motion, 0, k);
      CAPTURE(k, angle);
      const double least = lengths.least_span(angle);
      if (std::abs(least) < 1e-3) continue;
      REQUIRE(is_left_out(simulation, k) == (least < 0.0));
      if (least < 0.0) continue;
      const auto& rocker = column(simulation, "rocker.q");
      const auto at = static_cast<std::size_t>(k);
      const double x =
          lengths.ground + lengths.rocker * std::cos(rocker[at]) - lengths.crank * std::cos(angle);
      const double z = lengths.rocker * std::sin(rocker[at]) - lengths.crank * std::sin(angle);
      CHECK(std::hypot(x, z) == Approx(lengths.coupler).epsilon(1e-9));
      // the coupler stays on its side of the line from the crank's tip to the rocker's pivot
      const double dx = lengths.ground - lengths.crank * std::cos(angle);
      const double dz = -lengths.crank * std::sin(angle);
      CHECK(dx * z - dz * x > 0.0);
    }
  }
}

namespace {

/// Two cranks whose tips two links connect, each 0.85 of the ground long. Where both cranks point
/// outwards the links are too short: an island in the plane of the cranks' angles.
struct FiveBar {
  static constexpr double crank = 0.4, link = 0.85;
  Flat flat;

  /// At its zero configuration the first crank has this angle, the second one that.
  FiveBar(double first_angle, double second_angle) {
    const int first = flat.revolute(world_body, 0.0, 0.0, first_angle);
    const int first_link = flat.revolute(first, crank, 0.0, 0.5 - first_angle);
    const int second = flat.revolute(world_body, 1.0, 0.0, second_angle);
    const int second_link = flat.revolute(second, crank, 0.0, 2.6 - second_angle);
    for (const int body : {first, first_link, second, second_link}) flat.load(body, 1.0, 0.2, 0.01);
    flat.loop(flat.point(first_link, link, 0.0), flat.point(second_link, link, 0.0));
    flat.motor(first);
    flat.motor(second);
  }
  /// By how much the links span the distance of the cranks' tips, below 0 where they cannot.
  static double span(double first, double second) {
    const double x = 1.0 + crank * (std::cos(second) - std::cos(first));
    const double y = crank * (std::sin(second) - std::sin(first));
    return 2.0 * link - std::hypot(x, y);
  }
};

std::vector<double> levels_about(double middle, double reach, int count) {
  std::vector<double> levels;
  for (int i = 0; i < count; ++i) levels.push_back(middle + reach * (2.0 * i / (count - 1) - 1.0));
  return levels;
}

/// Checks that exactly the poses are left out in which the links are too short; returns how many.
int check_island(const FiveBar& five_bar, const Motion& motion) {
  const Simulation simulation = run(five_bar.flat.mechanism, motion);
  int left_out = 0;
  for (int k = 0; k < motion.sample_count(); ++k) {
    const double span = FiveBar::span(angle_of(motion, 0, k), angle_of(motion, 1, k));
    CAPTURE(k, span);
    if (std::abs(span) < 2e-3) continue;
    CHECK(std::isnan(column(simulation, "a0.load")[at(k)]) == (span < 0.0));
    left_out += span < 0.0 ? 1 : 0;
  }
  return left_out;
}

}  // namespace

TEST_CASE("poses behind an island of poses out of reach are reached around it") {
  using std::numbers::pi;
  const FiveBar five_bar(pi - 1.2, 0.0);  // the poses beyond the island are straight behind it
  const Motion motion = grid_of({levels_about(pi, 1.2, 25), levels_about(0.0, 1.2, 25)}, true);
  const int left_out = check_island(five_bar, motion);
  CHECK(left_out > 20);
  CHECK(left_out < 400);
}

TEST_CASE("poses on both sides of an island are reached from the zero configuration beside it") {
  using std::numbers::pi;
  const FiveBar five_bar(pi, 1.8);
  const Motion motion = grid_of({{pi - 1.3, pi + 1.3}, {0.0, 0.1, 0.2}}, true);
  CHECK(FiveBar::span(pi, 0.2) < -0.01);
  CHECK(check_island(five_bar, motion) == 0);
}

TEST_CASE("metrics are those of the poses that are not left out") {
  const FourBar lengths{.crank = 0.36};
  Mechanism mechanism = mechanism_of(lengths);
  mechanism.actuators[1].min_position = -0.35;
  mechanism.actuators[0].holding_load = 4.0;
  Motion motion = grid_of({turn(29, 0.1), {-0.4, 0.3, 0.9}}, true);
  std::get<PoseLevels>(motion.drives[1].profile).weights = {5.0, 1.0, 3.0};
  Metrics metrics;
  Evaluator evaluator(mechanism, motion);
  REQUIRE_FALSE(evaluator.evaluate(mechanism, {}, metrics));
  double max = 0.0, sum = 0.0, squares = 0.0, held_weights = 0.0, weights = 0.0;
  double shortest = 1.0, longest = 0.0;
  int left_out = 0;
  for (int k = 0; k < motion.sample_count(); ++k) {
    const double arm = angle_of(motion, 1, k);
    if (lengths.least_span(angle_of(motion, 0, k)) < 0.0 || arm < -0.35) {
      ++left_out;
      continue;
    }
    const Simulation single = run(mechanism, at_rest_in(motion, k));
    const double load = column(single, "crank.load")[0];
    const double length = column(single, "spring.length")[0];
    const double weight = arm < 0.5 ? 1.0 : 3.0;
    max = std::max(max, std::abs(load));
    sum += weight * std::abs(load);
    squares += weight * load * load;
    weights += weight;
    held_weights += std::abs(load) <= 4.0 ? weight : 0.0;
    shortest = std::min(shortest, length);
    longest = std::max(longest, length);
  }
  REQUIRE(left_out > 29);
  REQUIRE(left_out < 80);
  CHECK(metrics.left_out == left_out);
  CHECK(metrics.actuators[0].max == Approx(max).epsilon(1e-9));
  CHECK(metrics.actuators[0].mean == Approx(sum / weights).epsilon(1e-9));
  CHECK(metrics.actuators[0].rms == Approx(std::sqrt(squares / weights)).epsilon(1e-9));
  CHECK(metrics.actuators[0].holds == Approx(held_weights / weights).epsilon(1e-12));
  CHECK(held_weights > 0.0);
  CHECK(held_weights < weights);
  CHECK(metrics.springs[0].min_length == Approx(shortest).epsilon(1e-9));
  CHECK(metrics.springs[0].max_length == Approx(longest).epsilon(1e-9));

  AffineLoads loads;
  REQUIRE_FALSE(evaluator.take_apart(mechanism, loads));
  double mean = 0.0;
  const SpringLaw law = law_of(mechanism.springs[0]);
  for (std::size_t k = 0; k < static_cast<std::size_t>(loads.samples); ++k) {
    double load = loads.actuators[0].bare[k];
    for (const AffineLoads::Influence& influence : loads.actuators[0].influences)
      load += influence.per_tension[k] * (law.rate * loads.springs[0].length[k] + law.offset);
    mean += loads.weight(k) / loads.all_weights() * std::abs(load);
  }
  CHECK(mean == Approx(metrics.actuators[0].mean).epsilon(1e-12));

  Motion failing = motion;
  failing.skips = false;
  const auto finding = Evaluator(mechanism, failing).evaluate(mechanism, {}, metrics);
  REQUIRE(finding);
}

TEST_CASE("poses are left out alike whatever was evaluated before") {
  Random random(42);
  const Motion motion = grid_of({turn(17, -1.0), {-0.4, 0.3, 0.9}}, true);
  const Mechanism nominal = mechanism_of({});
  Evaluator remembers(nominal, motion), recomputes(nominal, motion, Reuse::recompute);
  FourBar lengths;
  double rate = 150.0, limit = -no_limit;
  int changes = 0;
  std::int64_t before = -1;
  const int count = test::all_trials() ? 40 : 12;
  for (int trial = 0; trial < count; ++trial) {
    CAPTURE(trial);
    const int what = random.below(3);
    if (what == 0) lengths.crank = random.uniform(0.25, 0.4);
    if (what == 1) rate = random.uniform(50.0, 300.0);
    if (what == 2) limit = random.uniform(-1.0, 0.5);
    Mechanism mechanism = mechanism_of(lengths);
    mechanism.springs[0].rate = rate;
    mechanism.actuators[1].min_position = limit;
    Metrics a, b;
    REQUIRE(remembers.evaluate(mechanism, {}, a).has_value() ==
            recomputes.evaluate(mechanism, {}, b).has_value());
    CHECK(a.left_out == b.left_out);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(a.actuators[i].max == b.actuators[i].max);
      CHECK(a.actuators[i].mean == b.actuators[i].mean);
      CHECK(a.actuators[i].rms == b.actuators[i].rms);
    }
    CHECK(a.springs[0].min_length == b.springs[0].min_length);
    changes += a.left_out == before ? 0 : 1;
    before = a.left_out;
  }
  CHECK(changes > count / 4);
}

TEST_CASE("a motion that is followed in stretches leaves out the same poses") {
  // the poses of the first stretches are all out of reach or beyond a limit
  FourBar lengths{.crank = 0.36};
  Mechanism mechanism = mechanism_of(lengths);
  mechanism.actuators[1].min_position = 0.0;
  const Motion motion = [&] {
    Motion poses = grid_of({{1.5, 1.2, 1.0, 0.8}, {-0.9, -0.8, -0.7, -0.6, -0.5, 0.2}}, true);
    std::get<PoseLevels>(poses.drives[0].profile).repeat = 1;
    std::get<PoseLevels>(poses.drives[1].profile).repeat = 4;
    return poses;
  }();
  Metrics whole, parts;
  REQUIRE_FALSE(Evaluator(mechanism, motion).evaluate(mechanism, {}, whole));
  REQUIRE_FALSE(Evaluator(mechanism, motion, Reuse::remember, Holding::at_most(8))
                    .evaluate(mechanism, {}, parts));
  CHECK(whole.left_out == 20);
  CHECK(parts.left_out == 20);
  CHECK(parts.actuators[0].max == Approx(whole.actuators[0].max).epsilon(1e-12));
  CHECK(parts.actuators[0].mean == Approx(whole.actuators[0].mean).epsilon(1e-12));
  CHECK(parts.springs[0].max_length == Approx(whole.springs[0].max_length).epsilon(1e-12));
  mechanism.actuators[1].min_position = 0.5;
  const auto none = Evaluator(mechanism, motion, Reuse::remember, Holding::at_most(8))
                        .evaluate(mechanism, {}, parts);
  REQUIRE(none);
  CHECK(none->kind == FindingKind::position_too_small);
}
