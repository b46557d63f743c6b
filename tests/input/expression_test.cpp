#include "input/expressions/expression.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <random>

using namespace counterpoise;

namespace {

const Location somewhere{.file = "study.json", .line = 3, .column = 7, .pointer = "/where"};

double value_of(const std::string& text) {
  return Expression::parse(text, Scope(), somewhere).evaluate(nullptr);
}

double condition(const std::string& text, const Scope& scope, std::vector<double> values) {
  return Expression::parse(text, scope, somewhere, ExpressionKind::condition)
      .evaluate(values.data());
}

/// A random expression together with its value, computed while it is written down. Parentheses
/// stand only where the grammar needs them, so precedence and associativity are what is tested.
struct Written {
  std::string text;
  double value;
  int binding;  // 1 sum, 2 product, 3 sign, 4 power, 5 atom
};

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

Written write(std::mt19937& random, int depth) {
  const auto wrap = [](const Written& w, int least) {
    return w.binding >= least ? w.text : joined({"(", w.text, ")"});
  };
  const int choice = depth == 0 ? 0 : std::uniform_int_distribution(0, 7)(random);
  if (choice == 0) {
    const int number = std::uniform_int_distribution(1, 9)(random);
    return {std::to_string(number), static_cast<double>(number), 5};
  }
  const Written a = write(random, depth - 1);
  if (choice == 1) return {joined({"-", wrap(a, 4)}), -a.value, 3};
  if (choice == 2) return {joined({"abs(", a.text, ")"}), std::abs(a.value), 5};
  const Written b = write(random, depth - 1);
  switch (choice) {
    case 3:
      return {joined({wrap(a, 1), " + ", wrap(b, 2)}), a.value + b.value, 1};
    case 4:
      return {joined({wrap(a, 1), " - ", wrap(b, 2)}), a.value - b.value, 1};
    case 5:
      return {joined({wrap(a, 2), "*", wrap(b, 3)}), a.value * b.value, 2};
    case 6:
      return {joined({wrap(a, 2), " / ", wrap(b, 3)}), a.value / b.value, 2};
    default:
      return {joined({wrap(a, 5), "^", wrap(b, 3)}), std::pow(a.value, b.value), 4};
  }
}

}  // namespace

TEST_CASE("a power binds to the right and before the sign") {
  CHECK(value_of("-2^2") == -4.0);
  CHECK(value_of("2^3^2") == 512.0);
  CHECK(value_of("2^-1") == 0.5);
  CHECK(value_of("2^-2^2") == 0.0625);
  CHECK(value_of("3 - -2") == 5.0);
  CHECK(value_of("2*-3^2") == -18.0);
  CHECK(value_of("8/4/2") == 1.0);
  CHECK(value_of("+2 - +3") == -1.0);
  CHECK(value_of("--2 - --+-3") == 5.0);
}

TEST_CASE("random expressions have the value they were written with") {
  std::mt19937 random(20240607);
  for (int trial = 0; trial < 3000; ++trial) {
    const Written expected = write(random, 5);
    CAPTURE(expected.text);
    if (!std::isfinite(expected.value)) continue;
    // the compiler may turn a^2 into a*a and the like; a few roundings, amplified by powers
    CHECK(value_of(expected.text) == Approx(expected.value).epsilon(1e-9).margin(1e-12));
  }
}

TEST_CASE("every function and pi has its meaning") {
  CHECK(value_of("sqrt(2)") == std::sqrt(2.0));
  CHECK(value_of("sin(1) + cos(1) + tan(1)") == std::sin(1.0) + std::cos(1.0) + std::tan(1.0));
  CHECK(value_of("asin(0.5) - acos(0.25)") == std::asin(0.5) - std::acos(0.25));
  CHECK(value_of("atan(2)") == std::atan(2.0));
  CHECK(value_of("atan2(-1, -2)") == std::atan2(-1.0, -2.0));
  CHECK(value_of("abs(-3) + min(4, 2, 3) + max(1, 7)") == 12.0);
  CHECK(value_of("pi/2") == std::numbers::pi / 2.0);
  CHECK(value_of("1.5e-3 + .5") == 1.5e-3 + 0.5);
}

TEST_CASE("names are read from the vector of values, also after a copy") {
  Scope scope;
  scope.add("rate");
  scope.add("lift.max");
  scope.add("baseline.lift.max");
  const Expression ratio = Expression::parse("lift.max / baseline.lift.max", scope, somewhere);
  const std::vector<double> values = {7.0, 1.0, 4.0};
  CHECK(ratio.evaluate(values.data()) == 0.25);
  CHECK(std::vector<int>(ratio.used().begin(), ratio.used().end()) == std::vector<int>{1, 2});

  Expression copy(ratio);
  const std::vector<double> others = {7.0, 3.0, 4.0};
  CHECK(copy.evaluate(others.data()) == 0.75);
  CHECK(ratio.evaluate(values.data()) == 0.25);
  Expression assigned = Expression::parse("rate", scope, somewhere);
  assigned = copy;
  CHECK(assigned.evaluate(values.data()) == 0.25);
}

