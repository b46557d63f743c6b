#include "studies/run_plan.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <limits>
#include <tuple>

#include "input/reading/read.hpp"
#include "studies/run.hpp"
#include "tests/support/arm_study.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

// of trying, so that it does not depend on the clock what was tried
constexpr double no_limit = std::numeric_limits<double>::infinity();

RunOptions one_thread() {
  RunOptions options;
  options.output = "planned.db";
  options.threads = 1;
  options.force = true;
  return options;
}

RunPlan planned(const Study& study, const RunOptions& options = one_thread()) {
  return plan_run(study, options, no_limit);
}

Study studied(const std::string& variables, const std::string& sampling,
              const std::string& more = "") {
  return study_of(arm_files(arm_study(R"("variables": {)" + variables + R"(}, "sampling": )" +
                                      sampling + ", " + one_objective + more)));
}

std::string never_above(const std::string& parameter, const std::string& most) {
  return R"(, "constraints": [{"name": "half", "expression": ")" + parameter + R"(", "max": )" +
         most + "}]";
}

const std::string grid = R"({"method": "grid"})";
const std::string sobol = R"({"method": "sobol", "count": 5000, "seed": 4})";
const std::string ranges = R"("rate": {"range": [100, 500]}, "mount": {"range": [0.2, 0.4]})";
const std::string levels = R"("rate": {"range": [100, 500], "count": 50},
"mount": {"range": [0.2, 0.4], "count": 40})";

}  // namespace

TEST_CASE("some hundred cases are tried, all over the study") {
  for (const auto& [variables, sampling, cases] :
       {std::tuple{levels, grid, 2000}, {ranges, sobol, 5000}})
    for (const std::string& half : {never_above("rate", "300"), never_above("mount", "0.3")}) {
      CAPTURE(variables, half);
      const RunPlan plan = planned(studied(variables, sampling, half));
      CHECK(plan.kind == RunPlan::Kind::cases);
      CHECK(plan.count == cases);
      CHECK(plan.tried == 16 * 33);
      CHECK(plan.each.size() == 16);
      CHECK(static_cast<double>(plan.feasible) == Approx(plan.tried / 2.0).epsilon(0.1));
    }
}

TEST_CASE("of a small study each case is tried") {
  const Study study =
      studied(R"("rate": {"values": [100, 200, 300, 400, 500]}, "mount": {"values": [0.2, 0.4]})",
              grid, never_above("rate", "300"));
  const RunPlan plan = planned(study);
  CHECK(plan.tried == 10);
  CHECK(plan.feasible == 6);
  CHECK(plan.each.size() == 10);
}

TEST_CASE("a run takes as long as all its cases and the slowest of workers and writer") {
  const RunPlan plan = planned(studied(levels, grid));
  CHECK(plan.mean() > 0.0);
  CHECK(std::is_sorted(plan.each.begin(), plan.each.end()));
  CHECK(plan.seconds >= plan.mean() * 2000);
  CHECK(plan.least <= plan.seconds);
  CHECK(plan.seconds <= plan.most);
}

TEST_CASE("what a plan does not know is twice the standard error of the mean") {
  RunPlan plan;
  CHECK(plan.mean() == 0.0);
  plan.each = {3.0};
  CHECK(plan.mean() == 3.0);
  CHECK(plan.doubt() == 0.0);
  plan.each = {1.0, 2.0, 3.0, 6.0};
  CHECK(plan.mean() == 3.0);
  CHECK(plan.doubt() == Approx(2.0 * std::sqrt((4.0 + 1.0 + 0.0 + 9.0) / 3.0 / 4.0)));
}

TEST_CASE("a file is as large as its rows take") {
  for (const std::string& more : {std::string(), never_above("rate", "300")}) {
    CAPTURE(more);
    const Study study = studied(ranges, sobol, more);
    const RunPlan plan = planned(study);
    run_study(study, one_thread());
    CHECK(plan.kept == 5000);
    CHECK(plan.file_bytes() ==
          Approx(static_cast<double>(std::filesystem::file_size("planned.db"))).epsilon(0.1));
  }
}

TEST_CASE("of a study that keeps some cases only the rows of these are counted") {
  const RunPlan plan = planned(studied(ranges, sobol, R"(, "keep": {"best": 20, "sample": 100})"));
  CHECK(plan.count == 5000);
  CHECK(plan.kept == 120);
}

TEST_CASE("no more threads are planned than have something to do") {
  RunOptions options = one_thread();
  options.threads = 50;
  CHECK(planned(studied(R"("rate": {"values": [100]})", grid), options).threads == 1);
  options.threads = 1;
  CHECK(planned(studied(levels, grid), options).threads == 1);
}

TEST_CASE("a search is planned as if its designs were anywhere in the ranges") {
  const Study study = study_of(arm_files(arm_study(
      R"("variables": {"rate": {"range": [100, 500]}, "tension": {"range": [1, 9]}},
"search": {"method": "nlopt", "algorithm": "LN_SBPLX", "starts": 2, "max_evaluations": 600}, )" +
      one_objective + never_above("tension", "5"))));
  const RunPlan plan = planned(study);
  CHECK(plan.kind == RunPlan::Kind::search);
  CHECK(plan.count == 1200);
  CHECK(plan.tried == 16 * 33);
  CHECK(static_cast<double>(plan.feasible) == Approx(plan.tried / 2.0).epsilon(0.2));
}

TEST_CASE("a shard is planned alone, and a plan leaves no file") {
  RunOptions options = one_thread();
  options.output = "never.db";
  options.shard = {2, 4};
  CHECK(planned(studied(levels, grid), options).count == 500);
  options.shard = {4, 4};
  const RunPlan nothing = planned(studied(R"("rate": {"values": [100, 200]})", grid), options);
  CHECK(nothing.count == 0);
  CHECK(nothing.each.empty());
  CHECK(!std::filesystem::exists("never.db"));
}
