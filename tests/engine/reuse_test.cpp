#include <catch2/catch.hpp>
#include <vector>

#include "engine/evaluation/plan.hpp"
#include "engine/evaluation/structure.hpp"
#include "tests/engine/changed_designs.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

TEST_CASE("what is remembered changes time, never a bit") {
  Random random(20261121);
  int infeasible = 0, feasible = 0;
  for (int trial = 0; trial < test::trials(60); ++trial) {
    SampleOptions options{.tree_bodies = 3, .duration = 0.08};
    if (trial % 4 != 0) options.linkage = static_cast<Linkage>(trial % linkage_count);
    const Sample sample = random_sample(random, options);
    CAPTURE(trial);
    Evaluator remembering(sample.mechanism, sample.motion);
    Evaluator recomputing(sample.mechanism, sample.motion, Reuse::recompute);

    std::vector<Mechanism> walk = {sample.mechanism};
    for (int step = 0; step < 40; ++step) {
      Mechanism next = walk.back();
      if (step % 5 == 4) next = *any(random, walk);  // back to a design seen before
      change_something(random, next);
      const Outcome expected = outcome_of(recomputing, next);
      CAPTURE(step);
      check_same(outcome_of(remembering, next), expected);
      if (step % 7 == 0)
        check_same(outcome_of(remembering, next, {.springs = false}),
                   outcome_of(recomputing, next, {.springs = false}));
      (expected.finding ? infeasible : feasible) += 1;
      walk.push_back(next);
    }
    Evaluator fresh(sample.mechanism, sample.motion);
    check_same(outcome_of(remembering, walk.back()), outcome_of(fresh, walk.back()));
  }
  CHECK(feasible > test::trials(500));  // both kinds were met
  CHECK(infeasible > test::trials(100));
}

TEST_CASE("another motion is followed as by an evaluator that was made for it") {
  Random random(7);
  for (int trial = 0; trial < test::trials(24); ++trial) {
    SampleOptions options{.tree_bodies = 3, .duration = 0.08};
    options.linkage = static_cast<Linkage>(trial % linkage_count);
    const Sample sample = random_sample(random, options);
    CAPTURE(trial);
    Evaluator evaluator(sample.mechanism, sample.motion);
    outcome_of(evaluator, sample.mechanism);
    for (int kind = 0; kind < 4; ++kind) {
      Motion motion = sample.motion;
      CAPTURE(kind);
      if (kind == 0) motion.inertia = !motion.inertia;
      if (kind == 1) motion.step *= 2.0;
      if (kind == 2) motion.duration /= 2.0;
      if (kind == 3 && !motion.drives.empty())
        if (auto* sine = std::get_if<Sine>(&motion.drives.back().profile)) sine->amplitude *= 0.5;
      evaluator.set_motion(motion);
      Evaluator fresh(sample.mechanism, motion);
      check_same(outcome_of(evaluator, sample.mechanism), outcome_of(fresh, sample.mechanism));
    }
  }
}

TEST_CASE("a leg that gets a mass loads its joints wherever its points move then") {
  Random random(20261123);
  WorldBuilder builder(random);
  const int arm = builder.add_body(world_body, JointType::revolute, {0, 1, 0}, {0, 0, 1}, true);
  builder.add_line_actuator(builder.add_point(world_body, {0.3, 0.0, 0.2}),
                            builder.add_point(arm, {0.2, 0.0, 1.4}));
  Motion motion{
      .name = "", .duration = 0.1, .step = 0.01, .inertia = true, .drives = {}, .guess = {}};
  motion.drives.push_back(
      {{-1, arm}, Sine{builder.mechanism.bodies[0].joint.guess, 0.1, 1.0, 0.0}});

  Mechanism mechanism = builder.mechanism;
  mechanism.actuators[0].tube = mechanism.actuators[0].rod = {};
  Evaluator remembering(mechanism, motion), recomputing(mechanism, motion, Reuse::recompute);
  double last = 0.0;
  const auto check_changed = [&] {
    const Outcome expected = outcome_of(recomputing, mechanism);
    if (expected.finding) FAIL(describe(*expected.finding, mechanism));
    check_same(outcome_of(remembering, mechanism), expected);
    CHECK(expected.metrics.actuators[0].max != last);
    last = expected.metrics.actuators[0].max;
  };
  check_changed();
  mechanism.actuators[0].tube = {2.0, 0.1, 0.01, 0.0};
  check_changed();
  for (Point& point : mechanism.points) {
    point.position.x() += 0.02;
    check_changed();
  }
}

