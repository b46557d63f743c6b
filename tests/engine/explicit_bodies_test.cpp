#include <catch2/catch.hpp>

#include "tests/oracles/energy.hpp"
#include "tests/support/numbered.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// A part of a leg as a body whose axes lie as `e` says; `way` from its origin along e.
void give_mass(Body& body, const LegPart& part, const Vec3d& e, double way) {
  body.mass = part.mass;
  body.com = way * e;
  body.inertia = part.transverse * (Mat3d::Identity() - e * e.transpose());
}

/// The same mechanism with every two-point actuator as bodies: a universal joint at its first
/// point, a tube, a rod that slides in it and meets the second point in a ball. Such a leg spins
/// about its line, which makes no difference to parts without a moment of inertia about it.
Mechanism with_explicit_legs(Mechanism mechanism) {
  std::vector<double> reference;
  for (const Body& body : mechanism.bodies) reference.push_back(body.joint.guess);
  const auto poses = oracle::world_poses(mechanism, reference);
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    Actuator& actuator = mechanism.actuators[a];
    if (!actuator.linear()) continue;
    const Point first = mechanism.points[actuator.points[0]];
    const Vec3d line = oracle::world_point(mechanism, poses, actuator.points[1]) -
                       oracle::world_point(mechanism, poses, actuator.points[0]);
    Mat3d turn = Mat3d::Identity();
    if (first.body != world_body) turn = poses[first.body].topLeftCorner<3, 3>();
    const Vec3d e = turn.transpose() * line.normalized();
    const Vec3d across = e.unitOrthogonal();

    const auto add = [&](int parent, JointType type, const Vec3d& axis, double guess) {
      Body body;
      body.name = numbered("leg", mechanism.bodies.size());
      body.parent = parent;
      body.joint.type = type;
      body.joint.axis = axis;
      body.joint.guess = guess;
      mechanism.bodies.push_back(body);
      return mechanism.body_count() - 1;
    };
    const int fork = add(first.body, JointType::revolute, across, 0.0);
    mechanism.bodies.back().joint.origin = first.position;
    const int tube = add(fork, JointType::revolute, e.cross(across), 0.0);
    give_mass(mechanism.bodies.back(), actuator.tube, e, actuator.tube.com);
    const int rod = add(tube, JointType::prismatic, e, line.norm());
    give_mass(mechanism.bodies.back(), actuator.rod, e, -actuator.rod.com);

    const int end = static_cast<int>(mechanism.points.size());
    mechanism.points.push_back({numbered("end", a), rod, Vec3d::Zero()});
    mechanism.loops.push_back({numbered("ball", a), {end, actuator.points[1]}});
    actuator.joint = rod;
    actuator.points = {-1, -1};
    actuator.tube = actuator.rod = {};
  }
  return mechanism;
}

/// The same mechanism with a rotor on the world for every actuator of a joint, which gears turn.
Mechanism with_explicit_rotors(Mechanism mechanism, const Mechanism& motors) {
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const MotorSide& motor = motors.actuators[a].motor;
    const auto joint = static_cast<std::size_t>(static_cast<int>(mechanism.actuators[a].joint));
    Body rotor;
    rotor.name = numbered("rotor", a);
    rotor.parent = world_body;
    rotor.joint.type = JointType::revolute;
    rotor.joint.axis = Vec3d::UnitX();
    rotor.joint.guess = motor.ratio * mechanism.bodies[joint].joint.guess;
    rotor.mass = 1.0;
    rotor.inertia = motor.rotor_inertia * Mat3d::Identity();
    mechanism.bodies.push_back(rotor);
    mechanism.couplings.push_back({numbered("gear", mechanism.couplings.size()),
                                   mechanism.body_count() - 1,
                                   {{mechanism.actuators[a].joint, motor.ratio}},
                                   0.0});
    mechanism.actuators[a].motor = {};
  }
  return mechanism;
}

bool has_line_actuator(const Mechanism& mechanism) {
  return std::any_of(mechanism.actuators.begin(), mechanism.actuators.end(),
                     [](const Actuator& actuator) { return actuator.linear(); });
}

}  // namespace

