#include <algorithm>
#include <cmath>

#include "tests/engine/falls/falling.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

Scenario braked(const Braking& braking, double duration, double step) {
  Scenario scenario{.duration = duration, .step = step};
  scenario.actuators.resize(1);
  scenario.actuators[0].braking = braking;
  return scenario;
}

}  // namespace

TEST_CASE("gears that cannot be driven back hold any load for an hour, without drift") {
  for (const bool line : {false, true}) {
    CAPTURE(line);
    const Mechanism mechanism =
        lift({.known = true, .ratio = 400.0, .rotor_inertia = 5e-5, .back_efficiency = 0.0}, line);
    const Fall fall = let_go(mechanism, {.duration = 3600.0, .step = 600.0}, {{0.123}, {0.0}});
    for (const double q : values(fall, "carriage.q")) CHECK(q == 0.123);
    for (const double load : values(fall, "screw.load"))
      CHECK(load == Approx(lift_weight).epsilon(1e-12));
    CHECK(fall.extremes.moved == 0.0);
    CHECK(fall.extremes.joint_moved[0] == 0.0);
  }
}

TEST_CASE("gears with the least back efficiency do not hold") {
  const Mechanism mechanism = lift({.known = true, .ratio = 400.0, .back_efficiency = 1e-6});
  const Fall fall = let_go(mechanism, {.duration = 1.0, .step = 0.5}, {{0.0}, {0.0}});
  CHECK(last(fall, "carriage.q") == Approx(-0.5 * gravity_here).epsilon(1e-9));
}

TEST_CASE("gears that cannot be driven back stop at once what moves, with an event") {
  const Mechanism mechanism = lift({.known = true, .ratio = 400.0, .back_efficiency = 0.0});
  const Fall fall = let_go(mechanism, {.duration = 1.0, .step = 0.5}, {{0.0}, {-0.7}});
  REQUIRE(fall.events.size() == 1);
  CHECK(fall.events[0].impulse == Approx(lift_mass * 0.7).epsilon(1e-12));
  CHECK(fall.events[0].energy_lost == Approx(0.5 * lift_mass * 0.49).epsilon(1e-12));
  CHECK(last(fall, "carriage.q") == 0.0);
}

TEST_CASE("a brake that closes stops a lift as it slips, and holds it from there on") {
  // free fall with a rotor up to the closing, then constant deceleration
  const double inertia = lift_mass + 400.0 * 400.0 * 5e-5, closes = 0.35, torque = 0.9;
  const MotorSide motor{.known = true, .ratio = 400.0, .rotor_inertia = 5e-5};
  const double falls = lift_weight / inertia, slows = (400.0 * torque - lift_weight) / inertia;
  const double v = falls * closes, stops = closes + v / slows;
  const double lowest = 0.5 * falls * closes * closes + 0.5 * v * v / slows;
  for (const bool line : {false, true}) {
    CAPTURE(line);
    const Fall fall =
        let_go(lift(motor, line), braked({.torque = torque, .closes = closes}, 2.0, 0.125),
               {{1.5}, {0.0}});
    for (std::size_t k = 0; k < values(fall, "t").size(); ++k) {
      const double t = values(fall, "t")[k], late = std::clamp(t - closes, 0.0, stops - closes);
      const double early = std::min(t, closes);
      const double expected =
          1.5 - 0.5 * falls * early * early - v * late + 0.5 * slows * late * late;
      CHECK(values(fall, "carriage.q")[k] == Approx(expected).margin(1e-9));
      if (t > stops) CHECK(values(fall, "carriage.qd")[k] == 0.0);
    }
    CHECK(last(fall, "screw.load") == Approx(lift_weight).epsilon(1e-12));
    CHECK(fall.extremes.moved == Approx(lowest).margin(1e-6));
    CHECK(fall.extremes.actuator_moved[0] == Approx(lowest).margin(1e-6));
    CHECK(energy_drift(fall) < 1e-7);
  }
}

