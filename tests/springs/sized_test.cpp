#include <catch2/catch.hpp>
#include <cmath>

#include "cases/case_evaluator.hpp"
#include "tests/springs/sized_pendulum.hpp"
#include "tests/support/random.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// Objectives of a design by the evaluator of single cases.
CaseOutcome evaluated(const Study& study, const std::vector<double>& point) {
  CaseEvaluator evaluator(study);
  evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
  CaseOutcome outcome;
  evaluator.evaluate(point, outcome);
  return outcome;
}

/// No design of a random sample within the ranges is better than `bound`.
bool never_beaten(const Study& study, double bound, int samples) {
  CaseEvaluator evaluator(study);
  evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
  Random random(11);
  std::vector<double> point(study.variables.size());
  CaseOutcome outcome;
  int feasible = 0;
  for (int i = 0; i < samples; ++i) {
    for (std::size_t v = 0; v < point.size(); ++v)
      point[v] = random.uniform(study.variables[v].low, study.variables[v].high);
    evaluator.evaluate(point, outcome);
    if (outcome.status != CaseStatus::feasible) continue;
    ++feasible;
    if (outcome.objectives.front() < bound) return false;
  }
  return feasible > samples / 50;
}

}  // namespace

TEST_CASE("the rate that balances a pendulum everywhere is found exactly") {
  for (const std::string& objective : {pendulum::peak, pendulum::mean, pendulum::rms}) {
    CAPTURE(objective);
    const auto rows = rows_when_run(pendulum::study(pendulum::rate, objective), "balance.db");
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].status == Status::feasible);
    CHECK(rows[0].objectives.at(0) < 1e-9 * pendulum::weight);
    CHECK(number(rows[0], 0) == Approx(pendulum::balancing_rate).epsilon(1e-9));
  }
}

TEST_CASE("free length and initial tension come out of a perfect balance as nothing") {
  const auto rows =
      rows_when_run(pendulum::study(pendulum::whole_spring, pendulum::peak), "whole.db");
  CHECK(rows[0].objectives.at(0) < 1e-9 * pendulum::weight);
  CHECK(number(rows[0], 0) == Approx(pendulum::balancing_rate).epsilon(1e-9));
  // tension = F0 - k L0 + k length: only what the two come to together is determined
  CHECK(number(rows[0], 2) == Approx(number(rows[0], 0) * number(rows[0], 1)).margin(1e-6));
}

TEST_CASE("no design of a random sample beats the optimum, which the engine confirms") {
  for (const std::string& objective : {pendulum::peak, pendulum::mean, pendulum::rms}) {
    CAPTURE(objective);
    const Study study = pendulum::study(
        R"("rate": {"range": [0, 90]}, "free": {"range": [0.02, 0.3]}, )" + pendulum::tension,
        objective, "", "", R"("slow": "slow.json", "quick": "quick.json")");
    const auto rows = rows_when_run(study, "random.db");
    const std::vector<double> point = {number(rows[0], 0), number(rows[0], 1), number(rows[0], 2)};
    const CaseOutcome again = evaluated(study, point);
    CHECK(again.status == CaseStatus::feasible);
    CHECK(again.objectives == rows[0].objectives);
    CHECK(rows[0].objectives.at(0) > 0.01 * pendulum::weight);
    CHECK(never_beaten(study, rows[0].objectives.at(0) * (1 - 1e-9), 20000));
  }
}

TEST_CASE("springs that reach nothing, identical springs and loads that are zero have an answer") {
  SECTION("a spring that pulls through the pivot changes nothing") {
    const auto rows = rows_when_run(
        pendulum::study(R"("other_rate": {"range": [0, 2000]})", pendulum::peak), "idle.db");
    CHECK(rows[0].status == Status::feasible);
    const auto path = fresh("idle_again.db");
    run_to(pendulum::study(R"("other_rate": {"range": [0, 2000]})", pendulum::peak), path, 1);
    CHECK(rows[0].objectives.at(0) ==
          Approx(ResultsFile(path).baseline("baseline", "")->objectives.at(0)).epsilon(1e-12));
  }
  SECTION("two springs side by side share the work in any way") {
    const std::string twin =
        with(pendulum::model, R"(["world.side", "link.root"])", R"(["world.post", "link.mount"])");
    const std::string text = R"({"format": "counterpoise-study/1", "model": "twin.json",
"motions": {"slow": "slow.json"}, "variables": {"rate": {"range": [0, 2000]},
"other_rate": {"range": [0, 2000]}}, "search": {"method": "exact-springs"},
"objectives": [)" + pendulum::peak +
                             "]}";
    const Study study =
        study_of({{"study.json", text}, {"twin.json", twin}, {"slow.json", pendulum::slow}});
    const auto rows = rows_when_run(study, "twin.db");
    CHECK(rows[0].objectives.at(0) < 1e-9 * pendulum::weight);
    CHECK(number(rows[0], 0) + number(rows[0], 1) ==
          Approx(pendulum::balancing_rate).epsilon(1e-9));
  }
  SECTION("nothing to carry") {
    const std::string text = R"({"format": "counterpoise-study/1", "model": "light.json",
"motions": {"slow": "slow.json"}, "variables": {"rate": {"range": [0, 2000]}},
"search": {"method": "exact-springs"}, "objectives": [)" +
                             pendulum::peak + "]}";
    const Study study =
        study_of({{"study.json", text},
                  {"light.json", with(pendulum::model, R"("mass": 4)", R"("mass": 0)")},
                  {"slow.json", pendulum::slow}});
    const auto rows = rows_when_run(study, "light.db");
    CHECK(rows[0].status == Status::feasible);
    CHECK(rows[0].objectives.at(0) == 0.0);
    CHECK(number(rows[0], 0) == 0.0);
  }
  SECTION("a range of almost nothing") {
    const auto rows = rows_when_run(
        pendulum::study(R"("rate": {"range": [100, 100.0000001]})", pendulum::peak), "narrow.db");
    CHECK(rows[0].status == Status::feasible);
    CHECK(number(rows[0], 0) == Approx(100.0).epsilon(1e-8));
  }
}

TEST_CASE("among springs that do as well for the first objective the others decide") {
  // loads up to 5 N m are all the same to it, and the least pull of the spring has no more than
  // that
  const std::string enough = R"text({"name": "enough", "expression": "max(pivot.max, 5)"})text";
  const std::string pull = R"({"name": "pull", "expression": "spring.max_tension"})";
  const auto rows = rows_when_run(pendulum::study(pendulum::rate, enough + ", " + pull), "ties.db");
  REQUIRE(rows[0].status == Status::feasible);
  CHECK(rows[0].objectives.at(0) == Approx(5.0).epsilon(1e-9));
  CHECK(number(rows[0], 0) ==
        Approx((pendulum::weight - 5.0) / (pendulum::post * pendulum::mount)).epsilon(1e-3));
}
