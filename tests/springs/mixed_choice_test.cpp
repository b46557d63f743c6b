#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "results/text/cells.hpp"
#include "springs/proof/verify.hpp"
#include "tests/springs/stocked_arm.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const std::string chosen_and_sized = stocked_arm::catalogue_variable('a') + ", " +
                                     stocked_arm::catalogue_variable('c') +
                                     R"(, "kb": {"range": [10, 400]}, "fb": {"range": [0, 20]})";
const std::string best_alone = R"("search": {"method": "exact-springs"})";
const std::string with_list =
    R"("search": {"method": "exact-springs", "within_percent": 30, "max_cases": 40})";
const std::string mean = R"({"name": "o", "minimize": "mean", "of": ["shoulder", "elbow"]})";
const std::string with_limit =
    R"(, "constraints": [{"name": "ease", "expression": "elbow.max", "max": 9},
{"name": "pull", "expression": "a.max_tension", "max": 60}])";

Json witnesses_in(const CertificateRow& certificate) {
  return Json::parse(certificate.text).at("choice").at("witnesses");
}

std::size_t witnesses_of(const CertificateRow& certificate) {
  return witnesses_in(certificate).size();
}

CertificateRow with_in_choice(CertificateRow certificate, const char* key, const Json& value) {
  Json text = Json::parse(certificate.text);
  text["choice"][key] = value;
  certificate.text = json_text(text);
  return certificate;
}

/// A certificate that says `value` wherever it said what its case reached.
CertificateRow saying(const CertificateRow& certificate, double value) {
  CertificateRow other = with_in_choice(certificate, "best", value);
  other.bound = value;
  other.gap = 0.0;
  return other;
}

CertificateRow without_witnesses(const CertificateRow& certificate) {
  return with_in_choice(certificate, "witnesses", Json::array());
}

/// The first that has this single multiplier of the pieces.
Json& witness_of_piece(Json& witnesses, double multiplier) {
  const auto found = std::find_if(witnesses.begin(), witnesses.end(), [&](const Json& witness) {
    return witness.at("pieces") == Json::array({multiplier});
  });
  REQUIRE(found != witnesses.end());
  return *found;
}

}  // namespace

TEST_CASE("beside sized springs every combination is settled without a solver") {
  const auto [objective, rest] = GENERATE(table<std::string, std::string>(
      {{stocked_arm::peak, ""}, {mean, ""}, {stocked_arm::peak, with_limit}}));
  const auto seed = GENERATE(as<std::uint64_t>{}, 3, 4, 5);
  CAPTURE(objective, rest, seed);
  const Study study = stocked_arm::study(chosen_and_sized, best_alone, objective, rest, seed);
  const auto path = fresh("mixed.db");
  run_to(study, path, 1);
  const ResultsFile results(path);
  REQUIRE(results.count(Status::feasible) == 1);
  const CaseRow row = *results.find(1);
  const CertificateRow certificate = *results.certificate(1);
  Verifier verifier(results, study);
  const Verdict verdict = verifier.verify(row, certificate);
  CAPTURE(verdict.fault, witnesses_of(certificate));
  CHECK(verdict.valid);
  CHECK(verdict.unsettled == 0);
  CHECK(verdict.combinations > 1);
  CHECK(verdict.gap <= 1e-6 * verdict.value);

  SECTION("a worse combination does not pass for the best") {
    const Study listed = stocked_arm::study(chosen_and_sized, with_list, objective, rest, seed);
    const auto list_path = fresh("mixed_list.db");
    run_to(listed, list_path, 1);
    const std::vector<CaseRow> rows = rows_of(list_path);
    REQUIRE(rows.size() > 1);
    CHECK(rows.front().objectives == row.objectives);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const double value = rows[i].objectives.front();
      if (!(value > row.objectives.front() * (1 + 2e-6))) continue;
      CaseRow worse = rows[i];
      worse.id = 1;
      const Verdict refused = verifier.verify(worse, saying(certificate, value));
      CHECK_FALSE(refused.valid);
      CHECK(refused.unsettled > 0);
      CHECK(refused.unsettled <= refused.combinations);
      CHECK_THAT(refused.fault, Catch::Contains("not settled"));
    }
  }
  SECTION("without witnesses what they settled is not proved") {
    const Verdict open = verifier.verify(row, without_witnesses(certificate));
    if (witnesses_of(certificate) == 0) return;
    CHECK_FALSE(open.valid);
    CHECK(open.unsettled > 0);
    CHECK_THAT(open.fault, Catch::Contains("not settled"));
  }
}

