#include <algorithm>
#include <cmath>

#include "engine/dynamics/shaft.hpp"
#include "tests/engine/falls/falling.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

Actuator geared(const std::string& name, BodyIndex joint, const MotorSide& motor) {
  Actuator actuator;
  actuator.name = name;
  actuator.joint = joint;
  actuator.motor = motor;
  actuator.motor.known = true;
  return actuator;
}

MotorSide random_motor(Random& random, bool dry) {
  MotorSide motor;
  motor.known = true;
  motor.ratio = random.uniform(2.0, 60.0);
  motor.rotor_inertia = random.uniform(0.02, 1.5) / (motor.ratio * motor.ratio);
  if (dry && random.chance(0.6)) motor.friction.coulomb = random.uniform(0.1, 20.0);
  if (random.chance(0.5)) motor.friction.viscous = random.uniform(0.1, 3.0);
  return motor;
}

void add_motors(Random& random, bool dry, Mechanism& mechanism) {
  for (Actuator& actuator : mechanism.actuators)
    if (random.chance(0.8)) actuator.motor = random_motor(random, dry);
}

/// The same mechanism with each rotor as a body of its own beside the tree, on an axle of the world
/// behind gears. The friction of the gears brakes the axles.
Mechanism with_rotors(const Mechanism& mechanism, JointStart& start) {
  Mechanism explicitly = mechanism;
  for (Actuator& actuator : explicitly.actuators) {
    if (!actuator.motor.known) continue;
    const MotorSide motor = actuator.motor;
    const int rotor = explicitly.body_count();
    add_hinge(explicitly, "rotor_" + actuator.name, world_body, Vec3d::UnitX(), 0.3, Vec3d::Zero(),
              Vec3d(motor.rotor_inertia, motor.rotor_inertia, motor.rotor_inertia));
    explicitly.bodies.back().friction = {motor.friction.coulomb / motor.ratio,
                                         motor.friction.viscous / (motor.ratio * motor.ratio)};
    explicitly.couplings.push_back({.name = "gears_" + actuator.name,
                                    .joint = rotor,
                                    .terms = {{actuator.joint, motor.ratio}}});
    start.q.push_back(motor.ratio * start.q[at(actuator.joint)]);
    start.v.push_back(motor.ratio * start.v[at(actuator.joint)]);
    actuator.motor = {};
  }
  return explicitly;
}

/// A random tree with a motor at every joint that an actuator moves, and where it starts.
Mechanism random_tree(Random& random, bool dry, JointStart& start) {
  Sample sample = random_sample(random, {.tree_bodies = 5, .motors_only = true, .duration = 0.1});
  const Simulation simulation = run(sample.mechanism, sample.motion);
  add_friction(random, sample.mechanism);
  if (!dry)
    for (Body& body : sample.mechanism.bodies) body.friction.coulomb = 0.0;
  add_motors(random, dry, sample.mechanism);
  start = {joint_samples(simulation, sample.mechanism, ".q").front(),
           joint_samples(simulation, sample.mechanism, ".qd").front()};
  return sample.mechanism;
}

std::optional<Fall> fall_if_it_can(const Mechanism& mechanism, Scenario scenario,
                                   const JointStart& start) {
  scenario.actuators.resize(mechanism.actuators.size());
  auto result = simulate_fall(mechanism, scenario, start, {});
  if (const auto* stopped = std::get_if<FallStop>(&result)) {
    CAPTURE(stopped->words);
    CHECK(stopped->kind == FallStop::Kind::singular_mass);
    return std::nullopt;
  }
  Fall fall = std::get<Fall>(std::move(result));
  if (fall.stopped) {  // linkages may fall to where their pose is singular
    CAPTURE(fall.stopped->words);
    CHECK(!mechanism.loops.empty());
  }
  return fall;
}

}  // namespace

