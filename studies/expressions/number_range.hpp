#pragma once

#include <span>

#include "studies/expressions/expression.hpp"

namespace counterpoise {

/// A closed interval that holds a number; its ends may be infinite. Results of arithmetic are
/// rounded outward, so that the interval of a result holds the result of every number in the
/// intervals it was made from, as floating point gives it too. Undefined numbers (the root of a
/// negative number) are left out, because a design with one is infeasible.
struct NumberRange {
  double low = 0.0;
  double high = 0.0;

  static NumberRange all();
  static NumberRange of(double number) { return {number, number}; }

  [[nodiscard]] bool holds(double number) const { return low <= number && number <= high; }
  /// The smallest interval that holds both.
  [[nodiscard]] NumberRange joined(const NumberRange& other) const;
  /// The intersection of both, which must have a number in common.
  [[nodiscard]] NumberRange cut(const NumberRange& other) const;
};

NumberRange operator+(const NumberRange& a, const NumberRange& b);
NumberRange operator*(const NumberRange& a, const NumberRange& b);

/// The range of a node of an expression from those of its operands.
NumberRange range_of(const ExpressionNode& node, std::span<const NumberRange> operands);

}  // namespace counterpoise
