#include <catch2/catch.hpp>

#include "springs/problem/spring_roles.hpp"
#include "studies/run.hpp"
#include "tests/springs/sized_pendulum.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

std::string mistake(const std::string& variables, const std::string& search = "",
                    const std::string& objectives = pendulum::peak) {
  try {
    const Study study = pendulum::study(variables, objectives, search);
    check_search(study);
    run_to(study, fresh("mistake.db"), 1);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string stock =
    R"("part": {"catalogue": "springs.csv", "sets": {"rate": "rate", "free": "free_length",
        "tension": "initial"}})";

}  // namespace

TEST_CASE("variables of springs' laws alone are the springs', all others geometry") {
  const Study study = pendulum::study(
      R"("post": {"range": [0.3, 0.6]}, "rate": {"range": [0, 9]}, "free": {"range": [0, 0.1]},
         "other_rate": {"values": [1, 2, 3]})",
      pendulum::peak, R"(, "max_evaluations": 5)");
  const SpringRoles roles = find_spring_roles(study);
  CHECK(roles.outer == std::vector<int>{0});
  CHECK(roles.sized == std::vector<int>{1, 2});
  CHECK(roles.chosen == std::vector<int>{3});
  CHECK(roles.springs[1] == std::vector<int>{0});
  CHECK(roles.springs[3] == std::vector<int>{1});
  const auto inner = [&](const char* name) {
    return roles.inner_parameters[study.model->find_parameter(name)];
  };
  CHECK(inner("rate"));
  CHECK(inner("shortest"));  // follows the free length
  CHECK_FALSE(inner("post"));
}

TEST_CASE("what an exact search cannot take is refused with the way out") {
  CHECK_THAT(mistake(R"("post": {"range": [0.3, 0.6]})", R"(, "max_evaluations": 5)"),
             Catch::Contains("no variable enters springs' laws alone"));
  CHECK_THAT(
      mistake(pendulum::rate + R"(, "post": {"values": [0.3, 0.6]})", R"(, "max_evaluations": 5)"),
      Catch::Contains("has levels and moves more than springs' laws"));
  CHECK_THAT(mistake(pendulum::rate + R"(, "post": {"range": [0.3, 0.6]})"),
             Catch::Contains("\"max_evaluations\" says how many"));
  CHECK_THAT(mistake(pendulum::rate, R"(, "max_evaluations": 50)"),
             Catch::Contains("nothing to search"));
  CHECK_THAT(mistake(pendulum::rate, R"(, "starts": 3)"), Catch::Contains("search over geometry"));
  CHECK_THAT(mistake(pendulum::rate + R"(, "which": {"motion": ["slow"]})"),
             Catch::Contains("runs all motions"));
  CHECK_THAT(mistake(stock + ", " + pendulum::tension),
             Catch::Contains("setting one parameter") || Catch::Contains("set"));
  CHECK_THAT(mistake(R"("part": {"catalogue": "springs.csv", "sets": {"rate": "rate"}}, )" +
                     pendulum::tension),
             Catch::Contains("variables part and tension both enter the law of spring spring"));
  CHECK_THAT(mistake(pendulum::rate, R"(, "within_percent": 5)"), Catch::Contains("catalogues"));
  CHECK_THAT(mistake(pendulum::rate, R"(, "trade_off": {"objectives": ["peak"]})"),
             Catch::Contains("two or three objectives"));
  CHECK_THAT(mistake(pendulum::rate, R"(, "trade_off": {"objectives": ["peak", "meen"]})",
                     pendulum::peak + ", " + pendulum::mean),
             Catch::Contains("did you mean \"mean\""));
  CHECK_THAT(mistake(stock, R"(, "trade_off": {"objectives": ["peak", "mean"]})",
                     pendulum::peak + ", " + pendulum::mean),
             Catch::Contains("a trade-off is for springs that are sized"));
  CHECK_THAT(mistake(pendulum::rate + R"(, "post": {"range": [0.3, 0.6]})",
                     R"(, "max_evaluations": 5, "algorithm": "LN_SBLX")"),
             Catch::Contains("LN_SBPLX"));
  CHECK_THAT(
      mistake(pendulum::rate, "", R"({"name": "product", "expression": "pivot.max * pivot.mean"})"),
      Catch::Contains("not convex"));
}

