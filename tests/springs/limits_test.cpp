#include <catch2/catch.hpp>
#include <cmath>

#include "tests/springs/sized_pendulum.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

// length^2 = r^2 + h^2 + 2 r h sin q, from q = -1.2 to 1.5
double length_at(double q) {
  using namespace pendulum;
  return std::sqrt(mount * mount + post * post + 2 * mount * post * std::sin(q));
}
const double shortest = length_at(-1.2), longest = length_at(1.5);

/// A study of a pendulum that differs from the usual one in a word of its model.
Study changed(const std::string& was, const std::string& is, const std::string& variables,
              const std::string& objective = pendulum::peak, const std::string& rest = "") {
  const std::string text = R"({"format": "counterpoise-study/1", "model": "m.json",
"motions": {"slow": "slow.json"}, "variables": {)" +
                           variables + R"(}, "search": {"method": "exact-springs"},
"objectives": [)" + objective +
                           "]" + rest + "}";
  return study_of({{"study.json", text},
                   {"m.json", with(pendulum::model, was, is)},
                   {"slow.json", pendulum::slow}});
}

std::string constrained(const std::string& expression, const std::string& bound) {
  return R"(, "constraints": [{"name": "c", "expression": ")" + expression + "\", " + bound + "}]";
}

}  // namespace

TEST_CASE("a spring that is too stiff is as long as its coils or its range allow") {
  // stiffer than balances, it would best be longer than it may be
  const auto coils = rows_when_run(
      pendulum::study(R"("rate": {"range": [1500, 2000]}, "free": {"range": [0, 0.5]})"),
      "coils.db");
  REQUIRE(coils[0].status == Status::feasible);
  CHECK(number(coils[0], 0) == Approx(1500.0).epsilon(1e-9));
  CHECK(number(coils[0], 1) == Approx(shortest).epsilon(1e-9));
  const auto gap =
      rows_when_run(changed(R"("shortest": "free")", R"("shortest": "free + 0.05")",
                            R"("rate": {"range": [1500, 2000]}, "free": {"range": [0, 0.5]})"),
                    "gap.db");
  REQUIRE(gap[0].status == Status::feasible);
  CHECK(number(gap[0], 1) == Approx(shortest - 0.05).epsilon(1e-9));
  const auto range = rows_when_run(
      pendulum::study(R"("rate": {"range": [200, 2000]}, "free": {"range": [0, 0.1]})"),
      "range.db");
  REQUIRE(range[0].status == Status::feasible);
  CHECK(number(range[0], 1) == Approx(0.1).epsilon(1e-9));
}

TEST_CASE("an optimum lies on the constraint that keeps it from more") {
  SECTION("the pull of the spring at its longest") {
    const auto rows =
        rows_when_run(pendulum::study(pendulum::rate, pendulum::peak, "",
                                      constrained("spring.max_tension", R"("max": 30)")),
                      "pull.db");
    REQUIRE(rows[0].status == Status::feasible);
    CHECK(number(rows[0], 0) == Approx(30.0 / longest).epsilon(1e-9));
  }
  SECTION("the push of the spring at its shortest") {
    // no initial tension, 0.6 m long without load: it pushes everywhere, most where it is shortest;
    // pushing harms, so the least allowed is best
    const auto rows =
        rows_when_run(changed(R"("shortest": "free")", R"("shortest": 0)", pendulum::rate + R"(,
          "free": {"range": [0.59999, 0.6]})",
                              pendulum::peak, constrained("rate", R"("min": 50)")),
                      "push.db");
    REQUIRE(rows[0].status == Status::feasible);
    const auto limited =
        rows_when_run(changed(R"("shortest": "free")", R"("shortest": 0)",
                              pendulum::rate + R"(, "tension": {"range": [-90, 0]})",
                              R"({"name": "stiff", "expression": "0 - rate"})",
                              constrained("spring.max_tension", R"("max": 30)")),
                      "push_limited.db");
    REQUIRE(limited[0].status == Status::feasible);
    // the stiffest with |F0 + k length| <= 30 at both ends
    CHECK(number(limited[0], 0) == Approx(60.0 / (longest - shortest)).epsilon(1e-9));
    CHECK(number(limited[0], 1) == Approx(-30.0 - number(limited[0], 0) * shortest).epsilon(1e-9));
  }
  SECTION("the push of a spring whose rate is given") {
    const auto rows = rows_when_run(
        changed(R"("shortest": "free")", R"("shortest": 0)", R"("tension": {"range": [-90, 0]})",
                R"({"name": "push", "expression": "tension"})",
                constrained("spring.max_tension", R"("max": 30)")),
        "given.db");
    // F0 + 100 * shortest >= -30, but F0 + 100 * longest <= 30 takes more
    REQUIRE(rows[0].status == Status::feasible);
    CHECK(number(rows[0], 0) == Approx(-30.0 - 100.0 * shortest).epsilon(1e-9));
  }
  SECTION("a least rate") {
    const auto rows = rows_when_run(
        pendulum::study(pendulum::rate, pendulum::peak, "", constrained("rate", R"("min": 150)")),
        "least_rate.db");
    REQUIRE(rows[0].status == Status::feasible);
    CHECK(number(rows[0], 0) == Approx(150.0).epsilon(1e-9));
  }
  SECTION("a largest load that grows with the rate") {
    // F0 = 0: k (length - L0) <= 0.5 k, so the free length is at least longest - 0.5
    const auto rows =
        rows_when_run(changed(R"("strongest": 1e6)", R"("strongest": {"value": "0.5*rate"})",
                              R"("rate": {"range": [50, 90]}, "free": {"range": [0, 0.5]})"),
                      "grows.db");
    REQUIRE(rows[0].status == Status::feasible);
    CHECK(number(rows[0], 0) == Approx(90.0).epsilon(1e-9));
    CHECK(number(rows[0], 1) == Approx(longest - 0.5).epsilon(1e-7));
  }
  SECTION("the largest load of the actuator") {
    const auto rows = rows_when_run(
        changed(R"("joint": "link")", R"("joint": "link", "max_load": 6)", pendulum::rate,
                R"({"name": "pull", "expression": "spring.max_tension"})"),
        "actuator.db");
    REQUIRE(rows[0].status == Status::feasible);
    // |m g l - k h r| cos q <= 6 where cos q is 1, which a sample misses by little
    CHECK(pendulum::weight - number(rows[0], 0) * pendulum::post * pendulum::mount ==
          Approx(6.0).epsilon(1e-3));
  }
}

