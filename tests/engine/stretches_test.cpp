// Motions held one stretch at a time, against the same motions held as a whole.
#include <catch2/catch.hpp>
#include <set>

#include "tests/engine/changed_designs.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

constexpr int lengths_of_stretches[] = {8, 24};

void check_same(const std::vector<Finding>& a, const std::vector<Finding>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) check_same(Outcome{a[i], {}}, Outcome{b[i], {}});
}

void check_same(const AffineLoads& a, const AffineLoads& b) {
  CHECK(a.samples == b.samples);
  for (std::size_t s = 0; s < a.springs.size(); ++s) {
    CHECK(equal_bits(a.springs[s].length, b.springs[s].length));
    CHECK(a.springs[s].shortest == b.springs[s].shortest);
    CHECK(a.springs[s].longest == b.springs[s].longest);
  }
  for (std::size_t i = 0; i < a.actuators.size(); ++i) {
    CHECK(equal_bits(a.actuators[i].bare, b.actuators[i].bare));
    CHECK(equal_bits(a.actuators[i].velocity, b.actuators[i].velocity));
    for (std::size_t k = 0; k < a.actuators[i].influences.size(); ++k)
      CHECK(equal_bits(a.actuators[i].influences[k].per_tension,
                       b.actuators[i].influences[k].per_tension));
  }
}

void check_same(const std::variant<Simulation, Finding>& a,
                const std::variant<Simulation, Finding>& b) {
  REQUIRE(a.index() == b.index());
  if (const Finding* finding = std::get_if<Finding>(&a)) {
    check_same(Outcome{*finding, {}}, Outcome{std::get<Finding>(b), {}});
    return;
  }
  const Simulation &one = std::get<Simulation>(a), &other = std::get<Simulation>(b);
  REQUIRE(one.columns.size() == other.columns.size());
  for (std::size_t c = 0; c < one.columns.size(); ++c) {
    CHECK(one.columns[c].name == other.columns[c].name);
    CHECK(equal_bits(one.columns[c].values, other.columns[c].values));
  }
  check_same(one.broken_limits, other.broken_limits);
  check_same(one.wrong_senses, other.wrong_senses);
  CHECK(one.open_reactions == other.open_reactions);
  CHECK(one.open_joints == other.open_joints);
}

/// What a run says, and the columns that it gives when read.
std::variant<Simulation, Finding> read_simulation(const Mechanism& mechanism, const Motion& motion,
                                                  const SimulationOptions& options) {
  SimulationRun run(mechanism, motion, options);
  auto result = run.check([](std::span<const Series>, int) {});
  Simulation* simulation = std::get_if<Simulation>(&result);
  if (simulation == nullptr) return result;
  run.read([&](std::span<const Series> stretch, int first) {
    simulation->columns.resize(stretch.size());
    for (std::size_t c = 0; c < stretch.size(); ++c) {
      std::vector<double>& values = simulation->columns[c].values;
      REQUIRE(values.size() == static_cast<std::size_t>(first));
      simulation->columns[c].name = stretch[c].name;
      values.insert(values.end(), stretch[c].values.begin(), stretch[c].values.end());
    }
  });
  return result;
}

/// Lets the motion go farther, often to where the mechanism cannot follow.
void go_farther(Random& random, Motion& motion) {
  for (Drive& drive : motion.drives)
    if (auto* sine = std::get_if<Sine>(&drive.profile))
      sine->amplitude *= random.chance(0.5) ? random.uniform(1.0, 60.0) : 1.0;
}

void check_simulations(const Mechanism& mechanism, const Motion& motion,
                       SimulationOptions options) {
  for (const Closure closure : {Closure::closed_form, Closure::newton})
    for (const Lanes lanes_of_samples : {Lanes::pack, Lanes::one}) {
      options.closure = closure;
      options.lanes_of_samples = lanes_of_samples;
      options.holding = Holding::whole();
      const auto expected = simulate(mechanism, motion, options);
      for (const int length : lengths_of_stretches) {
        CAPTURE(static_cast<int>(closure), static_cast<int>(lanes_of_samples), length);
        options.holding = Holding::at_most(length);
        check_same(simulate(mechanism, motion, options), expected);
        check_same(read_simulation(mechanism, motion, options), expected);
      }
    }
}

