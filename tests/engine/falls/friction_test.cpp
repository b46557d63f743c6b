#include <array>
#include <cmath>
#include <numbers>

#include "tests/engine/falls/falling.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// A block of 2 kg on a slope of 30 deg, along which its slider leads.
Mechanism block(double coulomb, double viscous) {
  Mechanism mechanism;
  mechanism.gravity = Vec3d(0.0, 0.0, -gravity_here);
  add_slider(mechanism, "block", world_body, Vec3d(std::sqrt(3.0) / 2.0, 0.0, -0.5), 2.0);
  mechanism.bodies[0].friction = {coulomb, viscous};
  return mechanism;
}

constexpr double pull = 2.0 * gravity_here / 2.0;  // of the block's weight along the slope

/// A rod of 1 kg whose centre hangs 0.5 m below its hinge at q = 0.
Mechanism pendulum(double coulomb) {
  Mechanism mechanism;
  mechanism.gravity = Vec3d(0.0, 0.0, -gravity_here);
  add_hinge(mechanism, "rod", world_body, Vec3d::UnitY(), 1.0, Vec3d(0.0, 0.0, -0.5),
            Vec3d(0.02, 0.02, 0.001));
  mechanism.bodies[0].friction.coulomb = coulomb;
  return mechanism;
}

}  // namespace

TEST_CASE("a block holds on a slope below the limit of its friction, for an hour, without drift") {
  for (const double share : {1.0 + 1e-6, 1.5}) {
    CAPTURE(share);
    const Mechanism mechanism = block(share * pull, 0.3);
    const Fall fall = let_go(mechanism, {.duration = 3600.0, .step = 600.0}, {{0.123}, {0.0}});
    for (const double q : values(fall, "block.q")) CHECK(q == 0.123);
    for (const double v : values(fall, "block.qd")) CHECK(v == 0.0);
    for (const double a : values(fall, "block.qdd")) CHECK(a == 0.0);
    CHECK(fall.extremes.settled == 0.0);
    CHECK(energy_drift(fall) == 0.0);
  }
}

TEST_CASE("a block slides down a slope beyond the limit, and up it comes to a stop") {
  const double friction = 0.7 * pull, down = (pull - friction) / 2.0;
  const Fall slides = let_go(block(friction, 0.0), {.duration = 2.0, .step = 0.25}, {{0.0}, {0.0}});
  const Fall creeps = let_go(block(friction, 3.0), {.duration = 2.0, .step = 0.25}, {{0.0}, {0.0}});
  for (std::size_t k = 0; k < values(slides, "t").size(); ++k) {
    const double t = values(slides, "t")[k], decay = 3.0 / 2.0;
    CHECK(values(slides, "block.q")[k] == Approx(0.5 * down * t * t).margin(1e-9));
    CHECK(values(creeps, "block.qd")[k] ==
          Approx(down / decay * (1.0 - std::exp(-decay * t))).margin(1e-9));
  }
  CHECK(energy_drift(slides) < 1e-8);
  CHECK(energy_drift(creeps) < 1e-8);

  // thrown up at 3 m/s it stops after v / (g' + f'), and stays if friction is beyond its weight
  for (const double holds : {1.2, 0.8}) {
    CAPTURE(holds);
    const double braking = (1.0 + holds) * pull / 2.0, time = 3.0 / braking;
    const Fall thrown =
        let_go(block(holds * pull, 0.0), {.duration = 4.0, .step = 0.5}, {{0.0}, {-3.0}});
    const double highest = -0.5 * 3.0 * time;
    for (std::size_t k = 0; k < values(thrown, "t").size(); ++k) {
      const double t = values(thrown, "t")[k], after = std::max(0.0, t - time);
      const double back = holds < 1.0 ? 0.5 * (1.0 - holds) * pull / 2.0 * after * after : 0.0;
      const double expected = t < time ? -3.0 * t + 0.5 * braking * t * t : highest + back;
      CHECK(values(thrown, "block.q")[k] == Approx(expected).margin(1e-8));
      if (holds > 1.0 && t > time) CHECK(values(thrown, "block.qd")[k] == 0.0);
    }
    CHECK(energy_drift(thrown) < 1e-8);
  }
}