TEST_CASE("limits that exclude each other are named as a smallest set") {
  const auto rows = rows_when_run(pendulum::study(pendulum::rate, pendulum::peak, "",
                                                  R"(, "constraints": [
    {"name": "pull", "expression": "spring.max_tension", "max": 30},
    {"name": "ease", "expression": "pivot.max", "max": 3},
    {"name": "slack", "expression": "pivot.mean", "max": 100}])"),
                                  "conflict.db");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].status == Status::infeasible);
  CHECK(
      rows[0].reason ==
      "no springs can meet all of: constraint pull at most 30, constraint ease at most 3; without "
      "any one of these the others can be met");
}

TEST_CASE("a limit that no spring can meet is named alone") {
  const auto rows = rows_when_run(
      pendulum::study(R"("tension": {"range": [10, 50]})", pendulum::peak, "",
                      R"(, "constraints": [{"name": "pull", "expression": "spring.max_tension",
                          "max": 30}])"),
      "alone.db");
  CHECK(rows[0].status == Status::infeasible);
  CHECK(rows[0].reason.find("constraint pull at most 30") != std::string::npos);
  CHECK(rows[0].reason.find("tension at least 10") != std::string::npos);
}

TEST_CASE("free lengths that no rate can use are refused by the limits they break") {
  // the spring is never longer than 0.7 m, and has to be 0.6 m shorter without load
  const auto rows =
      rows_when_run(changed(R"("shortest": "free")", R"("shortest": "free + 0.2")",
                            R"("rate": {"range": [50, 90]}, "free": {"range": [0.1, 0.5]})"),
                    "no_length.db");
  CHECK(rows[0].status == Status::infeasible);
  CHECK(rows[0].reason ==
        "no springs can meet all of: free at least 0.1, min_length of spring; without any one of "
        "these the others can be met");
}

TEST_CASE("a limit that excludes itself is named without the others that it could do without") {
  const auto rows =
      rows_when_run(pendulum::study(R"("rate": {"range": [0, 50]})", pendulum::peak, "",
                                    R"(, "constraints": [
    {"name": "ease", "expression": "pivot.max", "max": 3},
    {"name": "calm", "expression": "pivot.mean", "max": 1}])"),
                    "itself.db");
  CHECK(rows[0].status == Status::infeasible);
  CHECK_THAT(rows[0].reason, Catch::Contains("rate at most 50"));
  const bool both = rows[0].reason.find("ease") != std::string::npos &&
                    rows[0].reason.find("calm") != std::string::npos;
  CHECK_FALSE(both);
}

TEST_CASE("ranges that begin below zero and free lengths in expressions are refused in place") {
  const auto mistake = [](const std::string& variables, const std::string& objective) {
    try {
      run_to(pendulum::study(variables, objective), fresh("refused.db"), 1);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK_THAT(mistake(R"("rate": {"range": [-5, 100]})", pendulum::peak),
             Catch::Contains("/variables/rate: the range of rate ends at -5, where"));
  CHECK_THAT(mistake(pendulum::rate + R"(, "free": {"range": [-0.1, 0.2]})", pendulum::peak),
             Catch::Contains("/variables/free: the range of free ends at -0.1, where"));
  CHECK_THAT(mistake(pendulum::rate + ", " + pendulum::free_length,
                     R"({"name": "o", "expression": "pivot.max + free"})"),
             Catch::Contains("/objectives/0/expression: uses free"));
  CHECK(mistake(pendulum::free_length, R"({"name": "o", "expression": "pivot.max + free"})") ==
        "accepted");
}

TEST_CASE("a range of rates far wider than its optimum does no harm") {
  const auto rows = rows_when_run(
      pendulum::study(R"("rate": {"range": [0, 1e12]}, "free": {"range": [0, 0.2]})"), "wide.db");
  REQUIRE(rows[0].status == Status::feasible);
  CHECK(rows[0].objectives.at(0) < 1e-6 * pendulum::weight);
}
