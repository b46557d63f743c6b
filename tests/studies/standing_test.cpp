#include "studies/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "cases/case_rows.hpp"
#include "cases/study_units.hpp"
#include "input/reading/read.hpp"
#include "tests/cases/evaluated_arm.hpp"
#include "tests/cases/stored_rows.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// Feasible rows as a ranking has them, of one motion where `motion` is the column that selects it.
std::vector<CaseRow> ranked(const std::vector<CaseRow>& rows, const CaseRow& of, int motion) {
  std::vector<CaseRow> found;
  for (const CaseRow& row : rows)
    if (row.status == Status::feasible &&
        (motion < 0 || row.variables[motion] == of.variables[motion]))
      found.push_back(row);
  std::stable_sort(found.begin(), found.end(), [](const CaseRow& a, const CaseRow& b) {
    return a.objectives[0] < b.objectives[0];
  });
  return found;
}

/// Whether two rows are two choices; `ranges`: of columns that are continuous.
bool two_choices(const CaseRow& a, const CaseRow& b, const std::vector<double>& ranges) {
  for (std::size_t c = 0; c < a.variables.size(); ++c) {
    if (ranges[c] == 0.0) {
      if (a.variables[c] != b.variables[c]) return true;
    } else if (std::abs(std::get<double>(a.variables[c]) - std::get<double>(b.variables[c])) >
               0.01 * ranges[c]) {
      return true;
    }
  }
  return false;
}

/// Every case of a study against its place and its next by plain sorting.
void check_all(const Study& study, const std::filesystem::path& path, int motion,
               const std::vector<double>& ranges) {
  const std::vector<CaseRow> rows = rows_of(path);
  const ResultsFile results(path);
  int infeasible = 0, skipped = 0;
  bool several_motions = false;
  for (const CaseRow& row : rows) {
    CAPTURE(row.id);
    const Standing standing = standing_of(study, results, row);
    const auto all = ranked(rows, row, motion);
    several_motions =
        several_motions || (!all.empty() && all.size() != ranked(rows, row, -1).size());
    CHECK(standing.feasible == static_cast<std::int64_t>(all.size()));
    std::size_t begin = 0;
    if (row.status == Status::feasible) {
      while (all[begin].id != row.id) ++begin;
      CHECK(standing.rank == static_cast<std::int64_t>(begin) + 1);
      ++begin;
    } else {
      ++infeasible;
      CHECK(standing.rank == 0);
    }
    std::size_t next = begin;
    while (next < all.size() && !two_choices(row, all[next], ranges)) ++next;
    skipped += static_cast<int>(next - begin);
    REQUIRE(standing.next.has_value() == (next < all.size()));
    if (!standing.next) continue;
    CHECK(standing.next->row == all[next]);
    CHECK(standing.next->rank == static_cast<std::int64_t>(next) + 1);
    CHECK_FALSE(standing.next->differences.empty());
  }
  CHECK(infeasible > 0);
  CHECK(several_motions == (motion >= 0));
  if (ranges[0] > 0.0) CHECK(skipped > 0);
}

}  // namespace

TEST_CASE("rank and next best agree with sorting all rows") {
  const Study discrete = study_of(arm_files(arm_study(
      R"("variables": {"spring": {"catalogue": "springs.csv",
"sets": {"rate": "rate", "free": "free_length", "tension": "initial"}},
"height": {"range": [0.4, 0.6], "count": 4}, "twin": {"values": [0, 0.001], "sets": "shortest"},
"move": {"motion": ["fold", "swing"]}}, "sampling": {"method": "grid"},
"constraints": [{"name": "c", "expression": "lift.max_tension", "max": 400}], )" +
          one_objective,
      R"({"swing": "swing.json", "fold": "fold.json"})")));
  const auto path = fresh("discrete.db");
  run_to(discrete, path, 1);
  // spring, spring.row, height, twin, move
  check_all(discrete, path, 4, {0, 0, 0, 0, 0});

  const Study continuous = study_of(arm_files(arm_study(
      R"("variables": {"rate": {"range": [100, 900]}},
"sampling": {"method": "random", "count": 300, "seed": 5},
"constraints": [{"name": "c", "expression": "lift.max_tension", "max": 250}], )" +
      one_objective)));
  const auto other = fresh("continuous.db");
  run_to(continuous, other, 1);
  check_all(continuous, other, -1, {800.0});
}

