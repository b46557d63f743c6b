#include "studies/plans/run_plan.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "input/reading/read.hpp"
#include "studies/plans/stage_walk.hpp"
#include "tests/support/arm_study.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

// of a rehearsal, so that it does not depend on the clock what was rehearsed
constexpr double no_limit = std::numeric_limits<double>::infinity();

RunOptions one_thread() {
  RunOptions options;
  options.output = "planned.db";
  options.threads = 1;
  options.force = true;
  return options;
}

/// What a run does that the plan foretells.
struct Planned {
  explicit Planned(const Study& study, const RunOptions& options = one_thread())
      : plan(plan_run(study, options, no_limit)), summary(run_study(study, options)) {}

  [[nodiscard]] StageForecast planned(Stage stage) const {
    return plan.stages[static_cast<std::size_t>(stage)];
  }
  [[nodiscard]] StageCount measured(Stage stage) const {
    return summary.counts.stages[static_cast<std::size_t>(stage)];
  }
  void check_same() const {
    for (std::size_t i = 0; i < stage_count; ++i) {
      const auto stage = static_cast<Stage>(i);
      CAPTURE(name_of(stage));
      CHECK(planned(stage).runs == measured(stage).runs);
      CHECK(planned(stage).of == measured(stage).runs + measured(stage).reused);
    }
  }

  RunPlan plan;
  RunSummary summary;
};

/// Feasible wherever the variables take it: the arm's limits are far away.
Study studied(const std::string& variables, const std::string& sampling,
              const std::string& motions = R"({"swing": "swing.json"})",
              const std::string& more = "") {
  return study_of(arm_files(arm_study(R"("variables": {)" + variables + R"(}, "sampling": )" +
                                          sampling + ", " + one_objective + more,
                                      motions)));
}

const std::string grid = R"({"method": "grid"})";
const std::string sobol = R"({"method": "sobol", "count": 150, "seed": 4})";

// levels of every stage, the fastest an early one, some that a ring cannot remember
const std::string early_last =
    R"("rate": {"range": [100, 500], "count": 6}, "tension": {"values": [1, 5, 9]},
"mount": {"range": [0.2, 0.4], "count": 5}, "load": {"values": [1, 2, 3]},
"height": {"values": [0.4, 0.5, 0.6]})";

}  // namespace

TEST_CASE("a grid's plan is what its run does") {
  const Planned found(studied(early_last, grid));
  CHECK(found.plan.exact());
  CHECK(found.plan.walked == 6 * 3 * 5 * 3 * 3);
  found.check_same();
  // remembered: neither every case nor only the distinct shapes
  CHECK(found.measured(Stage::spring_geometry).runs > 2 * 5 * 3);
  CHECK(found.measured(Stage::loads).reused > 0);
}

TEST_CASE("a grid's plan is what its run does, window by window") {
  for (const std::int64_t window : {1, 7, 40, 200}) {
    CAPTURE(window);
    RunOptions options = one_thread();
    options.window = window;
    Planned(studied(early_last, grid), options).check_same();
  }
}

TEST_CASE("the plan of samples is what their run does") {
  for (
      const std::string variables :
      {R"("rate": {"range": [100, 500]}, "mount": {"range": [0.2, 0.4]})",
       R"("load": {"values": [1, 2, 3]}, "mount": {"range": [0.2, 0.4]})",
       R"("load": {"range": [1, 3]}, "height": {"values": [0.4, 0.5]}, "tension": {"values": [1, 2]})"}) {
    CAPTURE(variables);
    Planned(studied(variables, sobol)).check_same();
  }
}

TEST_CASE("every motion has its own memory, with parameters of its own") {
  const std::string motions =
      R"({"swing": "swing.json", "fold": {"file": "fold.json", "parameters": {"load": 3}}})";
  Planned(studied(early_last, grid, motions)).check_same();
  Planned(studied(early_last + R"(, "path": {"motion": ["fold", "swing"]})", grid, motions))
      .check_same();
  Planned(studied(R"("load": {"range": [1, 3]}, "path": {"motion": ["fold", "swing"]})", sobol,
                  motions))
      .check_same();
}

TEST_CASE("a motion that depends on a variable runs the joints it moves") {
  Files files = arm_files(arm_study(
      R"("variables": {"mount": {"values": [0.2, 0.3]}, "tension": {"range": [0.1, 0.5], "count": 4}},
"sampling": {"method": "grid"}, )" +
      one_objective));
  files["swing.json"] = with(swing, "\"mean\": 0.4", "\"mean\": \"tension\"");
  const Planned found(study_of(files));
  found.check_same();
  // of two joints one moves anew; a grid changes it as seldom as it can
  CHECK(found.measured(Stage::coordinates).runs == 2 + 4);
}

TEST_CASE("a motion that is too long to be held remembers nothing, and the plan says so") {
  const std::string members = R"("variables": {"rate": {"range": [100, 500], "count": 3},
"mount": {"values": [0.2, 0.3]}}, "sampling": {"method": "grid"}, )" +
                              one_objective;
  const auto plan_of = [&](const std::string& step) {
    Files files = arm_files(arm_study(members));
    files["swing.json"] = with(swing, "\"step\": 0.01", "\"step\": " + step);
    return Planned(study_of(files));
  };
  const Planned longest_held = plan_of("4e-5"), found = plan_of("2e-5");  // 50,001 and 100,001
  found.check_same();
  longest_held.check_same();
  CHECK(found.planned(Stage::coordinates).runs == found.planned(Stage::coordinates).of);
  CHECK(longest_held.planned(Stage::coordinates).runs <
        longest_held.planned(Stage::coordinates).of);
  CHECK(found.plan.resident_bytes + 15e6 < longest_held.plan.resident_bytes);
}