TEST_CASE("the branch of a loop follows the zero configuration of joints geared to it") {
  Random random(20261122);
  int branches = 0;
  for (int trial = 0; trial < test::trials(12); ++trial) {
    // a four-bar whose motor sits outside and turns one of its joints over gears
    WorldBuilder builder(random);
    const int motor =
        builder.add_body(world_body, JointType::revolute, random.direction(), {0, 0, 1}, true);
    add_linkage(builder, random, Linkage::four_bar, world_body, {0, 0, 0});
    const int driven = builder.mechanism.actuators.back().joint;
    if (driven < 0) continue;
    builder.mechanism.actuators.pop_back();
    builder.add_coupling(driven, motor, 1.0);
    builder.add_joint_actuator(motor);
    const double guess = builder.reference(0);
    Motion motion{
        .name = "", .duration = 0.1, .step = 0.01, .inertia = true, .drives = {}, .guess = {}};
    motion.drives.push_back({{0, -1}, Sine{guess, 0.1, 1.0, 0.0}});

    Mechanism mechanism = builder.mechanism;
    Evaluator remembering(mechanism, motion);
    double last = 0.0;
    for (int step = 0; step < 12; ++step) {
      mechanism.bodies[motor].joint.guess = guess + random.uniform(-3.0, 3.0);
      Evaluator fresh(mechanism, motion);
      const Outcome expected = outcome_of(fresh, mechanism);
      CAPTURE(trial, step);
      check_same(outcome_of(remembering, mechanism), expected);
      if (expected.finding) continue;
      branches += expected.metrics.actuators[0].max != last ? 1 : 0;
      last = expected.metrics.actuators[0].max;
    }
  }
  CHECK(branches > test::trials(10));
}

namespace {

std::int64_t runs(const Evaluator& evaluator, Stage stage) {
  return evaluator.counts()[static_cast<std::size_t>(stage)].runs;
}

}  // namespace

TEST_CASE("a stage runs once for each distinct input, and no stage for what it does not read") {
  Random random(11);
  Sample sample;
  const auto loads_by_its_rate = [](const Mechanism& drawn) {
    return !drawn.springs.empty() && drawn.springs[0].type != SpringType::gas &&
           !actuators_loaded_by_springs(drawn).front().empty();
  };
  while (!loads_by_its_rate(sample.mechanism))
    sample = random_sample(random, {.tree_bodies = 3, .linkage = Linkage::four_bar});
  Mechanism mechanism = sample.mechanism;
  Evaluator evaluator(mechanism, sample.motion);
  Metrics metrics;
  const auto evaluate = [&] { return evaluator.evaluate(mechanism, {}, metrics); };
  REQUIRE(!evaluate());
  const StageCounts first = evaluator.counts();
  const auto more = [&](Stage stage) {
    return runs(evaluator, stage) - first[static_cast<std::size_t>(stage)].runs;
  };

  for (double rate : {100.0, 200.0, 100.0, 200.0}) {
    mechanism.springs[0].rate = rate;
    REQUIRE(!evaluate());
  }
  const std::int64_t loads = more(Stage::loads);
  CHECK(loads > 0);
  for (double rate : {100.0, 200.0}) {  // remembered
    mechanism.springs[0].rate = rate;
    REQUIRE(!evaluate());
  }
  CHECK(more(Stage::loads) == loads);
  for (Stage stage : {Stage::coordinates, Stage::tree_forces, Stage::transmission,
                      Stage::bare_loads, Stage::spring_geometry})
    CHECK(more(stage) == 0);

  mechanism.bodies[0].mass += 1.0;
  REQUIRE(!evaluate());
  CHECK(more(Stage::tree_forces) == 1);
  CHECK(more(Stage::bare_loads) == static_cast<std::int64_t>(mechanism.actuators.size()));
  for (Stage stage : {Stage::coordinates, Stage::transmission, Stage::spring_geometry})
    CHECK(more(stage) == 0);
}

