#include <catch2/catch.hpp>
#include <cmath>

#include "engine/dynamics/joint_clusters.hpp"
#include "engine/falls/equations_of_motion.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using Result = EquationsOfMotion::Result;

/// Trees that carry several linkages, on and in one another.
Sample linkages_on_a_tree(Random& random, int trial) {
  SampleOptions options{.tree_bodies = 3 + trial % 8, .duration = 0.1, .step = 0.02};
  options.linkage = static_cast<Linkage>(trial % linkage_count);
  options.more_linkages = 1 + trial % 5;
  return random_sample(random, options);
}

double largest_in(const std::vector<double>& values, double least) {
  for (const double x : values) least = std::max(least, std::abs(x));
  return least;
}

}  // namespace

TEST_CASE("loads of inverse dynamics move many linkages on a tree as they did, some of them held") {
  Random random(20261130);
  int compared = 0, held = 0;
  for (int trial = 0; trial < trials(100); ++trial) {
    CAPTURE(trial);
    Sample sample = linkages_on_a_tree(random, trial);
    const Mechanism& mechanism = sample.mechanism;
    Scenario scenario;
    for (std::size_t i = 0; i < mechanism.actuators.size(); ++i) {
      ActuatorRule rule;
      rule.profile_duration = 1.0;
      rule.mode = random.chance(0.4) ? ActuatorMode::held : ActuatorMode::load;
      scenario.actuators.push_back(rule);
    }
    for (Drive& drive : sample.motion.drives) {
      const ActuatorIndex actuator = drive.actuator;
      if (actuator < 0 || scenario.actuators[actuator].mode != ActuatorMode::held) continue;
      drive.profile = Hold{
          evaluate(drive.profile, 0.5 * sample.motion.duration, sample.motion.duration).position};
    }
    const auto simulated = simulate(mechanism, sample.motion, {});
    const auto* simulation = std::get_if<Simulation>(&simulated);
    if (simulation == nullptr) continue;  // it cannot close with these held
    const auto q = joint_samples(*simulation, mechanism, ".q");
    const auto v = joint_samples(*simulation, mechanism, ".qd");
    const auto a = joint_samples(*simulation, mechanism, ".qdd");
    const std::size_t k = q.size() / 2;
    const auto load = [&](std::size_t i) {
      return column(*simulation, mechanism.actuators[i].name + ".load")[k];
    };
    for (std::size_t i = 0; i < scenario.actuators.size(); ++i)
      if (scenario.actuators[i].mode == ActuatorMode::load)
        scenario.actuators[i].profile = Hold{load(i)};
    EquationsOfMotion equations(mechanism, scenario);
    double largest_load = 1e-3;
    for (std::size_t i = 0; i < scenario.actuators.size(); ++i) {
      equations.keep(i, column(*simulation, mechanism.actuators[i].name + ".position")[k]);
      largest_load = std::max(largest_load, std::abs(load(i)));
    }
    if (equations.choose(0.0, {q[k], v[k]}) != Result::solved) continue;
    if (equations.accelerate() != Result::solved) continue;  // loads on joints that move no mass
    ++compared;
    equations.find_loads();
    const double largest = largest_in(a[k], 1.0);
    for (std::size_t b = 0; b < a[k].size(); ++b)
      CHECK(std::abs(equations.state().a[b] - a[k][b]) <= 1e-8 * largest);
    for (std::size_t i = 0; i < scenario.actuators.size(); ++i) {
      if (scenario.actuators[i].mode != ActuatorMode::held) continue;
      ++held;
      CHECK(std::abs(equations.load(i) - load(i)) <= 1e-8 * largest_load);
    }
  }
  CHECK(compared > trials(40));
  CHECK(held > trials(60));
}

