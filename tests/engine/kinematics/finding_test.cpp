#include "engine/mechanism/finding.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "engine/evaluation/evaluator.hpp"
#include "engine/evaluation/simulation.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/simulation.hpp"

using namespace counterpoise;
using namespace counterpoise::test;
using Catch::Contains;

namespace {

using std::numbers::pi;

/// Why the mechanism cannot follow; simulation and evaluator must say the same.
Finding cannot_follow(const Mechanism& mechanism, const Motion& motion) {
  const auto result = simulate(mechanism, motion, {});
  REQUIRE(std::holds_alternative<Finding>(result));
  const auto finding = std::get<Finding>(result);
  Evaluator evaluator(mechanism, motion);
  Metrics metrics;
  const auto evaluated = evaluator.evaluate(mechanism, {}, metrics);
  REQUIRE(evaluated);
  CHECK(evaluated->kind == finding.kind);
  CHECK(evaluated->element == finding.element);
  CHECK(evaluated->time == finding.time);
  CHECK(describe(*evaluated, mechanism) == describe(finding, mechanism));
  return finding;
}

/// First sample at which the profile is beyond `bound`.
double first_beyond(const Motion& motion, double bound) {
  for (int k = 0; k < motion.sample_count(); ++k)
    if (evaluate(motion.drives[0].profile, k * motion.step, motion.duration).position > bound)
      return k * motion.step;
  return -1.0;
}

/// A linkage that comes first, so that the one looked at is not element 0.
void add_harmless_four_bar(Flat& flat) {
  const int crank = flat.revolute(world_body, 3.0, 0.0, 1.5);
  const int coupler = flat.revolute(crank, 0.2, 0.0, -1.3);
  const int rocker = flat.revolute(world_body, 3.5, 0.0, 1.7);
  flat.loop(flat.point(coupler, 0.45, 0.0), flat.point(rocker, 0.3, 0.0));
}

/// Crank a, coupler b, rocker c, ground d; with a harmless one before it, whose motor is second.
Flat second_four_bar(double a, double b, double c, double d, double crank_angle,
                     double coupler_angle, double rocker_angle) {
  Flat flat;
  add_harmless_four_bar(flat);
  const int crank = flat.revolute(world_body, 0.0, 0.0, crank_angle);
  const int coupler = flat.revolute(crank, a, 0.0, coupler_angle);
  const int rocker = flat.revolute(world_body, d, 0.0, rocker_angle);
  flat.loop(flat.point(coupler, b, 0.0), flat.point(rocker, c, 0.0));
  flat.motor(crank);
  flat.motor(0);
  return flat;
}

}  // namespace

TEST_CASE("a ram asked for more than its reach is found at the first such sample") {
  Flat flat;
  const int other = flat.revolute(world_body, 2.0, 0.0);
  const int arm = flat.revolute(world_body, 0.0, 0.0, 0.3);
  flat.ram(flat.point(world_body, 0.0, -0.5), flat.point(arm, 0.3, 0.0));
  flat.motor(other);
  const Motion motion = drive(2.0, 0.05, {PointToPoint{0.6, 0.9, 0.0, 2.0}});
  const Finding finding = cannot_follow(flat.mechanism, motion);
  CHECK(finding.kind == FindingKind::actuator_unreachable);
  CHECK(finding.element == 0);
  CHECK(finding.time == Approx(first_beyond(motion, 0.8)));
  CHECK(finding.violation > 0.0);
  CHECK_THAT(describe(finding, flat.mechanism), Contains("a0") && Contains("reach"));
}

TEST_CASE("a loop that cannot close is found with its name and the first sample") {
  // crank 0.3 and ground 0.4 part until coupler and rocker, 0.2 each, are stretched
  Flat flat = second_four_bar(0.3, 0.2, 0.2, 0.4, 0.9, 0.5, 1.9);
  const double last = std::acos((0.3 * 0.3 + 0.4 * 0.4 - 0.4 * 0.4) / (2.0 * 0.3 * 0.4));
  const Motion motion = drive(2.0, 0.05, {PointToPoint{0.9, 1.6, 0.0, 2.0}});
  const Finding finding = cannot_follow(flat.mechanism, motion);
  CHECK(finding.kind == FindingKind::loop_open);
  CHECK(finding.element == 1);
  CHECK(finding.time == Approx(first_beyond(motion, last)));
  CHECK(finding.violation > 0.0);
  CHECK_THAT(describe(finding, flat.mechanism), Contains("loop1 cannot close"));
}

TEST_CASE("a loop that never closes is found at the start") {
  Flat flat = second_four_bar(0.1, 0.1, 0.1, 2.0, 0.9, 0.5, 1.9);
  const Finding finding = cannot_follow(flat.mechanism, drive(1.0, 0.1, {Hold{0.9}}));
  CHECK(finding.kind == FindingKind::loop_open);
  CHECK(finding.element == 1);
  CHECK(finding.time == 0.0);
}