TEST_CASE("the list beside sized springs is what sizing beside each row alone gives") {
  const std::string sized = R"("kb": {"range": [10, 400]}, "fb": {"range": [0, 20]})";
  const Study study =
      stocked_arm::study(stocked_arm::catalogue_variable('a') + ", " + sized, with_list, mean);
  const auto path = fresh("mixed_near.db");
  run_to(study, path, 1);
  std::vector<double> found;
  for (const CaseRow& row : rows_of(path)) found.push_back(row.objectives.front());
  REQUIRE(found.size() > 3);

  std::vector<double> alone;
  std::istringstream lines(stocked_arm::random_catalogue(3));
  std::string line;
  std::getline(lines, line);
  const std::string header = line;
  while (std::getline(lines, line)) {
    const Study one = stocked_arm::study_with(stocked_arm::catalogue_variable('a') + ", " + sized,
                                              best_alone, mean, "", header + "\n" + line + "\n");
    const auto row = rows_when_run(one, "mixed_alone.db").front();
    if (row.status == Status::feasible) alone.push_back(row.objectives.front());
  }
  std::sort(alone.begin(), alone.end());
  const double most = 1.3 * alone.front();
  std::erase_if(alone, [&](double value) { return value > most; });
  REQUIRE(found.size() == std::min<std::size_t>(alone.size(), 40));
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(alone[i]).epsilon(1e-9));

  const ResultsFile results(path);
  Verifier verifier(results, study);
  const Verdict verdict = verifier.verify(*results.find(1), *results.certificate(1));
  CAPTURE(verdict.fault);
  CHECK(verdict.valid);
  CHECK(witnesses_of(*results.certificate(1)) > 0);
  const CertificateRow open = without_witnesses(*results.certificate(1));
  CHECK_THAT(verifier.verify(*results.find(1), open).fault, Catch::Contains("not settled"));
}

TEST_CASE("a combination that cannot meet the limits is settled by a proof of that") {
  const Study study = stocked_arm::study(chosen_and_sized, best_alone, mean, with_limit);
  const auto path = fresh("mixed_limits.db");
  run_to(study, path, 1);
  const ResultsFile results(path);
  const CertificateRow certificate = *results.certificate(1);
  Json witnesses = witnesses_in(certificate);
  Json& multiplier = witness_of_piece(witnesses, 0)["limits"].at(0)["multiplier"];
  multiplier = -multiplier.get<double>();
  Verifier verifier(results, study);
  CHECK(verifier.verify(*results.find(1), certificate).valid);
  const CertificateRow other = with_in_choice(certificate, "witnesses", witnesses);
  CHECK_FALSE(verifier.verify(*results.find(1), other).valid);
}

TEST_CASE("the sum of a choice's witnesses is what decides, not what they say of themselves") {
  const Study study = stocked_arm::study(chosen_and_sized, best_alone, mean);
  const auto path = fresh("mixed_sum.db");
  run_to(study, path, 1);
  const ResultsFile results(path);
  const CertificateRow certificate = *results.certificate(1);
  REQUIRE(witnesses_of(certificate) > 0);
  Verifier verifier(results, study);
  for (const Json& wrong :
       {Json::array({2}), Json::array({-1}), Json::array({0}), Json::array({0.5}), Json::array()}) {
    Json witnesses = witnesses_in(certificate);
    witness_of_piece(witnesses, 1)["pieces"] = wrong;
    CAPTURE(wrong);
    const CertificateRow other = with_in_choice(certificate, "witnesses", witnesses);
    CHECK_FALSE(verifier.verify(*results.find(1), other).valid);
  }
}
