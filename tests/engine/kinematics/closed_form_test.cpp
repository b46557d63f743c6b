#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "tests/oracles/lagrange.hpp"
#include "tests/oracles/planar_linkage.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/random.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

// a few dozen roundings of numbers of one to a hundred
constexpr double tolerance = 1e-11;
using std::numbers::pi;

double turn_difference(double a, double b) {
  return std::abs(std::remainder(a - b, 2.0 * pi));
}

Sine random_sine(Random& random) {
  return {random.uniform(-2.0, 2.0), random.uniform(0.2, 1.0), random.uniform(0.5, 2.0),
          random.uniform(0.0, 6.0)};
}

}  // namespace

TEST_CASE("a double pendulum needs the torques of Lagrange's equations") {
  Random random(20260501);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    const oracle::DoublePendulum p = {random.uniform(0.3, 1.0),  random.uniform(0.1, 0.5),
                                      random.uniform(0.1, 0.5),  random.uniform(0.5, 4.0),
                                      random.uniform(0.5, 4.0),  random.uniform(0.01, 0.2),
                                      random.uniform(0.01, 0.2), 9.81};
    Flat flat;
    const int first = flat.revolute(world_body, 0.2, -0.3);
    const int second = flat.revolute(first, p.length_1, 0.0);
    flat.load(first, p.mass_1, p.centre_1, p.inertia_1);
    flat.load(second, p.mass_2, p.centre_2, p.inertia_2);
    flat.motor(first);
    flat.motor(second);
    const Motion motion = drive(0.5, 0.05, {random_sine(random), random_sine(random)});
    const Simulation simulation = run(flat.mechanism, motion);
    const auto& t = column(simulation, "t");
    for (std::size_t k = 0; k < t.size(); ++k) {
      const ProfileValue one = evaluate(motion.drives[0].profile, t[k], motion.duration);
      const ProfileValue two = evaluate(motion.drives[1].profile, t[k], motion.duration);
      const auto expected =
          oracle::torques(p, {one.position, two.position}, {one.velocity, two.velocity},
                          {one.acceleration, two.acceleration});
      CAPTURE(trial, k);
      REQUIRE(std::abs(column(simulation, "a0.load")[k] - expected[0]) < 100.0 * tolerance);
      REQUIRE(std::abs(column(simulation, "a1.load")[k] - expected[1]) < 100.0 * tolerance);
    }
  }
}

TEST_CASE("a pan-tilt head, whose axes are not parallel, agrees with Lagrange's equations") {
  Random random(20260502);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    const oracle::PanTilt head = {
        random.uniform(0.1, 0.5),
        random.uniform(0.5, 4.0),
        random.uniform(-0.3, 0.3),
        {random.uniform(0.10, 0.15), random.uniform(0.10, 0.15), random.uniform(0.10, 0.15)},
        9.81};
    Flat flat;
    flat.mechanism.gravity = Vec3d(0.0, 0.0, -head.gravity);
    const int pan = flat.revolute(world_body, 0.3, 0.1);
    const int tilt = flat.revolute(pan, 0.0, 0.0);
    Body& base = flat.mechanism.bodies[0];
    base.mass = 1.0;
    base.inertia = Vec3d(head.pan_inertia, head.pan_inertia, head.pan_inertia).asDiagonal();
    Body& top = flat.mechanism.bodies[1];
    top.joint.axis = Vec3d::UnitY();
    top.joint.origin.z() = 0.4;
    top.mass = head.mass;
    top.com = Vec3d(head.centre, 0.0, 0.0);
    top.inertia = Vec3d(head.inertia[0], head.inertia[1], head.inertia[2]).asDiagonal();
    flat.motor(pan);
    flat.motor(tilt);
    const Motion motion = drive(0.5, 0.05, {random_sine(random), random_sine(random)});
    const Simulation simulation = run(flat.mechanism, motion);
    const auto& t = column(simulation, "t");
    for (std::size_t k = 0; k < t.size(); ++k) {
      const ProfileValue one = evaluate(motion.drives[0].profile, t[k], motion.duration);
      const ProfileValue two = evaluate(motion.drives[1].profile, t[k], motion.duration);
      const auto expected =
          oracle::torques(head, {one.position, two.position}, {one.velocity, two.velocity},
                          {one.acceleration, two.acceleration});
      CAPTURE(trial, k);
      REQUIRE(std::abs(column(simulation, "a0.load")[k] - expected[0]) < 100.0 * tolerance);
      REQUIRE(std::abs(column(simulation, "a1.load")[k] - expected[1]) < 100.0 * tolerance);
    }
  }
}

