#include <fmt/format.h>

#include <csignal>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <numbers>

#include "results/merge.hpp"
#include "tests/cases/stored_rows.hpp"
#include "tests/support/arm_study.hpp"
#include "tests/support/interposed/disturbance.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

// A gravity compensator: the moment of weight about the pivot is m g l cos(q), that of a spring of
// no free length from a post of height h to the mount at r is -k h r cos(q).
constexpr double mass = 4.0, gravity = 9.81, length = 0.35, post = 0.45, mount = 0.25;
constexpr double balancing_rate = mass * gravity * length / (post * mount);

const std::string pendulum = R"({"format": "counterpoise-model/1",
"parameters": {"rate": 100, "mount": 0.25},
"world": {"points": {"post": [0, 0, 0.45]}},
"bodies": [{"name": "link", "parent": "world", "joint": {"type": "revolute", "axis": "y"},
 "mass": 4, "com": [0.35, 0, 0], "inertia": [0.1, 0.1, 0.1, 0, 0, 0],
 "points": {"mount": ["mount", 0, 0]}}],
"springs": [{"name": "spring", "connect": ["world.post", "link.mount"], "rate": "rate"}],
"actuators": [{"name": "pivot", "joint": "link"}]})";

const std::string slow = R"({"format": "counterpoise-motion/1", "duration": 2, "step": 0.02,
"inertia": false, "coordinates": {
"pivot": {"type": "point-to-point", "from": -1.2, "to": 1.5, "profile": "trapezoid"}}})";

const std::string peak = R"({"name": "peak", "minimize": "max", "of": ["pivot"]})";

Study search_study(const std::string& variables, const std::string& search,
                   const std::string& rest = "", const std::string& objective = peak) {
  const std::string text = R"({"format": "counterpoise-study/1", "model": "pendulum.json",
"motions": {"slow": "slow.json"}, "variables": {)" +
                           variables + R"(}, "search": {"method": "nlopt", )" + search +
                           R"(}, "objectives": [)" + objective + "]" + rest + "}";
  return study_of({{"study.json", text}, {"pendulum.json", pendulum}, {"slow.json", slow}});
}

const std::string rate_alone = R"("rate": {"range": [0, 2000]})";
const std::string rate_and_mount =
    R"("rate": {"range": [50, 400]}, "mount": {"range": [0.1, 0.4]})";

const CaseRow& best_of(const std::vector<CaseRow>& rows) {
  const CaseRow* best = nullptr;
  for (const CaseRow& row : rows)
    if (row.status == Status::feasible &&
        (best == nullptr || row.objectives[0] < best->objectives[0]))
      best = &row;
  REQUIRE(best != nullptr);
  return *best;
}

/// Evaluations of a start, as the study table has them.
std::int64_t evaluations_of(const std::filesystem::path& path, int start) {
  const auto count = ResultsFile(path).value(fmt::format("search.start.{}.cases", start));
  REQUIRE(count);
  return std::stoll(*count);
}

/// Nothing but the rows of starts 0 .. starts-1, each without gaps from its first.
bool every_evaluation_stored(const std::filesystem::path& path, int starts, std::int64_t each) {
  std::vector<std::int64_t> expected, found;
  for (int start = 0; start < starts; ++start)
    for (std::int64_t i = 1; i <= evaluations_of(path, start); ++i)
      expected.push_back(start * each + i);
  for (const CaseRow& row : rows_of(path)) found.push_back(row.id);
  return found == expected;
}

}  // namespace

TEST_CASE("a search finds the spring that balances a pendulum") {
  for (const char* algorithm : {"LN_SBPLX", "LN_COBYLA", "GN_DIRECT_L"}) {
    CAPTURE(algorithm);
    const Study study =
        search_study(rate_alone, std::string(R"("algorithm": [")") + algorithm +
                                     R"(", "LN_SBPLX"], "starts": 2, "max_evaluations": 400)");
    const auto path = fresh("balance.db");
    run_to(study, path, 1);
    const auto rows = rows_of(path);
    const CaseRow& best = best_of(rows);
    const double unbalanced = ResultsFile(path).baseline("without_springs", "")->objectives.at(0);
    // the motion passes the horizontal, where the moment of weight is largest
    CHECK(unbalanced == Approx(mass * gravity * length).epsilon(1e-3));
    CHECK(best.objectives[0] < 1e-6 * unbalanced);
    CHECK(std::get<double>(best.variables[0]) == Approx(balancing_rate).epsilon(1e-6));
    CHECK(numbers_are_sound(rows));
    CHECK(every_evaluation_stored(path, 2, 400));
  }
}

TEST_CASE("a search of two variables ends where rate times mount balances") {
  const Study study = search_study(
      rate_and_mount, R"("algorithm": "LN_SBPLX", "starts": 3, "max_evaluations": 600)");
  const auto path = fresh("two.db");
  run_to(study, path, 2);
  const auto rows = rows_of(path);
  const CaseRow& best = best_of(rows);
  CHECK(best.objectives[0] < 1e-6 * mass * gravity * length);
  CHECK(std::get<double>(best.variables[0]) * std::get<double>(best.variables[1]) ==
        Approx(balancing_rate * mount).epsilon(1e-6));
}

