#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace counterpoise {

/// A closed interval that holds a number. Results of arithmetic hold the exact result for all
/// numbers in the operands: every end is rounded to nearest, as floating point does, and then moved
/// outward by more than that rounding.
///
/// No rounding mode is changed, so compilers may reorder, vectorise and contract (a * b - c into
/// one fused operation) as they like: half a unit in the last place is at most 2^-53 of a normal
/// result, and an end is moved by 2^-52 of it and the least normal number. Holds for ends up to
/// 1e300 in size; an overflow is not an enclosure, so whoever makes intervals from data keeps them
/// below a size whose powers do not overflow.
struct Interval {
  double low = 0.0, high = 0.0;

  constexpr Interval() = default;
  constexpr Interval(double number)  // NOLINT(google-explicit-constructor): a number is one
      : low(number), high(number) {}
  constexpr Interval(double least, double greatest) : low(least), high(greatest) {}

  [[nodiscard]] bool holds(double number) const { return low <= number && number <= high; }
  [[nodiscard]] double middle() const { return 0.5 * low + 0.5 * high; }
  /// At least the distance from middle() to either end.
  [[nodiscard]] double radius() const;
  /// The largest absolute value.
  [[nodiscard]] double size() const { return std::max(std::abs(low), std::abs(high)); }
};

/// A number not above (not below) the exact result that was rounded to x.
inline double below(double x) {
  constexpr double half_unit = 0x1p-52, least = std::numeric_limits<double>::min();
  return x - std::abs(x) * half_unit - least;
}
inline double above(double x) {
  constexpr double half_unit = 0x1p-52, least = std::numeric_limits<double>::min();
  return x + std::abs(x) * half_unit + least;
}

inline double Interval::radius() const {
  const double at = middle();
  return std::max(above(high - at), above(at - low));
}

inline Interval operator-(const Interval& a) {
  return {-a.high, -a.low};
}
inline Interval operator+(const Interval& a, const Interval& b) {
  return {below(a.low + b.low), above(a.high + b.high)};
}
inline Interval operator-(const Interval& a, const Interval& b) {
  return {below(a.low - b.high), above(a.high - b.low)};
}
inline Interval& operator+=(Interval& a, const Interval& b) {
  return a = a + b;
}
inline Interval operator*(double a, const Interval& b) {
  const double first = a * b.low, second = a * b.high;
  return {below(first < second ? first : second), above(first < second ? second : first)};
}
inline Interval operator*(const Interval& a, const Interval& b) {
  const double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
  const double pq_low = p < q ? p : q, pq_high = p < q ? q : p;
  const double rs_low = r < s ? r : s, rs_high = r < s ? s : r;
  return {below(pq_low < rs_low ? pq_low : rs_low), above(pq_high < rs_high ? rs_high : pq_high)};
}
inline Interval& operator*=(Interval& a, const Interval& b) {
  return a = a * b;
}
/// 1 / a for an interval above 0 or below 0.
inline Interval inverse(const Interval& a) {
  return {below(1.0 / a.high), above(1.0 / a.low)};
}
inline Interval square(const Interval& a) {
  const double low = std::abs(a.low), high = std::abs(a.high);
  const double most = low < high ? high : low, least = low < high ? low : high;
  const bool around_zero = a.low < 0.0 && a.high > 0.0;
  return {around_zero ? 0.0 : std::max(0.0, below(least * least)), above(most * most)};
}
/// The square roots of the numbers of an interval that are not negative.
inline Interval root(const Interval& a) {
  return {a.low <= 0.0 ? 0.0 : std::max(0.0, below(std::sqrt(a.low))),
          above(std::sqrt(std::max(a.high, 0.0)))};
}
/// The smallest interval that holds both.
inline Interval joined(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
/// The numbers that both hold; there must be one.
inline Interval met(const Interval& a, const Interval& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

}  // namespace counterpoise
