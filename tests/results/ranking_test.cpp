#include "results/ranking.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <tuple>

#include "tests/results/results_study.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

std::string motion_of(const CaseRow& row) {
  return std::get<std::string>(row.variables[0]);
}

// All feasible cases of a motion, sorted whole.
std::vector<std::int64_t> sorted_ids(std::vector<CaseRow> rows, const std::string& motion,
                                     std::size_t objective, const RowFilter& keep) {
  std::erase_if(rows, [&](const CaseRow& row) {
    return row.status != Status::feasible || motion_of(row) != motion || !keep(row);
  });
  // objectives are far apart or the same, so that only equal numbers tie
  const auto key = [&](const CaseRow& row) {
    return std::tuple(row.objectives[objective], row.objectives, row.id);
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const CaseRow& a, const CaseRow& b) { return key(a) < key(b); });
  std::vector<std::int64_t> ids;
  for (const CaseRow& row : rows) ids.push_back(row.id);
  return ids;
}

std::vector<std::int64_t> ids_of(const Ranking& ranking) {
  std::vector<std::int64_t> ids;
  for (const auto& row : ranking.table.rows) ids.push_back(std::get<std::int64_t>(row[1]));
  return ids;
}

struct Ranked {
  explicit Ranked(const std::string& name) : path(fresh_folder(name) + "a.db") {
    std::mt19937_64 random(3);
    rows = random_rows(random, 1, 700);
    std::vector<CaseRow> shuffled = rows;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    append(Store::create(path, example_birth(), Existing::refuse), shuffled);
  }
  std::string path;
  std::vector<CaseRow> rows;
};

}  // namespace

TEST_CASE("the ranking is the head of a full sort, per motion, ties by the other objectives") {
  const Ranked example("ranking_sort");
  const ResultsFile results(example.path);
  const std::vector<std::string> names{"peak", "average", "power"};
  for (const std::size_t top :
       {std::size_t{0}, std::size_t{1}, std::size_t{17}, std::size_t{9999}}) {
    for (std::size_t objective = 0; objective < names.size(); ++objective) {
      for (const double smallest : {-1e9, 0.0}) {
        CAPTURE(top, objective, smallest);
        const RowFilter keep = [smallest](const CaseRow& row) {
          return std::get<double>(row.variables[1]) > smallest;
        };
        RankOptions options;
        options.by = names[objective];
        options.top = top;
        options.where = keep;
        const std::vector<Ranking> rankings = rank(results, options);
        REQUIRE(rankings.size() == 2);
        for (const Ranking& ranking : rankings) {
          std::vector<std::int64_t> expected =
              sorted_ids(example.rows, ranking.motion, objective, keep);
          CHECK(ranking.matches == static_cast<std::int64_t>(expected.size()));
          if (expected.size() > top) expected.resize(top);
          CHECK(ids_of(ranking) == expected);
        }
      }
    }
  }
}

TEST_CASE("the columns of a ranking, and a reduction that is one minus the ratio or null") {
  const Ranked example("ranking_columns");
  const ResultsFile results(example.path);
  const std::vector<std::string> columns{"rank",
                                         "case",
                                         "motion",
                                         "radius",
                                         "spring",
                                         "peak",
                                         "average",
                                         "power",
                                         "peak.reduction",
                                         "average.reduction",
                                         "power.reduction",
                                         "peak.reduction_without_springs",
                                         "average.reduction_without_springs",
                                         "power.reduction_without_springs"};
  const std::vector<Ranking> rankings = rank(results, {});
  std::map<std::string, std::vector<double>> bare{{"squat", {8.0, 3.0, 1.0}},
                                                  {"reach", {16.0, 5.0, 2.0}}};
  REQUIRE(rankings.size() == 2);
  for (const Ranking& ranking : rankings) {
    CHECK(ranking.table.columns == columns);
    std::int64_t place = 0;
    for (const auto& cells : ranking.table.rows) {
      REQUIRE(cells.size() == columns.size());
      CHECK(cells[0] == Value(++place));
      const CaseRow row = results.find(std::get<std::int64_t>(cells[1])).value();
      CHECK(cells[2] == Value(ranking.motion));
      CHECK(cells[4] == row.variables[2]);
      for (std::size_t k = 0; k < 3; ++k) {
        CHECK(cells[5 + k] == Value(row.objectives[k]));
        CHECK(cells[11 + k] == Value(1.0 - row.objectives[k] / bare[ranking.motion][k]));
      }
      const bool squat = ranking.motion == "squat";
      CHECK(cells[8] == (squat ? Value(1.0 - row.objectives[0] / 4.0) : Value{}));
      CHECK(cells[10] == Value{});  // the baseline is 0, or infeasible
    }
  }
  CHECK(joined(rankings).rows.size() ==
        rankings[0].table.rows.size() + rankings[1].table.rows.size());
}

