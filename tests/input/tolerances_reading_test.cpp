#include <fstream>

#include "tests/input/study_mistakes.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const std::string last_key = R"("store": ["lift.max_length", "shoulder.max"])";

/// The good study with this after its last key; @ marks the place to be named.
Mistake tolerances(const std::string& value, const std::string& expected) {
  return {last_key, last_key + R"(, "tolerances": )" + value, expected};
}
Mistake tolerance(const std::string& member, const std::string& expected) {
  return tolerances(R"({"of": {)" + member + "}}", expected);
}

}  // namespace

TEST_CASE("wrong tolerances are refused at their place") {
  const std::vector<Mistake> table = {
      tolerances("@[]", "/tolerances: found an array of 0"),
      tolerances("@{}", "/tolerances: the key \"of\" of tolerances is missing"),
      tolerances(R"({"of": @{}})", "/tolerances/of: found an object, expected at least one"),
      tolerances(R"({@"off": {}})",
                 "/tolerances/off: found \"off\", expected a key of tolerances; "
                 "did you mean \"of\"?"),
      tolerances(R"({"samples": @0, "of": {}})", "/tolerances/samples: found 0"),
      tolerances(R"({"samples": @65537, "of": {}})", "/tolerances/samples: found 65537"),
      tolerances(R"({"seed": @-1, "of": {}})", "/tolerances/seed: found -1"),
      tolerances(R"({"percentile": @100, "of": {}})",
                 "/tolerances/percentile: found 100, expected a percentile between 0 and 100"),
      tolerance(R"(@"laod": {"percent": 1})",
                "/tolerances/of/laod: found \"laod\", expected a parameter of the model; did you "
                "mean \"load\"?"),
      tolerance(R"("rate": {"percent": 1}, @"rate": {"percent": 2})", "/tolerances/of"),
      tolerance(R"(@"doubled": {"percent": 1})",
                "/tolerances/of/doubled: parameter doubled cannot have a tolerance: its value "
                "follows from an expression; give one to what that reads: load"),
      tolerance(R"(@"load": {"percent": 1})",
                "/tolerances/of/load: parameter load cannot have a tolerance: motion fold sets it"),
      tolerance(R"("rate": @{})", "/tolerances/of/rate: found an object, expected one of"),
      tolerance(R"("rate": @{"percent": 1, "plus_minus": 1})", "/tolerances/of/rate: found"),
      tolerance(R"("rate": @{"percent": 1, "variable": "spring", "fraction": "0.1"})",
                "/tolerances/of/rate: found"),
      tolerance(R"("rate": {@"percentage": 1})",
                "/tolerances/of/rate/percentage: found \"percentage\", expected a key of a "
                "tolerance"),
      tolerance(R"("rate": {"percent": @-1})",
                "/tolerances/of/rate/percent: found -1, expected a percentage of at least 0"),
      tolerance(R"("rate": {"percent": @101})",
                "/tolerances/of/rate/percent: found 101, expected a percentage of at most 100"),
      tolerance(R"("rate": {"percent": @"ten"})", "/tolerances/of/rate/percent: "),
      tolerance(R"("rate": {"plus_minus": @-0.1})",
                "/tolerances/of/rate/plus_minus: found -0.1, expected a deviation of at least 0"),
      tolerance(R"("rate": {"plus_minus": 1, "unit": @"N/mmm"})",
                "/tolerances/of/rate/unit: found \"N/mmm\", expected one of N, kN, lbf, N/m"),
      tolerance(R"("rate": {"percent": 1, @"unit": "N/mm"})",
                "/tolerances/of/rate/unit: \"unit\" goes with \"plus_minus\""),
      tolerance(R"("free": @{"variable": "spring"})",
                "/tolerances/of/free: the key \"fraction\" of a tolerance is missing"),
      tolerance(R"("free": @{"fraction": "0.1"})",
                "/tolerances/of/free: the key \"variable\" of a tolerance is missing"),
      tolerance(R"("free": {"variable": @"sprong", "fraction": "0.1"})",
                "/tolerances/of/free/variable: found \"sprong\", expected a variable of the study "
                "with a catalogue; did you mean \"spring\"?"),
      tolerance(R"("free": {"variable": @"mount", "fraction": "0.1"})",
                "/tolerances/of/free/variable: variable mount has no catalogue"),
      tolerance(R"("free": {"variable": "spring", "fraction": @"freelength"})",
                "/tolerances/of/free/fraction: "),
      tolerance(R"("free": {"variable": "spring", "fraction": @"initial"})",
                "/tolerances/of/free/fraction: gives 5 for firm (row 2), expected a fraction"),
      tolerance(R"("free": {"variable": "spring", "fraction": @"-initial"})",
                "/tolerances/of/free/fraction: gives -5 for firm (row 2)"),
      tolerance(R"("free": {"variable": "spring", "fraction": @"initial / 0"})",
                "/tolerances/of/free/fraction: gives"),
  };
  for (const Mistake& mistake : table) check(mistake);
}

