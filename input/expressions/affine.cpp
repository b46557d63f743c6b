#include "input/expressions/affine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "input/expressions/expression_parser.hpp"

namespace counterpoise {
namespace {

using Kind = ExpressionNode::Kind;

/// The operand that is the smallest (or largest) whatever the unknowns are, or none.
const AffineValue* always_extreme(Kind kind, std::span<const AffineValue> operands) {
  const auto beats = [&](const AffineValue& a, const AffineValue& b) {
    return &a == &b ||
           (kind == Kind::min ? a.range.high <= b.range.low : a.range.low >= b.range.high);
  };
  for (const AffineValue& candidate : operands)
    if (std::all_of(operands.begin(), operands.end(),
                    [&](const AffineValue& other) { return beats(candidate, other); }))
      return &candidate;
  return nullptr;
}

/// A node whose operands do not depend on unknowns.
AffineValue plain(const ExpressionNode& node, std::span<const AffineValue> operands) {
  std::vector<double> numbers;
  std::vector<NumberRange> ranges;
  for (const AffineValue& operand : operands) {
    numbers.push_back(operand.number.constant);
    ranges.push_back(operand.range);
  }
  return AffineAnalysis::other(apply(node, numbers.data()), range_of(node, ranges));
}

/// How the message about a function or an operator begins.
std::string refused_as(const ExpressionNode& node) {
  constexpr const char* change = " of what the variables change";
  switch (node.kind) {
    case Kind::square:
    case Kind::cube:
    case Kind::fourth:
    case Kind::raised:
      return std::string("a power") + change;
    case Kind::product:
      return "a product of two numbers that the variables change";
    case Kind::quotient:
      return "a quotient by what the variables change";
    case Kind::min:
    case Kind::max:
      return fmt::format("{}{}, none of whose arguments is the {} for all their values",
                         node.spelling(), change, node.kind == Kind::min ? "least" : "largest");
    case Kind::abs:
      return std::string("abs") + change + ", where these change its sign";
    default:
      return std::string(node.spelling()) + change;
  }
}

}  // namespace

bool AffineNumber::fixed() const {
  return std::all_of(slopes.begin(), slopes.end(), [](double slope) { return slope == 0.0; });
}

double AffineNumber::at(const std::vector<double>& u) const {
  double value = constant;
  for (std::size_t i = 0; i < slopes.size(); ++i)
    if (slopes[i] != 0.0) value += slopes[i] * u[i];
  return value;
}

AffineValue AffineAnalysis::unknown(std::size_t index) const {
  AffineValue value;
  value.varies = true;
  value.number.slopes.assign(unknowns_.size(), 0.0);
  value.number.slopes[index] = 1.0;
  value.slopes.assign(unknowns_.size(), NumberRange{});
  value.slopes[index] = NumberRange::of(1.0);
  value.range = unknowns_[index];
  return value;
}

AffineValue AffineAnalysis::other(double present, const NumberRange& range) {
  AffineValue value;
  value.number.constant = present;
  value.constant = range;
  value.range = range;
  return value;
}

AffineValue AffineAnalysis::of(const Expression& expression,
                               std::span<const AffineValue> values) const {
  for (const int used : expression.used())
    if (const AffineValue& value = values[used]; value.refusal) return value;
  std::vector<AffineValue> stack;
  for (const ExpressionNode& node : expression.nodes()) {
    std::string why;
    AffineValue value;
    if (node.kind == Kind::constant) {
      value = constant(node.offset);
    } else if (node.kind == Kind::linear) {
      value = multiple(values[node.value], node.factor, NumberRange::of(node.factor));
      if (node.offset != 0.0) value = sum(value, constant(node.offset), 1.0);
    } else {
      const bool power = node.operands == 0;
      if (power) stack.push_back(values[node.value]);
      const std::size_t count = power ? 1 : static_cast<std::size_t>(node.operands);
      value = joined(node, std::span(stack).last(count), why);
      stack.resize(stack.size() - count);
    }
    if (!why.empty()) {
      AffineValue refused;
      refused.varies = true;
      refused.refusal =
          std::make_shared<const AffineRefusal>(AffineRefusal{expression, node.at, why});
      return refused;
    }
    stack.push_back(std::move(value));
  }
  return std::move(stack.front());
}

/// `why` is set where the node is not affine.
AffineValue AffineAnalysis::joined(const ExpressionNode& node,
                                   std::span<const AffineValue> operands, std::string& why) const {
  const AffineValue &a = operands.front(), &b = operands.back();
  if (node.operands == 0 && !a.varies) {  // a small power
    const double x = a.number.constant;
    const double exponent = node.kind == Kind::square ? 2.0 : node.kind == Kind::cube ? 3.0 : 4.0;
    double present = x;
    for (double n = 1.0; n < exponent; ++n) present *= x;
    const NumberRange ranges[] = {a.range, NumberRange::of(exponent)};
    return other(present, range_of({.kind = Kind::raised, .operands = 2}, ranges));
  }
  if (std::none_of(operands.begin(), operands.end(), [](const auto& o) { return o.varies; }))
    return plain(node, operands);
  switch (node.kind) {
    case Kind::negative:
      return multiple(a, -1.0, NumberRange::of(-1.0));
    case Kind::sum:
      return sum(a, b, 1.0);
    case Kind::difference:
      return sum(a, b, -1.0);
    case Kind::product:
      if (!a.varies) return multiple(b, a.number.constant, a.range);
      if (!b.varies) return multiple(a, b.number.constant, b.range);
      break;
    case Kind::quotient: {
      if (b.varies) break;
      const NumberRange ranges[] = {NumberRange::of(1.0), b.range};
      AffineValue value = multiple(a, 1.0, range_of(node, ranges));
      value.number.constant = a.number.constant / b.number.constant;
      for (double& slope : value.number.slopes) slope /= b.number.constant;
      return value;
    }
    case Kind::abs:
      if (a.range.low >= 0.0) return a;
      if (a.range.high <= 0.0) return multiple(a, -1.0, NumberRange::of(-1.0));
      break;
    case Kind::min:
    case Kind::max:
      if (const AffineValue* always = always_extreme(node.kind, operands)) return *always;
      break;
    default:
      break;
  }
  why = refused_as(node);
  return {};
}

AffineValue AffineAnalysis::sum(const AffineValue& a, const AffineValue& b, double sign) const {
  AffineValue value = a.varies ? a : multiple(b, sign, NumberRange::of(sign));
  const AffineValue& more = a.varies ? b : a;
  const double by = a.varies ? sign : 1.0;
  const NumberRange by_range = NumberRange::of(by);
  value.number.constant = a.number.constant + sign * b.number.constant;
  value.constant = value.constant + by_range * more.constant;
  value.range = value.range + by_range * more.range;
  if (more.varies)
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
      value.number.slopes[i] += by * more.number.slopes[i];
      value.slopes[i] = value.slopes[i] + by_range * more.slopes[i];
    }
  narrow(value);
  return value;
}

