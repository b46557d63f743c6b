#include <catch2/catch.hpp>

#include "cases/case_evaluator.hpp"
#include "cases/case_points.hpp"
#include "input/reading/read.hpp"
#include "tests/support/interposed/allocations.hpp"

using namespace counterpoise;

TEST_CASE("after the first ones, feasible cases of CHARMIE allocate nothing") {
  const std::string folder = COUNTERPOISE_SOURCE_DIR "/examples/charmie24/";
  const std::string file = GENERATE("robust.json", "drives.json");
  CAPTURE(file);
  const Study study = read_study(folder + file, read_text_file);
  CaseEvaluator evaluator(study);
  evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
  PointSource points(study);
  std::vector<double> point(study.variables.size());
  CaseOutcome outcome;
  int feasible = 0;
  for (std::int64_t id = 1; id <= 300; ++id) {
    points.point(id, point);
    const long before = test::allocations();
    evaluator.evaluate(point, outcome);
    const long during = test::allocations() - before;
    if (outcome.status != CaseStatus::feasible) continue;
    CAPTURE(id);
    if (++feasible > 2) CHECK(during == 0);
  }
  CHECK(feasible > 20);
}
