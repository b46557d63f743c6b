#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "engine/evaluation/simulation.hpp"
#include "engine/evaluation/structure.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using std::numbers::pi;

std::optional<Finding> finding_of(const Mechanism& mechanism, const Motion& motion) {
  const auto result = simulate(mechanism, motion, {});
  if (const auto* finding = std::get_if<Finding>(&result)) return *finding;
  return std::nullopt;
}

/// Cranks of one length at these places, all pinned to one bar, at this angle.
Flat side_rods(const std::vector<double>& places, double length, double angle) {
  Flat flat;
  const int first = flat.revolute(world_body, places[0], 0.0, angle);
  const int bar = flat.revolute(first, length, 0.0, -angle);
  flat.load(bar, 1.0, 0.1, 0.01);
  for (std::size_t i = 1; i < places.size(); ++i) {
    const int crank = flat.revolute(world_body, places[i], 0.0, angle);
    flat.loop(flat.point(bar, places[i] - places[0], 0.0), flat.point(crank, length, 0.0));
  }
  flat.motor(first);
  return flat;
}

}  // namespace

TEST_CASE("a singular pose at a sample is found, whatever rounding leaves of it") {
  Random random(20261001);
  const Motion through_flat = drive(2.0, 0.1, {PointToPoint{-0.8, 0.8, 0.0, 2.0}});
  for (int trial = 0; trial < test::trials(40); ++trial) {
    CAPTURE(trial);
    const Flat flat = side_rods({0.0, random.uniform(0.3, 0.9)}, random.uniform(0.1, 0.6), -0.8);
    const auto finding = finding_of(flat.mechanism, through_flat);
    REQUIRE(finding);
    CHECK(finding->kind == FindingKind::singular_loop);
    CHECK(finding->time == Approx(1.0));
    CHECK(finding->value < 1e-6);
  }
  for (int trial = 0; trial < test::trials(40); ++trial) {
    CAPTURE(trial);
    // a ram from (-a, 0) to an arm of length r about the origin: in line at a + r
    const double a = random.uniform(0.4, 0.8), r = random.uniform(0.1, 0.3);
    Flat flat;
    const int arm = flat.revolute(world_body, 0.0, 0.0, 0.8);
    flat.load(arm, 1.0, 0.2);
    flat.ram(flat.point(world_body, -a, 0.0), flat.point(arm, r, 0.0));
    const double start = std::hypot(a + r * std::cos(0.8), r * std::sin(0.8));
    const auto finding =
        finding_of(flat.mechanism, drive(2.0, 0.125, {PointToPoint{start, a + r, 0.0, 1.0}}));
    REQUIRE(finding);
    CHECK(finding->kind == FindingKind::singular_actuator);
    CHECK(finding->time <= 1.0);
    CHECK(finding->value < 1e-6);
  }
}

TEST_CASE("side rods move whatever their guess, though most of their equations are redundant") {
  Random random(20261002);
  for (int trial = 0; trial < test::trials(60); ++trial) {
    const double angle = random.signed_uniform(0.1, pi - 0.1);
    CAPTURE(trial, angle);
    const Flat flat =
        side_rods({0.0, random.uniform(0.2, 0.5), random.uniform(0.6, 0.9)}, 0.2, angle);
    CHECK(examine_structure(flat.mechanism).degrees_of_freedom == 1);
    const auto finding = finding_of(flat.mechanism, drive(1.0, 0.1, {Sine{angle, 0.05, 1.0, 0.0}}));
    CHECK(!finding);
  }
}

TEST_CASE("a gap is that of the nearest pose at the sample, also where Newton's method solves") {
  // a rod of 1 m on two hinges holds a cross slide by a ball; the slide pulls 1.3 m away
  Mechanism mechanism;
  const auto add = [&](int parent, JointType type, const Vec3d& axis, double guess) {
    Body body;
    body.name = numbered("b", mechanism.bodies.size());
    body.parent = parent;
    body.joint.type = type;
    body.joint.axis = axis;
    body.joint.guess = guess;
    mechanism.bodies.push_back(body);
    return mechanism.body_count() - 1;
  };
  const int turn = add(world_body, JointType::revolute, Vec3d::UnitZ(), 1.0);
  const int rod = add(turn, JointType::revolute, Vec3d::UnitY(), 0.0);
  const int px = add(world_body, JointType::prismatic, Vec3d::UnitX(), 0.5);
  const int py = add(px, JointType::prismatic, Vec3d::UnitY(), std::sqrt(0.75));
  mechanism.points = {{"rod", rod, Vec3d(1.0, 0.0, 0.0)}, {"slide", py, Vec3d::Zero()}};
  mechanism.loops = {{"ball", {0, 1}}};
  Actuator motor;
  motor.name = "motor";
  motor.joint = px;
  mechanism.actuators = {motor};
  for (const double step : {0.1, 0.05, 0.01}) {
    const Motion motion =
        drive(1.0, step, {PointToPoint{0.5, 1.3, 0.0, 1.0, MoveShape::trapezoid}});
    const auto finding = finding_of(mechanism, motion);
    REQUIRE(finding);
    CHECK(finding->kind == FindingKind::loop_open);
    const double x = evaluate(motion.drives[0].profile, finding->time, 1.0).position;
    CHECK(finding->value == Approx(x - 1.0).epsilon(1e-3));
  }
}
