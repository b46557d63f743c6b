#include "studies/pages/thinned_cases.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "results/store.hpp"
#include "studies/pages/case_codes.hpp"
#include "tests/cases/evaluated_arm.hpp"
#include "tests/cases/stored_rows.hpp"
#include "tests/results/told_order.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using testing::OrderedDesign;

/// A study of two motions and two objectives, which nobody has to evaluate.
Birth two_motions() {
  Birth birth;
  birth.layout.variables = {{"move", ColumnType::text}};
  birth.layout.objectives = {"peak", "mean"};
  birth.study = {{"name", "thinned"}};
  birth.variables = {{"move", "motion", R"({"motion":["fold","swing"]})"}};
  birth.baselines = {{"baseline", "fold", Status::infeasible, "no", {}, {}},
                     {"baseline", "swing", Status::infeasible, "no", {}, {}}};
  return birth;
}

std::vector<CaseRow> tied_rows(std::mt19937_64& random, std::int64_t count, bool unsettled) {
  std::vector<CaseRow> rows;
  for (std::int64_t id = 1; id <= count; ++id) {
    CaseRow& row = rows.emplace_back();
    row.id = id;
    row.variables = {std::string(random() % 3 == 0 ? "fold" : "swing")};
    const double coarse = static_cast<double>(random() % 25) - 9.5;
    row.objectives = {coarse * (1.0 + 4e-7 * static_cast<double>(random() % 5)),
                      static_cast<double>(random() % 7)};
    if (!unsettled || random() % 6 != 0) continue;
    row.objectives[1] = std::numeric_limits<double>::quiet_NaN();
    row.reason = unsettled_reason;
  }
  return rows;
}

}  // namespace

TEST_CASE("a page without room for all cases has the right ones, with the ranks of all") {
  std::mt19937_64 random(9);
  for (const bool unsettled : {false, true}) {
    const auto path = fresh("thinned.db");
    const std::vector<CaseRow> rows = tied_rows(random, 500, unsettled);
    {
      Store store = Store::create(path, two_motions(), Existing::refuse);
      RowBatch batch(store.layout());
      for (const CaseRow& row : rows) batch.add(row);
      store.append(batch);
    }
    const ResultsFile results(path);
    constexpr std::size_t first = 20, every = 7;
    const std::set<std::int64_t> wanted = {3, 77, 78, 491};
    CaseThinning thinning(results, first, every, rows.size());
    for (const CaseRow& row : rows) thinning.take(row, wanted.contains(row.id) && row.id != 77);
    thinning.want(rows[76]);
    const ThinnedCases found = thinning.finish();

    std::vector<std::pair<std::int64_t, std::int64_t>> expected;  // rank and id
    for (const char* motion : {"fold", "swing"}) {
      std::vector<OrderedDesign> designs;
      for (const CaseRow& row : rows)
        if (std::get<std::string>(row.variables[0]) == motion)
          designs.push_back({row.id, row.objectives});
      const auto order = testing::told(designs, {{1e-6, 0.0}, {1e-6, 0.0}}, 0);
      for (std::size_t place = 0; place < order.size(); ++place)
        if (place < first / 2 || (place - first / 2) % every == 0 || wanted.contains(order[place]))
          expected.emplace_back(place + 1, order[place]);
    }
    std::sort(expected.begin(), expected.end());
    std::vector<std::pair<std::int64_t, std::int64_t>> kept;
    for (const ThinnedCases::Ranked& one : found.kept) kept.emplace_back(one.rank, one.id);
    CAPTURE(unsettled);
    CHECK(kept == expected);
    CHECK(found.first == first);
  }
}

TEST_CASE("a thinned table keeps the extremes of all columns, and counts all reasons") {
  const Study study = study_of(arm_files(arm_study(
      R"("variables": {"rate": {"range": [100, 900]}, "height": {"range": [0.4, 0.6]}},
"sampling": {"method": "random", "count": 400, "seed": 5},
"constraints": [{"name": "c", "expression": "lift.max_tension", "max": 250}], )" +
      one_objective)));
  const auto path = fresh("thinned_arm.db");
  run_to(study, path, 1);
  const std::vector<CaseRow> rows = rows_of(path);
  const ResultsFile results(path);
  const std::vector<std::int64_t> also = {7, 8, 9, 10, 11, 12};
  CodeLimits limits;
  limits.exact = 10;
  limits.rows = 60;
  const CaseTable table = case_table(results, study, also, limits);

  CHECK(table.of == rows.size());
  CHECK(table.first == 10);
  CHECK(table.ids.size() > 55);
  CHECK(table.ids.size() < 90);
  const std::set<std::int64_t> ids(table.ids.begin(), table.ids.end());
  CHECK(ids.size() == table.ids.size());
  for (const std::int64_t id : also) CHECK(ids.contains(id));

  std::vector<CaseRow> ranked;
  for (const CaseRow& row : rows)
    if (row.status == Status::feasible) ranked.push_back(row);
  const std::size_t feasible = ranked.size();
  REQUIRE((feasible > 100 && feasible < 390));
  std::sort(ranked.begin(), ranked.end(),
            [](const CaseRow& a, const CaseRow& b) { return a.objectives[0] < b.objectives[0]; });
  const auto numbers_of = [](const CaseRow& row) {
    std::vector<double> numbers;
    for (const Value& value : row.variables) numbers.push_back(std::get<double>(value));
    numbers.insert(numbers.end(), row.metrics.begin(), row.metrics.end());
    numbers.insert(numbers.end(), row.objectives.begin(), row.objectives.end());
    return numbers;
  };
  for (std::size_t i = 0; i < table.ids.size(); ++i) {
    const CaseRow& row = rows[static_cast<std::size_t>(table.ids[i] - 1)];
    CHECK((row.status == Status::feasible) == (i < table.feasible));
    const std::vector<double> numbers = numbers_of(row);
    for (std::size_t c = 0; c < numbers.size(); ++c)
      CHECK(table.columns[c].values[i] == numbers[c]);
    if (i < table.feasible)
      CHECK(ranked[static_cast<std::size_t>(table.ranks[i] - 1)].id == row.id);
    if (i < 10) CHECK(table.ranks[i] == static_cast<std::int64_t>(i) + 1);
  }
  const std::set<std::int64_t> exact(table.exact.begin(), table.exact.end());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    CAPTURE(table.columns[c].name);
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const CaseRow& row : rows)
      if (const std::vector<double> numbers = numbers_of(row); c < numbers.size()) {
        least = std::min(least, numbers[c]);
        most = std::max(most, numbers[c]);
      }
    for (const double end : {least, most}) {
      const auto& values = table.columns[c].values;
      const auto at = std::find(values.begin(), values.end(), end);
      REQUIRE(at != values.end());
      const bool all_exact = std::any_of(values.begin(), values.end(), [&](const double& value) {
        const auto i = static_cast<std::size_t>(&value - values.data());
        return value == end && (i < table.first || exact.contains(table.ids[i]));
      });
      CHECK(all_exact);
    }
  }
  std::int64_t against = 0;
  for (const CaseTable::Reason& reason : table.reason_names) against += reason.cases;
  CHECK(against == static_cast<std::int64_t>(rows.size() - feasible));
  const Json codes = case_codes(table, limits);
  CHECK(codes["of"] == rows.size());
  CHECK(codes["rows"] == table.ids.size());
  CHECK(codes["first_exact"] == 10);

  // with room for all nothing is left out
  const CaseTable whole = case_table(results, study, also);
  CHECK(whole.ids.size() == rows.size());
  CHECK(whole.feasible == feasible);
  CHECK(whole.first == feasible);
}
