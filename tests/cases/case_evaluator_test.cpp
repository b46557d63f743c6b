#include "cases/case_evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "cases/run_options.hpp"
#include "tests/cases/evaluated_arm.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

TEST_CASE("a constraint that is not met makes a case infeasible, by how much and why") {
  Ready ready(rate_and_free + one_objective + R"(, "constraints": [
{"name": "soft", "expression": "rate", "min": 200, "max": 400},
{"name": "order", "expression": "rate < 800", "min": 1},
{"name": "drawn", "expression": "lift.max_length", "max": 10}])",
              one_motion);
  CHECK(ready.at({200.0, 0.0}).status == CaseStatus::feasible);
  CHECK(ready.at({400.0, 0.0}).status == CaseStatus::feasible);
  const CaseOutcome above = ready.at({500.0, 0.0});
  CHECK(above.status == CaseStatus::infeasible);
  CHECK(above.reason == "constraint soft is 500, above 400");
  CHECK(above.violation == Approx(0.25));
  CHECK(above.computable);
  const CaseOutcome below = ready.at({150.0, 0.0});
  CHECK(below.reason == "constraint soft is 150, below 200");
  CHECK(below.violation == Approx(0.25));
  const CaseOutcome twice = ready.at({850.0, 0.0});
  CHECK(twice.reason == "constraint soft is 850, above 400");
  CHECK(twice.violation == Approx(450.0 / 400.0 + 1.0));
}

TEST_CASE("a constraint or objective without a finite value makes a case infeasible") {
  Ready ready(R"members("variables": {"mount": {"range": [0.1, 0.4]}},
"sampling": {"method": "random", "count": 4}, "objectives":
[{"name": "root", "expression": "sqrt(mount - 0.2)"}],
"constraints": [{"name": "log", "expression": "sqrt(0.3 - mount)", "min": 0}],
"baseline": {"mount": 0.25})members",
              one_motion);
  CHECK(ready.at({0.25}).status == CaseStatus::feasible);
  const CaseOutcome low = ready.at({0.15});
  CHECK(low.status == CaseStatus::infeasible);
  CHECK(low.reason == "objective root is not a finite number");
  CHECK_FALSE(low.computable);
  const CaseOutcome high = ready.at({0.35});
  CHECK(high.status == CaseStatus::infeasible);
  CHECK(high.reason == "constraint log is not a finite number");
  CHECK(std::isfinite(high.violation));
}

TEST_CASE("a broken limit is the reason, with spring or actuator and motion") {
  const std::string members = R"("variables": {"shortest": {"values": [0, 0.45]},
"strongest": {"values": [1000, 1]}}, "sampling": {"method": "grid"}, )" +
                              one_objective;
  Ready one(members, one_motion);
  CHECK(one.at({0, 0}).status == CaseStatus::feasible);
  const CaseOutcome spring = one.at({1, 0});
  CHECK(spring.status == CaseStatus::infeasible);
  CHECK_THAT(spring.reason, Catch::StartsWith("spring lift shorter than min_length at t="));
  CHECK(spring.violation > 0.0);
  CHECK_THAT(one.at({0, 1}).reason, Catch::StartsWith("actuator shoulder loaded beyond max_load"));
  CHECK(one.at({0, 0}).status == CaseStatus::feasible);

  Ready both(members, both_motions);
  CHECK_THAT(both.at({0, 1}).reason, Catch::EndsWith("in motion swing"));
}

TEST_CASE("a computed parameter beyond its bounds makes a case infeasible") {
  Ready ready(R"("variables": {"load": {"range": [1, 5]}},
"sampling": {"method": "random", "count": 4}, )" +
                  one_objective,
              one_motion);
  CHECK(ready.at({4.0}).status == CaseStatus::feasible);
  const CaseOutcome outcome = ready.at({4.5});
  CHECK(outcome.status == CaseStatus::infeasible);
  CHECK_THAT(outcome.reason, Catch::Contains("doubled"));
  CHECK_FALSE(outcome.computable);
  CHECK(outcome.violation > 0.0);
}

