#include "engine/dynamics/articulated_bodies.hpp"

#include <Eigen/Cholesky>
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/dynamics/inverse_dynamics.hpp"
#include "engine/dynamics/mass_matrix.hpp"
#include "engine/falls/equations_of_motion.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"
#include "tests/support/world_builder.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// A share of a tree's bodies carry nothing themselves, but each tip does.
void take_some_masses(Mechanism& mechanism, Random& random) {
  std::vector<bool> is_tip(mechanism.bodies.size(), true);
  for (const Body& body : mechanism.bodies)
    if (body.parent != world_body) is_tip[body.parent] = false;
  for (std::size_t b = 0; b < is_tip.size(); ++b)
    if (!is_tip[b] && random.chance(0.1)) {
      mechanism.bodies[b].mass = 0.0;
      mechanism.bodies[b].inertia.setZero();
    }
}

/// Joints along main axes in either sense, in bodies that are not turned against each other.
void align(Mechanism& mechanism, Random& random) {
  for (Body& body : mechanism.bodies) {
    body.joint.axis = (random.chance(0.5) ? 1.0 : -1.0) * Vec3d::Unit(random.below(3));
    body.joint.rotation = Mat3d::Identity();
    if (random.chance(0.5)) body.joint.origin = 0.3 * Vec3d::Unit(random.below(3));
  }
}

/// A tree of up to 40 bodies with branches, joints of all kinds, springs and joint actuators.
Mechanism random_tree(Random& random, bool aligned) {
  WorldBuilder builder(random);
  const int bodies = 1 + random.below(40);
  for (int i = 0; i < bodies; ++i) {
    // often the body before, so that trees also get deep
    const int parent = random.chance(0.6) ? i - 1 : random.below(i + 1) - 1;
    const Vec3d near = parent == world_body ? Vec3d(0.0, 0.0, 0.0) : builder.origin(parent);
    const int kind = random.below(8);
    const JointType type = kind == 0  ? JointType::fixed
                           : kind < 6 ? JointType::revolute
                                      : JointType::prismatic;
    builder.add_body(parent, type, random.direction(), near + random.vector(0.4), true);
    if (type == JointType::fixed) continue;
    builder.add_joint_actuator(i);
    if (random.chance(0.2)) builder.add_torsion_spring(i);
    if (parent != world_body && random.chance(0.2))
      builder.add_spring(SpringType::extension, builder.add_point(i, near + random.vector(0.5)),
                         builder.add_point(world_body, random.vector(0.5)));
  }
  builder.mechanism.gravity = random.vector(10.0);
  if (aligned)
    align(builder.mechanism, random);
  else
    take_some_masses(builder.mechanism, random);
  return builder.mechanism;
}

JointStart random_start(const Mechanism& mechanism, Random& random) {
  JointStart start;
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b) {
    start.q.push_back(mechanism.moves(b) ? random.uniform(-2.0, 2.0) : 0.0);
    start.v.push_back(mechanism.moves(b) ? random.uniform(-3.0, 3.0) : 0.0);
  }
  return start;
}

/// Two wheels on the world, one driving the other: the coupling is a row of the equations, which
/// then need the mass matrix of everything, although the wheels touch nothing else.
Mechanism beside_gears(Mechanism mechanism) {
  const int first = mechanism.body_count();
  for (const char* name : {"wheel", "pinion"}) {
    Body body;
    body.name = name;
    body.joint.type = JointType::revolute;
    body.mass = 1.0;
    body.inertia = Mat3d::Identity();
    mechanism.bodies.push_back(body);
  }
  mechanism.couplings.push_back({"teeth", first + 1, {{first, -3.0}}, 0.0});
  return mechanism;
}

double largest_of(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double x : values) largest = std::max(largest, std::abs(x));
  return largest;
}

/// Everything that the sweeps need of a tree at one state, and the accelerations they find.
struct Sweep {
  TreeModel model;
  SampleState sample;
  ArticulatedBodiesScratch scratch;
  std::vector<double> x;
  bool clear;

  Sweep(const Mechanism& mechanism, const JointStart& at, const std::vector<char>& held,
        const std::vector<double>& force)
      : sample(mechanism.body_count()), x(at.q.size(), 0.0) {
    std::vector<JointFrame> frames;
    prepare_frames(mechanism, frames);
    for (BodyIndex b = 0; b < mechanism.body_count(); ++b) sample.set_position(frames, b, at.q[b]);
    model.prepare(mechanism);
    scratch.prepare(model, at.q.size());
    clear = articulated_bodies(model, sample.view(), held, {}, force, scratch, x);
  }
};

