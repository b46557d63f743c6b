#include "cases/point_evaluator.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <thread>

#include "cases/case_judge.hpp"
#include "cases/case_points.hpp"
#include "tests/support/arm_study.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

constexpr int points_of_all = 400;

std::shared_ptr<const Study> mixed() {
  return std::make_shared<const Study>(study_of(arm_files(arm_study(
      R"("variables": {
"mount": {"range": [0.1, 0.4], "unit": "m"},
"load": {"values": [1, 1.5, 4]},
"height": {"range": [400, 600], "count": 5, "unit": "mm"},
"spring": {"catalogue": "springs.csv", "where": "rate > 200",
           "sets": {"rate": "rate", "free": "free_length"}},
"path": {"motion": ["fold", "swing"]}},
"sampling": {"method": "sobol", "count": 400, "seed": 3},
"objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder", "elbow"]}],
"constraints": [{"name": "drawn", "expression": "lift.max_length", "max": 0.75},
{"name": "light", "expression": "load * 1", "min": 1.2}],
"baseline": {"mount": 0.3})",
      R"({"swing": "swing.json", "fold": "fold.json"})"))));
}

/// Objectives and constraints of all points, NaN where there are none.
std::vector<double> numbers_of_all(const std::shared_ptr<const Study>& study) {
  PointEvaluator evaluator(study);
  PointSource source(*study);
  std::vector<double> point(study->variables.size()), numbers, constraints(2);
  CaseOutcome outcome;
  for (std::int64_t id = 1; id <= points_of_all; ++id) {
    source.point(id, point);
    evaluator.evaluate(point, outcome);
    numbers.push_back(outcome.computable ? outcome.objectives.front() : -1.0);
    evaluator.constraint_values(outcome, constraints);
    for (const double value : constraints) numbers.push_back(std::isnan(value) ? -1.0 : value);
  }
  return numbers;
}

std::string fault(const Study& study, std::vector<double> point) {
  return fault_of_point(study, point).value_or("");
}

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("eight evaluators of one study may work at once, each in a thread of its own") {
  const auto study = mixed();
  const std::vector<double> expected = numbers_of_all(study);
  std::vector<std::vector<double>> found(8);
  std::vector<std::thread> threads;
  for (std::vector<double>& own : found)
    threads.emplace_back([&own, &study] { own = numbers_of_all(study); });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<double>& own : found) CHECK(own == expected);
}

TEST_CASE("the values of constraints are those that a design is held against") {
  const auto study = mixed();
  PointEvaluator evaluator(study);
  PointSource source(*study);
  std::vector<double> point(study->variables.size()), values(2);
  CaseOutcome outcome;
  int held = 0, broken = 0;
  for (std::int64_t id = 1; id <= points_of_all; ++id) {
    source.point(id, point);
    evaluator.evaluate(point, outcome);
    evaluator.constraint_values(outcome, values);
    CHECK(std::isnan(values[0]) != outcome.computable);
    if (!outcome.computable) continue;
    CHECK(values[1] == study->variables[1].values[point[1]]);
    bool all = true;
    for (std::size_t c = 0; c < values.size(); ++c)
      all = all && values[c] >= study->constraints[c].min * (1.0 - 1e-9) &&
            values[c] <= study->constraints[c].max * (1.0 + 1e-9);
    if (outcome.status == CaseStatus::feasible) CHECK(all);
    ++(all ? held : broken);
  }
  CHECK(held > 0);
  CHECK(broken > 0);
}

TEST_CASE("a point outside the study is refused in words") {
  const auto study = mixed();
  CHECK(fault(*study, {0.2, 0, 4, 2, 1}).empty());
  CHECK(fault(*study, {0.2, 0, 4, 2}) ==
        "found 4 numbers, expected 5, one for each variable of the study");
  CHECK(fault(*study, {0.5, 0, 4, 2, 1}) == "variable mount is 0.5 m, expected 0.1 m to 0.4 m");
  CHECK(fault(*study, {NAN, 0, 4, 2, 1}) == "variable mount is nan, expected a finite number");
  for (const double level : {-1.0, 0.5, 5.0})
    CHECK(fault(*study, {0.2, 0, level, 2, 1}).ends_with("expected the number of a level, 0 to 4"));
}

TEST_CASE("values of variables have coordinates") {
  const auto study = mixed();
  const std::vector<Variable>& variables = study->variables;
  CHECK(coordinate_of(variables[0], 0.25) == 0.25);
  CHECK(coordinate_of(variables[0], "25 cm") == 0.25);
  CHECK(coordinate_of(variables[1], 1.5) == 1.0);
  CHECK(coordinate_of(variables[2], 0.55) == 3.0);
  CHECK(coordinate_of(variables[2], "550mm") == 3.0);
  CHECK(coordinate_of(variables[3], "hard") == 1.0);
  CHECK(coordinate_of_row(variables[3], 4) == 2.0);
  CHECK(coordinate_of(variables[4], "swing") == 1.0);

  CHECK(refusal([&] {
          coordinate_of(variables[2], 0.56);
        }).find("found 560 mm, expected one of its 5 levels; the nearest is 550 mm") !=
        std::string::npos);
  CHECK(refusal([&] { coordinate_of(variables[2], "0.55 kg"); }).find("goes with mm") !=
        std::string::npos);
  CHECK(refusal([&] { coordinate_of(variables[3], "hardd"); }).find("did you mean \"hard\"") !=
        std::string::npos);
  CHECK(refusal([&] { coordinate_of_row(variables[3], 1); }).find("found row 1") !=
        std::string::npos);
  CHECK(refusal([&] { coordinate_of(variables[3], 2.0); }).find("the name of a row") !=
        std::string::npos);
  CHECK(refusal([&] { coordinate_of(variables[4], "dance"); }).find("motion") != std::string::npos);
}
