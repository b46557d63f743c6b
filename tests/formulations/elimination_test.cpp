#include <catch2/catch.hpp>

#include "engine/mechanism/finding.hpp"
#include "tests/formulations/elimination_ways.hpp"
#include "tests/oracles/closure.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

constexpr std::array of_dyads = {
    Linkage::four_bar,      Linkage::slider_crank, Linkage::scotch_yoke, Linkage::slotted_rocker,
    Linkage::slide_and_rod, Linkage::five_bar,     Linkage::six_bar};

bool only_motors(const Mechanism& mechanism) {
  for (const Actuator& actuator : mechanism.actuators)
    if (actuator.linear()) return false;
  return true;
}

Sample motorised_sample(Random& random, SampleOptions options) {
  for (;;) {
    Sample sample = random_sample(random, options);
    if (only_motors(sample.mechanism)) return sample;
  }
}

/// A wheel in the world that turns with another joint.
void add_wheel(Random& random, Mechanism& mechanism, int of, double ratio) {
  Body wheel;
  wheel.name = "wheel";
  wheel.joint = {JointType::revolute, random.direction(), random.vector(0.3), random.rotation()};
  wheel.mass = random.uniform(0.5, 2.0);
  wheel.com = random.vector(0.2);
  wheel.inertia = random.inertia(wheel.mass, 0.2);
  mechanism.bodies.push_back(wheel);
  const double offset = random.uniform(-1.0, 1.0);
  mechanism.couplings.push_back({"gears", mechanism.body_count() - 1, {{of, ratio}}, offset});
}

/// A revolute joint that a loop determines.
int revolute_in_loop(const MinimalPlan& plan) {
  for (const MinimalStep& step : plan.steps)
    if (step.kind == MinimalStep::Kind::dyad)
      for (const DyadJoint& unknown : step.dyad.unknowns)
        if (step.dyad.joint(unknown).turns) return step.dyad.joint(unknown).body;
  return -1;
}

void check(const Sample& sample, bool energies) {
  const Mechanism& mechanism = sample.mechanism;
  const MinimalPlan plan = plan_minimal(mechanism);
  const Simulation simulation = run(mechanism, sample.motion, {.springs = false});
  const auto q = joint_samples(simulation, mechanism, ".q");
  for (std::size_t k = 0; k < q.size(); k += q.size() / 3) {
    CAPTURE(k);
    std::vector<double> q1;
    for (const Actuator& actuator : mechanism.actuators)
      q1.push_back(column(simulation, actuator.name + ".position")[k]);
    const Terms found = agreed_terms(plan, q1);
    if (energies) check_energies(mechanism, q1, q[k], found);
    if (energies && k == 0) check_loads(mechanism, q1, found);
  }
}

/// Every sort of dyad between two driven arms that turn in a plane: lines turn, centres move, and a
/// driven slide between hinge and pin changes a radius.
class ArmPair {
 public:
  explicit ArmPair(Random& random)
      : builder(random), random_(random), axes_(random.rotation()), place_(random.vector(0.3)) {
    first_ = hinge(world_body, at(0.0, 0.0));
    second_ = hinge(world_body, at(0.6, 0.0));
    for (int arm : {first_, second_}) builder.add_joint_actuator(arm);
    pin_ = at(random.uniform(0.2, 0.4), random.uniform(0.3, 0.5));
  }

  WorldBuilder builder;

  void connect(int kind) {
    const double turn = random_.uniform(-3.0, 3.0);
    const Vec3d across = direction(turn + random_.uniform(0.8, 2.2));
    const Vec3d near = pin_ + 0.3 * direction(turn + random_.uniform(-0.4, 0.4));
    const Vec3d aside = pin_ + 0.25 * direction(turn + random_.uniform(1.4, 1.8));
    switch (kind) {
      case 0:
        return close(slide(first_, direction(turn)), slide(second_, across));
      case 1:
        return close(slide(first_, direction(turn)), hinge(second_, near));
      case 2:
        return close(slide(slide(first_, direction(turn)), across), second_);
      case 3:
        return close(slide(hinge(first_, near), direction(turn)), second_);
      case 4:
        return close(hinge(slide(first_, direction(turn)), near), second_);
      case 5:
        return close(driven_slide(hinge(first_, near)), hinge(second_, aside));
      default:
        return close(driven_slide(hinge(first_, near)), slide(second_, direction(turn)));
    }
  }