TEST_CASE("differences name the variables that differ, and no others") {
  const Study study = study_of(arm_files(arm_study(
      R"("variables": {"spring": {"catalogue": "springs.csv",
"sets": {"rate": "rate", "free": "free_length", "tension": "initial"}},
"height": {"range": [0.4, 0.6], "count": 4}}, "sampling": {"method": "grid"}, )" +
      one_objective)));
  const auto path = fresh("differences.db");
  run_to(study, path, 1);
  const ResultsFile results(path);
  for (const CaseRow& row : rows_of(path)) {
    const Standing standing = standing_of(study, results, row);
    if (!standing.next) continue;
    std::map<std::string, std::pair<Value, Value>> expected;
    const CaseRow& other = standing.next->row;
    if (row.variables[0] != other.variables[0])
      expected["spring"] = {row.variables[0], other.variables[0]};
    if (row.variables[2] != other.variables[2])
      expected["height"] = {row.variables[2], other.variables[2]};
    REQUIRE(standing.next->differences.size() == expected.size());
    for (const Standing::Difference& difference : standing.next->differences) {
      REQUIRE(expected.contains(difference.variable));
      CHECK(difference.own == expected[difference.variable].first);
      CHECK(difference.other == expected[difference.variable].second);
    }
  }
}

TEST_CASE("a limit binds where the model is given that very number, and breaks a little beyond") {
  // the lengths, positions and loads that the case comes to, from a run of its own
  const auto extremes = [](const std::string& column_name, double rate) {
    const Model model = model_of(arm_with(rate, 0.1));
    const auto motion = read_motion("m.json", model, texts({{"m.json", swing}}));
    const auto result = simulate(model.nominal, motion.nominal, {});
    const auto& values = column_of(std::get<Simulation>(result), column_name);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return std::pair{*least, *most};
  };
  constexpr double rate = 640.0;
  const auto [shortest, longest] = extremes("lift.length", rate);
  const auto [weakest, strongest] = extremes("lift.tension", rate);
  const auto [low, high] = extremes("shoulder.position", rate);
  const auto [least, most] = extremes("elbow.load", rate);
  const double load = std::max(std::abs(least), std::abs(most));
  static_cast<void>(weakest);

  const auto names_with = [&](const std::string& on_spring, const std::string& on_elbow,
                              const std::string& on_shoulder, const std::string& constraint,
                              bool broken, double closeness = binding_closeness) {
    Files files = arm_files(arm_study(
        R"("variables": {"rate": {"values": [640, 300, 500]}, "height": {"range": [0.4, 0.5], "count": 3}},
"sampling": {"method": "grid"}, )" +
        constraint + one_objective));
    files["model.json"] =
        with(with(with(arm_with_springs, R"("min_length": "shortest"})", on_spring + "}"),
                  R"({"name": "elbow", "joint": "lower"})",
                  R"({"name": "elbow", "joint": "lower")" + on_elbow + "}"),
             R"("max_load": "strongest"})", on_shoulder + "}");
    Ready ready(files);
    const std::vector<double> point = {0.0, 2.0};  // rate 640, height 0.5
    const CaseOutcome outcome = ready.at(point);
    const std::vector<double> parameters(ready.evaluator.parameters().begin(),
                                         ready.evaluator.parameters().end());
    const auto motions = compared_motions(ready.study, ready.evaluator, point);
    std::vector<std::string> names;
    for (const BindingLimit& limit : binding_limits(
             ready.study, motions, {point, parameters, &outcome, &ready.baselines->pairs.front()},
             closeness)) {
      const bool range = limit.name.find(" bound ") != std::string::npos;
      CHECK(limit.broken == (broken && !range));
      names.push_back(limit.name);
    }
    CHECK((outcome.status == CaseStatus::infeasible) == broken);
    return names;
  };
  // of three rates the largest, of three heights the largest
  const std::vector<std::string> ends = {"rate at its upper bound 640",
                                         "height at its upper bound 0.5"};
  for (const double away : {5e-4, 2e-3}) {
    CAPTURE(away);
    std::vector<std::string> near = ends;
    if (away < Explanation::near_closeness) near.insert(near.begin(), "min_length of lift");
    const std::string limit = fmt::format("\"min_length\": {}", shortest * (1 - away));
    CHECK(names_with(limit, "", R"("max_load": 1e6)", "", false, Explanation::near_closeness) ==
          near);
  }
  for (const double change : {0.0, 1e-4, -1e-4}) {
    CAPTURE(change);
    const bool tightened = change > 0.0;
    const auto number = [](double value) { return fmt::format("{}", value); };
    const auto expected = [&](const std::string& name) {
      std::vector<std::string> names;
      if (change >= 0.0) names.push_back(name);
      names.insert(names.end(), ends.begin(), ends.end());
      return names;
    };
    const std::string none = R"("min_length": 0)", free = R"("max_load": 1e6)";
    CHECK(names_with(R"("min_length": )" + number(shortest * (1 + change)), "", free, "",
                     tightened) == expected("min_length of lift"));
    CHECK(names_with(R"("max_length": )" + number(longest * (1 - change)), "", free, "",
                     tightened) == expected("max_length of lift"));
    CHECK(names_with(R"("max_load": )" + number(strongest * (1 - change)), "", free, "",
                     tightened) == expected("max_load of lift"));
    CHECK(names_with(none, R"(, "max_load": )" + number(load * (1 - change)), free, "",
                     tightened) == expected("max_load of actuator elbow"));
    CHECK(names_with(none, "", R"("min_position": )" + number(low * (1 - change)), "", tightened) ==
          expected("min_position of actuator shoulder"));
    CHECK(names_with(none, "", R"("max_position": )" + number(high * (1 - change)), "",
                     tightened) == expected("max_position of actuator shoulder"));
    CHECK(names_with(none, "", free,
                     R"("constraints": [{"name": "c", "expression": "lift.max_tension", "max": )" +
                         number(strongest * (1 - change)) + "}], ",
                     tightened) ==
          expected(fmt::format("constraint c at most {:.6g}", strongest * (1 - change))));
  }
}