/// The mass matrix by composite rigid bodies, with held joints taken out of it.
Eigen::MatrixXd free_mass(const Sweep& sweep, const Mechanism& mechanism,
                          const std::vector<char>& held) {
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(mechanism.body_count(), mechanism.body_count());
  MassMatrixScratch<double> composite;
  composite.prepare(sweep.model, held.size());
  mass_matrix<double>(sweep.model, sweep.sample.view(), composite, mass);
  for (int b = 0; b < mechanism.body_count(); ++b) {
    if (mechanism.moves(b) && held[b] == 0) continue;
    mass.row(b).setZero();
    mass.col(b).setZero();
    mass(b, b) = 1.0;
  }
  return mass;
}

}  // namespace

TEST_CASE("articulated bodies solve the equations that composite bodies write") {
  Random random(20261201);
  int free_joints = 0, held_joints = 0;
  for (int trial = 0; trial < trials(400); ++trial) {
    CAPTURE(trial);
    const Mechanism mechanism = random_tree(random, trial % 2 == 0);
    const JointStart at = random_start(mechanism, random);
    std::vector<char> held;
    std::vector<double> force;
    for (int b = 0; b < mechanism.body_count(); ++b) {
      held.push_back(random.chance(0.2) ? 1 : 0);
      force.push_back(random.uniform(-10.0, 10.0));
      if (mechanism.moves(b)) ++(held.back() != 0 ? held_joints : free_joints);
    }
    const Sweep sweep(mechanism, at, held, force);
    REQUIRE(sweep.clear);
    Eigen::VectorXd right = Eigen::Map<const Eigen::VectorXd>(force.data(), sweep.x.size());
    for (int b = 0; b < mechanism.body_count(); ++b)
      if (!mechanism.moves(b) || held[b] != 0) right(b) = 0.0;
    const Eigen::VectorXd expected = free_mass(sweep, mechanism, held).ldlt().solve(right);
    const Eigen::VectorXd found = Eigen::Map<const Eigen::VectorXd>(sweep.x.data(), right.size());
    const double largest = std::max(expected.cwiseAbs().maxCoeff(), 1e-3);
    CHECK((found - expected).cwiseAbs().maxCoeff() <= 1e-10 * largest);
  }
  CHECK(free_joints > trials(1000));
  CHECK(held_joints > trials(200));
}

TEST_CASE("a falling tree accelerates as it does beside gears, which take the mass matrix") {
  Random random(20261202);
  using Result = EquationsOfMotion::Result;
  for (int trial = 0; trial < trials(300); ++trial) {
    CAPTURE(trial);
    const Mechanism mechanism = random_tree(random, trial % 2 == 0);
    JointStart at = random_start(mechanism, random);
    Scenario scenario;
    for (const Actuator& actuator : mechanism.actuators) {
      const auto b = static_cast<std::size_t>(actuator.joint);
      ActuatorRule rule;
      rule.profile_duration = 1.0;
      rule.mode = static_cast<ActuatorMode>(random.below(4));
      rule.profile = Sine{random.uniform(-2.0, 2.0), 1.0, 1.0, 0.3};
      if (rule.mode == ActuatorMode::follow) {
        const ProfileValue start = evaluate(rule.profile, 0.0, 1.0);
        at.q[b] = start.position;
        at.v[b] = start.velocity;
      } else if (rule.mode == ActuatorMode::held) {
        at.v[b] = 0.0;
      }
      scenario.actuators.push_back(rule);
    }
    const auto solved = [&](const Mechanism& one, const JointStart& start) {
      EquationsOfMotion equations(one, scenario);
      for (std::size_t a = 0; a < one.actuators.size(); ++a)
        equations.keep(a, start.q[one.actuators[a].joint]);
      REQUIRE(equations.choose(0.0, start) == Result::solved);
      REQUIRE(equations.accelerate() == Result::solved);
      equations.find_loads();
      std::vector<double> values;
      for (int b = 0; b < mechanism.body_count(); ++b) values.push_back(equations.state().a[b]);
      for (std::size_t a = 0; a < one.actuators.size(); ++a) values.push_back(equations.load(a));
      return values;
    };
    const std::vector<double> found = solved(mechanism, at);
    at.q.insert(at.q.end(), {0.1, -0.3});
    at.v.insert(at.v.end(), {0.2, -0.6});
    const std::vector<double> expected = solved(beside_gears(mechanism), at);
    REQUIRE(found.size() == expected.size());
    const auto bodies = static_cast<std::ptrdiff_t>(mechanism.bodies.size());
    const double a = largest_of({expected.begin(), expected.begin() + bodies});
    const double load = largest_of({expected.begin() + bodies, expected.end()});
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(std::abs(found[i] - expected[i]) <= 1e-10 * (i < mechanism.bodies.size() ? a : load));
  }
}

