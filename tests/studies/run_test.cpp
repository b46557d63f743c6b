#include "studies/run.hpp"

#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "cases/case_evaluator.hpp"
#include "cases/case_points.hpp"
#include "cases/case_rows.hpp"
#include "results/merge.hpp"
#include "tests/cases/stored_rows.hpp"
#include "tests/support/arm_study.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// Variables of every kind; some cases break a limit, some a constraint, some have no objective.
std::string mixed_study(int count) {
  return arm_study(
      R"("variables": {
"mount": {"range": [0.1, 0.4]},
"load": {"range": [1, 5]},
"height": {"range": [0.4, 0.6], "count": 5},
"spring": {"catalogue": "springs.csv", "sets": {"rate": "rate", "free": "free_length"}},
"path": {"motion": ["fold", "swing"]}},
"sampling": {"method": "sobol", "count": )" +
          std::to_string(count) + R"(, "seed": 3},
"objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder", "elbow"]},
{"name": "root", "expression": "sqrt(mount - 0.15) * shoulder.mean / baseline.shoulder.mean"}],
"constraints": [{"name": "drawn", "expression": "lift.max_length", "max": 0.75}],
"baseline": {"mount": 0.3})",
      R"({"swing": "swing.json", "fold": "fold.json"})");
}

Study mixed(int count) {
  return study_of(arm_files(mixed_study(count)));
}

/// Runs a study to its end in pieces, each interrupted when it has stored something. Returns the
/// cases that each evaluated.
std::vector<std::int64_t> run_in_pieces(const Study& study, const std::filesystem::path& output,
                                        int threads, std::int64_t window) {
  std::vector<std::int64_t> evaluated;
  for (bool finished = false; !finished;) {
    std::atomic<bool> interrupted{false};
    RunOptions options;
    options.output = output;
    options.threads = threads;
    options.resume = true;
    options.window = window;  // few cases are under way when the first are stored
    options.interrupted = &interrupted;
    options.progress = [&](const Progress& progress) {
      if (progress.fresh > 0) interrupted = true;
    };
    const RunSummary summary = run_study(study, options);
    evaluated.push_back(summary.evaluated);
    finished = !summary.interrupted;
  }
  return evaluated;
}

RunSummary resume(const Study& study, const std::filesystem::path& output,
                  const Shard& shard = {}) {
  RunOptions options;
  options.output = output;
  options.threads = 1;
  options.resume = true;
  options.shard = shard;
  return run_study(study, options);
}

}  // namespace

TEST_CASE("rows are the same to the last bit for any number of threads") {
  const Study study = mixed(1500);
  const auto one = fresh("one.db"), two = fresh("two.db");
  const RunSummary summary = run_to(study, one, 1);
  CHECK(summary.evaluated == 1500);
  CHECK_FALSE(summary.interrupted);
  run_to(study, two, 2);
  const auto rows = rows_of(one);
  CHECK(all_once(rows, 1500));
  CHECK(same_bits(rows, rows_of(two)));
}

TEST_CASE("windows, threads, reuse and pieces change no bit of a grid") {
  const Study study =
      study_of(arm_files(arm_study(R"("variables": {"rate": {"range": [100, 900], "count": 7},
"load": {"range": [1, 4.5], "count": 5}, "path": {"motion": ["fold", "swing"]},
"spring": {"catalogue": "springs.csv", "sets": {"free": "free_length"}},
"mount": {"range": [0.1, 0.4], "count": 6}}, "sampling": {"method": "grid"},
"objectives": [{"name": "peak", "expression": "shoulder.max / baseline.shoulder.max"}],
"constraints": [{"name": "drawn", "expression": "lift.max_length", "max": 0.75}])",
                                   R"({"swing": "swing.json", "fold": "fold.json"})")));
  constexpr std::int64_t count = 7 * 5 * 2 * 4 * 6;
  const auto output = fresh("grid.db");
  const auto rows_with = [&](int threads, std::int64_t window, Reuse reuse) {
    RunOptions options;
    options.output = output;
    options.threads = threads;
    options.window = window;
    options.reuse = reuse;
    options.force = true;
    CHECK(run_study(study, options).evaluated == count);
    return rows_of(output);
  };
  const auto rows = rows_with(1, 1, Reuse::recompute);  // one by one, each as if alone
  CHECK(all_once(rows, count));
  CHECK(numbers_are_sound(rows));
  for (const int threads : {1, 2, 3})
    for (const std::int64_t window : {17, 200, 100'000}) {
      CAPTURE(threads, window);
      CHECK(same_bits(rows, rows_with(threads, window, Reuse::remember)));
    }
  const auto pieces = fresh("grid_pieces.db");
  CHECK(run_in_pieces(study, pieces, 2, 100).size() > 1);
  CHECK(same_bits(rows, rows_of(pieces)));
}

TEST_CASE("a run tells what the stages of all its workers did") {
  RunOptions options;
  options.output = fresh("stages.db");
  options.threads = 2;
  options.force = true;
  const auto loads = [&](int count) {
    const RunSummary summary = run_study(mixed(count), options);
    const StageCount& stage = summary.counts.stages[static_cast<std::size_t>(Stage::loads)];
    return stage.runs + stage.reused;
  };
  CHECK(loads(400) >= loads(200));
}

TEST_CASE("no row has a number that is not finite, and every refused one has its reason") {
  const auto path = fresh("sound.db");
  run_to(mixed(1500), path, 2);
  const auto rows = rows_of(path);
  CHECK(numbers_are_sound(rows));
  std::set<std::string> kinds;
  for (const CaseRow& row : rows)
    kinds.insert(row.status == Status::feasible ? "" : row.reason.substr(0, row.reason.find(' ')));
  // feasible, an objective without a value, a broken constraint, a parameter beyond its bounds
  CHECK(kinds == std::set<std::string>{"", "objective", "constraint", "parameter"});
}