TEST_CASE(
    "a rotor behind gears slows an oscillation by its inertia times the square of the ratio") {
  // a hinge with a torsion spring, without weight: a harmonic motion at any amplitude
  const MotorSide motor{.ratio = 50.0, .rotor_inertia = 4e-5};
  Mechanism mechanism;
  mechanism.gravity = Vec3d::Zero();
  add_hinge(mechanism, "wheel", world_body, Vec3d::UnitY(), 1.0, Vec3d::Zero(),
            Vec3d(0.02, 0.03, 0.02));
  Spring spring;
  spring.name = "spring";
  spring.type = SpringType::torsion;
  spring.joint = 0;
  spring.rate = 7.0;
  mechanism.springs.push_back(spring);
  mechanism.actuators.push_back(geared("motor", 0, motor));
  const Fall fall = let_go(mechanism, {.duration = 3.0, .step = 0.25}, {{0.4}, {0.0}});
  const double frequency = std::sqrt(7.0 / (0.03 + 50.0 * 50.0 * 4e-5));
  for (std::size_t k = 0; k < values(fall, "t").size(); ++k) {
    const double t = values(fall, "t")[k];
    CHECK(values(fall, "wheel.q")[k] == Approx(0.4 * std::cos(frequency * t)).margin(1e-9));
    // what the rotor takes arrives at the wheel as a load
    CHECK(values(fall, "motor.load")[k] ==
          Approx(-0.1 * values(fall, "wheel.qdd")[k]).margin(1e-12));
  }
  CHECK(energy_drift(fall) < 1e-9);
}

TEST_CASE("gears and rotor brake a lift that falls, on its joint and between two points") {
  const MotorSide motor{
      .known = true, .ratio = 400.0, .rotor_inertia = 5e-5, .friction = {30.0, 60.0}};
  const double inertia = lift_mass + 400.0 * 400.0 * 5e-5, decay = 60.0 / inertia;
  for (const Mechanism& mechanism : {lift(motor), lift(motor, true)}) {
    const Fall fall = let_go(mechanism, {.duration = 1.5, .step = 0.1}, {{2.0}, {0.0}});
    for (std::size_t k = 0; k < values(fall, "t").size(); ++k) {
      const double t = values(fall, "t")[k];
      const double v = -(lift_weight - 30.0) / 60.0 * (1.0 - std::exp(-decay * t));
      CHECK(values(fall, "carriage.qd")[k] == Approx(v).margin(1e-9));
      // the mechanism asks of the screw what its own mass takes
      CHECK(values(fall, "screw.load")[k] ==
            Approx(lift_mass * (gravity_here + values(fall, "carriage.qdd")[k])).epsilon(1e-9));
      // and the motor's own torque is none: it has no power
      const Shaft shaft = shaft_of(mechanism.actuators[0].motor);
      const double gears = (k == 0 ? 30.0 : -30.0) + 60.0 * v;
      if (k > 0)
        CHECK(shaft.torque(values(fall, "screw.load")[k] + gears, v,
                           values(fall, "carriage.qdd")[k]) == Approx(0.0).margin(1e-9));
    }
    CHECK(energy_drift(fall) < 1e-7);
  }
}

TEST_CASE("dry friction of gears holds a lift below its limit, for an hour, without drift") {
  for (const bool line : {false, true})
    for (const double excess : {1e-6, -1e-6}) {
      CAPTURE(line, excess);
      const MotorSide motor{.known = true,
                            .ratio = 400.0,
                            .rotor_inertia = 5e-5,
                            .friction = {(1.0 + excess) * lift_weight, 10.0}};
      const Mechanism mechanism = lift(motor, line);
      const Fall fall = let_go(mechanism, {.duration = 3600.0, .step = 600.0}, {{0.123}, {0.0}});
      if (excess > 0.0) {
        for (const double q : values(fall, "carriage.q")) CHECK(q == 0.123);
        for (const double v : values(fall, "carriage.qd")) CHECK(v == 0.0);
        for (const double load : values(fall, "screw.load"))
          CHECK(load == Approx(lift_weight).epsilon(1e-12));
        CHECK(energy_drift(fall) == 0.0);
        continue;
      }
      // it creeps down at what its viscous friction lets it
      const double slow = -excess * lift_weight / 10.0, decay = 10.0 / (lift_mass + 8.0);
      const double down = slow * (3600.0 - (1.0 - std::exp(-decay * 3600.0)) / decay);
      CHECK(last(fall, "carriage.q") == Approx(0.123 - down).margin(1e-8));
      CHECK(last(fall, "carriage.qd") == Approx(-slow).epsilon(1e-6));
    }
}

