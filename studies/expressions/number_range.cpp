#include "studies/expressions/number_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "studies/expressions/expression_parser.hpp"

namespace counterpoise {
namespace {

using Kind = ExpressionNode::Kind;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr NumberRange truth = {0.0, 1.0};

/// One rounding further out at both ends. An end that is not a number says nothing.
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