TEST_CASE("a unit has to go with the parameter's own") {
  Files files = arm_files(
      with(good_study, last_key,
           last_key + R"(, "tolerances": {"of": {"height": {"plus_minus": 1, "unit": "N"}}})"));
  // a parameter without a unit takes any
  CHECK_NOTHROW(study_of(files));
  files["model.json"] =
      with(arm_with_springs, R"("height": 0.5)", R"("height": {"value": 50, "unit": "cm"})");
  CHECK_THROWS_WITH(study_of(files), Catch::Contains("/tolerances/of/height/unit: found \"N\", "
                                                     "expected a unit that goes with cm"));
}

TEST_CASE("tolerances mean what they say") {
  const Files files =
      arm_files(with(good_study, last_key, last_key + R"(, "tolerances": {"seed": 9, "of": {
"rate": {"percent": 5}, "height": {"plus_minus": 2, "unit": "mm"},
"free": {"variable": "spring", "fraction": "initial / 100"}, "strongest": {"plus_minus": "3*4"}}})"));
  const Study study = study_of(files);
  REQUIRE(study.tolerances);
  const Tolerances& found = *study.tolerances;
  CHECK(found.samples == 256);
  CHECK(found.seed == 9);
  CHECK(found.percentile == 95.0);
  REQUIRE(found.of.size() == 4);
  // rate, mount, height, the second spring left by `where` (row 2, initial 5 N), motion
  const std::vector<double> point = {0.0, 0.0, 0.5, 1.0, 0.0};
  CHECK(found.of[0].half_width(-200.0, point) == Approx(10.0));
  CHECK(found.of[1].half_width(0.5, point) == Approx(0.002));
  CHECK(found.of[2].half_width(0.1, point) == Approx(0.005));
  CHECK(found.of[3].half_width(7.0, point) == Approx(12.0));
  CHECK_FALSE(study_of(arm_files(good_study)).tolerances);
  // a value that a variable sets does not follow from its expression
  const std::string set = with(good_study, R"("height": {"range": [0.4, 0.6]})",
                               R"("height": {"range": [4, 6], "sets": ["doubled"]})");
  CHECK_NOTHROW(study_of(arm_files(
      with(set, last_key, last_key + R"(, "tolerances": {"of": {"doubled": {"percent": 1}}})"))));
}

TEST_CASE("tolerances in a file of their own replace the study's and name that file") {
  const Study study = study_of(arm_files(good_study));
  const auto path = std::filesystem::path(COUNTERPOISE_TEST_DIR) / "tolerances.json";
  const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
  write(R"({"samples": 8, "of": {"free": {"variable": "spring", "fraction": "0.02"}}})");
  const Tolerances found = read_tolerances(path, study, texts(arm_files(good_study)));
  CHECK(found.samples == 8);
  CHECK(found.of.at(0).by_level == std::vector<double>{0.02, 0.02});
  write("{\"of\":\n {\"rat\": {\"percent\": 1}}}");
  CHECK_THROWS_WITH(read_tolerances(path, study, texts({})),
                    Catch::StartsWith(path.string() + ":2:3: /of/rat: found \"rat\""));
}