TEST_CASE("a joint's own dry friction carries first, and the gears hold the rest") {
  Mechanism mechanism = lift({.known = true, .ratio = 400.0, .friction = {0.8 * lift_weight, 0.0}});
  mechanism.bodies[0].friction.coulomb = 0.3 * lift_weight;
  const Fall holds = let_go(mechanism, {.duration = 1.0, .step = 0.5}, {{0.0}, {0.0}});
  for (const double q : values(holds, "carriage.q")) CHECK(q == 0.0);
  for (const double load : values(holds, "screw.load"))
    CHECK(load == Approx(0.7 * lift_weight).epsilon(1e-12));
  mechanism.bodies[0].friction.coulomb = 0.1 * lift_weight;
  const Fall sinks = let_go(mechanism, {.duration = 1.0, .step = 0.5}, {{0.0}, {0.0}});
  CHECK(last(sinks, "carriage.qd") == Approx(-0.1 * gravity_here).epsilon(1e-9));
  CHECK(last(sinks, "screw.load") == Approx(0.8 * lift_weight).epsilon(1e-9));
}

TEST_CASE("a load is what the motor gives, and gears and rotor take their share of it") {
  const MotorSide motor{
      .known = true, .ratio = 400.0, .rotor_inertia = 5e-5, .friction = {30.0, 0.0}};
  const double inertia = lift_mass + 8.0;
  for (const double load : {lift_weight - 29.0, lift_weight + 29.0, lift_weight + 86.0}) {
    for (const Mechanism& mechanism : {lift(motor), lift(motor, true)}) {
      CAPTURE(load, mechanism.actuators[0].linear());
      Scenario scenario{.duration = 2.0, .step = 0.5};
      scenario.actuators.push_back(
          {.mode = ActuatorMode::load, .profile = Hold{load}, .profile_duration = 2.0});
      const Fall fall = let_go(mechanism, scenario, {{0.3}, {0.0}});
      const double up = load > lift_weight + 30.0 ? (load - lift_weight - 30.0) / inertia : 0.0;
      CHECK(last(fall, "carriage.q") == Approx(0.3 + 0.5 * up * 4.0).epsilon(1e-10));
      if (up == 0.0) CHECK(last(fall, "carriage.q") == 0.3);
      CHECK(last(fall, "screw.load") == Approx(lift_mass * (gravity_here + up)).epsilon(1e-10));
      CHECK(last(fall, "energy.work") ==
            Approx(up == 0.0 ? 0.0 : (load - 30.0) * 0.5 * up * 4.0).epsilon(1e-9));
      CHECK(energy_drift(fall) < 1e-7);
    }
  }
}