TEST_CASE("a ram on an arm follows the law of cosines and bears the weight by its lever") {
  // ram from (0, -h) below the pivot to a point at b along the arm: the angle between is q + 90 deg
  const double h = 0.4, b = 0.25, mass = 3.0, centre = 0.6;
  Flat flat;
  const int arm = flat.revolute(world_body, 0.0, 0.0, 0.3);
  flat.load(arm, mass, centre);
  flat.ram(flat.point(world_body, 0.0, -h), flat.point(arm, b, 0.0));
  Motion motion = drive(2.0, 0.1, {Sine{0.5, 0.1, 2.0, 0.4}});
  motion.inertia = false;
  const Simulation simulation = run(flat.mechanism, motion);
  const auto& t = column(simulation, "t");
  for (std::size_t k = 0; k < t.size(); ++k) {
    const ProfileValue length = evaluate(motion.drives[0].profile, t[k], motion.duration);
    const double l = length.position;
    const double q = std::acos((h * h + b * b - l * l) / (2.0 * h * b)) - pi / 2.0;
    const double slope = h * b * std::sin(q + pi / 2.0) / l;
    CAPTURE(k);
    CHECK(std::abs(column(simulation, "b0.q")[k] - q) < tolerance);
    CHECK(std::abs(column(simulation, "b0.qd")[k] - length.velocity / slope) < tolerance);
    CHECK(std::abs(column(simulation, "a0.load")[k] - mass * 9.81 * centre * std::cos(q) / slope) <
          100.0 * tolerance);
  }
}

TEST_CASE("a slanted ram on a slide follows Pythagoras, on the side of the guess") {
  const double aside = 0.3, mass = 2.0;
  for (const double side : {1.0, -1.0}) {
    Flat flat;
    const int slide = flat.prismatic(world_body, 0.0, 0.0, Vec3d::UnitY(), side * 0.2);
    flat.load(slide, mass, 0.0);
    flat.ram(flat.point(world_body, aside, 0.0), flat.point(slide, 0.0, 0.0));
    Motion motion = drive(2.0, 0.1, {Sine{0.5, 0.1, 2.0, 0.4}});
    motion.inertia = false;
    const Simulation simulation = run(flat.mechanism, motion);
    const auto& t = column(simulation, "t");
    for (std::size_t k = 0; k < t.size(); ++k) {
      const ProfileValue length = evaluate(motion.drives[0].profile, t[k], motion.duration);
      const double l = length.position;
      const double q = side * std::sqrt(l * l - aside * aside);
      CAPTURE(side, k);
      CHECK(std::abs(column(simulation, "b0.q")[k] - q) < tolerance);
      CHECK(std::abs(column(simulation, "b0.qd")[k] - l * length.velocity / q) < tolerance);
      CHECK(std::abs(column(simulation, "a0.load")[k] - mass * 9.81 * l / q) < 100.0 * tolerance);
    }
  }
}

TEST_CASE("a four-bar whose crank turns round follows Freudenstein's equation, open and crossed") {
  const double a = 0.1, b = 0.35, c = 0.3, d = 0.4;
  for (const bool crossed : {false, true}) {
    CAPTURE(crossed);
    // guesses a few degrees off: the zero configuration closes the loop
    const double rocker = oracle::four_bar(a, b, c, d, 0.5, crossed).position;
    const double coupler = std::atan2(c * std::sin(rocker) - a * std::sin(0.5),
                                      d + c * std::cos(rocker) - a * std::cos(0.5));
    Flat flat = four_bar(a, b, c, d, 0.5, coupler - 0.5 + 0.05, rocker - 0.07);
    flat.load(2, 2.0, 0.15);
    Motion motion = drive(4.0, 0.02, {PointToPoint{0.5, 0.5 + 4.0 * pi, 0.0, 4.0}});
    motion.inertia = false;
    const Simulation simulation = run(flat.mechanism, motion);
    const auto& crank = column(simulation, "b0.q");
    for (std::size_t k = 0; k < crank.size(); ++k) {
      const oracle::Output expected = oracle::four_bar(a, b, c, d, crank[k], crossed);
      CAPTURE(k);
      CHECK(turn_difference(column(simulation, "b2.q")[k], expected.position) < tolerance);
      CHECK(std::abs(column(simulation, "b2.qd")[k] -
                     expected.ratio * column(simulation, "b0.qd")[k]) < tolerance);
      const double weight = 2.0 * 9.81 * 0.15 * std::cos(expected.position);
      CHECK(std::abs(column(simulation, "a0.load")[k] - expected.ratio * weight) <
            100.0 * tolerance);
    }
    // angles are continuous: the coupler turned back twice against the crank, the rocker returned
    CHECK(column(simulation, "b1.q").back() - column(simulation, "b1.q").front() ==
          Approx(-4.0 * pi));
    CHECK(column(simulation, "b2.q").back() == Approx(column(simulation, "b2.q").front()));
  }
}

