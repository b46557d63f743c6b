#include "engine/math/rotation.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "engine/evaluation/evaluator.hpp"
#include "engine/evaluation/plan.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using Runs = std::array<std::int64_t, stage_count>;

Runs runs_between(const StageCounts& before, const StageCounts& after) {
  Runs runs{};
  for (std::size_t i = 0; i < stage_count; ++i) runs[i] = after[i].runs - before[i].runs;
  return runs;
}

/// Which units run when the numbers of a group change, and nothing is remembered of them.
Runs reached_from(const StageUnits& declared, const NumberGroup& group) {
  const std::vector<StageUnit>& units = declared.units;
  Runs runs{};
  std::vector<bool> stale(units.size());
  for (std::size_t u = 0; u < units.size(); ++u) {
    const std::vector<NumberGroup>& reads = units[u].numbers;
    stale[u] = std::find(reads.begin(), reads.end(), group) != reads.end();
    for (const std::size_t upstream : units[u].upstream) {
      REQUIRE(upstream < u);
      stale[u] = stale[u] || stale[upstream];
    }
    if (stale[u]) ++runs[static_cast<std::size_t>(units[u].stage)];
  }
  return runs;
}

/// Every group of numbers that a spring, a motion or the tree's dynamics may read.
std::vector<NumberGroup> groups_of(const Mechanism& mechanism) {
  std::vector<NumberGroup> groups = {{Quantity::gravity, -1}};
  const auto add = [&](Quantity quantity, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) groups.push_back({quantity, static_cast<int>(i)});
  };
  add(Quantity::joint_geometry, mechanism.bodies.size());
  add(Quantity::inertia, mechanism.bodies.size());
  add(Quantity::point, mechanism.points.size());
  add(Quantity::loop_axes, mechanism.loops.size());
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a)
    if (mechanism.actuators[a].linear())
      groups.push_back({Quantity::leg_inertia, static_cast<int>(a)});
  add(Quantity::coupling, mechanism.couplings.size());
  add(Quantity::spring_law, mechanism.springs.size());
  return groups;
}

/// The mechanism with other numbers in this group.
Mechanism changed(Mechanism mechanism, const NumberGroup& group) {
  const auto element = static_cast<std::size_t>(group.element);
  switch (group.quantity) {
    case Quantity::gravity:
      mechanism.gravity.z() -= 0.1;
      break;
    case Quantity::joint_geometry:
      mechanism.bodies[element].joint.origin.z() += 1e-4;
      break;
    case Quantity::inertia:
      mechanism.bodies[element].com.y() += 1e-3;
      break;
    case Quantity::point:
      mechanism.points[element].position.x() += 1e-4;
      break;
    case Quantity::loop_axes:
      mechanism.loops[element].rotation = rotation_from_zxz(1e-4, 0.0, 0.0);
      break;
    case Quantity::leg_inertia:
      mechanism.actuators[element].tube.com += 1e-3;
      break;
    case Quantity::coupling:
      mechanism.couplings[element].terms[0].ratio *= 1.001;
      break;
    case Quantity::spring_law:
      mechanism.springs[element].initial_tension += 1.0;
      break;
    default:
      break;
  }
  return mechanism;
}

Sample sample_of(Random& random, int trial) {
  SampleOptions options{.tree_bodies = 3, .duration = 0.08};
  if (trial % 4 != 0) options.linkage = static_cast<Linkage>(trial % linkage_count);
  return random_sample(random, options);
}

}  // namespace

TEST_CASE("the first design runs every unit once") {
  Random random(20261122);
  for (int trial = 0; trial < test::trials(40); ++trial) {
    const Sample sample = sample_of(random, trial);
    CAPTURE(trial);
    const EvaluationPlan plan(sample.mechanism, sample.motion, Closure::closed_form);
    Runs expected{};
    for (const StageUnit& unit : plan.stage_units.units)
      ++expected[static_cast<std::size_t>(unit.stage)];

    Evaluator evaluator(sample.mechanism, sample.motion);
    Metrics metrics;
    REQUIRE(!evaluator.evaluate(sample.mechanism, {}, metrics));
    CHECK(runs_between({}, evaluator.counts()) == expected);
  }
}

TEST_CASE("a changed number runs the units that read it and what follows, and no others") {
  Random random(20261123);
  int changes = 0, spared = 0;
  int partial = 0;  // changes that left some stage alone
  for (int trial = 0; trial < test::trials(120); ++trial) {
    const Sample sample = sample_of(random, trial);
    const EvaluationPlan plan(sample.mechanism, sample.motion, Closure::closed_form);
    const StageUnits& units = plan.stage_units;
    Evaluator evaluator(sample.mechanism, sample.motion);
    Metrics metrics;
    REQUIRE(!evaluator.evaluate(sample.mechanism, {}, metrics));
    Mechanism mechanism = sample.mechanism;
    for (const NumberGroup& group : groups_of(mechanism)) {
      CAPTURE(trial, static_cast<int>(group.quantity), group.element);
      const StageCounts before = evaluator.counts();
      mechanism = changed(mechanism, group);
      if (evaluator.evaluate(mechanism, {}, metrics)) break;  // no longer follows the motion
      const Runs found = runs_between(before, evaluator.counts());
      Runs expected = reached_from(units, group);
      ++changes;
      // of a joint a coupling reads the position in the zero configuration, which may stay
      if (group.quantity == Quantity::joint_geometry && found[0] < expected[0]) {
        ++spared;
        for (std::size_t i = 0; i < stage_count; ++i) CHECK(found[i] <= expected[i]);
        continue;
      }
      CHECK(found == expected);
      partial += std::count(expected.begin(), expected.end(), 0) > 0 ? 1 : 0;
    }
  }
  CHECK(partial > test::trials(150));
  CHECK(spared * 20 < changes);
}