AffineValue AffineAnalysis::multiple(const AffineValue& a, double factor,
                                     const NumberRange& range) {
  AffineValue value = a;
  if (factor == 1.0 && range.low == 1.0 && range.high == 1.0) return value;
  value.number.constant *= factor;
  for (double& slope : value.number.slopes)
    if (slope != 0.0) slope *= factor;
  value.constant = a.constant * range;
  for (NumberRange& slope : value.slopes)
    if (slope.low != 0.0 || slope.high != 0.0) slope = slope * range;
  value.range = a.range * range;
  return value;
}

AffineValue AffineAnalysis::scaled(AffineValue value, double times, double over) const {
  if (value.refusal) return value;
  value = multiple(value, times, NumberRange::of(times));
  if (over == 1.0) return value;
  const double present = value.number.constant / over;
  AffineNumber divided = value.number;
  divided.constant = present;
  for (double& slope : divided.slopes) slope /= over;
  const NumberRange ranges[] = {NumberRange::of(1.0), NumberRange::of(over)};
  value = multiple(value, 1.0, range_of({.kind = Kind::quotient, .operands = 2}, ranges));
  value.number = std::move(divided);
  return value;
}

/// The same number by its coefficients, which know where unknowns cancel.
void AffineAnalysis::narrow(AffineValue& value) const {
  if (!value.varies) return;
  NumberRange range = value.constant;
  for (std::size_t i = 0; i < unknowns_.size(); ++i) range = range + value.slopes[i] * unknowns_[i];
  value.range = value.range.cut(range);
}