TEST_CASE("a dependent parameter that another variable sets is that variable's") {
  // "shortest" follows the free length, unless it is set itself
  const auto sized = [](const std::string& variables) {
    return find_spring_roles(
               pendulum::study(variables, pendulum::peak, R"(, "max_evaluations": 5)"))
        .sized;
  };
  const std::string model = with(pendulum::model, R"("strongest": 1e6)",
                                 R"("strongest": 1e6, "scale": "rate", "heavy": 0)");
  const std::string loaded = with(model, R"("mass": 4)", R"("mass": "4 + 0.001*scale")");
  const auto roles_of = [&](const std::string& variables, const std::string& motions) {
    const std::string text = R"({"format": "counterpoise-study/1", "model": "model.json",
"motions": {)" + motions + R"(}, "variables": {)" +
                             variables +
                             R"(}, "search": {"method": "exact-springs", "max_evaluations": 5},
"objectives": [)" + pendulum::peak +
                             "]}";
    return find_spring_roles(
        study_of({{"study.json", text}, {"model.json", loaded}, {"slow.json", pendulum::slow}}));
  };
  CHECK(sized(pendulum::rate) == std::vector<int>{0});
  const std::string slow = R"("slow": "slow.json")";
  // the mass follows the rate through "scale"
  CHECK_THROWS_AS(roles_of(pendulum::rate, slow), InputError);
  // it does not where a variable sets "scale", or every motion does
  const SpringRoles other = roles_of(pendulum::rate + R"(, "scale": {"range": [1, 2]})", slow);
  CHECK(other.sized == std::vector<int>{0, 1});
  CHECK(other.masses == std::vector<int>{1});
  CHECK(roles_of(pendulum::rate, R"("slow": {"file": "slow.json", "parameters": {"scale": 1}})")
            .sized == std::vector<int>{0});
}

