#pragma once

#include <array>
#include <span>
#include <vector>

#include "input/expressions/expression.hpp"
#include "optimizer/interval.hpp"

namespace counterpoise {

/// A twice differentiable function of up to six variables over a box, enclosed: intervals hold its
/// values, slopes and second derivatives at every point of the box.
struct SmoothNumber {
  static constexpr std::size_t most_variables = 6;
  static constexpr std::size_t pairs = most_variables * (most_variables + 1) / 2;

  Interval value;
  std::array<Interval, most_variables> slopes{};
  std::array<Interval, pairs> curvatures{};
  bool varies = false;  // if not, slopes and curvatures are 0

  /// The place of the second derivative by variables i and j.
  static constexpr std::size_t pair(std::size_t i, std::size_t j) {
    return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
  }
  static SmoothNumber constant(double number) { return {Interval(number), {}, {}, false}; }
  /// Variable i over an interval, times `scale`, plus `offset`.
  static SmoothNumber variable(std::size_t i, const Interval& over, const Interval& scale,
                               const Interval& offset);
};

SmoothNumber operator-(SmoothNumber a);
SmoothNumber operator+(const SmoothNumber& a, const SmoothNumber& b);
SmoothNumber operator-(const SmoothNumber& a, const SmoothNumber& b);
SmoothNumber operator*(const SmoothNumber& a, const SmoothNumber& b);
/// 1 / a; a must not be 0 anywhere in the box.
SmoothNumber inverse(const SmoothNumber& a);

/// factor * number + offset.
SmoothNumber linear(SmoothNumber number, const Interval& factor, const Interval& offset);

/// Composes an expression with smooth functions: `values[i]` is substituted for name i of the
/// expression's scope. Throws InputError at the character where it is not twice differentiable for
/// all values in the box: min, max, abs, atan2 and conditions of varying numbers, a quotient by a
/// number that may be 0, a root of a number that may not be above 0.
SmoothNumber smooth_number(const Expression& expression, std::span<const SmoothNumber> values);
/// The same for the part of the tree that ends with this node.
SmoothNumber smooth_number(const Expression& expression, int node,
                           std::span<const SmoothNumber> values);

}  // namespace counterpoise
