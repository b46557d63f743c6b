#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>

namespace counterpoise {

/// Number of samples that one scalar holds; `lane` and `set_lane` access each of them. Pack has its
/// own.
template <class S>
inline constexpr int lanes = 1;

inline double lane(double x, int) {
  return x;
}
inline void set_lane(double& x, int, double value) {
  x = value;
}

inline double select(bool condition, double a, double b) {
  return condition ? a : b;
}
inline double smaller(double a, double b) {
  return b < a ? b : a;
}
inline double larger(double a, double b) {
  return a < b ? b : a;
}

using std::abs;
using std::atan2;
using std::cos;
using std::sin;
using std::sqrt;

/// Whether the condition holds in each of the first lanes.
inline bool holds(bool condition, int = 1) {
  return condition;
}
/// Every lane moved on by one; the first becomes `first`.
inline double shifted(double, double first) {
  return first;
}

/// Sets sine and cosine of one angle, for little more than the cost of one of them.
inline void sincos(double a, double& sine, double& cosine) {
  sine = std::sin(a);
  cosine = std::cos(a);
}

/// The bits of this number less half of the bits of x, read as a double, are 1/sqrt(x) within 3.5
/// %: bits of a double are about its logarithm.
inline constexpr std::int64_t reciprocal_root_bits = 0x5fe6eb50c7b537a9;

inline double near_reciprocal_root(double x) {
  return std::bit_cast<double>(reciprocal_root_bits - (std::bit_cast<std::int64_t>(x) >> 1));
}

/// Returns 1/sqrt(x) for normal x > 0, and 0 for x = 0, without root or division, which cost more
/// than these two dozen operations on processors that take wide registers through them in parts.
/// With h = 1 - x r^2, each of the first two steps leaves a relative error of 5/16 h^3, so that 3.5
/// % becomes 1.1e-4 and then 3e-12, and Newton's step leaves 3/8 h^2 < 2e-23 beside its roundings
/// (of h, less than 2 epsilon halved, and of the sum): r is within 1.5 epsilon, x r within 2.
template <class S>
S reciprocal_root(const S& x) {
  S r = near_reciprocal_root(x);
  for (int step = 0; step < 2; ++step) {
    const S h = 1.0 - x * r * r;
    r += r * h * (0.375 * h + 0.5);
  }
  r += 0.5 * r * (1.0 - x * r * r);
  return select(x > S(0.0), r, S(0.0));
}

/// An angle with its sine and cosine.
template <class S>
struct Angle {
  S q, sine, cosine;

  Angle operator*(double sign) const { return {q * sign, sine * sign, cosine}; }
};

/// The angle of the vector (x, y), as atan2(y, x). Sine and cosine are the vector's direction,
/// which costs less than to compute them from the angle: each is within 5 epsilon. The square of
/// the vector's length must be a normal number or 0.
template <class S>
Angle<S> angle_of(const S& y, const S& x) {
  const S square = x * x + y * y;
  const S inverse = reciprocal_root(square);
  return {atan2(y, x), y * inverse, select(square > S(0.0), S(x * inverse), S(1.0))};
}

/// The contract between a kernel and its number type: arithmetic, square root, sine, cosine,
/// comparisons that give masks, and `select` in place of branches. Models: double and Pack, whose
/// lanes are time samples.
template <class S>
concept Scalar = std::constructible_from<S, double> && requires(S a, S b, S& sine, S& cosine) {
  { a + b } -> std::convertible_to<S>;
  { a* b } -> std::convertible_to<S>;
  { a / b } -> std::convertible_to<S>;
  { sqrt(a) } -> std::convertible_to<S>;
  { sin(a) } -> std::convertible_to<S>;
  sincos(a, sine, cosine);
  { select(a < b, a, b) } -> std::convertible_to<S>;
  { lane(a, 0) } -> std::convertible_to<double>;
};

}  // namespace counterpoise
