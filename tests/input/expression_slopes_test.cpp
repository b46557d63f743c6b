#include "input/expressions/expression_slopes.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const Location nowhere{.file = "model.json", .line = 1, .column = 1, .pointer = "/where"};

Scope scope_of_two() {
  Scope scope;
  scope.add("x");
  scope.add("y");
  return scope;
}

Expression expression_of(const std::string& text) {
  return Expression::parse(text, scope_of_two(), nowhere);
}

/// A random smooth expression of x and y, defined around every x and y from 0.5 to 1.5.
std::string random_text(Random& random, int depth) {
  if (depth == 0) {
    const int kind = random.below(4);
    return kind == 0 ? "y" : kind == 1 ? std::to_string(random.uniform(0.5, 2.0)) : "x";
  }
  const std::string a = random_text(random, depth - 1), b = random_text(random, depth - 1);
  switch (random.below(14)) {
    case 0:
      return "(" + a + " + " + b + ")";
    case 1:
      return "(" + a + " - " + b + ")";
    case 2:
      return "(" + a + " * " + b + ")";
    case 3:
      return "(" + a + " / (2 + sin(" + b + ")))";
    case 4:
      return "sin(" + a + ")";
    case 5:
      return "cos(" + a + ")";
    case 6:
      return "sqrt(2 + cos(" + a + "))";
    case 7:
      return "(2 + sin(" + a + "))^cos(" + b + ")";
    case 8:
      return "atan2(" + a + ", 2 + cos(" + b + "))";
    case 9:
      return "atan(" + a + ")";
    case 10:
      return "asin(0.7*sin(" + a + "))";
    case 11:
      return "acos(0.7*cos(" + a + "))";
    case 12:
      return "tan(0.9*sin(" + a + "))";
    default:
      return "(-" + a + ")";
  }
}

}  // namespace

TEST_CASE("slopes of expressions are those that are derived by hand") {
  const struct {
    const char *text, *first, *second;
  } derived[] = {
      {"3", "0", "0"},
      {"y", "0", "0"},
      {"2*x + 1", "2", "0"},
      {"x^2", "2*x", "2"},
      {"x^3", "3*x^2", "6*x"},
      {"x^4", "4*x^3", "12*x^2"},
      {"(x*y)^2", "2*x*y*y", "2*y*y"},
      {"x^2.5", "2.5*x^1.5", "3.75*x^0.5"},
      {"2^(x*1)", "2^x*0.6931471805599453", "2^x*0.4804530139182014"},
      {"-x*x", "-2*x", "-2"},
      {"x*sin(x)", "sin(x) + x*cos(x)", "2*cos(x) - x*sin(x)"},
      {"1/x", "-1/x^2", "2/x^3"},
      {"y/(x*x)", "-2*y/x^3", "6*y/x^4"},
      {"sqrt(x)", "0.5/sqrt(x)", "-0.25/x^1.5"},
      {"sqrt(y)*x", "sqrt(y)", "0"},
      {"tan(x)", "1/cos(x)^2", "2*sin(x)/cos(x)^3"},
      {"asin(x/3)", "1/sqrt(9 - x^2)", "x/(9 - x^2)^1.5"},
      {"acos(x/3)", "-1/sqrt(9 - x^2)", "-x/(9 - x^2)^1.5"},
      {"atan(x)", "1/(1 + x^2)", "-2*x/(1 + x^2)^2"},
      {"atan2(x, y)", "y/(x^2 + y^2)", "-2*x*y/(x^2 + y^2)^2"},
      {"atan2(y, x)", "-y/(x^2 + y^2)", "2*x*y/(x^2 + y^2)^2"},
      {"abs(x - 3)", "-1", "0"},
      {"abs(x^2)", "2*x", "2"},
      {"min(x + 5, x^3, 9)", "3*x^2", "6*x"},
      {"min(x + 5, 9*x, 0.1*x*x)", "0.2*x", "0.2"},
      {"max(sin(x), -5)", "cos(x)", "-sin(x)"},
  };
  for (const auto& one : derived)
    for (const double x : {0.6, 0.9, 1.2}) {
      const double values[] = {x, 1.3};
      INFO(one.text << " at " << x);
      const ExpressionSlopes slopes = slopes_of(expression_of(one.text), values, 0);
      CHECK(slopes.value == expression_of(one.text).evaluate(values));
      CHECK(slopes.first == Approx(expression_of(one.first).evaluate(values)).margin(1e-14));
      CHECK(slopes.second == Approx(expression_of(one.second).evaluate(values)).margin(1e-13));
    }
}

TEST_CASE("slopes of random expressions are their differences") {
  Random random(4431);
  constexpr double step = 1e-3;
  for (int i = 0; i < trials(1000); ++i) {
    const Expression expression = expression_of(random_text(random, 1 + random.below(3)));
    const int by = random.below(2);
    double values[] = {random.uniform(0.6, 1.4), random.uniform(0.6, 1.4)};
    INFO(expression.text() << " by " << by << " at " << values[0] << ", " << values[1]);
    const ExpressionSlopes slopes = slopes_of(expression, values, by);
    const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
    CHECK(bits(slopes.value) == bits(expression.evaluate(values)));
    const auto at = [&](int steps) {
      double moved[] = {values[0], values[1]};
      moved[by] += steps * step;
      return expression.evaluate(moved);
    };
    // errors of the fourth order
    const double first = (8.0 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12.0 * step);
    const double second =
        (16.0 * (at(1) + at(-1)) - (at(2) + at(-2)) - 30.0 * at(0)) / (12.0 * step * step);
    const double size = 1.0 + std::abs(slopes.value) + std::abs(slopes.second);
    CHECK(slopes.first == Approx(first).margin(2e-7 * size));
    CHECK(slopes.second == Approx(second).margin(2e-6 * size));
  }
}