TEST_CASE("what no motion runs is not held against a case") {
  const std::string members = R"("variables": {"load": {"range": [1, 5]}},
"sampling": {"method": "random", "count": 4}, )" +
                              one_objective;
  Ready light(members, R"({"light": {"file": "swing.json", "parameters": {"load": 2}}})");
  CHECK(light.at({4.5}).status == CaseStatus::feasible);
  Ready both(members, R"({"swing": "swing.json",
"light": {"file": "fold.json", "parameters": {"load": 2}}})");
  CHECK(both.at({4.5}).status == CaseStatus::infeasible);
}

TEST_CASE("what is compared with an infeasible baseline is refused") {
  const auto members = [](const std::string& rest) {
    return R"("sampling": {"method": "grid"}, "baseline": {"strongest": 1}, )" + rest;
  };
  const auto baselines_of = [](const std::string& text) {
    const Study study = study_of(arm_files(text));
    CaseEvaluator(study).evaluate_baselines();
  };
  CHECK_NOTHROW(baselines_of(arm_study(members(one_objective))));
  const std::string objective = arm_study(
      members(R"("objectives": [{"name": "o", "expression": "elbow.max / baseline.elbow.max"}])"));
  CHECK_THROWS_WITH(baselines_of(objective),
                    Catch::Contains("/objectives/0/expression: uses baseline.elbow.max, but the "
                                    "baseline is infeasible: actuator shoulder"));
  const std::string springless = arm_study(members(
      R"("objectives": [{"name": "o", "expression": "elbow.max / without_springs.elbow.max"}])"));
  CHECK_THROWS_WITH(baselines_of(springless),
                    Catch::Contains("but the robot without springs is infeasible"));
  const std::string constraint = arm_study(members(one_objective + R"(, "constraints":
[{"name": "c", "expression": "elbow.max / baseline.elbow.max", "max": 1}])"));
  CHECK_THROWS_AS(baselines_of(constraint), InputError);
}

TEST_CASE("a motion no case runs may have an infeasible baseline") {
  const std::string text = arm_study(
      R"("variables": {"path": {"motion": ["swing"]}}, "sampling": {"method": "grid"},
"objectives": [{"name": "o", "expression": "elbow.max / baseline.elbow.max"}])",
      R"({"swing": "swing.json", "never": {"file": "fold.json", "parameters": {"strongest": 1}}})");
  CHECK_NOTHROW(Ready(arm_files(text)));
}

TEST_CASE("a design is the robot and the motion that a case runs") {
  Ready ready(
      R"("variables": {"rate": {"range": [100, 900]}},
"sampling": {"method": "random", "count": 4}, )" +
          one_objective,
      R"({"swing": "swing.json", "heavy": {"file": "fold.json", "parameters": {"load": 4}}})");
  const std::vector<double> point = {450.0};
  const auto design = ready.evaluator.design(point, 1);
  CHECK(design.mechanism.springs[0].rate == 450.0);
  CHECK(design.mechanism.bodies[1].mass == 4.0);
  CHECK(design.motion.duration == 1.0);
  CHECK(ready.evaluator.design(point, 0).mechanism.bodies[1].mass == 2.0);
  CHECK(ready.evaluator.baseline_design(0).mechanism.springs[0].rate == 300.0);
}

