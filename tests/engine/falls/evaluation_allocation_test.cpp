#include <catch2/catch.hpp>
#include <cmath>

#include "engine/falls/equations_of_motion.hpp"
#include "tests/support/interposed/allocations.hpp"
#include "tests/support/interposed/malloc_calls.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using Result = EquationsOfMotion::Result;

/// Evaluates the equations as an integration does, at states near the present one. Returns how many
/// allocations all evaluations but the first made, or -1 where the equations have no solution.
long allocations_of(EquationsOfMotion& equations, const JointStart& start) {
  if (equations.choose(0.0, start) != Result::solved) return -1;
  if (equations.accelerate() != Result::solved) return -1;
  const std::vector<double> first = equations.independent_state();
  std::vector<double> y = first;
  long before = 0;
  for (int k = 0; k < 20; ++k) {
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] = first[i] + 1e-3 * std::sin(k + static_cast<double>(i));
    if (k == 1) before = test::allocations() + test::malloc_calls();
    if (equations.close(1e-3 * k, y) != Result::solved) return -1;
    if (equations.accelerate() != Result::solved) return -1;
    equations.find_loads();
    if (!std::isfinite(equations.power())) return -1;
  }
  return test::allocations() + test::malloc_calls() - before;
}

JointStart start_of(const Mechanism& mechanism) {
  JointStart start;
  for (const Body& body : mechanism.bodies) {
    start.q.push_back(body.joint.guess);
    start.v.push_back(0.0);
  }
  return start;
}

/// Actuators in every mode; what they hold or follow is where the mechanism starts.
Scenario random_scenario(const Mechanism& mechanism, Random& random) {
  Scenario scenario;
  for (const Actuator& actuator : mechanism.actuators) {
    ActuatorRule rule;
    rule.mode = static_cast<ActuatorMode>(random.below(4));
    if (actuator.linear() && rule.mode == ActuatorMode::follow) rule.mode = ActuatorMode::free;
    rule.profile_duration = 1.0;
    const double q = actuator.linear() ? 0.0 : mechanism.bodies[actuator.joint].joint.guess;
    rule.profile = Sine{q, 0.1, 1.0, 0.0};
    scenario.actuators.push_back(rule);
  }
  return scenario;
}

}  // namespace

TEST_CASE("evaluations of the equations of motion allocate nothing after the first") {
  Random random(20261210);
  int trees = 0, linkages = 0, legs = 0;
  for (int trial = 0; trial < trials(120); ++trial) {
    CAPTURE(trial);
    SampleOptions options{.tree_bodies = 6, .duration = 0.1, .step = 0.05};
    if (trial % 3 > 0) options.linkage = static_cast<Linkage>(trial % linkage_count);
    Mechanism mechanism = random_sample(random, options).mechanism;
    add_friction(random, mechanism);
    for (Actuator& actuator : mechanism.actuators)
      if (random.chance(0.5))
        actuator.motor = {.known = true,
                          .ratio = 10.0,
                          .rotor_inertia = random.uniform(0.0, 1e-3),
                          .friction = {random.uniform(0.0, 1.0), random.uniform(0.0, 1.0)}};
    const Scenario scenario = random_scenario(mechanism, random);
    EquationsOfMotion equations(mechanism, scenario);
    const JointStart start = start_of(mechanism);
    equations.place(start);
    for (std::size_t a = 0; a < mechanism.actuators.size(); ++a)
      equations.keep(a, equations.actuator(a).position);
    const long made = allocations_of(equations, start);
    if (made < 0) continue;
    CHECK(made == 0);
    ++(options.linkage ? linkages : trees);
    for (const Actuator& actuator : mechanism.actuators)
      if (actuator.linear() && !actuator.rod.massless()) ++legs;
  }
  CHECK(trees > trials(15));
  CHECK(linkages > trials(20));
  CHECK(legs > 0);
}

TEST_CASE("nor do falls of an arm whose hand slides on a floor") {
  Mechanism mechanism;
  for (const char* name : {"upper", "fore", "hand"}) {
    Body body;
    body.name = name;
    body.parent = mechanism.body_count() - 1;
    body.joint.type = JointType::revolute;
    body.joint.axis = Vec3d::UnitY();
    body.joint.origin = Vec3d(body.parent == world_body ? 0.0 : 1.0, 0.0, 0.0);
    body.mass = 1.0;
    body.com = Vec3d(0.5, 0.0, 0.0);
    body.inertia = 0.1 * Mat3d::Identity();
    mechanism.bodies.push_back(body);
  }
  mechanism.points.push_back({"tip", 2, Vec3d(0.5, 0.0, 0.0)});
  Scenario scenario;
  Contact floor;
  floor.name = "floor";
  floor.points = {0};
  floor.surface.point = Vec3d(0.0, 0.0, -0.4);
  scenario.contacts.push_back(floor);
  EquationsOfMotion equations(mechanism, scenario);
  equations.hold({0});
  CHECK(allocations_of(equations, {{0.1, 0.3, 0.2}, {0.0, 0.0, 0.0}}) == 0);
}