TEST_CASE("a row holds what its case evaluates to alone") {
  const Study study = mixed(300);
  const auto path = fresh("alone.db");
  run_to(study, path, 2);
  CaseEvaluator evaluator(study);
  evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
  PointSource source(study);
  std::vector<double> point(study.variables.size());
  CaseOutcome outcome;
  auto rows = rows_of(path);
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    source.point(row->id, point);
    CHECK(point_of(study, *row) == point);
    evaluator.evaluate(point, outcome);
    CHECK(same_bits({row_of(study, row->id, point, outcome)}, {*row}));
  }
}

TEST_CASE("a run in pieces gives the same rows as one in a go") {
  constexpr int count = 12'000;  // more than one batch
  const Study study = mixed(count);
  const auto whole = fresh("whole.db");
  run_to(study, whole, 2);
  for (const int threads : {1, 2}) {
    const auto pieces = fresh("pieces.db");
    const std::vector<std::int64_t> evaluated = run_in_pieces(study, pieces, threads, 1000);
    CHECK(evaluated.size() > 1);
    CHECK(std::all_of(evaluated.begin(), evaluated.end() - 1, [](auto n) { return n > 0; }));
    CHECK(std::accumulate(evaluated.begin(), evaluated.end(), std::int64_t{0}) == count);
    CHECK(same_bits(rows_of(whole), rows_of(pieces)));
    const RunSummary again = resume(study, pieces);
    CHECK(again.was_finished);
    CHECK(again.evaluated == 0);
  }
}

TEST_CASE("shards cover every case once and merge to the whole") {
  const Study study = mixed(20);
  const auto whole = fresh("unsharded.db");
  run_to(study, whole, 1);
  for (const int count : {1, 3, 7, 22}) {
    std::vector<std::filesystem::path> parts;
    std::int64_t evaluated = 0;
    for (int i = 1; i <= count; ++i) {
      parts.push_back(fresh("shard" + std::to_string(i) + ".db"));
      evaluated += run_to(study, parts.back(), 1, {i, count}).evaluated;
    }
    CHECK(evaluated == 20);
    const auto joined = fresh("joined.db");
    const MergeSummary merged = merge(parts, joined, Existing::refuse, false);
    CHECK(merged.repeated == 0);
    CHECK(same_bits(rows_of(joined), rows_of(whole)));
  }
}

TEST_CASE("an interrupted shard continues as itself only") {
  const Study study = mixed(100);
  const auto path = fresh("half.db");
  const std::atomic<bool> at_once{true};
  RunOptions options;
  options.output = path;
  options.shard = {2, 3};
  options.interrupted = &at_once;
  CHECK(run_study(study, options).interrupted);
  const std::string part = "what differs: the part of the study (2/3 and ";
  CHECK_THROWS_WITH(resume(study, path), Catch::Contains(part + "1/1)"));
  CHECK_THROWS_WITH(resume(study, path, {1, 3}), Catch::Contains(part + "1/3)"));
  CHECK(resume(study, path, {2, 3}).evaluated == 33);
  CHECK(rows_of(path).front().id == 35);
}

TEST_CASE("results of another study are not continued, and what differs is named") {
  const Files files = arm_files(mixed_study(20));
  const auto path = fresh("other.db");
  run_to(study_of(files), path, 1);
  const auto rows = rows_of(path);
  const std::vector<std::tuple<std::string, std::string, std::string, std::string>> changes = {
      {"study.json", "\"count\": 20", "\"count\": 21", "the text of the study \"study.json\";"},
      {"model.json", "\"mass\": 3", "\"mass\": 3.5", "the text of the model \"model.json\";"},
      {"swing.json", "\"mean\": 0.4", "\"mean\": 0.5", "the text of the motion \"swing.json\";"},
      {"springs.csv", "soft,0.1", "soft,0.2", "the text of the catalogue \"springs.csv\";"}};
  for (const auto& [file, was, is, named] : changes) {
    Files changed = files;
    changed[file] = with(files.at(file), was, is);
    const Study study = study_of(changed);
    CHECK_THROWS_WITH(resume(study, path), Catch::Contains("what differs: " + named));
    CHECK_THROWS_AS(run_to(study, path, 1), StoreError);
    CHECK(same_bits(rows_of(path), rows));
  }
  CHECK(resume(study_of(files), path).was_finished);
}

TEST_CASE("results are replaced only when told so") {
  const Study study = mixed(10);
  const auto path = fresh("forced.db");
  run_to(study, path, 1);
  CHECK_THROWS_AS(run_to(study, path, 1), StoreError);
  RunOptions options;
  options.output = path;
  options.force = true;
  CHECK(run_study(study, options).evaluated == 10);
  CHECK(all_once(rows_of(path), 10));
}

TEST_CASE("progress ends at the number of cases") {
  const Study study = mixed(100);
  RunOptions options;
  options.output = fresh("progress.db");
  std::vector<Progress> seen;
  options.progress = [&](const Progress& progress) { seen.push_back(progress); };
  run_study(study, options);
  REQUIRE(seen.size() >= 2);
  CHECK(seen.front().done == 0);
  CHECK(seen.back().done == 100);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    CHECK(seen[i].total == 100);
    CHECK(seen[i].fresh == seen[i].done);
    if (i > 0) CHECK(seen[i].done >= seen[i - 1].done);
  }
}
