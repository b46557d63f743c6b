#include "springs/possible_ends.hpp"

#include <catch2/catch.hpp>

#include "cases/study_units.hpp"
#include "tests/support/arm_study.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const std::string nothing_less = "no less is possible";

/// What is said of both ends of the first variable of the arm, in the middle of all ranges.
struct Said {
  std::string lower, upper;

  Said(const std::string& variables, const std::string& model = arm_with_springs) {
    Files files = arm_files(arm_study(R"("variables": {)" + variables +
                                      R"(}, "sampling": {"method": "random", "count": 4}, )" +
                                      one_objective));
    files["model.json"] = model;
    const Study study = study_of(files);
    std::vector<double> point;
    for (const Variable& variable : study.variables)
      point.push_back(variable.discrete() ? 0.0 : 0.5 * (variable.low + variable.high));
    PossibleEnds ends(study);
    lower = ends.beyond(point, 0, false);
    upper = ends.beyond(point, 0, true);
  }
};

}  // namespace

TEST_CASE("no rate, free length or initial tension of an extension spring is below zero") {
  for (const char* name : {"rate", "free", "tension"}) {
    CAPTURE(name);
    const std::string quoted = std::string("\"") + name + "\": ";
    const Said zero(quoted + R"({"range": [0, 0.4]})");
    CHECK(zero.lower == nothing_less);
    CHECK(zero.upper.empty());
    const Said more(quoted + R"({"range": [0.1, 0.4]})");
    CHECK(more.lower.empty());
  }
  CHECK(Said(R"("pull": {"range": [-40, 0], "sets": {"tension": "-pull"}})").upper ==
        "no more is possible");
  CHECK(Said(R"("tension": {"range": [-10, 10]})").lower.empty());  // allowed by the study already
}

TEST_CASE("other springs push, and angles have either sign") {
  const auto of_type = [](const std::string& type) {
    return with(arm_with_springs, R"({"name": "lift",)",
                R"({"name": "lift", "type": ")" + type + R"(",)");
  };
  const std::string tension = R"("tension": {"range": [0, 10]})";
  CHECK(Said(tension).lower == nothing_less);
  CHECK(Said(tension, of_type("compression")).lower.empty());
}

TEST_CASE("what the model allows is told from what is possible") {
  const std::string whole = R"("load": {"range": [0.5, 4]})";
  CHECK(Said(whole).lower == "the model allows no less (range of parameter load)");
  CHECK(Said(whole).upper == "the model allows no more (range of parameter doubled)");
  CHECK(Said(R"("load": {"range": [0.6, 3.9]})").lower.empty());
  CHECK(Said(R"("load": {"range": [0.6, 3.9]})").upper.empty());
  // an owner who takes the min away has gained nothing
  const std::string model =
      with(arm_with_springs, R"("rate": 300)", R"("rate": {"value": 300, "min": 0})");
  CHECK(Said(R"("rate": {"range": [0, 400]})", model).lower == nothing_less);
}

TEST_CASE("levels and catalogues have no ends to go beyond") {
  const Said levels(R"("rate": {"values": [0, 300]})");
  CHECK(levels.lower.empty());
  CHECK(levels.upper.empty());
}

TEST_CASE("near an end is a millionth of the end, or of a small step where the end is zero") {
  CHECK(near_end("N/m", 0.0, 1e12, 0.0) == Approx(1e-4));
  CHECK(near_end("m", 0.0, 1.0, 0.0) == Approx(1e-9));
  CHECK(near_end("", 0.0, 1e12, 1e12) == Approx(1e6));
  CHECK(near_end("m", 0.02, 1e6, 0.02) == Approx(2e-8));
  CHECK(near_end("N", -400.0, 0.0, -400.0) == Approx(4e-4));
  CHECK(near_end("N/m", 5000.0, 5000.001, 5000.0) == Approx(1e-9));  // of a narrow range
}