TEST_CASE("the baseline and the robot without springs count like cases") {
  const std::string far = R"(, "baseline": {"load": 4, "mount": 0.25})";
  const Planned found(
      studied(R"("rate": {"values": [100, 200]})", grid, R"({"swing": "swing.json"})", far));
  found.check_same();
  CHECK(found.planned(Stage::tree_forces).runs == 2);  // the baseline's load, the cases' load
  CHECK(found.planned(Stage::tree_forces).of == 2 + 2);
}

TEST_CASE("infeasible cases run less than planned, never more") {
  const Study study =
      read_study(COUNTERPOISE_SOURCE_DIR "/examples/charmie24/grid.json", read_text_file);
  const Planned found(study);
  CHECK(found.plan.exact());
  CHECK(found.plan.feasible_share > 0.0);
  CHECK(found.plan.feasible_share < 1.0);
  for (std::size_t i = 0; i < stage_count; ++i) {
    const auto stage = static_cast<Stage>(i);
    CAPTURE(name_of(stage));
    CHECK(found.planned(stage).runs >= found.measured(stage).runs);
    CHECK(found.planned(stage).of >= found.measured(stage).runs + found.measured(stage).reused);
  }
  for (const Stage stage : {Stage::coordinates, Stage::tree_forces, Stage::transmission})
    CHECK(found.planned(stage).runs == found.measured(stage).runs);
}

TEST_CASE("a study too large to walk is scaled up from some of its windows") {
  const auto study = [](int rates) {
    return studied(
        R"("mount": {"range": [0.2, 0.4], "count": 100}, "rate": {"range": [100, 500], "count": )" +
            std::to_string(rates) + "}",
        grid);
  };
  RunOptions options = one_thread();
  const RunPlan small = plan_run(study(1000), options);
  const RunPlan large = plan_run(study(10000), options);
  CHECK(small.exact());
  CHECK(!large.exact());
  CHECK(large.walked < large.cases);
  CHECK(large.cases == 1'000'000);
  const auto runs = [](const RunPlan& plan, Stage stage) {
    return static_cast<double>(plan.stages[static_cast<std::size_t>(stage)].runs);
  };
  CHECK(runs(large, Stage::tree_forces) == runs(small, Stage::tree_forces));  // not scaled
  CHECK(runs(large, Stage::loads) == Approx(10.0 * runs(small, Stage::loads)).epsilon(0.01));
  CHECK(runs(large, Stage::spring_geometry) ==
        Approx(runs(small, Stage::spring_geometry)).epsilon(0.2));
}

TEST_CASE("each further worker runs for itself what never changes") {
  const Study study = studied(R"("rate": {"range": [100, 500], "count": 50})", grid);
  RunOptions options = one_thread();
  const RunPlan one = plan_run(study, options);
  options.threads = 3;
  const RunPlan three = plan_run(study, options);
  const auto runs = [](const RunPlan& plan, Stage stage) {
    return plan.stages[static_cast<std::size_t>(stage)].runs;
  };
  for (const Stage stage : {Stage::coordinates, Stage::tree_forces, Stage::transmission,
                            Stage::bare_loads, Stage::spring_geometry})
    CHECK(runs(three, stage) == 3 * runs(one, stage));
  CHECK(three.resident_bytes > one.resident_bytes);
}

TEST_CASE("no more workers are planned at a time than have something to do") {
  const auto planned = [](const Study& study, int threads) {
    RunOptions options = one_thread();
    options.threads = threads;
    return plan_run(study, options).resident_bytes;
  };
  const Study two_cases = studied(R"("rate": {"range": [100, 500], "count": 2})", grid);
  CHECK(planned(two_cases, 2) > planned(two_cases, 1));
  CHECK(planned(two_cases, 50) == planned(two_cases, 2));
}

TEST_CASE("a search is planned as if every variable moved in every evaluation") {
  const Study study = study_of(arm_files(arm_study(
      R"("variables": {"rate": {"range": [100, 500]}, "tension": {"range": [1, 9]}},
"search": {"method": "nlopt", "algorithm": "LN_SBPLX", "starts": 2, "max_evaluations": 60}, )" +
      one_objective)));
  const Planned found(study);
  CHECK(found.plan.search);
  CHECK(found.plan.cases == 120);
  // one baseline, two starts, each with an evaluator of its own
  CHECK(found.planned(Stage::tree_forces).runs == 3);
  CHECK(found.measured(Stage::tree_forces).runs == 3);
  CHECK(found.planned(Stage::loads).runs >= 120);
  for (std::size_t i = 0; i < stage_count; ++i)
    CHECK(found.plan.stages[i].runs >= found.summary.counts.stages[i].runs);
}

TEST_CASE("a shard is planned alone, and a plan leaves no file") {
  RunOptions options = one_thread();
  options.output = "never.db";
  options.shard = {2, 3};
  const RunPlan plan = plan_run(studied(early_last, grid), options);
  CHECK(plan.cases == 6 * 3 * 5 * 3 * 3 / 3);
  CHECK(!std::filesystem::exists("never.db"));
}