TEST_CASE("a pendulum with dry friction loses the same torque times its way in each swing") {
  // turning points: m g l (cos b - cos a) = c (a + b), from a on one side to b on the other
  const double c = 0.05, weight = gravity_here * 0.5;
  const Fall fall = let_go(pendulum(c), {.duration = 60.0, .step = 0.005}, {{1.2}, {0.0}});
  const std::vector<double>& q = values(fall, "rod.q");
  std::vector<double> turning;  // from samples, whose extremes are near to them
  for (std::size_t k = 1; k + 1 < q.size(); ++k)
    if (std::abs(q[k]) > std::abs(q[k - 1]) && std::abs(q[k]) >= std::abs(q[k + 1]) &&
        q[k] * q[k - 1] > 0.0)
      turning.push_back(std::abs(q[k]));
  double a = 1.2;
  std::size_t swing = 0;
  while (weight * std::sin(a) > c) {
    double low = 0.0, high = a;                  // the way that uses up the energy
    if (weight * (1.0 - std::cos(a)) < c * a) {  // it does not reach the bottom
      break;
    }
    for (int i = 0; i < 100; ++i) {
      const double b = 0.5 * (low + high);
      (weight * (std::cos(b) - std::cos(a)) > c * (a + b) ? low : high) = b;
    }
    a = low;
    if (swing < turning.size() && a > 0.05) CHECK(turning[swing] == Approx(a).margin(1e-3));
    ++swing;
  }
  CHECK(turning.size() >= swing - 1);
  CHECK(swing > 20);
  // it ends within the band in which friction holds it, and stays there exactly
  CHECK(std::abs(std::sin(q.back())) <= c / weight * (1.0 + 1e-9));
  CHECK(q.back() == q[q.size() - 1000]);
  CHECK(last(fall, "rod.qd") == 0.0);
  CHECK(energy_drift(fall) < 1e-8 * weight);
}

TEST_CASE("a screw locks itself where its friction carries the load through its lead") {
  // a nut of 50 kg on a vertical screw of lead h; lifting it by h turns the screw once
  const double lead = 0.005, load = 50.0 * gravity_here * lead / (2.0 * std::numbers::pi);
  for (const double share : {1.01, 0.9}) {
    CAPTURE(share);
    Mechanism mechanism;
    mechanism.gravity = Vec3d(0.0, 0.0, -gravity_here);
    add_slider(mechanism, "nut", world_body, Vec3d::UnitZ(), 50.0);
    add_hinge(mechanism, "screw", world_body, Vec3d::UnitZ(), 1.0, Vec3d::Zero(),
              Vec3d(1e-3, 1e-3, 1e-3));
    mechanism.bodies[1].friction.coulomb = share * load;
    mechanism.couplings.push_back(
        {.name = "thread", .joint = 0, .terms = {{1, lead / (2.0 * std::numbers::pi)}}});
    const Fall fall = let_go(mechanism, {.duration = 10.0, .step = 1.0},
                             {{0.4 * lead, 0.8 * std::numbers::pi}, {0.0, 0.0}});
    const double ratio = lead / (2.0 * std::numbers::pi);
    const double turns = share > 1.0 ? 0.0 : (load - share * load) / (1e-3 + 50.0 * ratio * ratio);
    for (std::size_t k = 0; k < values(fall, "t").size(); ++k) {
      const double t = values(fall, "t")[k];
      CHECK(values(fall, "screw.q")[k] ==
            Approx(0.8 * std::numbers::pi - 0.5 * turns * t * t).epsilon(1e-9));
      if (share > 1.0) CHECK(values(fall, "screw.q")[k] == values(fall, "screw.q")[0]);
    }
  }
}

