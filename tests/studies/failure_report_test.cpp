#include "studies/failure_report.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "results/sqlite/database.hpp"
#include "studies/run.hpp"
#include "tests/cases/stored_rows.hpp"
#include "tests/support/arm_study.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// Some cases break a limit, some a constraint, some have no objective, and some fail in words.
Study failing_study() {
  return study_of(arm_files(arm_study(R"("variables": {
"mount": {"range": [0.1, 0.4]}, "load": {"range": [1, 5]},
"spring": {"catalogue": "springs.csv", "sets": {"rate": "rate", "free": "free_length"}}},
"sampling": {"method": "sobol", "count": 6000, "seed": 3},
"objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder", "elbow"]},
{"name": "root", "expression": "sqrt(mount - 0.15) * shoulder.mean"}],
"constraints": [{"name": "drawn", "expression": "lift.max_length", "max": 0.75}])")));
}

RunSummary run_with(const Study& study, const std::filesystem::path& output, int threads,
                    RunOptions options = {}) {
  options.output = output;
  options.threads = threads;
  options.force = true;
  options.window = 100;
  return run_study(study, options);
}

std::string said_of(const FailureReport& report) {
  std::string text = std::to_string(report.cases) + ' ' + std::to_string(report.feasible) + ' ' +
                     std::to_string(report.failed) + ' ' + std::to_string(report.evaluated);
  for (const FailureReport::Tally& tally : report.tallies)
    text += '\n' + tally.name.words() + ' ' + std::to_string(tally.count);
  for (const FailureReport::Opening& opening : report.openings)
    text += '\n' + opening.name.words() + ' ' + std::to_string(opening.count) + ' ' +
            std::to_string(opening.half) + ' ' + std::to_string(opening.nearest);
  return text;
}

FailureOptions brief_options() {
  FailureOptions options;
  options.on.most_evaluated = 60;
  options.on.threads = 1;
  options.by_variable = false;
  return options;
}

/// How often the stages ran for rows of results.
std::vector<std::int64_t> runs_of(const RunSummary& summary) {
  std::vector<std::int64_t> runs;
  for (const StageCount& stage : summary.counts.stages) runs.push_back(stage.runs);
  return runs;
}

std::string read_from(const std::filesystem::path& path, const Study& study) {
  return said_of(failures_of(ResultsFile(path), study, brief_options()));
}

std::string remembered(const std::filesystem::path& path, const Study& study,
                       const RunSummary& summary) {
  FailureOptions options = brief_options();
  options.failed = &summary.failed;
  options.on.baselines = summary.baselines;
  return said_of(failures_of(ResultsFile(path), study, options));
}

}  // namespace

TEST_CASE("the failures that a run remembers are those that its results tell") {
  const Study study = failing_study();
  const auto path = fresh("failures.db");
  std::string first;
  for (const int threads : {1, 2, 3}) {
    CAPTURE(threads);
    RunSummary summary = run_with(study, path, threads);
    REQUIRE(summary.failed.all);
    const std::string told = read_from(path, study);
    CHECK(remembered(path, study, summary) == told);
    CHECK((first.empty() || told == first));
    first = told;
    REQUIRE(!summary.failed.counts.failures.empty());
    ++summary.failed.counts.failures.begin()->second;  // so that it shows which of both is told
    CHECK(remembered(path, study, summary) != told);
  }
}

TEST_CASE("failures evaluated on while a run still stores equal those from its results") {
  const Study study = failing_study();
  const auto path = fresh("failures_begun.db");
  for (const int threads : {1, 2, 3}) {
    CAPTURE(threads);
    FailureOptions options = brief_options();
    options.on.threads = threads;
    std::int64_t seen = 0;
    RunOptions run;
    run.evaluated = [&](const FailedCases& failed, const std::shared_ptr<const Baselines>& all) {
      seen = failed.counts.cases();
      options.on.baselines = all;
      options.begun = begin_to_evaluate_on(study, failed, options.on);
    };
    const RunSummary summary = run_with(study, path, threads, run);
    CHECK(seen == study.case_count());
    REQUIRE(options.begun.valid());
    options.failed = &summary.failed;
    options.on.most_evaluated = 7;  // so that it shows whose sample is told
    CHECK(said_of(failures_of(ResultsFile(path), study, options)) == read_from(path, study));
  }
}

TEST_CASE("failures that a run evaluates on at once equal those from its results") {
  const Study study = failing_study();
  const auto path = fresh("failures_at_once.db");
  const FailureOptions brief = brief_options();
  for (const std::size_t most : {60u, 20u, 0u})  // all that are asked for, some, none
    for (const int threads : {1, 3}) {
      CAPTURE(most, threads);
      RunOptions run;
      run.evaluate_on = choice_of(study, brief.on);
      run.evaluate_on.most = most;
      const RunSummary plain = run_with(study, path, threads);
      RunSummary summary = run_with(study, path, threads, run);
      std::vector<FailedCases::EvaluatedOn>& at_once = summary.failed.evaluated_on;
      const std::string told = read_from(path, study);
      CHECK(remembered(path, study, summary) == told);
      // of more threads each runs what it is the first to need, so that turns decide
      if (threads == 1) CHECK(runs_of(summary) == runs_of(plain));
      CHECK(at_once.empty() == (most == 0));
      for (const FailedCases::EvaluatedOn& one : at_once)
        CHECK(run.evaluate_on.rank(one.id) < run.evaluate_on.highest(study.case_count()));
      for (FailedCases::EvaluatedOn& one : at_once) one.broken.failures.clear();
      CHECK((remembered(path, study, summary) == told) == (most == 0));
    }
}

