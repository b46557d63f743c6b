#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cases/case_evaluator.hpp"
#include "cases/case_rows.hpp"
#include "cases/provenance.hpp"
#include "input/reading/read.hpp"
#include "results/text/cells.hpp"
#include "springs/proof/verify.hpp"
#include "tests/springs/sized_pendulum.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

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
  Verifier verifier(results, kept);
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
    const Json text = Json::parse(certificate->text);
    const Json numbers = text.flatten();
    for (const auto& [pointer, number] : numbers.items()) {
      if (!number.is_number()) continue;
      const double was = number.get<double>();
      const std::string key = pointer.substr(pointer.rfind('/') + 1);
      if (key == "value" || key == "gap" || key == "reference") continue;
      if (std::abs(was) < 1e-12 && key != "sample" && key != "index") continue;
      Json larger = text;
      larger[Json::json_pointer(pointer)] = was * 1.01 + (was == std::floor(was) ? 1 : 0);
      CertificateRow other = *certificate;
      other.text = json_text(larger);
      ++changed;
      bool valid = false;
      try {
        valid = verifier.verify(*row, other).valid;
      } catch (const InputError&) {  // an index beyond what there is
      }
      CAPTURE(pointer, was);
      CHECK_FALSE(valid);
      refused += valid ? 0 : 1;
    }
    CHECK(changed > 3);
    CHECK(refused == changed);
  }
  SECTION("a goal has no bounds, and files of earlier versions say so") {
    Json text = Json::parse(certificate->text);
    CHECK_FALSE(text.at("goal").contains("bounds"));
    CertificateRow other = *certificate;
    text["goal"]["bounds"] = Json::array();
    other.text = json_text(text);
    CHECK(verifier.verify(*row, other).valid);
    text["goal"]["bounds"].push_back({{"objective", "mean"}, {"most", 1}});
    other.text = json_text(text);
    CHECK_THAT(verifier.verify(*row, other).fault, Catch::Contains("\"bounds\""));
  }
  SECTION("a goal that is not the study's") {
    Json text = Json::parse(certificate->text);
    text["goal"]["largest"][0]["weight"] = 1000;
    CertificateRow other = *certificate;
    other.text = json_text(text);
    const Verdict refused = verifier.verify(*row, other);
    CHECK_FALSE(refused.valid);
    CHECK_THAT(refused.fault, Catch::Contains("another goal"));
  }
  SECTION("a metric that is not the case's") {
    CaseRow other = *row;
    other.metrics.at(0) *= 1.001;
    CHECK_FALSE(verifier.verify(other, *certificate).valid);
  }
  SECTION("a case far above its bound") {
    // honest in all but that better springs exist
    const std::vector<double> worse = {50.0, 0.1, 5.0};
    CaseEvaluator evaluator(kept);
    evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
    CaseOutcome outcome;
    evaluator.evaluate(worse, outcome);
    REQUIRE(outcome.status == CaseStatus::feasible);
    const CaseRow other = row_of(kept, 1, worse, outcome);
    CertificateRow moved = *certificate;
    moved.gap = other.objectives.at(0) - moved.bound;
    CHECK_FALSE(verifier.verify(other, moved).valid);
  }
  SECTION("a case that is not where it says") {
    CaseRow moved = *row;
    moved.variables[0] = Value{std::get<double>(moved.variables[0]) * 0.9};
    CHECK_FALSE(verifier.verify(moved, *certificate).valid);
  }
}
