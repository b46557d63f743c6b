#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "results/ranking.hpp"
#include "results/rows/batched_front.hpp"
#include "tests/results/results_study.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

using Front = std::vector<FrontPoint>;

/// Points with ids 1, 2, ...
Front front_of(const std::vector<std::vector<double>>& objectives) {
  Front front;
  for (const auto& point : objectives)
    front.push_back({static_cast<std::int64_t>(front.size()) + 1, point});
  return front;
}

bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] > b[i]) return false;
  return a != b;
}

}  // namespace

TEST_CASE("the knee of a bend is its corner, whatever the units and the order") {
  const std::vector<std::vector<double>> bend = {{0.0, 1.0},  {0.01, 0.5}, {0.02, 0.1},
                                                 {0.1, 0.05}, {0.6, 0.02}, {1.0, 0.0}};
  CHECK(knee_of(front_of(bend)) == 3);
  Front scaled = front_of(bend);
  for (FrontPoint& point : scaled) {
    point.objectives[0] = 300.0 + 5000.0 * point.objectives[0];
    point.objectives[1] = -7.0 + 1e-3 * point.objectives[1];
  }
  CHECK(knee_of(scaled) == 3);
  std::reverse(scaled.begin(), scaled.end());
  CHECK(knee_of(scaled) == 3);
  std::rotate(scaled.begin(), scaled.begin() + 2, scaled.end());
  CHECK(knee_of(scaled) == 3);
}

TEST_CASE("the knee of an arc is its middle") {
  std::vector<std::vector<double>> arc;
  for (int i = 0; i <= 20; ++i) {
    const double angle = i * std::acos(0.0) / 20.0;
    arc.push_back({40.0 * (1.0 - std::cos(angle)), 3.0 * (1.0 - std::sin(angle))});
  }
  CHECK(knee_of(front_of(arc)) == 11);
  // an arc that bulges the other way has its knees at the ends
  for (auto& point : arc) point = {40.0 - point[1] * 10.0, 3.0 - point[0] / 20.0};
  const auto knee = knee_of(front_of(arc));
  CHECK((knee == 1 || knee == 21));
}

TEST_CASE("the knee of a sphere's octant is where all three objectives are alike") {
  std::vector<std::vector<double>> octant;
  std::int64_t middle = 0;
  for (int i = 0; i <= 8; ++i)
    for (int j = 0; i + j <= 8; ++j) {
      std::vector<double> point = {i + 1.0, j + 1.0, 9.0 - i - j};
      // (3, 4, 4), (4, 3, 4), (4, 4, 3) are as near to the middle; one of them is made the middle
      if (i == 3 && j == 2) {
        point = {1.0, 1.0, 1.0};
        middle = static_cast<std::int64_t>(octant.size()) + 1;
      }
      const double length = std::hypot(point[0], point[1], point[2]);
      for (double& number : point) number = 1.0 - number / length;
      octant.push_back(point);
    }
  CHECK(knee_of(front_of(octant)) == middle);
}

TEST_CASE("ties go to the smaller id") {
  Front line = front_of({{0.0, 1.0}, {0.25, 0.75}, {0.5, 0.5}, {1.0, 0.0}});
  CHECK(knee_of(line) == 1);
  std::reverse(line.begin(), line.end());
  CHECK(knee_of(line) == 1);
  for (FrontPoint& point : line) point.id = 10 - point.id;
  CHECK(knee_of(line) == 6);
  CHECK(knee_of(front_of({{0.0, 4.0}, {1.0, 1.0}, {1.0, 1.0}, {4.0, 0.0}})) == 2);
}

TEST_CASE("fewer than three points, or fewer than two objectives that differ, have no knee") {
  CHECK_FALSE(knee_of({}));
  CHECK_FALSE(knee_of(front_of({{1.0, 2.0}})));
  CHECK_FALSE(knee_of(front_of({{1.0, 2.0}, {2.0, 1.0}})));
  CHECK_FALSE(knee_of(front_of({{1.0, 2.0}, {1.0, 2.0}, {1.0, 2.0}, {1.0, 2.0}})));
  CHECK_FALSE(knee_of(front_of({{1.0}, {1.0}, {1.0}})));
  CHECK_FALSE(knee_of(front_of({{1.0, 5.0}, {2.0, 5.0}, {3.0, 5.0}})));
  // one that does not differ does not count
  CHECK(knee_of(front_of({{0.0, 5.0, 1.0}, {0.1, 5.0, 0.1}, {1.0, 5.0, 0.0}})) == 2);
}

