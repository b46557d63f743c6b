#include <catch2/catch.hpp>
#include <cmath>

#include "studies/cases/case_evaluator.hpp"
#include "studies/proof/verify.hpp"
#include "studies/provenance.hpp"
#include "tests/studies/springs/sized_pendulum.hpp"
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
    CHECK(rows[0].objectives[0] < 1e-9 * pendulum::weight);
    CHECK(number(rows[0], 0) == Approx(pendulum::balancing_rate).epsilon(1e-9));
  }
}

TEST_CASE("free length and initial tension come out of a perfect balance as nothing") {
  const auto rows =
      rows_when_run(pendulum::study(pendulum::whole_spring, pendulum::peak), "whole.db");
  CHECK(rows[0].objectives[0] < 1e-9 * pendulum::weight);
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
    CHECK(rows[0].objectives[0] > 0.01 * pendulum::weight);
    CHECK(never_beaten(study, rows[0].objectives[0] * (1 - 1e-9), 20000));
  }
}

TEST_CASE("an optimum lies on the limit that keeps it from more") {
  // the post is nearest to the mount at q = 1.5, so closed coils limit the free length
  const std::string bounds = R"("rate": {"range": [200, 2000]}, "free": {"range": [0, 0.5]})";
  const auto rows = rows_when_run(pendulum::study(bounds, pendulum::peak), "coils.db");
  const double shortest = std::sqrt(0.45 * 0.45 + 0.25 * 0.25 - 2 * 0.45 * 0.25 * std::sin(1.2));
  CHECK(rows[0].status == Status::feasible);
  CHECK(number(rows[0], 1) <= 0.5);
  CHECK(shortest > 0.0);

  const auto pulled = rows_when_run(
      pendulum::study(pendulum::rate, pendulum::peak, "",
                      R"(, "constraints": [{"name": "pull", "expression": "spring.max_tension",
                          "max": 30}])"),
      "pull.db");
  CHECK(pulled[0].status == Status::feasible);
  // the longest spring of the motion, at q = -1.2 in the model's turning sense
  const double longest = 30.0 / number(pulled[0], 0);
  CHECK(longest > 0.45);
  CHECK(number(pulled[0], 0) < pendulum::balancing_rate);
}

TEST_CASE("limits that exclude each other are named as a smallest set") {
  const auto rows = rows_when_run(pendulum::study(pendulum::rate, pendulum::peak, "",
                                                  R"(, "constraints": [
    {"name": "pull", "expression": "spring.max_tension", "max": 30},
    {"name": "ease", "expression": "pivot.max", "max": 3},
    {"name": "slack", "expression": "pivot.mean", "max": 100}])"),
                                  "conflict.db");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].status == Status::infeasible);
  CHECK(
      rows[0].reason ==
      "no springs can meet all of: constraint pull at most 30, constraint ease at most 3; without "
      "any one of these the others can be met");
}

TEST_CASE("a limit that no spring can meet is named alone") {
  const auto rows = rows_when_run(
      pendulum::study(R"("tension": {"range": [10, 50]})", pendulum::peak, "",
                      R"(, "constraints": [{"name": "pull", "expression": "spring.max_tension",
                          "max": 30}])"),
      "alone.db");
  CHECK(rows[0].status == Status::infeasible);
  CHECK(rows[0].reason.find("constraint pull at most 30") != std::string::npos);
  CHECK(rows[0].reason.find("tension at least 10") != std::string::npos);
}

TEST_CASE("springs that reach nothing, identical springs and loads that are zero have an answer") {
  SECTION("a spring that pulls through the pivot changes nothing") {
    const auto rows = rows_when_run(
        pendulum::study(R"("other_rate": {"range": [0, 2000]})", pendulum::peak), "idle.db");
    CHECK(rows[0].status == Status::feasible);
    const auto path = fresh("idle_again.db");
    run_to(pendulum::study(R"("other_rate": {"range": [0, 2000]})", pendulum::peak), path, 1);
    CHECK(rows[0].objectives[0] ==
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
    CHECK(rows[0].objectives[0] < 1e-9 * pendulum::weight);
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
    CHECK(rows[0].objectives[0] == 0.0);
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
  const Study study = pendulum::study(
      R"("rate": {"range": [0, 90]}, "free": {"range": [0.02, 0.3]}, )" + pendulum::tension,
      pendulum::peak + ", " + pendulum::mean);
  const auto rows = rows_when_run(study, "ties.db");
  const auto alone = rows_when_run(
      pendulum::study(R"("rate": {"range": [0, 90]}, "free": {"range": [0.02, 0.3]}, )" +
                      pendulum::tension),
      "alone_peak.db");
  CHECK(rows[0].objectives[0] == Approx(alone[0].objectives[0]).epsilon(1e-9));
}

TEST_CASE("a stored certificate is added up again, and a changed one is refused") {
  const Study study = pendulum::study(
      R"("rate": {"range": [0, 90]}, "free": {"range": [0.02, 0.3]}, )" + pendulum::tension,
      pendulum::mean, "", "", R"("slow": "slow.json", "quick": "quick.json")");
  const auto path = fresh("proof.db");
  run_to(study, path, 1);
  const ResultsFile results(path);
  const auto certificate = results.certificate(1);
  const auto row = results.find(1);
  REQUIRE(certificate);
  REQUIRE(row);
  const Study kept = read_study(stored_study_path(results.study()), stored_files(results.study()));
  Verifier verifier(kept);
  const Verdict verdict = verifier.verify(*row, *certificate);
  CAPTURE(verdict.fault);
  CHECK(verdict.valid);
  CHECK(verdict.gap <= 1e-9 * pendulum::weight);
  CHECK(verdict.bound == Approx(certificate->bound).epsilon(1e-12));

  SECTION("a bound that its multipliers do not prove") {
    CertificateRow raised = *certificate;
    raised.bound *= 1.001;
    CHECK_FALSE(verifier.verify(*row, raised).valid);
  }
  SECTION("every number of its text") {
    // each number in turn, a little larger: multipliers, weights, unknowns, the bound
    int changed = 0, refused = 0;
    const std::string& text = certificate->text;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const bool begins =
          (std::isdigit(text[at]) != 0) && (text[at - 1] == ' ' || text[at - 1] == '[');
      if (!begins) continue;
      std::size_t end = at;
      while (end < text.size() &&
             std::string("0123456789.e+-").find(text[end]) != std::string::npos)
        ++end;
      const double was = std::stod(text.substr(at, end - at));
      const std::string_view before(text.data(), at);
      const auto key_at = before.rfind('"', before.rfind('"') - 1);
      const std::string_view key = before.substr(key_at + 1, before.rfind('"') - key_at - 1);
      if (key == "t" || key == "value" || key == "gap" || key == "reference") continue;
      if (std::abs(was) < 1e-12 && key != "sample" && key != "index") continue;
      CertificateRow other = *certificate;
      other.text = text.substr(0, at) +
                   std::to_string(was * 1.01 + (was == std::floor(was) ? 1 : 0)) + text.substr(end);
      ++changed;
      bool valid = false;
      try {
        valid = verifier.verify(*row, other).valid;
      } catch (const InputError&) {  // an index beyond what there is
      }
      CAPTURE(key, was);
      CHECK_FALSE(valid);
      refused += valid ? 0 : 1;
    }
    CHECK(changed > 3);
    CHECK(refused == changed);
  }
  SECTION("a case that is not where it says") {
    CaseRow moved = *row;
    moved.variables[0] = Value{std::get<double>(moved.variables[0]) * 0.9};
    CHECK_FALSE(verifier.verify(moved, *certificate).valid);
  }
}
