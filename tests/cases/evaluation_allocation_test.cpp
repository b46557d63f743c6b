#include <catch2/catch.hpp>

#include "cases/case_evaluator.hpp"
#include "cases/case_points.hpp"
#include "engine/mechanism/stage.hpp"
#include "input/reading/read.hpp"
#include "tests/support/interposed/allocations.hpp"

using namespace counterpoise;

namespace {

/// The text of a file, in which the drives of a study sit on the trunk.
std::string with_mounted_drives(const std::filesystem::path& path) {
  std::string text = read_text_file(path);
  const std::string end = R"("minimise": "price"})";
  const std::string mounted =
      R"("minimise": "price", "mounted_on": {"body": "trunk", "point": [0.05, 0, 0.1]}})";
  for (std::size_t at = text.find(end); at != std::string::npos;
       at = text.find(end, at + mounted.size()))
    text.replace(at, end.size(), mounted);
  return text;
}

}  // namespace

TEST_CASE("after the first ones, feasible cases of CHARMIE allocate nothing") {
  const std::string folder = COUNTERPOISE_SOURCE_DIR "/examples/charmie24/";
  const std::string file = GENERATE("robust.json", "drives.json");
  const bool mounted = file == "drives.json" && GENERATE(false, true);
  CAPTURE(file, mounted);
  const Study study = read_study(folder + file, mounted ? with_mounted_drives : read_text_file);
  REQUIRE(study.carries_drives() == mounted);
  CaseEvaluator evaluator(study);
  evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
  PointSource points(study);
  std::vector<double> point(study.variables.size());
  CaseOutcome outcome;
  // the passes that only such cases reach make room for the shapes that they remember
  const int first = mounted ? static_cast<int>(remembered_shapes) : 2;
  int feasible = 0;
  for (std::int64_t id = 1; id <= 300; ++id) {
    points.point(id, point);
    const long before = test::allocations();
    evaluator.evaluate(point, outcome);
    const long during = test::allocations() - before;
    if (outcome.status != CaseStatus::feasible) continue;
    CAPTURE(id);
    if (++feasible > first) CHECK(during == 0);
  }
  CHECK(feasible > 20);
}
