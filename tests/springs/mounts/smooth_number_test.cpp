#include "springs/problem/smooth_number.hpp"

#include <catch2/catch.hpp>

#include "tests/support/random.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const std::vector<std::string> names = {"x", "y", "z", "c"};

Scope scope_of_names() {
  Scope scope;
  for (const std::string& name : names) scope.add(name);
  return scope;
}

/// x, y and z over a box, and c, which does not vary.
std::vector<SmoothNumber> numbers(const std::vector<Interval>& box, double c) {
  std::vector<SmoothNumber> values;
  for (std::size_t i = 0; i < 3; ++i)
    values.push_back(SmoothNumber::variable(i, box[i], Interval(1.0), Interval(0.0)));
  values.push_back(SmoothNumber::constant(c));
  return values;
}

}  // namespace

TEST_CASE("values, slopes and second derivatives of expressions are enclosed") {
  const Scope scope = scope_of_names();
  const std::vector<std::string> texts = {"2*x + 3*y - c",
                                          "x*y*z",
                                          "x^2 - y^3 + z^4",
                                          "x / (y + c)",
                                          "sqrt(x + c) * y",
                                          "sin(x) * cos(y) + z",
                                          "tan(x/4) - atan(y*z)",
                                          "asin(x/3) * acos(y/3)",
                                          "c*cos(x + y) + c^2*sin(x*z)",
                                          "(x + y*z)^3 / (c + x^2)",
                                          "1 / (0.1 + x^2) - y^6 / (c + (x - z)^4)",
                                          "max(c, 2) * x + abs(0 - c)*y"};
  Random random(7);
  for (const std::string& text : texts) {
    CAPTURE(text);
    const Expression expression = Expression::parse(text, scope, {"test", 1});
    for (int trial = 0; trial < 50; ++trial) {
      const double c = random.uniform(2.0, 3.0);
      std::vector<Interval> box;
      std::vector<double> middle;
      for (int i = 0; i < 3; ++i) {
        const double low = random.uniform(-0.9, 0.8);
        box.emplace_back(low, low + random.uniform(0.0, 0.2));
        middle.push_back(box.back().middle());
      }
      middle.push_back(c);
      const SmoothNumber whole = smooth_number(expression, numbers(box, c));
      // at a point, differences of long doubles would be no better than these of small steps
      const auto at = [&](double x, double y, double z) {
        const double values[] = {x, y, z, c};
        return expression.evaluate(values);
      };
      std::array<double, 3> p{};
      for (std::size_t i = 0; i < 3; ++i) p[i] = random.uniform(box[i].low, box[i].high);
      CHECK(whole.value.low - 1e-13 <= at(p[0], p[1], p[2]));
      CHECK(whole.value.high + 1e-13 >= at(p[0], p[1], p[2]));
      constexpr double h = 1e-4, first_error = 1e-6, second_error = 1e-5;
      for (std::size_t i = 0; i < 3; ++i) {
        auto up = p, down = p;
        up[i] += h;
        down[i] -= h;
        const double slope = (at(up[0], up[1], up[2]) - at(down[0], down[1], down[2])) / (2 * h);
        CHECK(whole.slopes[i].low - first_error <= slope);
        CHECK(whole.slopes[i].high + first_error >= slope);
        for (std::size_t j = 0; j <= i; ++j) {
          const auto shifted = [&](double a, double b) {
            auto q = p;
            q[i] += a;
            q[j] += b;
            return at(q[0], q[1], q[2]);
          };
          const double bend =
              (shifted(h, h) - shifted(h, -h) - shifted(-h, h) + shifted(-h, -h)) / (4 * h * h);
          const Interval& own = whole.curvatures[SmoothNumber::pair(i, j)];
          CHECK(own.low - second_error <= bend);
          CHECK(own.high + second_error >= bend);
        }
      }
    }
  }
}

TEST_CASE("enclosures over a point are as narrow as rounding") {
  const Scope scope = scope_of_names();
  const Expression expression =
      Expression::parse("x*cos(y) + sqrt(z + c) / (x + c)", scope, {"test", 1});
  const std::vector<Interval> point = {Interval(0.3), Interval(0.7), Interval(0.1)};
  const SmoothNumber at = smooth_number(expression, numbers(point, 2.0));
  CHECK(at.value.high - at.value.low < 1e-14);
  for (const Interval& slope : at.slopes) CHECK(slope.high - slope.low < 1e-13);
  for (const Interval& bend : at.curvatures) CHECK(bend.high - bend.low < 1e-13);
}

TEST_CASE("what is not twice differentiable in the box is refused at its character") {
  const Scope scope = scope_of_names();
  const std::vector<Interval> box(3, Interval(-0.5, 0.5));
  for (const std::string text : {"abs(x)", "min(x, y)", "max(x, c)", "atan2(x, c)", "1 / x",
                                 "sqrt(x)", "x^0.5", "c^x", "x^(0 - 1)", "asin(3*x)", "tan(4*x)"}) {
    CAPTURE(text);
    const Expression expression = Expression::parse("c + " + text, scope, {"test", 1});
    try {
      static_cast<void>(smooth_number(expression, numbers(box, 2.0)));
      FAIL("was accepted");
    } catch (const InputError& error) {
      const std::string message = error.what();
      CHECK(message.find("at character") != std::string::npos);
      CHECK(message.find("twice differentiable") != std::string::npos);
    }
  }
}