TEST_CASE("a leg as bodies and joints bears what the two-point element says") {
  // loops close to 1e-10 of their size, poses are conditioned no worse than 0.1
  constexpr double relative = 1e-9;
  Random random(20260901);
  int compared = 0;
  for (int trial = 0; trial < test::trials(90); ++trial) {
    SampleOptions options{.tree_bodies = 4, .duration = 0.2, .step = 0.02};
    if (trial % 3 != 0) options.linkage = static_cast<Linkage>(trial % linkage_count);
    Sample sample = random_sample(random, options);
    if (!has_line_actuator(sample.mechanism)) continue;
    ++compared;
    CAPTURE(trial, trial % linkage_count);
    for (Actuator& actuator : sample.mechanism.actuators)
      actuator.tube.axial = actuator.rod.axial = 0.0;
    const Simulation elements = run(sample.mechanism, sample.motion);
    const Mechanism explicit_legs = with_explicit_legs(sample.mechanism);
    const Simulation bodies = run(explicit_legs, sample.motion);
    for (const Actuator& actuator : sample.mechanism.actuators)
      for (const char* quantity : {".position", ".velocity", ".load"}) {
        const auto& expected = column(elements, actuator.name + quantity);
        const auto& found = column(bodies, actuator.name + quantity);
        double size = 1.0;
        for (double value : expected) size = std::max(size, std::abs(value));
        for (std::size_t k = 0; k < expected.size(); ++k) {
          CAPTURE(actuator.name, quantity, k, expected[k], found[k]);
          REQUIRE(std::abs(expected[k] - found[k]) < relative * size);
        }
      }
  }
  CHECK(compared > test::trials(30));
}

TEST_CASE("a rotor as a body behind gears asks of the actuator what the motor says") {
  Random random(20261129);
  int joints = 0, lines = 0;
  for (int trial = 0; trial < test::trials(300); ++trial) {
    SampleOptions options{.tree_bodies = 4, .duration = 0.2, .step = 0.02};
    if (trial % 3 != 0) options.linkage = static_cast<Linkage>(trial % linkage_count);
    Sample sample = random_sample(random, options);
    add_friction(random, sample.mechanism);
    for (Body& body : sample.mechanism.bodies) body.friction.coulomb = 0.0;  // a range at rest
    add_forces(random, sample);
    CAPTURE(trial, trial % linkage_count);
    for (Actuator& actuator : sample.mechanism.actuators) {
      actuator.tube.axial = actuator.rod.axial = 0.0;
      actuator.motor.known = true;
      actuator.motor.ratio = random.uniform(2.0, 80.0);
      // as much as the mechanism itself asks for, more or less
      actuator.motor.rotor_inertia = random.uniform(0.1, 2.0) / std::pow(actuator.motor.ratio, 2);
    }
    const Simulation elements = run(sample.mechanism, sample.motion);
    const Simulation bodies =
        run(with_explicit_rotors(with_explicit_legs(sample.mechanism), sample.mechanism),
            sample.motion);
    for (const Actuator& actuator : sample.mechanism.actuators) {
      const auto& load = column(elements, actuator.name + ".load");
      const auto& torque = column(elements, actuator.name + ".motor_torque");
      const auto& with_rotor = column(bodies, actuator.name + ".load");
      double size = 1.0;
      for (const double value : load) size = std::max(size, std::abs(value));
      for (std::size_t k = 0; k < load.size(); ++k) {
        CAPTURE(actuator.name, k, load[k], torque[k] * actuator.motor.ratio, with_rotor[k]);
        REQUIRE(std::abs(torque[k] * actuator.motor.ratio - with_rotor[k]) <
                (has_line_actuator(sample.mechanism) ? 1e-9 : 1e-10) * size);
      }
      ++(actuator.linear() ? lines : joints);
    }
  }
  CHECK(joints > test::trials(300));
  CHECK(lines > test::trials(300) / 10);
}
