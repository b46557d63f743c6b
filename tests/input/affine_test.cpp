#include "input/expressions/affine.hpp"

#include <catch2/catch.hpp>

#include "tests/support/random.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// Unknowns x and y, and a number z that is not one.
constexpr NumberRange x_range = {500.0, 1000.0}, y_range = {-2.0, 3.0}, z_range = {0.5, 4.0};
constexpr double z_present = 2.0;

AffineValue analysed(const std::string& text) {
  Scope scope;
  for (const char* name : {"x", "y", "z"}) scope.add(name);
  const AffineAnalysis analysis({x_range, y_range});
  const std::vector<AffineValue> values = {analysis.unknown(0), analysis.unknown(1),
                                           AffineAnalysis::other(z_present, z_range)};
  return analysis.of(Expression::parse(text, scope, {}), values);
}

std::string refusal(const std::string& text) {
  const AffineValue value = analysed(text);
  return value.refusal ? std::to_string(value.refusal->at + 1) + ": " + value.refusal->why
                       : "accepted";
}

}  // namespace

TEST_CASE("an affine expression is worth what its coefficients say, and they are exact") {
  struct Case {
    std::string text;
    double constant, x, y;
  };
  const std::vector<Case> cases = {
      {"x", 0, 1, 0},
      {"3", 3, 0, 0},
      {"2*x - y/4 + 1", 1, 2, -0.25},
      {"-(x - 3)*z", 6, -2, 0},
      {"(x + y)/z^2", 0, 0.25, 0.25},
      {"x - x", 0, 0, 0},
      {"(x - y) + (y - x) + 7", 7, 0, 0},
      {"x*sqrt(z + 2) + sin(0)", 0, 2, 0},
      {"max(x, 400)", 0, 1, 0},
      {"min(x, y, 5*z - 100)", -90, 0, 0},
      {"max(0, x - 500)", -500, 1, 0},
      {"abs(y - 4)", 4, 0, -1},
      {"abs(x + y)", 0, 1, 1},
      {"max(x - 0.5*x, y, 249)", 0, 0.5, 0},
      {"min(max(y, x), 2000 - y)", 0, 1, 0},
  };
  for (const Case& expected : cases) {
    CAPTURE(expected.text);
    const AffineValue value = analysed(expected.text);
    REQUIRE_FALSE(value.refusal);
    CHECK(value.number.constant == expected.constant);
    if (!value.varies) continue;
    CHECK(value.number.slopes == std::vector<double>{expected.x, expected.y});
  }
}

TEST_CASE("what is not affine is refused where it stands") {
  CHECK(refusal("2 + x*y") == "6: a product of two numbers that the variables change");
  CHECK(refusal("x*x") == "2: a product of two numbers that the variables change");
  CHECK(refusal("z + x^2") == "6: a power of what the variables change");
  CHECK(refusal("(x + 1)^3") == "8: a power of what the variables change");
  CHECK(refusal("2^x") == "2: a power of what the variables change");
  CHECK(refusal("1/x") == "2: a quotient by what the variables change");
  CHECK(refusal("3 + sqrt(x)") == "5: sqrt of what the variables change");
  CHECK_THAT(refusal("x + 40*max(0, min(x - 600, 700 - x))"), Catch::StartsWith("15: min of what"));
  CHECK_THAT(refusal("max(0, y)"), Catch::StartsWith("1: max of what"));
  CHECK_THAT(refusal("max(0, x - 500.5)"), Catch::StartsWith("1: max of what"));
  CHECK_THAT(refusal("1 + abs(y)"), Catch::StartsWith("5: abs of what"));
  CHECK_THAT(refusal("max(x, 600*z)"), Catch::StartsWith("1: max of what"));  // 300 to 2400
  CHECK(refusal("max(x, 100*z)") == "accepted");                              // 50 to 400
}

TEST_CASE("units convert an affine number, and a refusal stays one") {
  const AffineAnalysis analysis({x_range});
  const AffineValue scaled = analysis.scaled(analysis.unknown(0), 3.0, 1000.0);
  CHECK(scaled.number.slopes.front() == 3.0 / 1000.0);
  CHECK(scaled.range.holds(500.0 * 3.0 / 1000.0));
  CHECK(scaled.range.holds(1000.0 * 3.0 / 1000.0));
  CHECK(analysis.scaled(analysed("x^2"), 2.0, 1.0).refusal);
}

TEST_CASE("cancellation widens coefficients that are not exact, and decides no branch wrongly") {
  // in floating point (y + 1e17) - 1e17 is a staircase; by algebra it is y, which changes sign
  CHECK_THAT(refusal("abs((y + 1e17) - 1e17)"), Catch::Contains("abs"));
  // the constant may be off by the rounding of 1e17, which is far above 3
  CHECK_THAT(refusal("abs((0.1*y + 1e17*z) - 1e17*z + 3)"), Catch::Contains("abs"));
}