TEST_CASE("a slider-crank that turns round follows its textbook formula") {
  const double r = 0.12, l = 0.4, e = 0.05, mass = 1.5;
  Flat flat;
  const int crank = flat.revolute(world_body, 0.0, 0.0, 1.0);
  const int rod = flat.revolute(crank, r, 0.0, -1.0);
  const int slider = flat.prismatic(world_body, 0.0, e, Vec3d::UnitX(), 0.4);
  flat.loop(flat.point(slider, 0.0, 0.0), flat.point(rod, l, 0.0));
  flat.motor(crank);
  flat.load(slider, mass, 0.0);
  flat.mechanism.gravity = Vec3d(-9.81, 0.0, 0.0);
  Motion motion = drive(4.0, 0.02, {PointToPoint{1.0, 1.0 + 4.0 * pi, 0.0, 4.0}});
  motion.inertia = false;
  const Simulation simulation = run(flat.mechanism, motion);
  const auto& angle = column(simulation, "b0.q");
  for (std::size_t k = 0; k < angle.size(); ++k) {
    const oracle::Output expected = oracle::slider_crank(r, l, e, angle[k]);
    CAPTURE(k);
    CHECK(std::abs(column(simulation, "b2.q")[k] - expected.position) < tolerance);
    CHECK(std::abs(column(simulation, "b2.qd")[k] -
                   expected.ratio * column(simulation, "b0.qd")[k]) < tolerance);
    CHECK(std::abs(column(simulation, "a0.load")[k] - expected.ratio * mass * 9.81) <
          100.0 * tolerance);
  }
}

TEST_CASE("a spring of zero free length balances an arm in every pose") {
  const double mass = 4.0, centre = 0.5, height = 0.3, reach = 0.4;
  Flat flat;
  const int arm = flat.revolute(world_body, 0.0, 0.0);
  flat.load(arm, mass, centre);
  flat.motor(arm);
  Spring spring;
  spring.name = "balance";
  spring.points = {flat.point(world_body, 0.0, height), flat.point(arm, reach, 0.0)};
  spring.rate = mass * 9.81 * centre / (height * reach);
  flat.mechanism.springs.push_back(spring);
  Motion motion = drive(2.0, 0.05, {Sine{0.0, 1.5, 2.0, 0.0}});
  motion.inertia = false;
  const double unbalanced = mass * 9.81 * centre;
  CHECK(peak(column(run(flat.mechanism, motion), "a0.load")) < 1e-9 * unbalanced);
  const Simulation bare = run(flat.mechanism, motion, {.springs = false});
  CHECK(peak(column(bare, "a0.load")) == Approx(unbalanced));
}

TEST_CASE("a loop may close in the origin of the body that its ends move on") {
  // a chain of crank, coupler and rocker whose end is pinned to the world, there or elsewhere, as a
  // dyad or, by a loop that keeps axes at right angles too, by Newton's method
  const auto linkage = [](double x, double y, bool dyad) {
    Flat flat;
    const int crank = flat.revolute(world_body, x + 0.31, y + 0.07, 0.4);
    const int coupler = flat.revolute(crank, 0.13, 0.0, 1.1);
    const int rocker = flat.revolute(coupler, 0.41, 0.0, 2.0);
    for (int body : {crank, coupler, rocker}) flat.load(body, 1.5, 0.1, 0.02);
    flat.loop(flat.point(rocker, 0.37, 0.0), flat.point(world_body, x, y));
    if (!dyad) {
      flat.mechanism.loops[0].keep = LoopKeep::perpendicular;
      flat.mechanism.loops[0].axes = {Vec3d::UnitZ(), Vec3d::UnitX()};
    }
    flat.motor(crank);
    return flat.mechanism;
  };
  const Motion motion = drive(1.0, 0.02, {Sine{0.4, 0.3, 1.1, 0.0}});
  for (const bool dyad : {true, false}) {
    const std::vector<double> elsewhere =
        column(run(linkage(0.21, -0.35, dyad), motion), "a0.load");
    const std::vector<double> there = column(run(linkage(0.0, 0.0, dyad), motion), "a0.load");
    for (std::size_t k = 0; k < there.size(); ++k)
      REQUIRE(std::abs(there[k] - elsewhere[k]) <= 1e-9 * peak(elsewhere));
  }
}