TEST_CASE("an actuator that follows a path carries the friction of its joint") {
  Mechanism mechanism = block(3.0, 0.7);
  Actuator actuator;
  actuator.name = "drive";
  actuator.joint = 0;
  mechanism.actuators.push_back(actuator);
  Scenario scenario{.duration = 1.9, .step = 0.05};
  scenario.actuators.emplace_back();
  scenario.actuators[0].mode = ActuatorMode::follow;
  scenario.actuators[0].profile = Sine{0.2, 0.3, 2.0, 0.4};
  scenario.actuators[0].profile_duration = 2.0;
  const double w = std::numbers::pi;
  const Fall fall =
      let_go(mechanism, scenario, {{0.2 + 0.3 * std::sin(0.4)}, {0.3 * w * std::cos(0.4)}});
  for (std::size_t k = 0; k < values(fall, "t").size(); ++k) {
    const double phase = w * values(fall, "t")[k] + 0.4;
    const double v = 0.3 * w * std::cos(phase), a = -0.3 * w * w * std::sin(phase);
    CHECK(values(fall, "drive.load")[k] ==
          Approx(2.0 * a - pull + std::copysign(3.0, v) + 0.7 * v).epsilon(1e-9));
  }
  CHECK(energy_drift(fall) < 1e-7);
}

TEST_CASE("of two joints that rub, each sticks and slides by itself") {
  // a sledge on a cart: the cart is braked, and the sledge sticks to it or slides on
  const double mass = 3.0, top = 1.0;
  for (const double grip : {0.5, 8.0}) {
    CAPTURE(grip);
    Mechanism mechanism;
    mechanism.gravity = Vec3d::Zero();
    add_slider(mechanism, "cart", world_body, Vec3d::UnitX(), mass);
    add_slider(mechanism, "sledge", 0, Vec3d::UnitX(), top);
    mechanism.bodies[0].friction.coulomb = 6.0;
    mechanism.bodies[1].friction.coulomb = grip;
    const Fall fall = let_go(mechanism, {.duration = 4.0, .step = 0.25}, {{0.0, 0.0}, {2.0, 0.0}});
    // together they slow down by 6 / 4; the sledge needs 1.5 N for that
    const double cart = grip > 1.5 ? -1.5 : -(6.0 - grip) / mass, stop = -2.0 / cart;
    for (std::size_t k = 0; k < values(fall, "t").size(); ++k) {
      const double t = values(fall, "t")[k], moving = std::min(t, stop);
      CHECK(values(fall, "cart.q")[k] ==
            Approx(2.0 * moving + 0.5 * cart * moving * moving).margin(1e-9));
      const double slows = grip / top;  // of the sledge against the ground, until it stops
      const double sledge = grip > 1.5 ? values(fall, "cart.q")[k]
                                       : 2.0 * std::min(t, 2.0 / slows) -
                                             0.5 * slows * std::pow(std::min(t, 2.0 / slows), 2);
      CHECK(values(fall, "cart.q")[k] + values(fall, "sledge.q")[k] == Approx(sledge).margin(1e-8));
    }
    CHECK(energy_drift(fall) < 1e-8);
  }
}

TEST_CASE("a block that hits a stop rubs on its way and back") {
  const double friction = 3.0, mass = 2.0, e = 0.6;
  Mechanism mechanism = block(friction, 0.0);
  mechanism.gravity = Vec3d::Zero();
  Scenario scenario{.duration = 3.0, .step = 0.1};
  scenario.stops.push_back(
      {.name = "end", .of = Stop::Of::joint, .element = 0, .max = 1.0, .restitution = e});
  const Fall fall = let_go(mechanism, scenario, {{0.0}, {3.0}});
  const double hit = std::sqrt(9.0 - 2.0 * friction / mass);
  CHECK(fall.extremes.max_impact_speed[0] == Approx(hit).epsilon(1e-9));
  const double back = std::pow(e * hit, 2) / (2.0 * friction / mass);
  CHECK(last(fall, "block.q") == Approx(1.0 - back).epsilon(1e-9));
  CHECK(last(fall, "block.qd") == 0.0);
  CHECK(energy_drift(fall) < 1e-8);
}