TEST_CASE("an exact search's case is explained from its certificate and without it alike") {
  Files files = arm_files(arm_study(
      R"("variables": {"rate": {"range": [100, 420]}, "tension": {"range": [1, 20]}},
"search": {"method": "exact-springs"}, )" +
      one_objective));
  const Study study = study_of(files);
  const auto path = fresh("exact.db");
  run_to(study, path, 1);
  const ResultsFile results(path);
  const auto row = results.find(1);
  REQUIRE(row);
  Ready ready(files);
  const std::vector<double> point = point_of(study, *row);
  const CaseOutcome outcome = ready.at(point);
  const Explanation explained =
      explain(ready.study, results, *row, point, outcome, ready.evaluator, ready.baselines);
  REQUIRE(explained.optimum);
  CHECK(explained.exact);
  CHECK(explained.optimum->stored);
  CHECK(explained.optimum->value == Approx(outcome.objectives[0]).epsilon(1e-12));
  REQUIRE_FALSE(explained.optimum->limits.empty());
  REQUIRE_FALSE(explained.optimum->held_by.empty());
  const std::vector<double> parameters(ready.evaluator.parameters().begin(),
                                       ready.evaluator.parameters().end());
  const auto again =
      spring_optimum(ready.study, {point, parameters, &outcome, &ready.baselines->pairs.front()},
                     ready.baselines, std::nullopt);
  REQUIRE(again);
  CHECK_FALSE(again->stored);
  REQUIRE(again->limits.size() == explained.optimum->limits.size());
  for (std::size_t i = 0; i < again->limits.size(); ++i) {
    CHECK(again->limits[i].name == explained.optimum->limits[i].name);
    CHECK(again->limits[i].per_unit ==
          Approx(explained.optimum->limits[i].per_unit).epsilon(1e-12));
  }
  // what has a price is not listed again without one
  for (const BindingLimit& limit : explained.binding)
    for (const ShadowPrice& price : explained.optimum->limits) CHECK(limit.name != price.name);
  // instants with weight are where the load is largest
  for (const MetricHold::Instant& instant : explained.optimum->held_by.front().instants) {
    const auto& instants = explained.actuators.front().instants;
    CHECK(std::any_of(instants.begin(), instants.end(), [&](const CriticalInstant& critical) {
      return critical.time == Approx(instant.time) &&
             std::abs(critical.split.load) == Approx(outcome.objectives[0]).epsilon(1e-8);
    }));
  }
  // worse springs at the same geometry are not explained by the optimum's multipliers
  const std::vector<double> worse = {150.0, 3.0};
  const CaseOutcome other = ready.at(worse);
  const auto none =
      spring_optimum(ready.study, {worse, parameters, &other, &ready.baselines->pairs.front()},
                     ready.baselines, std::nullopt);
  REQUIRE(none);
  CHECK(none->limits.empty());
  CHECK_FALSE(none->no_shadow_prices.empty());
  CHECK(none->gap() > 0.01 * none->value);
}
