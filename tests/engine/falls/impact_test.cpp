#include <Eigen/QR>
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/falls/impact.hpp"
#include "tests/engine/falls/falling.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

TEST_CASE("solutions of random complementarity problems meet their conditions") {
  Random random(47);
  int degenerate = 0;
  for (int trial = 0; trial < trials(500); ++trial) {
    CAPTURE(trial);
    const int n = 1 + random.below(8), freedoms = 1 + random.below(8);
    Eigen::MatrixXd slopes(n, freedoms);
    Eigen::VectorXd rates(freedoms);
    for (double& x : slopes.reshaped()) x = random.uniform(-1.0, 1.0);
    for (double& x : rates) x = random.uniform(-1.0, 1.0);
    const bool twice = n > 1 && random.chance(0.3);
    if (twice) slopes.row(1) = slopes.row(0);
    const Eigen::MatrixXd matrix = slopes * slopes.transpose();
    const Eigen::VectorXd b = slopes * rates;
    const Eigen::VectorXd f = solve_complementarity(matrix, b);
    const Eigen::VectorXd w = matrix * f + b;
    CHECK(f.minCoeff() >= 0.0);
    CHECK(w.minCoeff() >= -1e-10);
    CHECK(std::abs(f.dot(w)) <= 1e-10 * (1.0 + f.norm()));
    if (twice) CHECK(std::abs(f(0) - f(1)) <= 1e-9 * (1.0 + f.norm()));  // of least norm
    degenerate += n > freedoms;
  }
  CHECK(degenerate > 20);
}

TEST_CASE("two masses on a rail exchange momentum through a stop between them") {
  // closed form: v1' = (m1 v1 + m2 v2 + m2 e (v2 - v1)) / (m1 + m2), and the same for the other
  for (const double e : {0.0, 0.3, 1.0}) {
    CAPTURE(e);
    const double m1 = 2.0, m2 = 0.5, v1 = 3.0, v2 = -1.0;
    Mechanism mechanism;
    mechanism.gravity.setZero();
    add_slider(mechanism, "first", world_body, Vec3d::UnitX(), m1);
    add_slider(mechanism, "second", world_body, Vec3d::UnitX(), m2);
    mechanism.points = {{"a", 0, Vec3d::Zero()}, {"b", 1, Vec3d::Zero()}};
    Spring between;
    between.name = "between";
    between.points = {0, 1};
    mechanism.springs.push_back(between);
    Scenario scenario{.duration = 1.0, .step = 0.1};
    scenario.stops.push_back({"buffer", Stop::Of::spring, 0, 0.2, no_limit, e});
    const Fall fall = let_go(mechanism, scenario, {{0.0, 1.0}, {v1, v2}});
    REQUIRE(fall.events.size() == 1);
    const FallEvent& event = fall.events.front();
    CHECK(event.time == Approx(0.2).epsilon(1e-12));
    CHECK(event.normal_velocity_before == Approx(-4.0).epsilon(1e-12));
    CHECK(event.normal_velocity_after == Approx(4.0 * e).margin(1e-12));
    const double reduced = m1 * m2 / (m1 + m2);
    CHECK(event.impulse == Approx(reduced * (1.0 + e) * 4.0).epsilon(1e-12));
    CHECK(event.energy_lost == Approx(0.5 * reduced * (1.0 - e * e) * 16.0).margin(1e-12));
    const double after1 = (m1 * v1 + m2 * v2 + m2 * e * (v2 - v1)) / (m1 + m2);
    CHECK(last(fall, "first.qd") == Approx(after1).epsilon(1e-12));
    CHECK(last(fall, "second.qd") == Approx(after1 + 4.0 * e).margin(1e-12));
  }
}

TEST_CASE("a rod that lands on both ends stops at once, and its ends share the impulse") {
  // mass 3, both ends at height 1 over a plane: each end gets half of the momentum m sqrt(2 g h)
  Mechanism mechanism;
  mechanism.gravity = Vec3d(0.0, 0.0, -10.0);
  add_slider(mechanism, "x", world_body, Vec3d::UnitX(), 0.0);
  add_slider(mechanism, "z", 0, Vec3d::UnitZ(), 0.0);
  add_hinge(mechanism, "rod", 1, Vec3d::UnitY(), 3.0, Vec3d::Zero(), Vec3d(0.1, 0.2, 0.2));
  mechanism.points = {{"left", 2, Vec3d(-1, 0, 0)}, {"right", 2, Vec3d(1, 0, 0)}};
  Scenario scenario{.duration = 1.0, .step = 0.1};
  scenario.contacts.push_back(floor_contact({0, 1}, 0.0));
  const Fall fall = let_go(mechanism, scenario, {{0.0, 1.0, 0.0}, {0.5, 0.0, 0.0}});
  REQUIRE(fall.events.size() == 4);  // both hit, both rest
  const double speed = std::sqrt(20.0);
  for (std::size_t i : {0u, 1u}) {
    CHECK(fall.events[i].group == fall.events[0].group);
    CHECK(fall.events[i].time == Approx(std::sqrt(0.2)).epsilon(1e-12));
    CHECK(fall.events[i].impulse == Approx(1.5 * speed).epsilon(1e-10));
    CHECK(fall.events[i + 2].kind == FallEvent::Kind::rest);
  }
  CHECK(fall.events[0].angle == Approx(std::atan2(0.5, speed)).epsilon(1e-10));
  CHECK(fall.extremes.energy_lost == Approx(1.5 * 20.0).epsilon(1e-10));
  CHECK(last(fall, "z.q") == Approx(0.0).margin(1e-10));
  CHECK(last(fall, "x.qd") == Approx(0.5).epsilon(1e-10));  // without friction
  CHECK(fall.extremes.drop[0] == Approx(1.0).epsilon(1e-9));
}

TEST_CASE("contacts of one instant that differ take the smallest restitution, and say so") {
  Mechanism mechanism;
  add_slider(mechanism, "z", world_body, Vec3d::UnitZ(), 1.0);
  mechanism.points = {{"a", 0, Vec3d::Zero()}, {"b", 0, Vec3d(1, 0, 0)}};
  for (const bool first : {true, false}) {
    Scenario scenario{.duration = 0.5, .step = 0.1};
    scenario.contacts.push_back(floor_contact({0}, first ? 0.2 : 0.8));
    scenario.contacts.push_back(floor_contact({1}, first ? 0.8 : 0.2));
    const Fall fall = let_go(mechanism, scenario, {{1.0}, {0.0}});
    REQUIRE(fall.events.size() >= 2);
    CHECK(fall.events[0].restitution_lowered);
    CHECK(fall.events[0].normal_velocity_after ==
          Approx(-0.2 * fall.events[0].normal_velocity_before).epsilon(1e-10));
  }
}
