#include "springs/mounts/prove_run.hpp"

#include <catch2/catch.hpp>

#include "studies/run.hpp"
#include "tests/springs/mounts/mounted_arm.hpp"
#include "tests/springs/sized_pendulum.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

std::string refusal(const Study& study) {
  try {
    check_search(study, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string refusal_of(const std::string& variables, const std::string& objectives = pendulum::peak,
                       const std::string& search = R"(, "geometry": "prove")",
                       const std::string& rest = "") {
  try {
    return refusal(pendulum::study(variables, objectives, search, rest));
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("what a proof over mounts cannot take is refused with the way out") {
  const std::string mount = R"(, "mount": {"range": [0.1, 0.4]})";
  CHECK(refusal_of(pendulum::whole_spring + mount).empty());
  const std::vector<std::array<std::string, 2>> refused = {
      {refusal_of(pendulum::whole_spring), "needs variables that move mounts"},
      {refusal_of(R"("free": {"range": [0, 0.3]}, "rate": {"expression": "x"})"), "expression"},
      {refusal_of(pendulum::rate + mount,
                  R"({"name": "o", "expression": "pivot.max * spring.max_length"})"),
       "spring.max_length"},
      {refusal_of(pendulum::rate + mount, pendulum::peak, R"(, "geometry": "prove")",
                  R"(, "constraints": [{"name": "c", "expression": "2*mount", "max": 0.5}])"),
       "variable mount is read by constraint c, which no springs change"},
      {refusal_of(pendulum::rate + mount, pendulum::peak, R"(, "geometry": "prove")",
                  R"(, "constraints": [{"name": "c",
"expression": "spring.max_length + mount", "max": 0.9}])"),
       "variable mount is read by constraint c beside a length of a spring"},
      {refusal_of(
           pendulum::rate + mount, pendulum::peak, R"(, "geometry": "prove")",
           R"(, "constraints": [{"name": "c", "expression": "spring.min_length", "max": 0.9}])"),
       "bounds spring.min_length from above"},
      {refusal_of(
           pendulum::rate + mount, pendulum::peak, R"(, "geometry": "prove")",
           R"(, "constraints": [{"name": "c", "expression": "spring.max_length^2", "max": 0.9}])"),
       "not affine"},
      {refusal_of(pendulum::rate + mount, pendulum::peak, R"(, "geometry": "prove")",
                  R"(, "constraints": [{"name": "c",
"expression": "spring.max_length - spring.min_length", "max": 0.9}])"),
       "beside loads, other lengths"},
      {refusal_of(pendulum::rate + mount, pendulum::peak,
                  R"(, "geometry": "prove", "max_evaluations": 10)"),
       "expected one of them"},
      {refusal_of(pendulum::rate + mount, pendulum::peak, R"(, "gap": 0.1)"),
       "goes with \"geometry\""},
      {refusal_of(pendulum::rate + mount, pendulum::peak, R"(, "geometry": "prove", "gap": 0)"),
       "a gap from 1e-9 to 1"},
      {refusal_of(pendulum::rate + mount, pendulum::peak, R"(, "geometry": "proof")"), "prove"},
      {refusal_of(pendulum::rate + mount, pendulum::peak,
                  R"(, "geometry": "prove", "algorithm": "LN_SBPLX")"),
       "max_evaluations"},
      {refusal_of(pendulum::tension + R"(, "shortest": {"range": [0.1, 0.2]})" + mount),
       "enters a law or a limit of spring"},
  };
  for (std::size_t i = 0; i < refused.size(); ++i) {
    CAPTURE(i, refused[i][0]);
    CHECK(refused[i][0].find(refused[i][1]) != std::string::npos);
  }
}

TEST_CASE("variables that move the mechanism are refused by name") {
  Files files = arm_files(arm_study(
      R"("variables": {"rate": {"range": [0, 900]}, "load": {"range": [1, 3]}},
"search": {"method": "exact-springs", "geometry": "prove"}, )" +
      one_objective));
  CHECK_THAT(refusal(study_of(files)), Catch::Contains("variable load sizes a mass") &&
                                           Catch::Contains("\"max_evaluations\""));
  std::string& model = files["model.json"];
  model = with(model, "[0.25, 0, 0.01]", R"(["0.125*load", 0, 0.01])");
  CHECK_THAT(refusal(study_of(files)),
             Catch::Contains("variable load moves or loads the mechanism") &&
                 Catch::Contains("\"algorithm\""));
}

TEST_CASE("a bound that a spring's choice and a mount share is refused") {
  const auto refused = [](const std::string& sum) {
    return refusal(
        study_of({{"model.json",
                   with(pendulum::model, R"("other_free": 0)",
                        R"("other_free": 0, "both": {"value": ")" + sum + R"(", "max": 900})")},
                  {"slow.json", pendulum::slow},
                  {"study.json", R"({"format": "counterpoise-study/1", "model": "model.json",
"motions": {"slow": "slow.json"}, "variables": {"rate": {"values": [100, 300]},
"mount": {"range": [0.1, 0.4]}}, "search": {"method": "exact-springs", "geometry": "prove"},
"objectives": [)" + pendulum::mean + "]}"}}));
  };
  CHECK(refused("2 * rate").empty());
  CHECK(refused("rate + mount").find("both change parameter both") != std::string::npos);
}

TEST_CASE("too many springs to choose from, and trade-offs, are refused") {
  const std::string chosen = refusal_of(
      R"("rate": {"range": [100, 900], "count": 10001}, "mount": {"range": [0.1, 0.4]})");
  CHECK(chosen.find("10001 combinations of springs") != std::string::npos);
  const std::string front = refusal_of(
      pendulum::rate + R"(, "mount": {"range": [0.1, 0.4]})",
      pendulum::peak + ", " + pendulum::mean,
      R"(, "geometry": "prove", "trade_off": {"objectives": ["peak", "mean"], "points": 3})");
  CHECK(front.find("trade-off") != std::string::npos);
}