TEST_CASE("a changed linkage leaves the forces of others, and loads that it does not carry") {
  // two arms, each lifted by a ram between points, and a massless crank that a motor turns with a
  // slide pinned to it
  Mechanism mechanism;
  const auto add = [&](const char* name, int parent, JointType type, const Vec3d& axis,
                       double guess, double mass) {
    Body& body = mechanism.bodies.emplace_back();
    body.name = name;
    body.parent = parent;
    body.joint.type = type;
    body.joint.axis = axis;
    body.joint.guess = guess;
    body.mass = mass;
    body.com.x() = 0.1;
  };
  add("left", world_body, JointType::revolute, Vec3d::UnitY(), 0.3, 1.0);
  add("right", world_body, JointType::revolute, Vec3d::UnitY(), 0.3, 1.0);
  add("crank", world_body, JointType::revolute, Vec3d::UnitY(), 0.3, 0.0);
  add("turn", world_body, JointType::revolute, Vec3d::UnitY(), 0.3, 0.0);
  add("slide", 3, JointType::prismatic, Vec3d::UnitX(), 0.5, 0.0);
  mechanism.points = {{"left.base", world_body, {0.0, 0.0, -0.4}},
                      {"left.tip", 0, {0.3, 0.0, 0.0}},
                      {"right.base", world_body, {0.0, 0.0, -0.4}},
                      {"right.tip", 1, {0.3, 0.0, 0.0}},
                      {"crank.tip", 2, {0.2, 0.0, 0.0}},
                      {"slide.tip", 4, {0.0, 0.0, 0.0}}};
  mechanism.bodies[3].joint.origin = Vec3d(-0.5, 0.0, 0.0);
  mechanism.loops = {{"pin", {4, 5}}};
  for (const int first : {0, 2}) {
    Actuator& ram = mechanism.actuators.emplace_back();
    ram.points = {first, first + 1};
  }
  mechanism.actuators.emplace_back().joint = 2;
  Motion motion;
  motion.duration = 1.0;
  motion.step = 0.1;
  for (const int body : {0, 1, 2}) motion.drives.push_back({{-1, body}, Sine{0.3, 0.1, 1.0, 0.0}});

  const EvaluationPlan plan(mechanism, motion, Closure::closed_form);
  REQUIRE(plan.actuator_plan.steps.size() == 4);  // two rams, the motor, the pin
  Evaluator evaluator(mechanism, motion);
  Metrics metrics;
  REQUIRE(!evaluator.evaluate(mechanism, {}, metrics));
  const auto check_runs_after = [&](PointIndex moved, std::array<std::int64_t, 4> expected) {
    const StageCounts before = evaluator.counts();
    mechanism.points[moved].position.z() += 0.01;
    REQUIRE(!evaluator.evaluate(mechanism, {}, metrics));
    std::array<std::int64_t, 4> found{};
    constexpr std::array stages = {Stage::coordinates, Stage::transmission, Stage::tree_forces,
                                   Stage::bare_loads};
    for (std::size_t i = 0; i < stages.size(); ++i)
      found[i] = runs(evaluator, stages[i]) - before[static_cast<std::size_t>(stages[i])].runs;
    CHECK(found == expected);
  };
  check_runs_after(1, {0, 2, 0, 1});  // one ram, and the motion of the actuators
  check_runs_after(5, {1, 1, 0, 0});  // the pin, whose crank has no mass
}
