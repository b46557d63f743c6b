#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

#include "cases/case_evaluator.hpp"
#include "input/reading/read.hpp"
#include "input/text/json_document.hpp"
#include "tests/springs/sized_pendulum.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

TEST_CASE("one design takes over 70 % off the peak and the mean of both CHARMIE actuators") {
  const Study study =
      read_study(std::filesystem::path(COUNTERPOISE_SOURCE_DIR) / "examples/charmie24/exact.json",
                 read_text_file);
  const auto path = fresh("charmie.db");
  run_to(study, path, 1);
  const ResultsFile results(path);
  const CaseRow best = results.find(1).value();
  const BaselineRow* springless = results.baseline("without_springs", "");
  REQUIRE(best.objectives.size() == 5);
  for (std::size_t i = 0; i < 5; ++i)
    CHECK(1.0 - best.objectives[i] / springless->objectives[i] > 0.7);
  const CertificateRow certificate = results.certificate(1).value();
  CHECK(certificate.gap < 1e-9);
  // the lift has nothing to do with the worst ratio, so its own best decides
  const auto front = fresh("charmie_front.db");
  run_to(
      read_study(std::filesystem::path(COUNTERPOISE_SOURCE_DIR) / "examples/charmie24/front.json",
                 read_text_file),
      front, 1);
  const CaseRow lift = rows_of(front).front();
  CHECK(best.objectives[1] == Approx(lift.objectives.at(0)).epsilon(1e-8));
  CHECK(best.objectives[2] == Approx(lift.objectives.at(1)).epsilon(1e-6));
  CHECK(certificate.bound == Approx(best.objectives[0]).epsilon(1e-9));

  // fine grids through the best design, of the lift's spring and of the lean's
  CaseEvaluator evaluator(study);
  evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
  CaseOutcome outcome;
  int feasible = 0;
  for (const std::size_t first : {std::size_t{0}, std::size_t{3}})
    for (int i = 0; i < 40; ++i)
      for (int j = 0; j < 5; ++j)
        for (int k = 0; k < 40; ++k) {
          std::vector<double> point;
          for (std::size_t v = 0; v < 6; ++v) point.push_back(number(best, v));
          const auto set = [&](std::size_t v, double share) {
            point[v] =
                study.variables[v].low + share * (study.variables[v].high - study.variables[v].low);
          };
          set(first, i / 39.0);
          set(first + 1, j / 4.0);
          set(first + 2, k / 39.0);
          evaluator.evaluate(point, outcome);
          if (outcome.status != CaseStatus::feasible) continue;
          ++feasible;
          REQUIRE(outcome.objectives[0] >= certificate.bound);
        }
  CHECK(feasible > 5000);
}