TEST_CASE("the kinetic energy of a fall is that of its mass matrix, legs and rotors included") {
  Random random(20261131);
  int legs = 0, rotors = 0;
  for (int trial = 0; trial < trials(100); ++trial) {
    CAPTURE(trial);
    Sample sample = linkages_on_a_tree(random, trial);
    Mechanism& mechanism = sample.mechanism;
    Scenario scenario;
    for (Actuator& actuator : mechanism.actuators) {
      scenario.actuators.emplace_back();
      if (actuator.linear() && LegForces<double>::has_mass(actuator)) ++legs;
      if (!random.chance(0.5)) continue;
      actuator.motor.known = true;
      actuator.motor.ratio = 20.0;
      actuator.motor.rotor_inertia = 1e-4;
      ++rotors;
    }
    JointStart start;
    for (BodyIndex b = 0; b < mechanism.body_count(); ++b) {
      start.q.push_back(mechanism.bodies[b].joint.guess);
      start.v.push_back(mechanism.moves(b) ? random.uniform(-2.0, 2.0) : 0.0);
    }
    EquationsOfMotion equations(mechanism, scenario);
    equations.place(start);
    const Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(
        start.v.data(), static_cast<Eigen::Index>(start.v.size()));
    const double expected = 0.5 * v.dot(equations.tree_mass() * v);
    CHECK(equations.kinetic_energy() == Approx(expected).epsilon(1e-11));
  }
  CHECK(legs > trials(20));
  CHECK(rotors > trials(50));
}

TEST_CASE("joints whose bodies hang in one another make one cluster, with the joints between") {
  // a trunk of five hinges; on its third a branch of two, and on the world a wheel of its own
  Mechanism mechanism;
  const auto add = [&](int parent, JointType type, double mass) {
    Body body;
    body.name = "b" + std::to_string(mechanism.bodies.size());
    body.parent = parent;
    body.joint.type = type;
    body.mass = mass;
    mechanism.bodies.push_back(body);
  };
  for (int i = 0; i < 5; ++i) add(i - 1, JointType::revolute, 1.0);
  add(2, JointType::fixed, 1.0);
  add(5, JointType::revolute, 1.0);
  add(-1, JointType::revolute, 1.0);
  add(4, JointType::revolute, 0.0);
  TreeModel model;
  model.prepare(mechanism);
  const std::vector<int> parent = {-1, 0, 1, 2, 3, 2, 5, -1}, place = {0, 1, 2, 3, 4, 5, 6, 7, -1};
  const std::vector<char> held = {0, 0, 0, 1, 0, 0, 0, 0, 0};
  const Eigen::MatrixXd together = Eigen::MatrixXd::Ones(2, 1);
  JointClusters clusters;

  // 4 and 6 meet at 2, with 3, which is held, and 5, which is fixed, between
  clusters.find(model, parent, place, held, std::vector<TiedJoints>{{{4, 6}, together}});
  REQUIRE(clusters.all.size() == 1);
  CHECK(clusters.all[0].base == 2);
  CHECK(clusters.all[0].first == 3);
  CHECK(clusters.of_body == std::vector<int>{-1, -1, -1, 0, 0, 0, 0, -1});
  CHECK(clusters.row_of_body == std::vector<int>{-1, -1, -1, -1, 0, -1, 1, -1});

  // with 1 tied to the massless 8 there are two clusters; with 1 tied to 6 all belong together, and
  // 2 moves freely between
  clusters.find(model, parent, place, held,
                std::vector<TiedJoints>{{{1, 8}, together}, {{4, 6}, together}});
  REQUIRE(clusters.all.size() == 2);
  CHECK(clusters.all[0].places == std::vector<int>{1, -1});
  CHECK(clusters.of_body == std::vector<int>{-1, 0, -1, 1, 1, 1, 1, -1});
  clusters.find(model, parent, place, held,
                std::vector<TiedJoints>{{{4, 7}, together}, {{1, 6}, together}});
  REQUIRE(clusters.all.size() == 1);
  CHECK(clusters.all[0].base == -1);
  CHECK(clusters.all[0].motions.rows() == 6);
  CHECK(clusters.all[0].motions.cols() == 4);
  CHECK(clusters.of_body == std::vector<int>{0, 0, 0, 0, 0, 0, 0, 0});
}