/// Each of the evaluators' answers for one design.
void check_evaluations(std::vector<Evaluator>& stretched, Evaluator& held,
                       const Mechanism& mechanism, const Evaluator::Options& options) {
  const Outcome expected = outcome_of(held, mechanism, options);
  for (Evaluator& evaluator : stretched) {
    check_same(outcome_of(evaluator, mechanism, options), expected);
    const auto findings = evaluator.findings(), expected_findings = held.findings();
    check_same(std::vector<Finding>(findings.begin(), findings.end()),
               std::vector<Finding>(expected_findings.begin(), expected_findings.end()));
  }
}

}  // namespace

TEST_CASE("designs are evaluated in stretches with the bits of the whole motion") {
  Random random(20261201);
  std::set<FindingKind> kinds;
  int late = 0;
  for (int trial = 0; trial < test::trials(240); ++trial) {
    SampleOptions options{.tree_bodies = 3};
    if (trial % 4 != 0) options.linkage = static_cast<Linkage>(trial % linkage_count);
    Sample sample = random_sample(random, options);
    CAPTURE(trial);
    Evaluator held(sample.mechanism, sample.motion);
    std::vector<Evaluator> stretched;
    for (const int length : lengths_of_stretches)
      stretched.emplace_back(sample.mechanism, sample.motion, Reuse::remember,
                             Holding::at_most(length));
    for (int step = 0; step < 8; ++step) {
      CAPTURE(step);
      if (step % 2 == 1) {
        Motion motion = sample.motion;
        go_farther(random, motion);
        held.set_motion(motion);
        for (Evaluator& evaluator : stretched) evaluator.set_motion(motion);
      }
      if (step > 0) change_something(random, sample.mechanism);
      check_evaluations(stretched, held, sample.mechanism, {});
      check_evaluations(stretched, held, sample.mechanism, {.springs = false});
      check_evaluations(stretched, held, sample.mechanism, {.first_finding_only = true});
      const auto wrong = held.find_wrong_senses(sample.mechanism);
      AffineLoads loads, loads_in_stretches;
      const auto finding = held.take_apart(sample.mechanism, loads);
      for (Evaluator& evaluator : stretched) {
        check_same(evaluator.find_wrong_senses(sample.mechanism), wrong);
        const auto same = evaluator.take_apart(sample.mechanism, loads_in_stretches);
        check_same(Outcome{same, {}}, Outcome{finding, {}});
        if (!finding) check_same(loads_in_stretches, loads);
      }
      if (!finding) continue;
      kinds.insert(finding->kind);
      late += finding->time > 24 * sample.motion.step ? 1 : 0;
    }
  }
  // the ways not to follow a motion were met; fewer trials meet fewer of them
  CHECK(kinds.size() >= (test::trials(240) < 80 ? 3U : 4U));
  CHECK(late > test::trials(20));
}

TEST_CASE("simulations in stretches have the bits of those held as a whole") {
  Random random(20261202);
  for (int trial = 0; trial < test::trials(60); ++trial) {
    SampleOptions options{.tree_bodies = 3, .inertia = trial % 5 != 0};
    if (trial % 4 != 0) options.linkage = static_cast<Linkage>(trial % linkage_count);
    Sample sample = random_sample(random, options);
    if (trial % 2 == 0) go_farther(random, sample.motion);
    if (trial % 3 == 0) sample.motion.duration = sample.motion.step * random.below(50);
    for (Spring& spring : sample.mechanism.springs) spring.max_load = random.uniform(0.0, 100.0);
    CAPTURE(trial);
    check_simulations(sample.mechanism, sample.motion,
                      {.springs = trial % 7 != 0, .reactions = trial % 3 != 1});
  }
}

TEST_CASE("sums that leave the range of a double are scaled over all stretches") {
  Random random(20261203);
  for (const double gravity : {1e170, 1e-170}) {
    Sample sample = random_sample(random, {.tree_bodies = 3, .springs = false, .inertia = false});
    sample.mechanism.gravity = {0.0, 0.0, -gravity};
    Evaluator held(sample.mechanism, sample.motion);
    std::vector<Evaluator> stretched;
    for (const int length : lengths_of_stretches)
      stretched.emplace_back(sample.mechanism, sample.motion, Reuse::remember,
                             Holding::at_most(length));
    check_evaluations(stretched, held, sample.mechanism, {});
    const Outcome outcome = outcome_of(stretched.front(), sample.mechanism);
    REQUIRE(!outcome.finding);
    double largest = 0.0;
    for (const ActuatorMetrics& metrics : outcome.metrics.actuators)
      largest = std::max(largest, metrics.rms);
    CHECK(largest > 1e-3 * gravity);
    CHECK(largest < 1e3 * gravity);
    check_simulations(sample.mechanism, sample.motion, {});
  }
}

