#include "input/expressions/affine.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/random.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// The range of an expression of a and b by the rules for its nodes alone.
NumberRange range_of(const std::string& text, const NumberRange& a, const NumberRange& b) {
  Scope scope;
  scope.add("a");
  scope.add("b");
  const std::vector<AffineValue> values = {AffineAnalysis::other(a.low, a),
                                           AffineAnalysis::other(b.low, b)};
  return AffineAnalysis({}).of(Expression::parse(text, scope, {}), values).range;
}

}  // namespace

TEST_CASE("a range holds the value of every point, as floating point gives it") {
  const std::vector<std::string> texts = {
      "a + b",         "a - b",       "a*b",           "a/b",          "-a",
      "0.1*a - 0.3",   "a^2",         "a^3",           "a^4",          "a^5 + b",
      "(a*b)^2",       "2^a",         "abs(a)^b",      "abs(a - b)",   "min(a, b, 1)",
      "max(a, 2*b)",   "sqrt(a)",     "sin(a)",        "cos(a*b)",     "tan(a)",
      "asin(a/10)",    "acos(b/10)",  "atan(a)",       "atan2(a, b)",  "a/(b - a)",
      "a^-2",          "(a + b)^3",   "(a - 1)/3 + b", "sqrt(abs(a))", "abs(a)/abs(b)",
      "max(a, b) - a", "(a + 0)^2/b", "a*a - b*b",     "-(a - b)^2/7", "b^0.5"};
  Random random(3);
  for (const std::string& text : texts) {
    CAPTURE(text);
    Scope scope;
    scope.add("a");
    scope.add("b");
    const Expression expression = Expression::parse(text, scope, {});
    for (int trial = 0; trial < 60; ++trial) {
      const auto any = [&] {
        const double low = random.uniform(-5.0, 5.0);
        return NumberRange{low, trial % 5 == 0 ? low : low + random.uniform(0.0, 4.0)};
      };
      const NumberRange a = any(), b = any();
      const NumberRange whole = range_of(text, a, b);
      for (int i = 0; i < 40; ++i) {
        const auto end = [&](const NumberRange& r) {
          return random.chance(0.2) ? (random.chance(0.5) ? r.low : r.high)
                                    : std::min(r.high, random.uniform(r.low, r.high + 1e-300));
        };
        const double point[] = {end(a), end(b)};
        const double value = expression.evaluate(point);
        if (std::isnan(value)) continue;
        CAPTURE(a.low, a.high, b.low, b.high, point[0], point[1], value, whole.low, whole.high);
        REQUIRE(whole.holds(value));
      }
    }
  }
}

TEST_CASE("arithmetic that does not round keeps the ends where they are") {
  CHECK(range_of("a - 500", {500, 1000}, {}).low == 0.0);
  CHECK(range_of("2*a + 0.5*b", {1, 2}, {4, 6}).low == 4.0);
  CHECK(range_of("2*a + 0.5*b", {1, 2}, {4, 6}).high == 7.0);
  const NumberRange rounded = range_of("0.1*a", {3, 3}, {});
  CHECK(rounded.low < 0.1 * 3);
  CHECK(rounded.high - rounded.low < 1e-15);
}

TEST_CASE("a range without ends stays one, and nothing becomes no number") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const char* text : {"a + b", "a - b", "a*b", "a/b", "abs(a) - b", "max(a, b)", "0*a", "a^2",
                           "a^b", "sqrt(a)", "sin(a)", "atan(a)"}) {
    CAPTURE(text);
    const NumberRange range = range_of(text, NumberRange::all(), {-1.0, infinity});
    CHECK_FALSE(std::isnan(range.low));
    CHECK_FALSE(std::isnan(range.high));
    CHECK(range.low <= range.high);
  }
}