TEST_CASE("the motor of an actuator that is held or followed changes no bit of a fall") {
  Random random(20261130);
  for (int trial = 0; trial < test::trials(30); ++trial) {
    CAPTURE(trial);
    JointStart start;
    const Mechanism with = random_tree(random, false, start);
    Mechanism without = with;
    for (Actuator& actuator : without.actuators) actuator.motor = {};
    Scenario scenario{.duration = 0.2, .step = 0.1};
    for (std::size_t a = 0; a < with.actuators.size(); ++a) {
      const auto joint = at(with.actuators[a].joint);
      ActuatorRule rule;
      rule.mode = ActuatorMode::held;
      if (random.chance(0.5))
        rule = {.mode = ActuatorMode::follow,
                .profile = Sine{start.q[joint], 0.0, 1.0, 0.0},
                .profile_duration = 0.15};
      start.v[joint] = rule.mode == ActuatorMode::follow ? 0.0 : start.v[joint];
      scenario.actuators.push_back(rule);
    }
    const Fall one = let_go(with, scenario, start), other = let_go(without, scenario, start);
    REQUIRE(one.columns.size() == other.columns.size());
    for (std::size_t c = 0; c < one.columns.size(); ++c)
      CHECK(one.columns[c].values == other.columns[c].values);
  }
}

TEST_CASE("a tree falls with its motors as with rotors that are bodies behind gears") {
  Random random(20261201);
  int fell = 0, stuck = 0;
  for (int trial = 0; trial < test::trials(150); ++trial) {
    CAPTURE(trial);
    JointStart start;
    const Mechanism mechanism = random_tree(random, trial % 2 > 0, start);
    JointStart longer = start;
    const Mechanism explicitly = with_rotors(mechanism, longer);
    const Scenario scenario{.duration = 0.6, .step = 0.05, .tolerance = 1e-12};
    const auto fall = fall_if_it_can(mechanism, scenario, start);
    const auto other = fall_if_it_can(explicitly, scenario, longer);
    REQUIRE(fall.has_value() == other.has_value());
    if (!fall) continue;
    ++fell;
    REQUIRE(values(*fall, "t") == values(*other, "t"));
    for (const Body& body : mechanism.bodies) {
      if (body.joint.type == JointType::fixed) continue;
      const std::vector<double>&q = values(*fall, body.name + ".q"),
            &expected = values(*other, body.name + ".q");
      const double size = std::max(1.0, peak(expected));
      for (std::size_t k = 0; k < q.size(); ++k) CHECK(std::abs(q[k] - expected[k]) <= 1e-9 * size);
      if (q.back() == q[q.size() - 2]) ++stuck;
    }
    const std::vector<double>&kinetic = values(*fall, "energy.kinetic"),
          &both = values(*other, "energy.kinetic");
    const double most = std::max(peak(kinetic), 1e-3);
    for (std::size_t k = 0; k < kinetic.size(); ++k)
      CHECK(std::abs(kinetic[k] - both[k]) <= 1e-8 * most);
  }
  CHECK(fell > test::trials(150) / 2);
  CHECK(stuck > 0);
}