TEST_CASE("a spring loses its direction in the stretch in which its ends meet") {
  Flat flat;
  const int slider = flat.prismatic(world_body, 0.0, 0.0, Vec3d::UnitX());
  flat.load(slider, 1.0, 0.0);
  flat.motor(slider);
  Spring spring;
  spring.name = "spring";
  spring.points = {flat.point(world_body, 0.0, 0.0), flat.point(slider, 0.0, 0.0)};
  spring.rate = 100.0;
  spring.free_length = 0.1;
  flat.mechanism.springs.push_back(spring);
  std::vector<double> times, positions;
  for (int k = 0; k <= 60; ++k) {
    times.push_back(k);
    positions.push_back(0.01 * (k - 40));  // they meet at t = 40 s
  }
  const Motion motion = drive(60.0, 1.0, {natural_spline(times, positions)});
  check_simulations(flat.mechanism, motion, {});
  Evaluator evaluator(flat.mechanism, motion, Reuse::remember, Holding::at_most(8));
  const Outcome outcome = outcome_of(evaluator, flat.mechanism);
  REQUIRE(outcome.finding);
  CHECK(outcome.finding->kind == FindingKind::spring_without_direction);
  CHECK(outcome.finding->time == 40.0);
}

TEST_CASE("sharing rules are refused only if the whole motion can be followed") {
  Flat flat = four_bar(0.3, 0.3, 0.3, 0.6, 1.0, -1.0, 1.2);
  for (int body : {0, 1, 2}) flat.load(body, 1.0, 0.1);
  SharingRule rule{SharingRule::Kind::none, {}};
  rule.components.push_back({WrenchComponent::Owner::body, 0, 0});
  flat.mechanism.sharing.push_back(rule);
  const Motion open_late = drive(4.0, 0.05, {Sine{1.0, 0.5, 8.0}});
  const Motion follows = drive(1.0, 0.05, {Sine{1.0, 0.01, 4.0}});
  for (const Holding& holding : {Holding::whole(), Holding::at_most(8)}) {
    const SimulationOptions options{.reactions = true, .holding = holding};
    const auto result = simulate(flat.mechanism, open_late, options);
    REQUIRE(std::holds_alternative<Finding>(result));
    CHECK(std::get<Finding>(result).time > 8 * open_late.step);
    CHECK_THROWS_AS(simulate(flat.mechanism, follows, options), MechanismError);
  }
  check_simulations(flat.mechanism, open_late, {.reactions = true});
}

TEST_CASE(
    "friction that grows with reactions has the same bits remembered, anew and in stretches") {
  Random random(20261205);
  int feasible = 0;
  for (int trial = 0; trial < test::trials(60); ++trial) {
    SampleOptions options{.tree_bodies = 3, .inertia = trial % 5 != 0, .duration = 0.08};
    if (trial % 4 != 0) options.linkage = static_cast<Linkage>(trial % linkage_count);
    Sample sample = random_sample(random, options);
    for (Actuator& actuator : sample.mechanism.actuators) actuator.motor.known = trial % 2 == 0;
    CAPTURE(trial);
    const Mechanism plain = sample.mechanism;
    Evaluator held(sample.mechanism, sample.motion);
    std::vector<Evaluator> others;
    others.emplace_back(sample.mechanism, sample.motion, Reuse::recompute);
    for (const int length : lengths_of_stretches)
      others.emplace_back(sample.mechanism, sample.motion, Reuse::remember,
                          Holding::at_most(length));
    for (int step = 0; step < 8; ++step) {
      CAPTURE(step);
      if (step % 3 == 2)
        for (Body& body : sample.mechanism.bodies) body.friction = {};
      else
        add_load_friction(random, sample.mechanism);
      if (step > 0) change_something(random, sample.mechanism);
      check_evaluations(others, held, sample.mechanism, {});
      check_evaluations(others, held, sample.mechanism, {.springs = false});
      feasible += outcome_of(held, sample.mechanism).finding ? 0 : 1;
    }
    if (trial % 3 == 0) {
      sample.mechanism = plain;
      add_load_friction(random, sample.mechanism);
      check_simulations(sample.mechanism, sample.motion, {.reactions = trial % 2 == 0});
    }
  }
  CHECK(feasible > test::trials(200));
}