namespace {

/// Some cases break a limit of their motion, some that of their fall, and some both.
Study falling_study(double deepest) {
  Files files = arm_files(arm_study(R"("scenarios": {"off": "off.json"},
"variables": {"mount": {"range": [0.1, 0.4]}, "rate": {"range": [50, 900]},
"load": {"range": [1, 5]}},
"sampling": {"method": "sobol", "count": 60, "seed": 3},
"objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder", "elbow"]}],
"constraints": [{"name": "drawn", "expression": "lift.max_length", "max": 0.7},
{"name": "strong", "expression": "shoulder.max", "max": 45},
{"name": "sinks", "expression": "off.lower.front.drop", "max": )" +
                                    std::to_string(deepest) + "}]"));
  files["off.json"] = R"({"format": "counterpoise-scenario/1", "duration": 0.1, "step": 0.05,
"others": "free", "start": {"motion": "swing.json", "time": 0.25}})";
  return study_of(files);
}

/// The points of the failed cases in results.
std::vector<std::vector<double>> failed_points(const std::filesystem::path& path) {
  std::vector<std::vector<double>> points;
  for (const CaseRow& row : rows_of(path)) {
    if (row.status == Status::feasible) continue;
    points.emplace_back();
    for (const Value& value : row.variables) points.back().push_back(std::get<double>(value));
  }
  return points;
}

}  // namespace

TEST_CASE("what failed designs break alone is the same whether or not all of them fall") {
  const auto path = fresh("failures_falling.db");
  for (const double deepest : {0.05, 0.0}) {  // with the latter nothing is feasible
    CAPTURE(deepest);
    const Study study = falling_study(deepest);
    FailureOptions options;
    options.by_variable = false;
    RunOptions run;
    run.evaluate_on = choice_of(study, options.on);
    const RunSummary summary = run_with(study, path, 1, run);
    const auto points = failed_points(path);
    const auto all = broken_limits(study, points, Reasons::all);
    const auto some = broken_limits(study, points, Reasons::up_to_two);
    // no two of these limits are stated together, nor follows one from another
    std::map<std::pair<FailureKind, int>, std::int64_t> alone;
    std::size_t left_out = 0, hidden = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      REQUIRE(all[i].whole);
      CHECK(some[i].failures.size() <= all[i].failures.size());
      left_out += some[i].whole ? 0 : 1;
      hidden += some[i].failures.size() < all[i].failures.size() ? 1 : 0;
      CHECK((some[i].whole || some[i].failures.size() > 1));
      if (all[i].failures.size() == 1) ++alone[{all[i].failures[0].kind, all[i].failures[0].of}];
    }
    CHECK(left_out > 2);
    CHECK(hidden > 0);
    const FailureReport report = failures_of(ResultsFile(path), study, options);
    CHECK((report.feasible == 0) == (deepest == 0.0));
    CHECK(report.evaluated == static_cast<std::int64_t>(all.size()));
    std::vector<std::int64_t> told, counted;
    for (const FailureReport::Opening& opening : report.openings) told.push_back(opening.count);
    for (const auto& [limit, count] : alone) counted.push_back(count);
    std::sort(counted.rbegin(), counted.rend());
    CHECK(told == counted);
    CHECK((deepest == 0.0 || told.size() > 1));
    CHECK(report.excluding.has_value() == (deepest == 0.0));
    if (report.excluding) {
      CHECK(report.excluding->known);
      REQUIRE(report.excluding->names.size() == 1);
      CHECK(report.excluding->names.front().words().find("sinks") != std::string::npos);
    }
    CHECK(remembered(path, study, summary) == read_from(path, study));
  }
}

TEST_CASE("every choice of failed cases to evaluate on is as likely") {
  const Study study = failing_study();
  EvaluateOnOptions options;
  options.most_evaluated = 5;
  std::vector<int> chosen(40);
  constexpr int trials = 4000;
  for (int seed = 1; seed <= trials; ++seed) {
    options.seed = static_cast<std::uint64_t>(seed);
    FailedSample rising(study, options), falling(study, options);
    for (std::int64_t id = 1; id <= 40; ++id) rising.offer(id, {});
    for (std::int64_t id = 40; id >= 1; --id) falling.offer(id, {});
    const std::vector<FailedCase> cases = rising.finish(study), others = falling.finish(study);
    REQUIRE(cases.size() == 5);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      CHECK(cases[i].id == others[i].id);
      CHECK((i == 0 || cases[i - 1].id < cases[i].id));
      ++chosen[cases[i].id - 1];
    }
  }
  // each has a mean of 500 and a standard deviation of 21
  for (const int count : chosen) CHECK(std::abs(count - 500) < 5 * 21);
}

TEST_CASE("what a run remembers is not told of results that are not its own alone") {
  const Study study = failing_study();
  const auto path = fresh("failures_changed.db");
  const RunSummary summary = run_with(study, path, 2);
  Database(path, Database::Access::write, 0)
      .execute(
          "DELETE FROM failures WHERE id IN (SELECT id FROM cases WHERE status = 'infeasible' "
          "LIMIT 700); DELETE FROM cases WHERE id IN (SELECT id FROM cases WHERE status = "
          "'infeasible' LIMIT 700); DROP TABLE checksum");
  CHECK(remembered(path, study, summary) == read_from(path, study));
  RunOptions options;
  options.output = path;
  options.resume = true;
  const RunSummary resumed = run_study(study, options);
  CHECK(resumed.evaluated == 700);
  CHECK_FALSE(resumed.failed.all);
  CHECK(remembered(path, study, resumed) == read_from(path, study));
}
