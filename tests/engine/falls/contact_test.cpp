#include <cmath>

#include "tests/engine/falls/falling.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// A bead of mass 2 that is free in the plane of x and z.
Mechanism bead() {
  Mechanism mechanism;
  mechanism.gravity = Vec3d(0.0, 0.0, -10.0);
  add_slider(mechanism, "x", world_body, Vec3d::UnitX(), 0.0);
  add_slider(mechanism, "z", 0, Vec3d::UnitZ(), 2.0);
  mechanism.points = {{"bead", 1, Vec3d::Zero()}};
  return mechanism;
}

std::size_t row_at(const Fall& fall, double time) {
  const std::vector<double>& t = values(fall, "t");
  return static_cast<std::size_t>(std::find(t.begin(), t.end(), time) - t.begin());
}

}  // namespace

TEST_CASE("a bead slides down the outside of a sphere and leaves it at two thirds of its height") {
  for (const Surface::Kind kind : {Surface::Kind::sphere, Surface::Kind::cylinder}) {
    const double radius = 1.5, start = 0.2;
    Scenario scenario{.duration = 2.0, .step = 0.02, .tolerance = 1e-12};
    Contact ball{.name = "ball", .points = {0}};
    ball.surface = {.kind = kind, .direction = Vec3d::UnitY(), .radius = radius};
    scenario.contacts.push_back(ball);
    const Fall fall = let_go(bead(), scenario,
                             {{radius * std::sin(start), radius * std::cos(start)}, {0.0, 0.0}});
    REQUIRE(fall.events.size() == 2);
    CHECK(fall.events[0].kind == FallEvent::Kind::rest);  // it touches from the start
    CHECK(fall.events[1].kind == FallEvent::Kind::leave);
    const std::size_t row = row_at(fall, fall.events[1].time);
    REQUIRE(row < values(fall, "t").size());
    CHECK(values(fall, "z.q")[row] == Approx(2.0 / 3.0 * radius * std::cos(start)).epsilon(1e-9));
    CHECK(energy_drift(fall) <= 1e-10 * 30.0);
  }
}

TEST_CASE("a bead in a bowl stays on it and keeps its energy") {
  const double radius = 1.5;
  Scenario scenario{.duration = 5.0, .step = 0.05, .tolerance = 1e-12};
  Contact bowl{.name = "bowl", .points = {0}};
  bowl.surface = {.kind = Surface::Kind::sphere, .inside = true, .radius = radius};
  scenario.contacts.push_back(bowl);
  const Fall fall =
      let_go(bead(), scenario, {{radius * std::sin(1.0), -radius * std::cos(1.0)}, {0.0, 0.0}});
  CHECK(fall.events.size() == 1);
  CHECK(energy_drift(fall) <= 1e-10 * 30.0);
  for (std::size_t k = 0; k < values(fall, "t").size(); ++k)
    CHECK(std::hypot(values(fall, "x.q")[k], values(fall, "z.q")[k]) ==
          Approx(radius).epsilon(1e-12));
}

TEST_CASE("a ball and the platform that it hits exchange their velocities") {
  Mechanism mechanism;
  mechanism.gravity.setZero();
  add_slider(mechanism, "platform", world_body, Vec3d::UnitZ(), 3.0);
  add_slider(mechanism, "ball", world_body, Vec3d::UnitZ(), 3.0);
  mechanism.points = {{"ball", 1, Vec3d::Zero()}};
  Scenario scenario{.duration = 1.0, .step = 0.25};
  scenario.contacts.push_back(floor_contact({0}, 1.0));
  scenario.contacts.back().surface.body = 0;
  const Fall fall = let_go(mechanism, scenario, {{0.0, 1.0}, {0.5, -1.5}});
  REQUIRE(fall.events.size() == 1);
  CHECK(fall.events.front().time == Approx(0.5).epsilon(1e-12));
  CHECK(last(fall, "platform.qd") == Approx(-1.5).epsilon(1e-12));
  CHECK(last(fall, "ball.qd") == Approx(0.5).epsilon(1e-12));
}

TEST_CASE("a brake stops what moves by an impulse, and a load puts in its work") {
  Mechanism mechanism;
  mechanism.gravity.setZero();
  add_slider(mechanism, "braked", world_body, Vec3d::UnitX(), 3.0);
  add_slider(mechanism, "pushed", world_body, Vec3d::UnitX(), 2.0);
  for (const int joint : {0, 1}) {
    Actuator actuator;
    actuator.name = "a" + std::to_string(joint);
    actuator.joint = joint;
    mechanism.actuators.push_back(actuator);
  }
  Scenario scenario{.duration = 2.0, .step = 0.5};
  scenario.actuators.resize(2);
  scenario.actuators[0].mode = ActuatorMode::held;
  scenario.actuators[1] = {ActuatorMode::load, Hold{4.0}, 1.0};
  const Fall fall = let_go(mechanism, scenario, {{0.7, 0.0}, {2.0, 1.0}});
  REQUIRE(fall.events.size() == 1);
  CHECK(fall.events.front().contact == 0);  // behind no contacts and no stops
  CHECK(fall.events.front().impulse == Approx(-6.0).epsilon(1e-12));
  CHECK(fall.extremes.energy_lost == Approx(6.0).epsilon(1e-12));
  CHECK(last(fall, "braked.q") == Approx(0.7).epsilon(1e-15));
  const double way = 1.0 * 2.0 + 0.5 * 2.0 * 4.0;  // v t + a t^2 / 2 with a = 4 / 2
  CHECK(last(fall, "pushed.q") == Approx(way).epsilon(1e-12));
  CHECK(last(fall, "energy.work") == Approx(4.0 * way).epsilon(1e-10));
}

TEST_CASE("a fall that cannot begin says why") {
  Scenario scenario{.duration = 1.0, .step = 0.1};
  scenario.contacts.push_back(floor_contact({0}, 0.0));
  const auto below = simulate_fall(bead(), scenario, {{0.0, -0.25}, {0.0, 0.0}}, {});
  const auto* stopped = std::get_if<FallStop>(&below);
  REQUIRE(stopped != nullptr);
  CHECK(stopped->kind == FallStop::Kind::start_in_contact);
  CHECK(stopped->words == "a point starts beyond floor by 0.25 m");
}