TEST_CASE("conditions compare numbers and texts") {
  Scope scope("a column");
  scope.add("rate");
  scope.add("material", true);
  scope.add("ends", true);
  const double steel = scope.number_of("steel");
  const double wire = scope.number_of("music wire");
  const std::vector<double> row = {500.0, steel, wire};
  CHECK(condition("rate < 3000 && material == \"steel\"", scope, row) == 1.0);
  CHECK(condition("rate < 3000 && material == 'brass'", scope, row) == 0.0);
  CHECK(condition("rate > 3000 || 'steel' == material", scope, row) == 1.0);
  CHECK(condition("material != ends", scope, row) == 1.0);
  CHECK(condition("(ends == 'music wire') && rate >= 500 && rate <= 500", scope, row) == 1.0);
  CHECK(condition("rate == 500 && rate != 501", scope, row) == 1.0);
  CHECK(condition("1 + 1 < 2*2", scope, row) == 1.0);
  CHECK(condition("0 && 0 || 1", scope, row) == 1.0);
}

TEST_CASE("a number with a unit stands for its value in SI") {
  CHECK(value_of("20 N") == 20.0);
  CHECK(value_of("2.5N/mm") == 2500.0);
  CHECK(value_of("60mm+1 cm") == 0.06 + 0.01);
  CHECK(value_of("3 N*mm") == 0.003);
  CHECK(value_of("3 N*2 mm") == 3.0 * 0.002);
  CHECK(value_of("-2 * 3 kN/2 mm") == -2.0 * 3000.0 / 0.002);
  CHECK(value_of("sin(30 deg)") == std::sin(30.0 * std::numbers::pi / 180.0));
  CHECK(value_of("1e3 mm") == 1.0);
  CHECK(value_of("1 lbf / 1 in") == Approx(value_of("1 lbf/in")).epsilon(1e-15));
  Scope scope("a name");
  scope.add("m");
  scope.add("N");
  const std::vector<double> values = {7.0, 11.0};
  const auto with_names = [&](const std::string& text) {
    return Expression::parse(text, scope, somewhere).evaluate(values.data());
  };
  CHECK(with_names("20 N*m") == 20.0);
  CHECK(with_names("20 N * m") == 140.0);
  CHECK(with_names("20 * N*m") == 1540.0);
  CHECK(with_names("20 N*m + m") == 27.0);
  CHECK(with_names("2 m/m") == 2.0 / 7.0);
}

TEST_CASE("the unit of an expression is known where its parts agree") {
  Scope scope("a name");
  scope.add("length", false, "m");
  scope.add("other", false, "m");
  scope.add("force", false, "N");
  scope.add("number");
  const auto unit = [&](const std::string& text) {
    return std::string(Expression::parse(text, scope, somewhere).unit());
  };
  for (const char* text : {"length", "-length", "length + other", "length - 3", "abs(other)",
                           "max(length, other, 2)", "length + 5 mm", "2 * 5 mm", "5 mm / 2 - 1 in"})
    CHECK(unit(text) == "m");
  for (const char* text : {"length * other", "2 * length", "length + force", "length + number",
                           "sqrt(length)", "3", "number", "max(length, force)", "5 mm * 3 N"})
    CHECK(unit(text) == "");
  const auto written = [&](const std::string& text) {
    return Expression::parse(text, scope, somewhere).written_unit();
  };
  CHECK(written("length + 5 mm")->name == "mm");
  CHECK(written("2 * (3 in - 1 cm)")->name == "in");
  CHECK(!written("length"));
  CHECK(!written("5 mm * length"));
}

