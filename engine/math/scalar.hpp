#pragma once

#include <cmath>
#include <concepts>

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

/// Sets sine and cosine of one angle, for little more than the cost of one of them.
inline void sincos(double a, double& sine, double& cosine) {
  sine = std::sin(a);
  cosine = std::cos(a);
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