TEST_CASE("a linkage that lies flat at a sample is in a singular pose") {
  // a parallelogram: at crank angle 0 all four bars lie on one line
  Flat flat = second_four_bar(0.2, 0.5, 0.2, 0.5, 1.0, -1.0, 1.0);
  const Motion motion = drive(2.0, 0.05, {Sine{0.0, 1.0, 4.0, pi / 2.0}});
  const Finding finding = cannot_follow(flat.mechanism, motion);
  CHECK(finding.kind == FindingKind::singular_loop);
  CHECK(finding.element == 1);
  CHECK(finding.time == Approx(1.0));
  CHECK_THAT(describe(finding, flat.mechanism), Contains("loop1") && Contains("singular"));
}

TEST_CASE("a linkage that passes its flat pose between two samples jumps to another branch") {
  Flat flat = second_four_bar(0.2, 0.5, 0.2, 0.5, 1.0, -1.0, 1.0);
  // flat at t = 1 s, samples at 0.96 and 1.04 s
  const Motion motion = drive(2.0, 0.08, {Sine{0.0, 1.0, 4.0, pi / 2.0}});
  const Finding finding = cannot_follow(flat.mechanism, motion);
  CHECK(finding.kind == FindingKind::loop_jump);
  CHECK(finding.element == 1);
  CHECK(finding.time == Approx(1.04));
  CHECK_THAT(describe(finding, flat.mechanism), Contains("loop1") && Contains("branch"));
}

TEST_CASE("a ram that points through its pivot is in a singular pose") {
  Flat flat;
  const int arm = flat.revolute(world_body, 0.0, 0.0, 0.3);
  flat.load(arm, 1.0, 0.4);
  // the ram's reach ends at exactly 0.75 m
  flat.ram(flat.point(world_body, 0.0, -0.5), flat.point(arm, 0.25, 0.0));
  const Finding finding =
      cannot_follow(flat.mechanism, drive(1.0, 0.25, {PointToPoint{0.6, 0.75, 0.0, 1.0}}));
  CHECK(finding.kind == FindingKind::singular_actuator);
  CHECK(finding.element == 0);
  CHECK(finding.time == Approx(1.0));
}

TEST_CASE("motors that cannot hold the mechanism in a pose are found there") {
  // the motion prescribes the rocker; the motor is on the crank, which is in line with the coupler
  // when the rocker is at its end: Grashof crank 0.1, coupler 0.4, rocker 0.3, ground 0.4
  Flat flat;
  const double reach = 0.5;
  const double end = pi - std::acos((0.4 * 0.4 + 0.3 * 0.3 - reach * reach) / (2.0 * 0.4 * 0.3));
  const double crank = std::acos((0.4 * 0.4 + reach * reach - 0.3 * 0.3) / (2.0 * 0.4 * reach));
  const int first = flat.revolute(world_body, 0.0, 0.0, crank + 0.5);
  const int second = flat.revolute(first, 0.1, 0.0, -0.5);
  const int third = flat.revolute(world_body, 0.4, 0.0, end + 0.05);
  flat.loop(flat.point(second, 0.4, 0.0), flat.point(third, 0.3, 0.0));
  flat.load(third, 1.0, 0.1);
  flat.motor(first);
  Motion motion = drive(1.0, 0.25, {});
  motion.drives.push_back({{-1, third}, Hold{end}});
  const Finding finding = cannot_follow(flat.mechanism, motion);
  CHECK((finding.kind == FindingKind::transmission_singular ||
         finding.kind == FindingKind::singular_loop));
}

TEST_CASE("a ram across two geared joints that is out of reach is found, with its own name") {
  Flat flat;
  const int first = flat.revolute(world_body, 0.0, 0.0, 0.3);
  const int second = flat.revolute(first, 0.3, 0.0, 0.3);
  flat.mechanism.couplings.push_back({"gear", second, {{first, 1.0}}, 0.0});
  flat.ram(flat.point(world_body, 0.0, -0.5), flat.point(second, 0.3, 0.0));
  double longest = 0.0;
  for (double q = 0.3; q < 1.5; q += 1e-4)
    longest = std::max(longest, std::hypot(0.3 * (std::cos(q) + std::cos(2.0 * q)),
                                           0.3 * (std::sin(q) + std::sin(2.0 * q)) + 0.5));
  const Motion motion = drive(2.0, 0.05, {PointToPoint{0.93, 1.2, 0.0, 2.0}});
  const Finding finding = cannot_follow(flat.mechanism, motion);
  CHECK(finding.kind == FindingKind::actuator_unreachable);
  CHECK(finding.element == 0);
  CHECK(finding.time == Approx(first_beyond(motion, longest)));
  CHECK_THAT(describe(finding, flat.mechanism), Contains("a0"));
}