TEST_CASE("inverse dynamics of a loaded tree's accelerations returns its loads") {
  Random random(20261203);
  int compared = 0;
  for (int trial = 0; trial < trials(100); ++trial) {
    CAPTURE(trial);
    const Sample sample = random_sample(
        random, {.tree_bodies = 25, .motors_only = true, .duration = 0.1, .step = 0.02});
    const Mechanism& mechanism = sample.mechanism;
    const Simulation simulation = run(mechanism, sample.motion);
    const auto q = joint_samples(simulation, mechanism, ".q");
    const auto v = joint_samples(simulation, mechanism, ".qd");
    const std::size_t k = q.size() / 2;
    Scenario scenario;
    std::vector<double> load(mechanism.bodies.size());
    for (const Actuator& actuator : mechanism.actuators) {
      load[actuator.joint] = column(simulation, actuator.name + ".load")[k];
      ActuatorRule rule;
      rule.mode = ActuatorMode::load;
      rule.profile_duration = 1.0;
      rule.profile = Hold{load[actuator.joint]};
      scenario.actuators.push_back(rule);
    }
    EquationsOfMotion equations(mechanism, scenario);
    REQUIRE(equations.choose(0.0, {q[k], v[k]}) == EquationsOfMotion::Result::solved);
    const auto result = equations.accelerate();
    if (result == EquationsOfMotion::Result::singular_mass) continue;  // a tip without mass
    REQUIRE(result == EquationsOfMotion::Result::solved);
    ++compared;
    // the difference from the simulation's own accelerations takes no load
    const auto a = joint_samples(simulation, mechanism, ".qdd");
    TreeModel model;
    model.prepare(mechanism);
    model.gravity.setZero();
    InverseDynamicsScratch<double> scratch;
    scratch.resize(load.size());
    SampleState rest(mechanism.body_count());
    std::vector<JointFrame> frames;
    prepare_frames(mechanism, frames);
    for (BodyIndex b = 0; b < mechanism.body_count(); ++b) {
      rest.set_position(frames, b, q[k][b]);
      rest.view().a[b] = equations.state().a[b] - a[k][b];
    }
    std::vector<double> force(load.size());
    inverse_dynamics<double>(model, rest.view(), scratch, force);
    CHECK(largest_of(force) <= 1e-10 * largest_of(load));
  }
  CHECK(compared > trials(40));
}

TEST_CASE("where a joint's inertia is all rounding, articulated bodies say so") {
  Random random(20261204);
  for (int trial = 0; trial < trials(100); ++trial) {
    CAPTURE(trial);
    // two joints on one line, and no mass between them
    Mechanism mechanism;
    const Vec3d axis = random.direction();
    for (const char* name : {"first", "second"}) {
      Body body;
      body.name = name;
      body.parent = mechanism.body_count() - 1;
      body.joint.type = trial % 2 == 0 ? JointType::prismatic : JointType::revolute;
      body.joint.axis = axis;
      mechanism.bodies.push_back(body);
    }
    mechanism.bodies.back().mass = random.uniform(0.2, 5.0);
    mechanism.bodies.back().com = random.vector(0.2);
    mechanism.bodies.back().inertia = random.inertia(mechanism.bodies.back().mass, 0.2);
    const JointStart at{{0.1, 0.2}, {0.0, 0.0}};
    CHECK_FALSE(Sweep(mechanism, at, {0, 0}, {1.0, 1.0}).clear);
    CHECK(Sweep(mechanism, at, {1, 0}, {1.0, 1.0}).clear);
    CHECK(Sweep(mechanism, at, {0, 1}, {1.0, 1.0}).clear);
    EquationsOfMotion equations(mechanism, {});
    REQUIRE(equations.choose(0.0, at) == EquationsOfMotion::Result::solved);
    CHECK(equations.accelerate() == EquationsOfMotion::Result::singular_mass);
  }
}