namespace {

using Kind = ExpressionNode::Kind;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr NumberRange truth = {0.0, 1.0};

/// One rounding further out at both ends. An end that is NaN is ignored.
NumberRange outward(double low, double high) {
  return {std::isnan(low) ? -infinity : std::nextafter(low, -infinity),
          std::isnan(high) ? infinity : std::nextafter(high, infinity)};
}

/// Two roundings further out at both ends, for functions of the mathematical library, whose error
/// is less.
NumberRange further_outward(double low, double high) {
  constexpr double least = std::numeric_limits<double>::min();
  return outward(low - 2.0 * epsilon * std::abs(low) - least,
                 high + 2.0 * epsilon * std::abs(high) + least);
}

/// The lower end of an interval where x was rounded and lies `error` below the exact number; NaN
/// where that is not known.
double down(double x, double error) {
  return error >= 0.0 ? x : std::isnan(x) ? -infinity : std::nextafter(x, -infinity);
}
double up(double x, double error) {
  return error <= 0.0 ? x : std::isnan(x) ? infinity : std::nextafter(x, infinity);
}

/// The difference between the exact sum and a + b (Knuth); NaN where it overflows.
double error_of_sum(double a, double b) {
  const double sum = a + b, b_part = sum - a;
  return (a - (sum - b_part)) + (b - b_part);
}

/// The difference between the exact product and x * y; NaN where it is subnormal or overflows.
double error_of_product(double x, double y) {
  const double product = x * y;
  const bool known = std::abs(product) > std::numeric_limits<double>::min() / epsilon;
  return known ? std::fma(x, y, -product) : std::numeric_limits<double>::quiet_NaN();
}

bool is_point(const NumberRange& range) {
  return range.low == range.high;
}

NumberRange quotient(const NumberRange& a, const NumberRange& b) {
  if (b.holds(0.0)) return NumberRange::all();
  const double ends[] = {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high};
  if (std::any_of(std::begin(ends), std::end(ends), [](double x) { return std::isnan(x); }))
    return NumberRange::all();
  const auto [low, high] = std::minmax_element(std::begin(ends), std::end(ends));
  return outward(*low, *high);
}

NumberRange absolute(const NumberRange& a) {
  const double low = std::abs(a.low), high = std::abs(a.high);
  return {a.holds(0.0) ? 0.0 : std::min(low, high), std::max(low, high)};
}

/// The range of a function that rises (or falls) wherever it is defined.
NumberRange monotone(double at_low, double at_high) {
  return further_outward(std::min(at_low, at_high), std::max(at_low, at_high));
}

NumberRange raised(const NumberRange& base, const NumberRange& exponent) {
  const auto of_ends = [&] {
    const double ends[] = {std::pow(base.low, exponent.low), std::pow(base.low, exponent.high),
                           std::pow(base.high, exponent.low), std::pow(base.high, exponent.high)};
    const auto [low, high] = std::minmax_element(std::begin(ends), std::end(ends));
    return further_outward(*low, *high);
  };
  if (base.low > 0.0) return of_ends();
  if (base.low == 0.0 && exponent.low > 0.0) return of_ends();
  const bool whole = is_point(exponent) && exponent.low == std::round(exponent.low);
  if (!whole || exponent.low < 0.0) return NumberRange::all();
  const NumberRange ends = of_ends();
  const bool even = std::fmod(exponent.low, 2.0) == 0.0;
  return even && base.holds(0.0) ? ends.joined(NumberRange::of(0.0)) : ends;
}

NumberRange function(const ExpressionNode& node, const NumberRange& a) {
  const double low = apply(node, &a.low), high = apply(node, &a.high);
  switch (node.kind) {
    case Kind::sin:
    case Kind::cos:
      return is_point(a) && std::isfinite(low) ? further_outward(low, high)
                                               : NumberRange{-1.0, 1.0};
    case Kind::tan:
      return is_point(a) && std::isfinite(low) ? further_outward(low, high) : NumberRange::all();
    case Kind::sqrt:
      return a.high < 0.0 ? NumberRange::all() : monotone(a.low < 0.0 ? 0.0 : low, high);
    case Kind::asin:
      return a.low < -1.0 || a.high > 1.0 ? further_outward(-std::numbers::pi, std::numbers::pi)
                                          : monotone(low, high);
    case Kind::acos:
      return a.low < -1.0 || a.high > 1.0 ? further_outward(0.0, std::numbers::pi)
                                          : monotone(low, high);
    case Kind::atan:
      return monotone(low, high);
    default:
      return NumberRange::all();
  }
}

NumberRange comparison(const ExpressionNode& node, const NumberRange& a, const NumberRange& b) {
  switch (node.kind) {
    case Kind::less:
    case Kind::at_most:
      if (a.high < b.low) return NumberRange::of(1.0);
      return a.low > b.high ? NumberRange::of(0.0) : truth;
    case Kind::greater:
    case Kind::at_least:
      if (a.low > b.high) return NumberRange::of(1.0);
      return a.high < b.low ? NumberRange::of(0.0) : truth;
    default:
      return truth;
  }
}

}  // namespace