namespace {

/// Two rods of 1 kg that hang from hinges 0.6 m apart, 0.5 m long, and a bar of 2 kg between their
/// ends: all three hinges with friction turn alike.
Mechanism parallelogram(const std::array<Friction, 3>& friction) {
  const Vec3d thin(0.01, 1.0 / 48.0, 0.01);  // 0.5 m long about the middle
  Mechanism mechanism;
  mechanism.gravity = Vec3d(0.0, 0.0, -gravity_here);
  add_hinge(mechanism, "left", world_body, Vec3d::UnitY(), 1.0, Vec3d(0.0, 0.0, -0.25), thin);
  add_hinge(mechanism, "bar", 0, Vec3d::UnitY(), 2.0, Vec3d(0.3, 0.0, 0.0), thin);
  mechanism.bodies[1].joint.origin = Vec3d(0.0, 0.0, -0.5);
  add_hinge(mechanism, "right", world_body, Vec3d::UnitY(), 1.0, Vec3d(0.0, 0.0, -0.25), thin);
  mechanism.bodies[2].joint.origin = Vec3d(0.6, 0.0, 0.0);
  for (std::size_t b = 0; b < 3; ++b) mechanism.bodies[b].friction = friction[b];
  mechanism.points.push_back({"bar_end", 1, Vec3d(0.6, 0.0, 0.0)});
  mechanism.points.push_back({"rod_end", 2, Vec3d(0.0, 0.0, -0.5)});
  mechanism.loops.push_back({.name = "eye", .points = {0, 1}});
  return mechanism;
}

/// The pendulum that swings alike: inertia 2 * 0.5^2 / 3 + 2 * 0.5^2 about the hinge, and a weight
/// of 1.5 kg m.
Mechanism one_for_the_parallelogram(const Friction& sum) {
  Mechanism mechanism;
  mechanism.gravity = Vec3d(0.0, 0.0, -gravity_here);
  const double inertia = 2.0 / 3.0 * 0.25 + 2.0 * 0.25, arm = 1.5 / 4.0;
  add_hinge(mechanism, "one", world_body, Vec3d::UnitY(), 4.0, Vec3d(0.0, 0.0, -arm),
            Vec3d(1.0, inertia - 4.0 * arm * arm, 1.0));
  mechanism.bodies[0].friction = sum;
  return mechanism;
}

}  // namespace

TEST_CASE("a parallelogram falls with friction in all hinges as a pendulum with their sum") {
  Random random(20261205);
  for (int trial = 0; trial < test::trials(40); ++trial) {
    CAPTURE(trial);
    std::array<Friction, 3> friction;
    Friction sum;
    for (Friction& one : friction) {
      one = {random.chance(0.8) ? random.uniform(0.05, 1.0) : 0.0, random.uniform(0.0, 0.1)};
      sum.coulomb += one.coulomb;
      sum.viscous += one.viscous;
    }
    const double q = random.uniform(-1.4, 1.4),
                 v = random.chance(0.5) ? random.uniform(-2.0, 2.0) : 0.0;
    const Scenario scenario{.duration = 6.0, .step = 0.25};
    const Fall four = let_go(parallelogram(friction), scenario, {{q, -q, q}, {v, -v, v}});
    const Fall one = let_go(one_for_the_parallelogram(sum), scenario, {{q}, {v}});
    for (std::size_t k = 0; k < values(one, "t").size(); ++k) {
      CHECK(values(four, "left.q")[k] == Approx(values(one, "one.q")[k]).margin(1e-8));
      CHECK(values(four, "bar.qd")[k] == Approx(-values(one, "one.qd")[k]).margin(1e-8));
    }
    CHECK(energy_drift(four) < 1e-7);
  }
}

