#include <catch2/catch.hpp>

#include "springs/problem/spring_roles.hpp"
#include "tests/springs/sized_pendulum.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// Two links with a counterweight behind each joint; `upper` and `fore` are what these weigh.
std::string weighted_arm(const std::string& upper = R"("mass": "upper")",
                         const std::string& fore = R"("mass": "fore")") {
  return R"({"format": "counterpoise-model/1",
"parameters": {"upper": 0, "fore": 0, "bar": 0.2, "rate": 0, "other": 1},
"world": {"points": {"post": [0, 0, 0.3]}},
"bodies": [
 {"name": "arm", "parent": "world", "joint": {"type": "revolute", "axis": "y"}, "mass": 3,
  "com": [0.2, 0, 0.01], "inertia": [0.02, 0.02, 0.02, 0, 0, 0], "points": {"hook": [0.1, 0, 0]}},
 {"name": "forearm", "parent": "arm",
  "joint": {"type": "revolute", "axis": "y", "origin": [0.4, 0, 0]}, "mass": 2,
  "com": [0.15, 0, 0], "inertia": [0.01, 0.01, 0.01, 0, 0, 0]},
 {"name": "upper_weight", "parent": "arm",
  "joint": {"type": "fixed", "origin": ["-bar", 0, 0]}, )" +
         upper + R"(},
 {"name": "fore_weight", "parent": "forearm",
  "joint": {"type": "fixed", "origin": [-0.1, 0, 0]}, )" +
         fore + R"(}],
"springs": [{"name": "spring", "connect": ["world.post", "arm.hook"], "rate": "rate",
 "free_length": 0}],
"actuators": [{"name": "shoulder", "joint": "arm"}, {"name": "elbow", "joint": "forearm"}]})";
}

Study weighing_study(const std::string& variables, const std::string& model = weighted_arm(),
                     const std::string& search = "") {
  const std::string study = R"({"format": "counterpoise-study/1", "model": "arm.json",
"motions": {"slow": "slow.json", "quick": "quick.json"}, "variables": {)" +
                            variables + R"(}, "search": {"method": "exact-springs")" + search +
                            R"(}, "objectives": [
{"name": "peak", "minimize": "max", "of": ["shoulder", "elbow"]}]})";
  const auto motion = [](const std::string& elbow_to) {
    return R"({"format": "counterpoise-motion/1", "duration": 2, "step": 0.02, "inertia": false,
"coordinates": {"shoulder": {"type": "point-to-point", "from": -1.2, "to": 1.5},
"elbow": {"type": "point-to-point", "from": 0.2, "to": )" +
           elbow_to + "}}}";
  };
  return study_of({{"study.json", study},
                   {"arm.json", model},
                   {"slow.json", motion("2")},
                   {"quick.json", motion("-1")}});
}

const std::string both = R"("upper": {"range": [0, 50]}, "fore": {"range": [0, 9]})";

}  // namespace

TEST_CASE("counterweights balance an arm at rest as the textbook says") {
  const std::string flat = with(weighted_arm(), R"([0.2, 0, 0.01])", R"([0.2, 0, 0])");
  const auto rows = rows_when_run(weighing_study(both, flat), "weights.db");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].status == Status::feasible);
  const double fore = 2 * 0.15 / 0.1;
  const double upper = (3 * 0.2 + (2 + fore) * 0.4) / 0.2;
  CHECK(number(rows[0], 0) == Approx(upper).epsilon(1e-9));
  CHECK(number(rows[0], 1) == Approx(fore).epsilon(1e-9));
  CHECK(rows[0].objectives.at(0) < 1e-9 * 9.81 * 0.4 * (3 + 2 + upper));
}

TEST_CASE("a mass that two variables add up to is sized by both") {
  const std::string sum = weighted_arm(R"("mass": "1 + 2*upper + fore/2")", R"("mass": "fore")");
  const auto rows = rows_when_run(weighing_study(both, sum), "sum.db");
  const auto plain = rows_when_run(weighing_study(both), "plain.db");
  REQUIRE(rows[0].status == Status::feasible);
  CHECK(rows[0].objectives.at(0) == Approx(plain[0].objectives.at(0)).epsilon(1e-9));
  CHECK(1 + 2 * number(rows[0], 0) + number(rows[0], 1) / 2 ==
        Approx(number(plain[0], 0)).epsilon(1e-6));
}

TEST_CASE("masses that loads are not affine in are geometry, as are centres of mass") {
  const auto roles = [](const std::string& variables, const std::string& model) {
    return find_spring_roles(weighing_study(variables, model, R"(, "max_evaluations": 5)"));
  };
  const SpringRoles plain = roles(both, weighted_arm());
  CHECK(plain.masses == std::vector<int>{0, 1});
  CHECK(plain.words() == std::string("masses"));
  const std::string radius = weighted_arm(R"("mass": "7850*upper^3")");
  CHECK(roles(both, radius).outer == std::vector<int>{0});
  CHECK(roles(both, radius).masses == std::vector<int>{0});  // the other one, among the sized
  CHECK(roles(both + R"(, "bar": {"range": [0.1, 0.2]})", weighted_arm()).outer ==
        std::vector<int>{2});
  const std::string centre = weighted_arm(R"("mass": "upper", "com": ["-0.01*upper", 0, 0])");
  CHECK(roles(both, centre).outer == std::vector<int>{0});
  const std::string product = weighted_arm(R"("mass": "upper*fore")", R"("mass": 1)");
  CHECK_THROWS_WITH(roles(both, product), Catch::Contains("no variable enters springs' laws"));
  CHECK(roles(both + R"(, "other": {"range": [1, 2]})", weighted_arm(R"("mass": "upper*other")"))
            .outer == std::vector<int>{0, 2});
  const std::string inertia =
      weighted_arm(R"("mass": "upper", "inertia": ["upper", "upper", "upper", 0, 0, 0])");
  CHECK(roles(both, inertia).masses == std::vector<int>{0, 1});
  // a spring that weighs as much as it is stiff
  const SpringRoles spring =
      roles(both + R"(, "rate": {"range": [0, 100]})", weighted_arm(R"("mass": "upper + rate")"));
  CHECK(spring.outer == std::vector<int>{2});
  const SpringRoles beside = roles(both + R"(, "rate": {"range": [0, 100]})", weighted_arm());
  CHECK(beside.sized == std::vector<int>{0, 1, 2});
  CHECK(beside.words() == std::string("springs and masses"));
}

TEST_CASE(
    "weights and lengths of bars are searched together, each geometry with its best weights") {
  const auto rows =
      rows_when_run(weighing_study(both + R"(, "bar": {"range": [0.1, 0.3]})", weighted_arm(),
                                   R"(, "max_evaluations": 6, "starts": 1)"),
                    "bars.db");
  REQUIRE(rows.size() == 6);
  for (const CaseRow& row : rows) {
    CAPTURE(number(row, 2));
    REQUIRE(row.status == Status::feasible);
    // a height of 1 cm above the line is what the weight cannot balance
    CHECK(number(row, 0) * number(row, 2) == Approx(3 * 0.2 + (2 + 3) * 0.4).epsilon(0.1));
  }
}