TEST_CASE("a ranking of distinct designs leaves out what is near a listed one") {
  const Ranked example("ranking_distinct");
  const ResultsFile results(example.path);
  const std::vector<double> closeness{0.0, 120.0, 0.0, 0.0};
  const auto near = [&](const CaseRow& a, const CaseRow& b) {
    return std::abs(std::get<double>(a.variables[1]) - std::get<double>(b.variables[1])) <=
               closeness[1] &&
           a.variables[2] == b.variables[2] && a.variables[3] == b.variables[3];
  };
  RankOptions options;
  options.same = SameDesign{closeness};
  for (const Ranking& ranking : rank(results, options)) {
    std::vector<const CaseRow*> kept;
    std::vector<std::int64_t> ids;
    const auto every = [](const CaseRow&) { return true; };
    for (const std::int64_t id : sorted_ids(example.rows, ranking.motion, 0, every)) {
      const CaseRow& row = example.rows[static_cast<std::size_t>(id - 1)];
      if (std::any_of(kept.begin(), kept.end(), [&](const CaseRow* k) { return near(row, *k); }))
        continue;
      kept.push_back(&row);
      ids.push_back(id);
    }
    CHECK(ids_of(ranking) == ids);
    CHECK(ids.size() > 20);
    CHECK(ranking.same > 20);
  }
}

TEST_CASE("one motion can be asked for; an unknown one or objective lists the known") {
  const Ranked example("ranking_names");
  const ResultsFile results(example.path);
  RankOptions options;
  options.motion = "reach";
  CHECK(rank(results, options).size() == 1);
  CHECK(rank(results, options)[0].motion == "reach");
  options.motion = "jump";
  CHECK_THAT(store_error_of([&] { rank(results, options); }).message,
             Catch::Contains("jump") && Catch::Contains("squat"));
  options = {};
  options.by = "peek";
  CHECK_THAT(store_error_of([&] { rank(results, options); }).message,
             Catch::Contains("peek") && Catch::Contains("average"));
}

TEST_CASE("without a motion variable there is one ranking") {
  Birth birth;
  birth.layout = {{{"a"}}, {}, {"peak"}};
  birth.variables = {{"a", "range", ""}};
  birth.baselines = {{"baseline", "", Status::feasible, "", {}, {2.0}}};
  const std::string path = fresh_folder("ranking_single") + "a.db";
  const std::vector<CaseRow> rows{{1, Status::feasible, "", {0.5}, {}, {3.0}},
                                  {2, Status::infeasible, "no", {0.6}, {}, {}},
                                  {3, Status::feasible, "", {0.7}, {}, {1.0}}};
  append(Store::create(path, birth, Existing::refuse), rows);
  const ResultsFile results(path);
  const std::vector<Ranking> rankings = rank(results, {});
  REQUIRE(rankings.size() == 1);
  CHECK(ids_of(rankings[0]) == std::vector<std::int64_t>{3, 1});
  CHECK(rankings[0].table.rows[0][4] == Value(0.5));
  CHECK(rankings[0].table.rows[0][5] == Value{});
  RankOptions options;
  options.motion = "squat";
  CHECK(store_error_of([&] { rank(results, options); }).thrown);
}

TEST_CASE("the Pareto set is what a comparison of all pairs leaves") {
  const Ranked example("ranking_pareto");
  const ResultsFile results(example.path);
  RankOptions options;
  options.pareto = true;
  for (const Ranking& ranking : rank(results, options)) {
    const auto dominated = [&](const CaseRow& row) {
      return std::any_of(example.rows.begin(), example.rows.end(), [&](const CaseRow& other) {
        if (other.status != Status::feasible || motion_of(other) != ranking.motion) return false;
        bool no_worse = true;
        for (std::size_t k = 0; k < 3; ++k) {
          no_worse = no_worse && other.objectives[k] <= row.objectives[k];
        }
        return no_worse && other.objectives != row.objectives;
      });
    };
    const std::vector<std::int64_t> expected = sorted_ids(
        example.rows, ranking.motion, 0, [&](const CaseRow& row) { return !dominated(row); });
    CHECK(expected.size() > 1);
    CHECK(ids_of(ranking) == expected);
  }
}