TEST_CASE("a search ends at the constraint that keeps it from its optimum") {
  const Study study =
      search_study(rate_alone, R"("algorithm": "LN_SBPLX", "starts": 2, "max_evaluations": 400)",
                   R"(, "constraints": [{"name": "soft", "expression": "rate", "max": 80}])");
  const auto path = fresh("soft.db");
  run_to(study, path, 2);
  const auto rows = rows_of(path);
  CHECK(std::get<double>(best_of(rows).variables[0]) == Approx(80.0).epsilon(1e-5));
  CHECK(std::any_of(rows.begin(), rows.end(),
                    [](const CaseRow& row) { return row.status == Status::infeasible; }));
  CHECK(numbers_are_sound(rows));
}

TEST_CASE("a search leaves the region where its objective has no value") {
  // the model's own mount, where the search starts, is at 0.25
  const Study study = search_study(
      rate_and_mount, R"("algorithm": "LN_SBPLX", "starts": 2, "max_evaluations": 800)", "",
      R"text({"name": "peak", "expression": "pivot.max + 0*sqrt(mount - 0.3)"})text");
  const auto path = fresh("region.db");
  run_to(study, path, 2);
  const auto rows = rows_of(path);
  REQUIRE(rows.front().status == Status::infeasible);
  CHECK(rows.front().reason == "objective peak is not a finite number");
  CHECK(numbers_are_sound(rows));
  const CaseRow& best = best_of(rows);
  CHECK(best.objectives[0] < 1e-6 * mass * gravity * length);
  CHECK(std::get<double>(best.variables[1]) >= 0.3);
}

TEST_CASE("a search is the same for any number of threads, again, in pieces and in shards") {
  const std::string search =
      R"("algorithm": ["GN_CRS2_LM", "LN_SBPLX"], "starts": 3, "max_evaluations": 300, "seed": )";
  const Study study = search_study(rate_and_mount, search + "5");
  const auto one = fresh("search_one.db"), two = fresh("search_two.db");
  run_to(study, one, 1);
  run_to(study, two, 2);
  const auto rows = rows_of(one);
  CHECK(every_evaluation_stored(one, 3, 300));
  CHECK(same_bits(rows, rows_of(two)));
  const ResultsFile results(one);
  CHECK(results.find(1)->variables != results.find(301)->variables);
  CHECK(results.find(301)->variables != results.find(601)->variables);

  const auto other = fresh("search_other.db");
  run_to(search_study(rate_and_mount, search + "6"), other, 2);
  CHECK_FALSE(same_bits(rows, rows_of(other)));

  std::vector<std::filesystem::path> parts;
  for (int i = 1; i <= 2; ++i) {
    parts.push_back(fresh("search_shard" + std::to_string(i) + ".db"));
    run_to(study, parts.back(), 1, {i, 2});
  }
  const auto joined = fresh("search_joined.db");
  merge(parts, joined, Existing::refuse, false);
  CHECK(same_bits(rows, rows_of(joined)));
}

TEST_CASE("a search that was interrupted continues to the same rows") {
  const Study study = search_study(
      rate_and_mount, R"("algorithm": "LN_SBPLX", "starts": 4, "max_evaluations": 300)");
  const auto whole = fresh("search_whole.db"), pieces = fresh("search_pieces.db");
  run_to(study, whole, 1);

  // stop when the first start is stored: some starts are done, one at most is cut short
  std::atomic<bool> interrupted{false};
  RunOptions options;
  options.output = pieces;
  options.threads = 1;
  options.resume = true;
  options.interrupted = &interrupted;
  options.progress = [&](const Progress& progress) {
    if (progress.fresh > 0) interrupted = true;
  };
  const RunSummary first = run_study(study, options);
  CHECK(first.interrupted);
  const auto some = rows_of(pieces).size();
  CHECK(some > 0);
  CHECK(some < rows_of(whole).size());
  CHECK(first.evaluated == static_cast<std::int64_t>(some));

  interrupted = false;
  options.progress = {};
  const RunSummary second = run_study(study, options);
  CHECK_FALSE(second.interrupted);
  CHECK(same_bits(rows_of(whole), rows_of(pieces)));
}

TEST_CASE("a start that was cut short is run again and stored once") {
  constexpr std::int64_t count = 30'000, cut_at = 15'000;
  const Study study =
      search_study(rate_and_mount, R"("algorithm": "GN_ESCH", "max_evaluations": 30000)", "",
                   R"({"name": "counted", "expression": "tan(1e-6 * rate) + pivot.max"})");
  const auto whole = fresh("start_whole.db"), cut = fresh("start_cut.db");
  run_to(study, whole, 1);
  REQUIRE(evaluations_of(whole, 0) == count);

  static std::atomic<bool> interrupted{false};
  auto* const before = std::signal(SIGINT, [](int) { interrupted = true; });
  disturb(("interrupt " + std::to_string(cut_at) + " evaluate").c_str());
  RunOptions options;
  options.output = cut;
  options.resume = true;
  options.interrupted = &interrupted;
  const RunSummary first = run_study(study, options);
  disturb("");
  std::signal(SIGINT, before);
  CHECK(first.interrupted);
  CHECK(first.evaluated > 0);
  CHECK(first.evaluated <= cut_at + 1);

  interrupted = false;
  const RunSummary second = run_study(study, options);
  CHECK(first.evaluated + second.evaluated == count);
  CHECK(same_bits(rows_of(whole), rows_of(cut)));
}

TEST_CASE("an algorithm that is not known is refused where it stands, before a file is made") {
  const auto path = fresh("never.db");
  const Study study = search_study(rate_alone, R"("algorithm": "LN_SBPLEX")");
  CHECK_THROWS_AS(run_to(study, path, 1), InputError);
  CHECK_THROWS_WITH(run_to(study, path, 1), Catch::Contains("/search/algorithm"));
  CHECK_FALSE(std::filesystem::exists(path));
}
