#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "engine/falls/equations_of_motion.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// A profile that begins with this position, velocity and acceleration.
Profile beginning_with(const ProfileValue& value) {
  const double amplitude = std::hypot(value.velocity, value.acceleration);
  return Sine{value.position + value.acceleration, amplitude, 2.0 * std::numbers::pi,
              std::atan2(-value.acceleration, value.velocity)};
}

SampleOptions options_of(int trial) {
  SampleOptions options{.tree_bodies = trial % 5, .duration = 0.1, .step = 0.02};
  if (trial % 3 > 0 || options.tree_bodies == 0) {
    options.linkage = static_cast<Linkage>(trial % linkage_count);
    options.more_linkages = trial % 2;
  }
  return options;
}

}  // namespace

TEST_CASE("the loads of inverse dynamics give its accelerations, whoever is loaded or followed") {
  Random random(20261122);
  int compared = 0, followed = 0, loaded = 0, rows = 0;
  for (int trial = 0; trial < trials(100); ++trial) {
    CAPTURE(trial);
    Sample sample = random_sample(random, options_of(trial));
    if (trial % 2 == 0) add_forces(random, sample);
    sample.motion.forces.clear();  // in a fall they act as they are
    const Mechanism& mechanism = sample.mechanism;
    const Simulation simulation = run(mechanism, sample.motion);
    const auto q = joint_samples(simulation, mechanism, ".q");
    const auto v = joint_samples(simulation, mechanism, ".qd");
    const auto a = joint_samples(simulation, mechanism, ".qdd");
    const std::size_t k = q.size() / 2;
    Scenario scenario;
    double largest_load = 1e-3;
    for (const Actuator& actuator : mechanism.actuators) {
      const auto at = [&](const char* what) { return column(simulation, actuator.name + what)[k]; };
      // its acceleration is known only where it drives a joint
      const bool follows = !actuator.linear() && random.chance(0.4);
      ActuatorRule rule;
      rule.profile_duration = 1.0;
      rule.mode = follows ? ActuatorMode::follow : ActuatorMode::load;
      rule.profile = follows
                         ? beginning_with({at(".position"), at(".velocity"), a[k][actuator.joint]})
                         : Profile(Hold{at(".load")});
      ++(follows ? followed : loaded);
      scenario.actuators.push_back(rule);
      largest_load = std::max(largest_load, std::abs(at(".load")));
    }
    EquationsOfMotion equations(mechanism, scenario);
    using Result = EquationsOfMotion::Result;
    REQUIRE(equations.choose(0.0, {q[k], v[k]}) == Result::solved);
    const Result result = equations.accelerate();
    if (result == Result::singular_mass) continue;  // loads on joints that move no mass
    REQUIRE(result == Result::solved);
    ++compared;
    equations.find_loads();
    rows += static_cast<int>(mechanism.loops.size());
    double largest = 1.0;
    for (const double x : a[k]) largest = std::max(largest, std::abs(x));
    for (std::size_t b = 0; b < a[k].size(); ++b)
      CHECK(std::abs(equations.state().a[b] - a[k][b]) <= 1e-9 * largest);
    for (std::size_t i = 0; i < mechanism.actuators.size(); ++i)
      CHECK(std::abs(equations.load(i) -
                     column(simulation, mechanism.actuators[i].name + ".load")[k]) <=
            1e-9 * largest_load);
  }
  CHECK(compared > trials(60));
  CHECK(followed > trials(20));
  CHECK(loaded > 5);
  CHECK(rows > 5);
}

TEST_CASE("a massless joint that nothing holds has no acceleration") {
  Mechanism mechanism;
  for (const char* name : {"arm", "needle"}) {
    Body body;
    body.name = name;
    body.parent = mechanism.body_count() - 1;
    body.joint.type = JointType::revolute;
    mechanism.bodies.push_back(body);
  }
  mechanism.bodies[std::size_t{0}].mass = 1.0;
  mechanism.bodies[std::size_t{0}].com = Vec3d(0.5, 0.0, 0.0);
  const JointStart start{{0.1, 0.2}, {0.0, 0.0}};
  EquationsOfMotion equations(mechanism, {});
  REQUIRE(equations.choose(0.0, start) == EquationsOfMotion::Result::solved);
  CHECK(equations.accelerate() == EquationsOfMotion::Result::singular_mass);
}