NumberRange NumberRange::all() {
  return {-infinity, infinity};
}

NumberRange NumberRange::joined(const NumberRange& other) const {
  return {std::min(low, other.low), std::max(high, other.high)};
}

NumberRange NumberRange::cut(const NumberRange& other) const {
  return {std::max(low, other.low), std::min(high, other.high)};
}

NumberRange operator+(const NumberRange& a, const NumberRange& b) {
  return {down(a.low + b.low, error_of_sum(a.low, b.low)),
          up(a.high + b.high, error_of_sum(a.high, b.high))};
}

NumberRange operator*(const NumberRange& a, const NumberRange& b) {
  NumberRange product{infinity, -infinity};
  for (const double x : {a.low, a.high})
    for (const double y : {b.low, b.high}) {
      const bool zero = x == 0.0 || y == 0.0;  // also times infinity, which is no number's value
      const double end = zero ? 0.0 : x * y;
      const double error = zero ? 0.0 : error_of_product(x, y);
      product.low = std::min(product.low, down(end, error));
      product.high = std::max(product.high, up(end, error));
    }
  return product;
}

NumberRange range_of(const ExpressionNode& node, std::span<const NumberRange> operands) {
  const NumberRange& a = operands.front();
  const NumberRange& b = operands.back();
  switch (node.kind) {
    case Kind::negative:
      return {-a.high, -a.low};
    case Kind::sum:
      return a + b;
    case Kind::difference:
      return a + NumberRange{-b.high, -b.low};
    case Kind::product:
      return a * b;
    case Kind::quotient:
      return quotient(a, b);
    case Kind::raised:
      return raised(a, b);
    case Kind::abs:
      return absolute(a);
    case Kind::min:
    case Kind::max: {
      NumberRange best = a;
      for (const NumberRange& other : operands) {
        const bool least = node.kind == Kind::min;
        best.low = least ? std::min(best.low, other.low) : std::max(best.low, other.low);
        best.high = least ? std::min(best.high, other.high) : std::max(best.high, other.high);
      }
      return best;
    }
    case Kind::atan2:
      return further_outward(-std::numbers::pi, std::numbers::pi);
    case Kind::less:
    case Kind::at_most:
    case Kind::greater:
    case Kind::at_least:
    case Kind::equal:
    case Kind::different:
      return comparison(node, a, b);
    case Kind::both:
    case Kind::either:
      return truth;
    default:
      return function(node, a);
  }
}

}  // namespace counterpoise