TEST_CASE("a case is evaluated on as if all reasons had been asked for") {
  const Files files = arm_files(arm_study(R"("variables": {"shortest": {"values": [0, 0.45]},
"strongest": {"values": [1000, 1]}, "load": {"values": [2, 4.5]}},
"sampling": {"method": "grid"}, )" + one_objective,
                                          both_motions));
  Ready first(files, {.first_reason_only = true});
  Ready all(files, EvaluationOptions().with_all_reasons());
  Ready plain(files, {.first_reason_only = true});
  int failed = 0, further = 0;
  for (int design = 0; design < 8; ++design) {
    CAPTURE(design);
    const std::vector<double> point = {1.0 * (design & 1), design & 2 ? 1.0 : 0.0,
                                       design & 4 ? 1.0 : 0.0};
    const CaseOutcome stopped = first.at(point);
    CaseOutcome on;
    first.evaluator.evaluate_on(on);
    const BrokenLimits found = broken_limits_of(on);
    const BrokenLimits expected = broken_limits_of(all.at(point));
    CHECK(found.whole == expected.whole);
    REQUIRE(found.failures.size() == expected.failures.size());
    for (std::size_t i = 0; i < found.failures.size(); ++i) {
      CHECK(found.failures[i].kind == expected.failures[i].kind);
      CHECK(found.failures[i].of == expected.failures[i].of);
      CHECK(found.failures[i].value == expected.failures[i].value);
    }
    const CaseOutcome again = plain.at(point);
    CHECK(stopped.reason == again.reason);
    CHECK(stopped.violation == again.violation);
    failed += stopped.status == CaseStatus::feasible ? 0 : 1;
    further += found.failures.size() > stopped.failures.size() ? 1 : 0;
  }
  CHECK(failed == 7);
  CHECK(further > 0);
  for (std::size_t stage = 0; stage < stage_count; ++stage)
    CHECK(first.evaluator.counts().stages[static_cast<std::size_t>(stage)].runs <=
          plain.evaluator.counts().stages[static_cast<std::size_t>(stage)].runs);
  const auto loads = static_cast<std::size_t>(Stage::loads);
  CHECK(first.evaluator.counts(true).stages[loads].runs > 0);
}

TEST_CASE("a motion that is not held gives the bits of one that is") {
  Files files = arm_files(arm_study(rate_and_free + one_objective, one_motion));
  files["swing.json"] = with(swing, "\"step\": 0.01", "\"step\": 1e-4");
  EvaluationOptions anew;
  anew.holding = Holding::at_most(80);  // of 20,001
  Ready held(files), stretched(files, anew);
  const auto bits_of = [](const CaseOutcome& outcome) {
    std::vector<std::uint64_t> bits;
    const auto add = [&](double x) { bits.push_back(std::bit_cast<std::uint64_t>(x)); };
    for (const double x : outcome.objectives) add(x);
    for (const ActuatorMetrics& a : outcome.metrics.actuators)
      for (const double x : {a.max, a.mean, a.rms, a.energy, a.peak_power}) add(x);
    for (const SpringMetrics& s : outcome.metrics.springs)
      for (const double x : {s.min_length, s.max_length, s.max_tension, s.min_tension}) add(x);
    return bits;
  };
  CHECK(bits_of(held.baselines->pairs.front().baseline) ==
        bits_of(stretched.baselines->pairs.front().baseline));
  for (const double rate : {100.0, 400.0, 400.0, 900.0})
    for (const double row : {0.0, 1.0}) {
      const CaseOutcome one = held.at({rate, row}), other = stretched.at({rate, row});
      CHECK(one.reason == other.reason);
      CHECK(bits_of(one) == bits_of(other));
    }
  const auto reused = [](const Ready& ready, Stage stage) {
    return ready.evaluator.counts().stages[static_cast<std::size_t>(stage)].reused;
  };
  for (const Stage stage : {Stage::coordinates, Stage::transmission, Stage::bare_loads}) {
    CHECK(reused(held, stage) > 0);
    CHECK(reused(stretched, stage) == 0);
  }
}