 private:
  [[nodiscard]] Vec3d at(double x, double y) const { return place_ + axes_ * Vec3d(x, y, 0.0); }
  [[nodiscard]] Vec3d direction(double angle) const {
    return axes_ * Vec3d(std::cos(angle), std::sin(angle), 0.0);
  }
  int hinge(int parent, const Vec3d& centre) {
    const Vec3d axis = (random_.chance(0.5) ? 1.0 : -1.0) * axes_.col(2);
    return builder.add_body(parent, JointType::revolute, axis, centre, true);
  }
  int slide(int parent, const Vec3d& along) {
    return builder.add_body(parent, JointType::prismatic, along, pin_ + random_.vector(0.1), true);
  }
  int driven_slide(int parent) {
    const int body = slide(parent, direction(random_.uniform(-3.0, 3.0)));
    builder.add_joint_actuator(body);
    return body;
  }
  void close(int first, int second) {
    if (random_.chance(0.5)) std::swap(first, second);
    builder.add_loop(first, second, pin_);
  }

  Random& random_;
  Mat3d axes_;
  Vec3d place_, pin_;
  int first_ = -1, second_ = -1;
};
constexpr int arm_pair_kinds = 7;

std::string refusal(const Mechanism& mechanism) {
  try {
    plan_minimal(mechanism);
  } catch (const MechanismError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("three formulations agree on random planar linkages in random trees") {
  Random random(20260411);
  int two_lines = 0, geared = 0;
  for (int trial = 0; trial < test::trials(140); ++trial) {
    const Linkage kind = of_dyads[static_cast<std::size_t>(trial) % of_dyads.size()];
    CAPTURE(trial, static_cast<int>(kind));
    Sample sample = motorised_sample(random, {.tree_bodies = 3, .linkage = kind});
    if (kind == Linkage::scotch_yoke) ++two_lines;
    if (const int of = revolute_in_loop(plan_minimal(sample.mechanism));
        of >= 0 && trial % 2 == 0) {
      const double ratios[] = {-2.0, -1.0, 1.0, 3.0};
      add_wheel(random, sample.mechanism, of, ratios[trial / 2 % 4]);
      ++geared;
    }
    check(sample, trial < 35);
  }
  CHECK(two_lines > test::trials(5));
  CHECK(geared > test::trials(20));
}

TEST_CASE("three formulations agree on every sort of dyad between moving arms") {
  Random random(20260414);
  for (int trial = 0; trial < 6 * arm_pair_kinds; ++trial) {
    CAPTURE(trial, trial % arm_pair_kinds);
    ArmPair pair(random);
    pair.connect(trial % arm_pair_kinds);
    const Mechanism& mechanism = pair.builder.mechanism;
    const MinimalPlan plan = plan_minimal(mechanism);
    std::vector<double> q, q1;
    for (const Body& body : mechanism.bodies) q.push_back(body.joint.guess);
    for (const Actuator& actuator : mechanism.actuators) {
      const auto joint = static_cast<std::size_t>(actuator.joint);
      const double range = mechanism.bodies[joint].joint.type == JointType::revolute ? 0.04 : 0.02;
      q1.push_back(q[joint] + random.uniform(-range, range));
    }
    const auto closed = oracle::close_mechanism(mechanism, q1, q);
    REQUIRE(closed);
    const Terms found = agreed_terms(plan, q1);
    check_energies(mechanism, q1, closed->q, found);
    check_loads(mechanism, q1, found);
  }
}

TEST_CASE("three formulations agree on random trees with couplings of any ratio") {
  Random random(20260412);
  int coupled = 0;
  const int wanted = test::trials(5), most = 800;
  for (int trial = 0; trial < test::trials(80) || (coupled <= wanted && trial < most); ++trial) {
    CAPTURE(trial);
    const Sample sample = motorised_sample(random, {.tree_bodies = 6});
    if (!sample.mechanism.couplings.empty()) ++coupled;
    check(sample, trial < 20);
  }
  CHECK(coupled > wanted);
}

TEST_CASE("mechanisms without a closed form in joints are refused, and it is said why") {
  Random random(20260413);
  using Catch::Matchers::Contains;
  SECTION("an actuator between two points") {
    for (;;) {
      const Sample sample = random_sample(random, {.tree_bodies = 3});
      if (only_motors(sample.mechanism)) continue;
      CHECK_THAT(refusal(sample.mechanism), Contains("distance of two points"));
      break;
    }
  }
  SECTION("a spatial loop") {
    const Sample sample =
        motorised_sample(random, {.motors_only = true, .linkage = Linkage::spatial});
    CHECK_THAT(refusal(sample.mechanism), Contains("no closed form"));
  }
  SECTION("a fraction of an angle that is known only modulo full turns") {
    Sample sample = motorised_sample(random, {.motors_only = true, .linkage = Linkage::four_bar});
    const int of = revolute_in_loop(plan_minimal(sample.mechanism));
    add_wheel(random, sample.mechanism, of, 0.5);
    CHECK_THAT(refusal(sample.mechanism), Contains("gears") && Contains("modulo full turns"));
  }
}