TEST_CASE("every limit is found at its first sample and does not stop a simulation") {
  Flat flat;
  const int slide = flat.prismatic(world_body, 0.0, 0.0, Vec3d::UnitY());
  flat.load(slide, 2.0, 0.0);
  flat.motor(slide);
  flat.mechanism.gravity = Vec3d(0.0, -10.0, 0.0);
  Spring spring;
  spring.name = "coil";
  spring.points = {flat.point(world_body, 0.0, 9.0), flat.point(slide, 0.0, 0.0)};
  spring.rate = 1.0;
  flat.mechanism.springs.push_back(spring);
  // positions 0, 0.5, 2, 3.5, 4; speeds 0, 1, 2, 1, 0; spring 9, 8.5, 7, 5.5, 5
  const Motion motion = drive(4.0, 1.0, {BangBang{0.0, 1.0}});
  const auto broken = [&](auto change) {
    Mechanism mechanism = flat.mechanism;
    change(mechanism.springs[0], mechanism.actuators[0]);
    const Simulation simulation = run(mechanism, motion);
    REQUIRE(simulation.broken_limits.size() == 1);
    Evaluator evaluator(mechanism, motion);
    Metrics metrics;
    const auto finding = evaluator.evaluate(mechanism, {}, metrics);
    REQUIRE(finding);
    CHECK(finding->kind == simulation.broken_limits[0].kind);
    CHECK(finding->time == simulation.broken_limits[0].time);
    CHECK(metrics.springs.at(0).max_length == Approx(9.0));
    CHECK(!evaluator.evaluate(mechanism, {.limits = false}, metrics));
    return *finding;
  };
  using S = Spring&;
  using A = Actuator&;
  const auto check = [](const Finding& f, FindingKind kind, double time, double value) {
    CHECK(f.kind == kind);
    CHECK(f.element == 0);
    CHECK(f.time == Approx(time));
    CHECK(f.value == Approx(value));
    CHECK(f.violation > 0.0);
  };
  check(broken([](S s, A) { s.min_length = 7.5; }), FindingKind::spring_too_short, 2.0, 7.0);
  check(broken([](S s, A) { s.max_length = 8.9; }), FindingKind::spring_too_long, 0.0, 9.0);
  check(broken([](S s, A) { s.max_load = 8.9; }), FindingKind::spring_overloaded, 0.0, 9.0);
  check(broken([](S, A a) { a.min_position = 0.4; }), FindingKind::position_too_small, 0.0, 0.0);
  check(broken([](S, A a) { a.max_position = 3.0; }), FindingKind::position_too_large, 3.0, 3.5);
  check(broken([](S, A a) { a.max_speed = 1.5; }), FindingKind::actuator_too_fast, 2.0, 2.0);
  // loads 22 - 9, 22 - 8.5, 18 - 7, 18 - 5.5, 18 - 5
  check(broken([](S, A a) { a.max_load = 13.2; }), FindingKind::actuator_overloaded, 1.0, 13.5);

  // kept: a limit that is met, and one missed by less than 1e-9 of its size
  Mechanism kept = flat.mechanism;
  kept.springs[0].max_length = 9.0 * (1.0 - 5e-10);
  kept.actuators[0].max_position = 4.0;
  CHECK(run(kept, motion).broken_limits.empty());
}

TEST_CASE("poses without inertia break no largest speed, but every other limit") {
  Flat flat;
  const int slide = flat.prismatic(world_body, 0.0, 0.0, Vec3d::UnitY());
  flat.load(slide, 2.0, 0.0);
  flat.motor(slide);
  Motion motion = drive(4.0, 1.0, {BangBang{0.0, 1.0}});
  for (const bool inertia : {true, false}) {
    motion.inertia = inertia;
    Mechanism mechanism = flat.mechanism;
    mechanism.actuators[0].max_speed = 1.5;
    CHECK(run(mechanism, motion).broken_limits.size() == (inertia ? 1 : 0));
    Evaluator evaluator(mechanism, motion);
    Metrics metrics;
    CHECK(evaluator.evaluate(mechanism, {}, metrics).has_value() == inertia);
    mechanism.actuators[0].max_position = 3.0;
    const auto finding = evaluator.evaluate(mechanism, {}, metrics);
    REQUIRE(finding);
    CHECK(finding->kind == FindingKind::position_too_large);
  }
}

TEST_CASE("without springs their limits do not matter") {
  Flat flat;
  const int arm = flat.revolute(world_body, 0.0, 0.0);
  flat.motor(arm);
  Spring spring;
  spring.name = "coil";
  spring.points = {flat.point(world_body, 0.0, 1.0), flat.point(arm, 0.5, 0.0)};
  spring.max_length = 0.1;
  flat.mechanism.springs.push_back(spring);
  const Motion motion = drive(1.0, 0.1, {Sine{0.0, 0.1, 1.0, 0.0}});
  Evaluator evaluator(flat.mechanism, motion);
  Metrics metrics;
  CHECK(evaluator.evaluate(flat.mechanism, {}, metrics));
  CHECK(!evaluator.evaluate(flat.mechanism, {.springs = false}, metrics));
}