TEST_CASE("what is no geometry is not taken for geometry") {
  // "mount2" is read by nothing, "far" bounds another parameter
  const auto said = [](const std::string& variables, const std::string& search = "",
                       const std::string& rest = "") {
    const std::string model = with(with(pendulum::model, R"("other_free": 0})",
                                        R"("other_free": 0, "idle": 1, "chain": "idle",
                                        "far": 9, "bound": {"value": 1, "max": "far"}})"),
                                   R"("min_length": "shortest")",
                                   R"("min_length": "shortest", "max_length": "10 * strongest")");
    const std::string text = R"({"format": "counterpoise-study/1", "model": "idle.json",
"motions": {"slow": "slow.json"}, "variables": {)" +
                             pendulum::rate + ", " + variables +
                             R"(}, "search": {"method": "exact-springs")" + search +
                             R"(}, "objectives": [)" + pendulum::peak + "]" + rest + "}";
    try {
      check_search(
          study_of({{"study.json", text}, {"idle.json", model}, {"slow.json", pendulum::slow}}));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const std::string evaluations = R"(, "max_evaluations": 5)";
  for (const char* idle : {R"("idle": {"range": [0, 1]})", R"("idle": {"values": [0, 1]})",
                           R"("post": {"range": [0.3, 0.6]}, "idle": {"range": [0, 1]})"})
    CHECK_THAT(said(idle), Catch::Contains("/variables/idle: variable idle has no effect on the "
                                           "mechanism") &&
                               Catch::Contains("remove it"));
  CHECK_THAT(said(R"("strongest": {"range": [5, 100]})"),
             Catch::Contains("variable strongest is a limit, max_length of spring spring, max_load "
                             "of spring spring") &&
                 Catch::Contains("\"max_evaluations\""));
  CHECK_THAT(
      said(R"("strongest": {"values": [5, 100]})", evaluations),
      Catch::Contains("variable strongest is a limit") && !Catch::Contains("max_evaluations"));
  const std::string constraint =
      R"(, "constraints": [{"name": "c", "expression": "chain * rate", "max": 900}])";
  CHECK_THAT(said(R"("idle": {"range": [0.5, 1]})", "", constraint),
             Catch::Contains("read by objectives or constraints alone"));
  CHECK_THAT(said(R"("far": {"range": [0, 2]})"), Catch::Contains("moves more than springs"));
  CHECK_THAT(said(R"("post": {"range": [0.3, 0.6]})"), Catch::Contains("moves more than springs"));
  // what a search over geometry took, it takes
  for (const char* outer : {R"("strongest": {"range": [5, 100]})", R"("idle": {"range": [0, 1]})"})
    CHECK(said(outer, evaluations) == "accepted");
}

TEST_CASE("a spring whose numbers bend with its variable is refused where they bend") {
  const auto bent = [](const std::string& rate, const std::string& variables) {
    const std::string text = R"({"format": "counterpoise-study/1", "model": "bent.json",
"motions": {"slow": "slow.json"}, "variables": {)" +
                             variables +
                             R"(}, "search": {"method": "exact-springs"}, "objectives": [)" +
                             pendulum::peak + "]}";
    std::string model = with(pendulum::model, R"("rate": "rate")", R"("rate": ")" + rate + '"');
    try {
      run_to(study_of({{"study.json", text}, {"bent.json", model}, {"slow.json", pendulum::slow}}),
             fresh("bent.db"), 1);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK_THAT(bent("rate^2", pendulum::rate), Catch::Contains("no affine function"));
  CHECK_THAT(bent("rate*tension", pendulum::rate + ", " + pendulum::tension),
             Catch::Contains("no affine function"));
  CHECK_THAT(bent("rate + 5", pendulum::rate + ", " + pendulum::free_length),
             Catch::Contains("more than one rate"));
  CHECK_THAT(bent("1000*free", pendulum::free_length), Catch::Contains("at once"));
  CHECK(bent("2*rate + 5", pendulum::rate) == "accepted");
  CHECK(bent("3*rate", pendulum::rate + ", " + pendulum::free_length) == "accepted");
  CHECK(bent("120", pendulum::free_length) == "accepted");
}

TEST_CASE("a free length beside a sized rate enters no initial tension") {
  // there it would be taken for the product of the two, and proofs would be false
  const auto said = [](const std::string& tension, const std::string& idle_tension,
                       const std::string& motion) {
    std::string model = with(pendulum::model, R"("initial_tension": "tension")",
                             R"("initial_tension": ")" + tension + '"');
    model = with(model, R"("free_length": "other_free"})",
                 R"("free_length": "other_free", "initial_tension": ")" + idle_tension + R"("})");
    const std::string text =
        R"({"format": "counterpoise-study/1", "model": "model.json",
"motions": {"slow": )" +
        motion + R"(}, "variables": {)" + pendulum::rate + ", " + pendulum::free_length +
        R"(}, "search": {"method": "exact-springs"}, "objectives": [)" + pendulum::peak + "]}";
    try {
      check_search(
          study_of({{"study.json", text}, {"model.json", model}, {"slow.json", pendulum::slow}}));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const std::string slow = R"("slow.json")";
  const std::string refused =
      "/variables/free: free length free goes with a rate that is sized, and enters an initial "
      "tension too";
  CHECK(said("5 + rate", "0", slow) == "accepted");
  CHECK_THAT(said("5 + free", "0", slow), Catch::Contains(refused));
  CHECK_THAT(said("0", "20*free", slow), Catch::Contains(refused));
  // the model's own "other_free" is 0
  CHECK(said("other_free*free", "0", slow) == "accepted");
  CHECK_THAT(
      said("other_free*free", "0", R"({"file": "slow.json", "parameters": {"other_free": 0.1}})"),
      Catch::Contains(refused));
}