TEST_CASE("a long motion is held as far as all threads together have planned memory for it") {
  const auto held = [](const std::string& step, int threads) {
    Files files = arm_files(arm_study(rate_and_free + one_objective, one_motion));
    files["swing.json"] = with(swing, "\"step\": 0.01", "\"step\": " + step);
    const Study study = study_of(files);
    const Mechanism& robot = study.model->nominal;
    const auto elements = static_cast<double>(robot.bodies.size() + robot.loops.size() +
                                              robot.actuators.size() + robot.springs.size());
    const int samples = study.motions.front().motion.nominal.sample_count();
    const bool fits = 96.0 * elements * samples * threads <= 1024.0 * 1024.0 * 1024.0;
    const Holding holding = planned_holding(study, threads);
    CHECK(holding.holds(samples) == (fits || samples <= 65'536));
    CHECK(holding.holds(65'536));
    return fits;
  };
  CHECK(held("1e-4", 1));
  CHECK_FALSE(held("1e-4", 10'000));  // 20,001 samples are held nevertheless
  CHECK(held("2e-5", 1));
  CHECK_FALSE(held("2e-5", 1000));
  CHECK_FALSE(held("4e-7", 1));
}

namespace {

/// The constraints that a case breaks.
int broken_constraints(const CaseOutcome& outcome) {
  return static_cast<int>(
      std::count_if(outcome.failures.begin(), outcome.failures.end(), [](const Failure& failure) {
        return failure.kind == FailureKind::constraint_above_max ||
               failure.kind == FailureKind::constraint_below_min;
      }));
}

}  // namespace

TEST_CASE("a bound is passed by more than 1e-9 of its own size, however small or large") {
  for (int power = -18; power <= 18; power += 3) {
    const double bound = std::pow(10.0, power);
    CAPTURE(bound);
    Ready ready(fmt::format(R"("variables": {{"tension": {{"range": [-1e20, 1e20]}}}},
"sampling": {{"method": "random", "count": 1}},
"objectives": [{{"name": "o", "expression": "tension"}}], "constraints": [
{{"name": "most", "expression": "tension", "max": {0}}},
{{"name": "least", "expression": "-tension", "min": -{0}}}])",
                            bound),
                one_motion);
    for (const double part : {-1e-6, 0.0, 1e-10, 9e-10})
      CHECK(broken_constraints(ready.at({bound * (1.0 + part)})) == 0);
    for (const double part : {1.2e-9, 1e-6, 0.9})
      CHECK(broken_constraints(ready.at({bound * (1.0 + part)})) == 2);
  }
}

TEST_CASE("a bound of zero is as exact as the terms of what it bounds") {
  Ready ready(R"("variables": {"tension": {"range": [-1e9, 1e9]}, "rate": {"range": [1, 1e4]}},
"sampling": {"method": "random", "count": 1}, "objectives": [{"name": "o", "expression": "tension"}],
"constraints": [{"name": "alone", "expression": "tension", "max": 0},
{"name": "sum", "expression": "rate - 1000", "max": 0}])",
              one_motion);
  for (const double value : {-1.0, 0.0, -1e-300})
    CHECK(broken_constraints(ready.at({value, 10.0})) == 0);
  for (const double value : {1e-300, 1e-15, 1e-9, 1.0})
    CHECK(broken_constraints(ready.at({value, 10.0})) == 1);
  CHECK(broken_constraints(ready.at({0.0, 1000.0 * (1.0 + 4e-13)})) == 0);
  CHECK(broken_constraints(ready.at({0.0, 1000.0 * (1.0 + 4e-12)})) == 1);
}

TEST_CASE("limits of springs and bounds of parameters are judged by the rule of constraints") {
  Ready ready(R"("variables": {"load": {"range": [1, 5]}, "shortest": {"range": [0, 1]}},
"sampling": {"method": "random", "count": 1}, )" +
                  one_objective,
              one_motion);
  CHECK(ready.at({4.0 * (1.0 + 9e-10), 0.0}).failures.empty());
  CHECK(ready.at({4.0 * (1.0 + 2e-9), 0.0}).failures.size() == 1);
  double shortest = 0.0, step = 0.5;  // by halving, up to rounding
  for (int i = 0; i < 60; ++i, step /= 2.0)
    if (ready.at({4.0, shortest + step}).failures.empty()) shortest += step;
  CHECK(ready.at({4.0, shortest * (1.0 - 2e-9)}).failures.empty());
  CHECK(ready.at({4.0, shortest * (1.0 + 2e-9)}).failures.size() == 1);
}