TEST_CASE("what is no expression is refused in words") {
  struct Wrong {
    std::string text;
    ExpressionKind kind;
    std::string expected;
  };
  constexpr auto number = ExpressionKind::number;
  constexpr auto boolean = ExpressionKind::condition;
  const std::vector<Wrong> table = {
      {"ratee", number, "character 1: found \"ratee\", expected a column; did you mean \"rate\"?"},
      {"", number, "the expression ends where a number or a name is due"},
      {"2 +", number, "the expression ends where a number or a name is due"},
      {"2 rate", number, "character 3: found \"rate\", expected an operator"},
      {"2pi", number, "character 2: found \"pi\", expected an operator"},
      {"(2", number, "character 1: this parenthesis is not closed"},
      {"2)", number, "character 2: this parenthesis was not opened"},
      {"1, 2", number, "a comma stands only between the arguments of a function"},
      {"max(1, (2, 3))", number, "a comma stands only between the arguments of a function"},
      {"rate = 3", number, "there is no assignment"},
      {"rate > 1 ? 2 : 3", boolean, "there is no ?:"},
      {"rate > 1", number, "but this is a number and not a condition"},
      {"!rate", boolean, "there is no !"},
      {"rate & 1", boolean, "write && and ||"},
      {"sin", number, "needs its argument in parentheses"},
      {"sine(1)", number, "expected a function; did you mean \"sin\"?"},
      {"rate(2)", number, "expected a function"},
      {"sin()", number, "expected a number or a name"},
      {"atan2(1)", number, "atan2 takes 2 arguments, found 1"},
      {"sqrt(1, 2)", number, "sqrt takes 1 argument, found 2"},
      {"exp(1)", number, "expected a function; there are sqrt, sin"},
      {"2 mn", number, "character 3: found \"mn\", expected an operator or a unit; did you mean"},
      {"2 N/Mm", number, "character 3: unknown unit \"N/Mm\"; did you mean \"N/mm\"?"},
      {"2 N/inch", number, "character 3: unknown unit \"N/inch\"; there are N/m, N/mm, N/cm"},
      {"1 + 2N*m/radian", number,
       "character 6: unknown unit \"N*m/radian\"; did you mean \"N*m/rad\"?"},
      {"9.81 m/s^2", number, "character 6: unknown unit \"m/s^2\"; there are m/s, mm/s"},
      {"2 N/ratee", number,
       "character 5: found \"ratee\", expected a column; did you mean \"rate\"?"},
      {"2 N / inch", number, "character 7: found \"inch\", expected a column"},
      {"2 inch", number, "expected an operator or a unit; did you mean \"in\"?"},
      {"2 mm mm", number, "character 6: found \"mm\", expected an operator"},
      {"1e306 kN", number, "1e306 kN is not finite in N"},
      {"rate + 2 mm", number,
       "character 8: found \"mm\", expected a unit that goes with N/m: N/m, N/mm, N/cm, lbf/in"},
      {"max(3 kg, 2 * -rate, rate)", number, "character 5: found \"kg\", expected a unit"},
      {"2 s < rate", boolean, "character 1: found \"s\", expected a unit that goes with N/m"},
      {"_pi", number, "found \"_pi\""},
      {"_e", number, "found \"_e\""},
      {"1e999", number, "1e999 is not finite"},
      {"2**3", number, "character 3: found \"*\""},
      {"rate$", number, "this character belongs to no expression"},
      {"5 % 2", number, "there is no %"},
      {"material", number, "is a text, expected a number"},
      {"material + 1 == 2", boolean, "texts are only compared with texts"},
      {"1 + material == 'x'", boolean, "texts are only compared with texts"},
      {"material < 'x'", boolean, "texts are only compared with texts"},
      {"rate == 'x'", boolean, "texts are only compared with texts"},
      {"material == 'x", boolean, "the quoted text does not end"},
      {std::string("1 + \0 2", 7), number, "\\u0000 2\" at character 5"},
  };
  Scope scope("a column");
  scope.add("rate", false, "N/m");
  scope.add("material", true);
  for (const Wrong& wrong : table) {
    CAPTURE(wrong.text);
    try {
      Expression::parse(wrong.text, scope, somewhere, wrong.kind);
      FAIL_CHECK("was accepted");
    } catch (const InputError& error) {
      CHECK_THAT(error.what(), Catch::StartsWith("study.json:3:7: /where: in the expression"));
      CHECK_THAT(error.what(), Catch::Contains(wrong.expected));
    }
  }
}

TEST_CASE("the size of terms is the size that a sum's rounding depends on") {
  Scope scope;
  scope.add("a");
  scope.add("b");
  const std::vector<double> values = {1000.0, 999.0};
  const std::vector<std::pair<const char*, double>> sizes = {{"a", 1000.0},
                                                             {"-a", 1000.0},
                                                             {"a - b", 1000.0},
                                                             {"a - 2e6 + b", 2e6},
                                                             {"(a - b)/1000", 1.0},
                                                             {"1e-9*(a - b)", 1e-6},
                                                             {"a*b", 999000.0},
                                                             {"max(a - b, 3)", 1000},
                                                             {"sqrt(a - b)", 1.0},
                                                             {"abs(b - a)", 1000.0},
                                                             {"7", 7.0},
                                                             {"2*a - 3", 2000.0},
                                                             {"(a - b)*(a - b)", 1000.0}};
  for (const auto& [text, size] : sizes) {
    CAPTURE(text);
    CHECK(Expression::parse(text, scope, somewhere).size_of_terms(values.data()) == Approx(size));
  }
}