TEST_CASE("a two-point actuator falls with its motor as a leg with a motor on its slide") {
  // the same line once as an actuator between two points, once as two bodies without mass
  Random random(20261202);
  for (int trial = 0; trial < test::trials(40); ++trial) {
    CAPTURE(trial);
    const MotorSide motor = random_motor(random, false);
    const Vec3d base(0.4, 0.0, -0.3), mount(0.35, 0.0, 0.1);
    Mechanism line;
    line.gravity = Vec3d(0.0, 0.0, -gravity_here);
    add_hinge(line, "boom", world_body, Vec3d::UnitY(), 3.0, Vec3d(0.5, 0.0, 0.05),
              Vec3d(0.1, 0.2, 0.15));
    add_hinge(line, "hand", 0, Vec3d::UnitY(), 1.0, Vec3d(0.2, 0.0, 0.0), Vec3d(0.02, 0.03, 0.02));
    line.bodies[1].joint.origin = Vec3d(1.0, 0.0, 0.0);
    line.points.push_back({"base", world_body, base});
    line.points.push_back({"mount", 0, mount});
    Mechanism leg = line;
    Actuator actuator = geared("ram", {}, motor);
    actuator.points = {0, 1};
    line.actuators.push_back(actuator);
    add_hinge(leg, "tube", world_body, Vec3d::UnitY(), 0.0, Vec3d::Zero(), Vec3d::Zero());
    leg.bodies[2].joint.origin = base;
    add_slider(leg, "rod", 2, Vec3d::UnitX(), 0.0);
    leg.points.push_back({"tip", 3, Vec3d::Zero()});
    leg.loops.push_back({.name = "eye", .points = {1, 2}});
    leg.actuators.push_back(geared("ram", 3, motor));

    const double angle = random.uniform(-0.3, 0.3), bend = random.uniform(-1.0, 1.0);
    const Vec3d at = Vec3d(mount.x() * std::cos(angle) + mount.z() * std::sin(angle), 0.0,
                           mount.z() * std::cos(angle) - mount.x() * std::sin(angle)) -
                     base;
    const JointStart start{{angle, bend}, {0.0, 0.0}};
    const JointStart longer{{angle, bend, std::atan2(-at.z(), at.x()), at.norm()},
                            {0.0, 0.0, 0.0, 0.0}};
    const Scenario scenario{.duration = 0.3, .step = 0.05, .tolerance = 1e-12};
    const Fall one = let_go(line, scenario, start), other = let_go(leg, scenario, longer);
    for (const char* column : {"boom.q", "hand.q", "ram.position", "ram.velocity"})
      for (std::size_t k = 0; k < values(one, "t").size(); ++k)
        CHECK(values(one, column)[k] == Approx(values(other, column)[k]).margin(1e-9));
    for (const char* column : {"ram.load", "energy.kinetic", "energy.work"})
      for (std::size_t k = 0; k < values(one, "t").size(); ++k)
        CHECK(values(one, column)[k] ==
              Approx(values(other, column)[k]).epsilon(1e-8).margin(1e-8));
    CHECK(energy_drift(one) < 1e-7);
  }
}

TEST_CASE("energy is kept by mechanisms whose motors fall with them") {
  Random random(20261203);
  int fell = 0, lines = 0, stuck = 0;
  for (int trial = 0; trial < test::trials(150); ++trial) {
    CAPTURE(trial);
    SampleOptions options{.tree_bodies = 5, .duration = 0.1, .step = 0.05};
    if (trial % 3 == 0) options.linkage = static_cast<Linkage>(trial / 3 % linkage_count);
    Sample sample = random_sample(random, options);
    const Simulation simulation = run(sample.mechanism, sample.motion);
    const JointStart start = {joint_samples(simulation, sample.mechanism, ".q").front(),
                              joint_samples(simulation, sample.mechanism, ".qd").front()};
    for (Body& body : sample.mechanism.bodies)  // no body may be moved by its rotor alone
      if (body.mass == 0.0) {
        body.mass = random.uniform(0.1, 1.0);
        body.inertia = random.inertia(body.mass, 0.2);
      }
    add_motors(random, true, sample.mechanism);
    const auto fall = fall_if_it_can(sample.mechanism,
                                     {.duration = 0.3, .step = 0.02, .tolerance = 1e-11}, start);
    if (!fall) continue;
    ++fell;
    const double kinetic = peak(values(*fall, "energy.kinetic"));
    CHECK(energy_drift(*fall) <= 1e-7 * std::max(kinetic, 1e-3));
    for (const Actuator& actuator : sample.mechanism.actuators) {
      if (!actuator.motor.known) continue;
      if (actuator.linear()) ++lines;
      const std::vector<double>&q = values(*fall, actuator.name + ".position"),
            &v = values(*fall, actuator.name + ".velocity");
      for (std::size_t k = 1; k < v.size(); ++k)
        if (v[k] == 0.0 && v[k - 1] == 0.0) {
          // it may slip and stick again in between, but it does not creep
          CHECK((std::abs(q[k] - q[k - 1]) <= 1e-12 || std::abs(q[k] - q[k - 1]) > 1e-7));
          ++stuck;
        }
    }
  }
  CHECK(fell > test::trials(150) / 3);
  CHECK(lines > 0);
  CHECK(stuck > 0);
}