TEST_CASE("a front among some objectives is what a comparison of all pairs in these leaves") {
  const std::string path = fresh_folder("knee_among") + "a.db";
  std::mt19937_64 random(9);
  std::vector<CaseRow> rows = random_rows(random, 1, 400);
  for (CaseRow& row : rows)
    for (double& objective : row.objectives)
      objective += std::uniform_real_distribution<>(0.0, 5.0)(random);
  append(Store::create(path, example_birth(), Existing::refuse), rows);
  const ResultsFile results(path);
  struct Question {
    std::vector<std::string> names;
    std::vector<std::size_t> indices;
  };
  for (const Question& question :
       {Question{{"peak", "power"}, {0, 2}}, Question{{"power", "average"}, {2, 1}},
        Question{{"average"}, {1}}, Question{{}, {0, 1, 2}}}) {
    for (const char* by : {"peak", "average"}) {
      RankOptions options;
      options.pareto = true;
      options.among = question.names;
      options.by = by;
      const auto judged = [&](const CaseRow& row) {
        std::vector<double> numbers;
        for (const std::size_t i : question.indices) numbers.push_back(row.objectives[i]);
        return numbers;
      };
      for (const Ranking& ranking : rank(results, options)) {
        std::vector<const CaseRow*> feasible, left;
        for (const CaseRow& row : rows)
          if (row.status == Status::feasible &&
              std::get<std::string>(row.variables[0]) == ranking.motion)
            feasible.push_back(&row);
        Front front;
        for (const CaseRow* row : feasible) {
          if (std::any_of(feasible.begin(), feasible.end(), [&](const CaseRow* other) {
                return dominates(judged(*other), judged(*row));
              }))
            continue;
          left.push_back(row);
          front.push_back({row->id, judged(*row)});
        }
        const std::size_t sorted_by = by == std::string("peak") ? 0 : 1;
        std::stable_sort(left.begin(), left.end(), [&](const CaseRow* a, const CaseRow* b) {
          return a->objectives[sorted_by] < b->objectives[sorted_by];
        });
        CAPTURE(question.names, by, ranking.motion);
        CHECK(ranking.knee == knee_of(front));
        CHECK(ranking.table.columns.back() == "knee");
        REQUIRE(ranking.table.rows.size() == left.size());
        for (std::size_t i = 0; i < left.size(); ++i) {
          const auto& cells = ranking.table.rows[i];
          CHECK(cells[1] == Value{left[i]->id});
          CHECK(cells.size() == ranking.table.columns.size());
          CHECK(cells.back() == (ranking.knee == left[i]->id ? Value{"knee"} : Value{}));
        }
      }
    }
  }
}

TEST_CASE("a knee that is cut off has its row and its place in the whole front") {
  const std::string path = fresh_folder("knee_cut") + "a.db";
  std::mt19937_64 random(21);
  append(Store::create(path, example_birth(), Existing::refuse), random_rows(random, 1, 600));
  const ResultsFile results(path);
  int cut_off = 0;
  for (const char* by : {"peak", "average", "power"}) {
    RankOptions options;
    options.pareto = true;
    options.by = by;
    const std::vector<Ranking> whole = rank(results, options);
    for (const std::size_t top : {0U, 1U, 2U, 5U, 9U, 9999U}) {
      options.top = top;
      const std::vector<Ranking> heads = rank(results, options);
      REQUIRE(heads.size() == whole.size());
      for (std::size_t i = 0; i < heads.size(); ++i) {
        CAPTURE(by, top, whole[i].motion);
        const std::vector<std::vector<Value>>& all = whole[i].table.rows;
        const auto knee = std::find_if(all.begin(), all.end(), [&](const std::vector<Value>& row) {
          return row[1] == Value{whole[i].knee.value()};
        });
        REQUIRE(knee != all.end());
        CHECK(whole[i].knee_row.empty());
        CHECK(heads[i].knee == whole[i].knee);
        CHECK(heads[i].table.rows.size() == std::min(top, all.size()));
        const bool cut = knee - all.begin() >= static_cast<std::ptrdiff_t>(top);
        CHECK(heads[i].knee_row == (cut ? *knee : std::vector<Value>{}));
        cut_off += static_cast<int>(cut);
      }
    }
  }
  CHECK(cut_off > 6);
}

TEST_CASE("objectives of a front that the study has not are refused with those it has") {
  const std::string path = fresh_folder("knee_names") + "a.db";
  std::mt19937_64 random(9);
  append(Store::create(path, example_birth(), Existing::refuse), random_rows(random, 1, 9));
  RankOptions options;
  options.pareto = true;
  options.among = {"peak", "averag"};
  CHECK_THAT(store_error_of([&] { rank(ResultsFile(path), options); }).message,
             Catch::Contains("averag") && Catch::Contains("average") && Catch::Contains("power"));
}