TEST_CASE("a brake holds below its torque and slips above it, at the motor and at the load") {
  const MotorSide motor{.known = true, .ratio = 400.0};
  for (const double share : {1.0 + 1e-6, 1.0 - 1e-6})
    for (const int kind : {0, 1, 2}) {
      CAPTURE(share, kind);
      Mechanism mechanism = lift(motor);
      Braking braking;
      if (kind == 0) braking.torque = share * lift_weight / 400.0;
      if (kind == 1) braking.load = share * lift_weight;
      if (kind == 2) {
        braking.holding = true;
        mechanism.actuators[0].holding_load = share * lift_weight;
      }
      if (kind != 0) mechanism.actuators[0].motor = {};
      const Fall fall = let_go(mechanism, braked(braking, 100.0, 50.0), {{0.2}, {0.0}});
      if (share > 1.0)
        CHECK(last(fall, "carriage.q") == 0.2);
      else
        CHECK(last(fall, "carriage.q") ==
              Approx(0.2 - 0.5 * 1e-6 * gravity_here * 1e4).margin(1e-9));
    }
}

TEST_CASE("shorted windings let a lift sink at its terminal speed") {
  // k^2 / R i^2 v is the weight
  const MotorSide motor{.known = true,
                        .ratio = 400.0,
                        .rotor_inertia = 5e-5,
                        .torque_constant = 0.05,
                        .resistance = 0.8};
  const double damping = 0.05 * 0.05 / 0.8 * 400.0 * 400.0, inertia = lift_mass + 8.0;
  for (const bool line : {false, true}) {
    const Fall fall =
        let_go(lift(motor, line), braked({.shorted = true}, 2.0, 0.125), {{1.5}, {0.0}});
    for (std::size_t k = 0; k < values(fall, "t").size(); ++k)
      CHECK(values(fall, "carriage.qd")[k] ==
            Approx(-lift_weight / damping *
                   (1.0 - std::exp(-damping / inertia * values(fall, "t")[k])))
                .margin(1e-10));
    CHECK(last(fall, "carriage.qd") == Approx(-lift_weight / damping).epsilon(1e-9));
    CHECK(energy_drift(fall) < 1e-7);
  }
}

TEST_CASE("brakes that close during falls of trees keep the energy, and hold what they stop") {
  Random random(20261204);
  int fell = 0, held = 0;
  for (int trial = 0; trial < test::trials(80); ++trial) {
    CAPTURE(trial);
    Sample sample = random_sample(random, {.tree_bodies = 4, .motors_only = true, .duration = 0.1});
    add_friction(random, sample.mechanism);
    const Simulation simulation = run(sample.mechanism, sample.motion);
    Scenario scenario{.duration = 1.0, .step = 0.02, .tolerance = 1e-11};
    for (std::size_t a = 0; a < sample.mechanism.actuators.size(); ++a) {
      scenario.actuators.emplace_back();
      if (random.chance(0.7))
        scenario.actuators.back().braking = {.load = random.uniform(1.0, 80.0),
                                             .closes = random.uniform(0.0, 0.5)};
    }
    const auto result = simulate_fall(sample.mechanism, scenario,
                                      {joint_samples(simulation, sample.mechanism, ".q").front(),
                                       joint_samples(simulation, sample.mechanism, ".qd").front()},
                                      {});
    const Fall* fall = std::get_if<Fall>(&result);
    if (fall == nullptr) continue;
    if (fall->stopped) FAIL(fall->stopped->words);
    ++fell;
    const double kinetic = peak(values(*fall, "energy.kinetic"));
    CHECK(energy_drift(*fall) <= 1e-7 * std::max(kinetic, 1e-3));
    for (std::size_t a = 0; a < scenario.actuators.size(); ++a) {
      const std::string& name = sample.mechanism.actuators[a].name;
      const std::string& joint = sample.mechanism.bodies[sample.mechanism.actuators[a].joint].name;
      const std::vector<double>&q = values(*fall, name + ".position"),
            &v = values(*fall, name + ".velocity"), &load = values(*fall, name + ".load"),
            &acceleration = values(*fall, joint + ".qdd");
      for (std::size_t k = 1; k < q.size(); ++k)
        if (v[k] == 0.0 && v[k - 1] == 0.0 && acceleration[k - 1] == 0.0) {
          ++held;
          // it may slip and stick again in between, but it does not creep
          CHECK((q[k] == q[k - 1] || std::abs(q[k] - q[k - 1]) > 1e-7));
          CHECK(std::abs(load[k]) <= scenario.actuators[a].braking.load * (1.0 + 1e-9));
        }
    }
  }
  CHECK(fell > test::trials(80) / 2);
  CHECK(held > 10);
}
