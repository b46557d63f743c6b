#include <catch2/catch.hpp>

#include "tests/springs/mounts/grid_oracle.hpp"
#include "tests/springs/mounts/stocked_arm.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

TEST_CASE("no catalogue springs on a grid of mounts are better than what is proved of all") {
  Random random(411);
  const auto path = fresh("stocked.db");
  Ends ends;
  const int count = trials(40);
  for (int i = 0; i < count; ++i) {
    Stocked asked;
    asked.both = random.chance(0.5);
    asked.objective = mounted_arm::objectives()[random.below(5)];
    if (random.chance(0.3)) asked.mounts = R"("height": {"range": [0.3, 0.7]}, )" + asked.mounts;
    if (random.chance(0.3))
      asked.rest = fmt::format(R"(, "constraints": [
{{"name": "pull", "expression": "first.max_tension", "max": {:.3g}}},
{{"name": "taut", "expression": "second.min_tension - 0.2*first.max_tension", "min": {:.3g}}}])",
                               random.uniform(40.0, 250.0), random.uniform(-40.0, 20.0));
    const Files files = stocked_arm(random, asked);
    CAPTURE(i, files.at("study.json"), files.at("model.json"), files.at("work.json"),
            files.at("rows.csv"), files.at("rows_2.csv"));
    compare_with_grid(study_of(files), path, ends);
  }
  CHECK(ends.proved > count / 2);
  CHECK(count - ends.none > count / 3);  // have a design at all
}

TEST_CASE("prices of springs are weighed and limited in a proof over mounts") {
  Random random(412);
  const auto path = fresh("priced.db");
  Ends ends;
  const std::string apart = "max(shoulder.max / 20, elbow.max / 5)";
  for (const std::string& objective : {apart, apart + " + 0.02*price"})
    for (const char* limit : {"price + price_2", "price", "price_2 - price"})
      for (int i = 0; i < trials(5); ++i) {
        Stocked asked;
        asked.both = true;
        asked.mounts += R"(, "angle": {"range": [-0.6, 0.9]})";
        asked.objective = fmt::format(R"({{"name": "o", "expression": "{}"}})", objective);
        asked.rest = fmt::format(R"(, "constraints": [
{{"name": "budget", "expression": "{}", "max": {:.3g}}}])",
                                 limit, random.uniform(-3.0, 20.0));
        const Files files = stocked_arm(random, asked);
        CAPTURE(i, files.at("study.json"), files.at("model.json"), files.at("work.json"),
                files.at("rows.csv"), files.at("rows_2.csv"));
        compare_with_grid(study_of(files), path, ends);
      }
  CHECK(ends.proved >= trials(20));
}

TEST_CASE("constraints on lengths exclude mounts, also by numbers of catalogues") {
  Random random(413);
  const auto path = fresh("length_constraints.db");
  Ends ends;
  const int count = trials(24);
  for (int i = 0; i < count; ++i) {
    const double least = random.uniform(0.1, 0.4), greatest = random.uniform(0.6, 1.2);
    const std::string constraints = fmt::format(
        R"(, "constraints": [{{"name": "close", "expression": "2*first.max_length - 0.1",
"max": {:.4f}}}, {{"name": "apart", "expression": "{}second.min_length", "min": {:.4f}}}])",
        2.0 * greatest - 0.1, i % 2 == 0 ? "" : "-0.1*longest + ", least);
    Files files;
    if (i % 2 == 0) {
      mounted_arm::Asked asked;
      asked.search = R"("geometry": "prove", "gap": 1e-4, "max_simplices": 3000)";
      asked.rest = constraints;
      files = mounted_arm::files(random, asked);
    } else {
      Stocked asked;
      asked.objective = mounted_arm::objectives()[3];
      asked.rest = constraints;
      files = stocked_arm(random, asked);
    }
    CAPTURE(i, files.at("study.json"), files.at("model.json"), files.at("work.json"));
    compare_with_grid(study_of(files), path, ends);
  }
  CHECK(ends.proved > count / 2);
  CHECK(ends.none < count / 2);
}
