#include "studies/sensitivity.hpp"

#include <catch2/catch.hpp>

#include "cases/case_points.hpp"
#include "tests/support/arm_study.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

Study study_with(const std::string& variables, const std::string& rest = "") {
  return study_of(arm_files(arm_study(R"("variables": {)" + variables +
                                      R"(}, "sampling": {"method": "random", "count": 2}, )" +
                                      rest + one_objective)));
}

StudyFactor only_factor(const std::string& variables, const std::string& rest = "") {
  const Study study = study_with(variables, rest);
  const auto factors = factors_of(study);
  REQUIRE(factors.size() == 1);
  return factors.front();
}

}  // namespace

TEST_CASE("a continuous variable's centre is the baseline's value in its range, else the middle") {
  const std::string rate = R"("rate": {"range": [100, 900]})";
  CHECK(only_factor(rate).centre == 300.0);
  CHECK(only_factor(rate).centre_is_baseline);
  CHECK(only_factor(rate, R"("baseline": {"rate": 850}, )").centre == 850.0);
  const StudyFactor outside = only_factor(R"("rate": {"range": [400, 900]})");
  CHECK(outside.centre == 650.0);
  CHECK_FALSE(outside.centre_is_baseline);
  // a parameter that follows another follows the baseline, too
  CHECK(only_factor(R"("doubled": {"range": [1, 8]})").centre == 4.0);
  CHECK(only_factor(R"("doubled": {"range": [1, 8]})", R"("baseline": {"load": 3}, )").centre ==
        6.0);
  CHECK(only_factor(R"("x": {"range": [1, 3], "sets": {"rate": "100*x"}})").centre == 2.0);
  CHECK(only_factor(R"("x": {"range": [100, 500], "sets": "rate"})").centre == 300.0);
}

TEST_CASE("a discrete variable's centre is the level of the baseline, the nearest, or the middle") {
  const auto values = [](const std::string& list) {
    return only_factor(R"("rate": {"values": [)" + list + "]}");
  };
  CHECK(values("900, 100, 300").centre == 2.0);
  CHECK(values("900, 100, 300").centre_is_baseline);
  CHECK(values("100, 280, 900").centre == 1.0);
  CHECK_FALSE(values("100, 280, 900").centre_is_baseline);
  CHECK(values("400, 500, 600, 700").centre == 1.0);
  CHECK(values("42").centre == 0.0);
  const std::string firm = R"("kind": {"catalogue": "springs.csv",
"sets": {"rate": "rate", "free": "free_length", "tension": "initial"}})";
  CHECK(only_factor(firm).centre == 1.0);
  CHECK(only_factor(firm).centre_is_baseline);
  CHECK(only_factor(firm, R"("baseline": {"rate": 100}, )").centre == 1.0);
  CHECK_FALSE(only_factor(firm, R"("baseline": {"rate": 100}, )").centre_is_baseline);
  CHECK(only_factor(firm, R"("baseline": {"rate": 4000, "free": 0.08, "tension": 60}, )").centre ==
        3.0);
}

TEST_CASE("levels and numbers cover a variable from end to end") {
  const Study study = study_with(R"("rate": {"range": [100, 900]},
"tension": {"range": [0, 10], "count": 3}, "height": {"values": [0.7, 0.4, 0.5]},
"kind": {"catalogue": "springs.csv", "sets": {"free": "free_length"}})");
  const auto& v = study.variables;
  CHECK(coordinate_at(v[0], 0.0) == 100.0);
  CHECK(coordinate_at(v[0], 0.25) == 300.0);
  CHECK(coordinate_at(v[1], 0.0) == 0.0);
  CHECK(coordinate_at(v[1], 0.34) == 1.0);
  CHECK(coordinate_at(v[1], 0.999) == 2.0);
  CHECK(coordinate_at(v[1], 1.0) == 2.0);
  CHECK(grid_levels(v[0]) == 4);
  CHECK(coordinate_of_level(v[0], 0) == 100.0);
  CHECK(coordinate_of_level(v[0], 3) == 900.0);
  CHECK(coordinate_of_level(v[0], 1) == Approx(100.0 + 800.0 / 3.0));
  CHECK(grid_levels(v[1]) == 3);
  CHECK(coordinate_of_level(v[1], 2) == 2.0);
  CHECK(grid_levels(v[3]) == 4);
  CHECK(tornado_factor(v[0], 300.0).tried == std::vector<double>{100.0, 900.0});
  CHECK(tornado_factor(v[1], 1.0).tried == std::vector<double>{0.0, 2.0});
  CHECK(tornado_factor(v[2], 1.0).tried == std::vector<double>{1.0, 0.0});  // 0.4 and 0.7
  CHECK(tornado_factor(v[2], 1.0).ordered);
  CHECK(tornado_factor(v[3], 1.0).tried == std::vector<double>{0.0, 1.0, 2.0, 3.0});
  CHECK_FALSE(tornado_factor(v[3], 1.0).ordered);
}

TEST_CASE("a variable has the SI unit of the parameter that gets its number") {
  Files files = arm_files(arm_study(R"("variables": {"rate": {"range": [100, 900]},
"height": {"values": [0.4, 0.5]}, "mount": {"range": [0.1, 0.4]},
"x": {"range": [1, 5], "sets": "free"}, "y": {"range": [1, 5], "sets": {"tension": "2*y"}}},
"sampling": {"method": "random", "count": 2}, )" +
                                    one_objective));
  std::string& model = files["model.json"];
  model = with(model, "\"rate\": 300", R"("rate": {"value": 0.3, "unit": "N/mm"})");
  model = with(model, "\"height\": 0.5", R"("height": {"value": 50, "unit": "cm"})");
  model = with(model, "\"free\": 0.1", R"("free": {"value": 0.1, "unit": "m"})");
  model = with(model, "\"tension\": 5", R"("tension": {"value": 5, "unit": "N"})");
  std::vector<std::string> units;
  const Study study = study_of(files);
  for (const StudyFactor& factor : factors_of(study)) units.push_back(factor.unit);
  CHECK(units == std::vector<std::string>{"N/m", "m", "", "m", ""});
}