TEST_CASE("where actuators are held, a changed number runs no units but those it may reach") {
  Random random(20261126);
  int changes = 0;
  for (int trial = 0; trial < test::trials(120); ++trial) {
    Sample sample = sample_of(random, trial);
    while (!sample.motion.drives.empty() && sample.motion.drives.back().actuator >= 0)
      sample.motion.drives.pop_back();
    const EvaluationPlan plan(sample.mechanism, sample.motion, Closure::closed_form);
    const StageUnits& units = plan.stage_units;
    Evaluator evaluator(sample.mechanism, sample.motion);
    Metrics metrics;
    if (evaluator.evaluate(sample.mechanism, {.limits = false}, metrics)) continue;
    Mechanism mechanism = sample.mechanism;
    for (const NumberGroup& group : groups_of(mechanism)) {
      CAPTURE(trial, static_cast<int>(group.quantity), group.element);
      const StageCounts before = evaluator.counts();
      mechanism = changed(mechanism, group);
      if (evaluator.evaluate(mechanism, {.limits = false}, metrics)) break;
      const Runs found = runs_between(before, evaluator.counts());
      const Runs expected = reached_from(units, group);
      for (std::size_t i = 0; i < stage_count; ++i) CHECK(found[i] <= expected[i]);
      ++changes;
    }
  }
  CHECK(changes > test::trials(500));
}

TEST_CASE("the zero configuration depends on what closes it, whatever the motion prescribes") {
  // k follows m and n follows k; the motion prescribes k, so that m and n follow from it
  Mechanism mechanism;
  for (const char* name : {"m", "k", "n"}) {
    Body& body = mechanism.bodies.emplace_back();
    body.name = name;
    body.joint.type = JointType::revolute;
    body.mass = 1.0;
    body.com.x() = 0.1;
  }
  mechanism.bodies[0].joint.guess = 0.3;
  mechanism.couplings = {{"first", 1, {{0, 2.0}}, 0.0}, {"second", 2, {{1, 1.0}}, 0.1}};
  mechanism.actuators.emplace_back();
  mechanism.actuators[0].joint = 0;
  Motion motion;
  motion.duration = 1.0;
  motion.step = 0.1;
  motion.drives.push_back({{-1, 1}, Sine{0.6, 0.1, 1.0, 0.0}});

  const EvaluationPlan plan(mechanism, motion, Closure::closed_form);
  Evaluator evaluator(mechanism, motion);
  Metrics metrics;
  REQUIRE(!evaluator.evaluate(mechanism, {}, metrics));
  const StageCounts before = evaluator.counts();
  mechanism.couplings[0].terms[0].ratio = 2.1;
  REQUIRE(!evaluator.evaluate(mechanism, {}, metrics));
  const Runs found = runs_between(before, evaluator.counts());
  CHECK(found[0] == 2);  // m, and n, which is at another zero
  CHECK(found == reached_from(plan.stage_units, {Quantity::coupling, 0}));
}

TEST_CASE("a joint that is held is read from the zero configuration") {
  Random random(20261125);
  int held = 0;
  for (int trial = 0; trial < test::trials(20); ++trial) {
    Sample sample = random_sample(random, {.motors_only = true, .duration = 0.08});
    if (sample.motion.drives.empty()) continue;
    const Drive drive = sample.motion.drives.back();
    sample.motion.drives.pop_back();
    const int body =
        drive.joint >= 0 ? drive.joint : sample.mechanism.actuators[drive.actuator].joint;
    const EvaluationPlan plan(sample.mechanism, sample.motion, Closure::closed_form);
    Evaluator evaluator(sample.mechanism, sample.motion);
    Metrics metrics;
    REQUIRE(!evaluator.evaluate(sample.mechanism, {.limits = false}, metrics));
    const StageCounts before = evaluator.counts();
    sample.mechanism.bodies[body].joint.guess += 0.01;
    REQUIRE(!evaluator.evaluate(sample.mechanism, {.limits = false}, metrics));
    const Runs found = runs_between(before, evaluator.counts());
    CAPTURE(trial, body);
    CHECK(found[0] == 1);
    CHECK(found == reached_from(plan.stage_units, {Quantity::joint_geometry, body}));
    ++held;
  }
  CHECK(held > test::trials(10));
}