TEST_CASE("a parallelogram holds up to the sum of its friction, without drift") {
  const double q = 0.7, weighs = 1.5 * gravity_here * std::sin(q);
  for (const double share : {1.0 + 1e-6, 1.0 - 1e-6}) {
    CAPTURE(share);
    const Mechanism mechanism =
        parallelogram({Friction{0.5 * share * weighs, 0.0}, Friction{0.3 * share * weighs, 0.0},
                       Friction{0.2 * share * weighs, 0.0}});
    const Fall fall =
        let_go(mechanism, {.duration = 60.0, .step = 10.0}, {{q, -q, q}, {0.0, 0.0, 0.0}});
    if (share > 1.0)
      for (const char* name : {"left.q", "bar.q", "right.q"})
        for (const double angle : values(fall, name)) CHECK(angle == values(fall, name)[0]);
    else
      CHECK(last(fall, "left.q") < q - 1e-6);
  }
}

TEST_CASE("energy is kept by linkages whose joints rub") {
  Random random(20261206);
  int fell = 0;
  for (int trial = 0; trial < test::trials(120); ++trial) {
    CAPTURE(trial);
    Sample sample = random_sample(random, {.tree_bodies = trial % 2,
                                           .linkage = static_cast<Linkage>(trial % linkage_count),
                                           .duration = 0.1,
                                           .step = 0.05});
    const Simulation simulation = run(sample.mechanism, sample.motion);
    for (Body& body : sample.mechanism.bodies)
      if (body.mass == 0.0) {
        body.mass = random.uniform(0.1, 1.0);
        body.inertia = random.inertia(body.mass, 0.2);
      }
    add_friction(random, sample.mechanism);
    Scenario scenario{.duration = 0.3, .step = 0.02, .tolerance = 1e-11};
    scenario.actuators.resize(sample.mechanism.actuators.size());
    const auto result = simulate_fall(sample.mechanism, scenario,
                                      {joint_samples(simulation, sample.mechanism, ".q").front(),
                                       joint_samples(simulation, sample.mechanism, ".qd").front()},
                                      {});
    const Fall* fall = std::get_if<Fall>(&result);
    REQUIRE(fall != nullptr);
    ++fell;
    CHECK(energy_drift(*fall) <= 1e-7 * std::max(peak(values(*fall, "energy.kinetic")), 1e-3));
  }
  CHECK(fell == test::trials(120));
}

TEST_CASE("energy is kept by trees whose joints rub, and what has come to rest stays") {
  Random random(20261129);
  int fell = 0, stuck = 0;
  for (int trial = 0; trial < test::trials(120); ++trial) {
    CAPTURE(trial);
    Sample sample = random_sample(random, {.tree_bodies = 5, .motors_only = true, .duration = 0.1});
    add_friction(random, sample.mechanism);
    const Simulation simulation = run(sample.mechanism, sample.motion);
    Scenario scenario{.duration = 1.0, .step = 0.02, .tolerance = 1e-11};
    const JointStart start = {joint_samples(simulation, sample.mechanism, ".q").front(),
                              joint_samples(simulation, sample.mechanism, ".qd").front()};
    scenario.actuators.resize(sample.mechanism.actuators.size());
    const auto result = simulate_fall(sample.mechanism, scenario, start, {});
    if (const auto* stopped = std::get_if<FallStop>(&result)) {
      CAPTURE(stopped->words);
      CHECK(stopped->kind == FallStop::Kind::singular_mass);
      continue;
    }
    const Fall& fall = std::get<Fall>(result);
    if (fall.stopped) FAIL(fall.stopped->words);
    ++fell;
    const double kinetic = peak(values(fall, "energy.kinetic"));
    CHECK(energy_drift(fall) <= 1e-7 * std::max(kinetic, 1e-3));
    for (const Body& body : sample.mechanism.bodies) {
      if (body.joint.type == JointType::fixed || body.friction.coulomb == 0.0) continue;
      const std::vector<double>&v = values(fall, body.name + ".qd"),
            &q = values(fall, body.name + ".q"), &a = values(fall, body.name + ".qdd");
      for (std::size_t k = 1; k < v.size(); ++k)
        if (v[k] == 0.0 && v[k - 1] == 0.0 && a[k - 1] == 0.0) {
          REQUIRE(q[k] == q[k - 1]);
          ++stuck;
        }
    }
  }
  CHECK(fell > test::trials(120) / 2);
  CHECK(stuck > 10);
}
