#pragma once

#include "input/expressions/expression.hpp"

namespace counterpoise {

/// The value of an expression, and its first two derivatives by one of the values that it reads.
struct ExpressionSlopes {
  double value, first, second;
};

/// Derives an expression by the value at index `by`, by the rules of differentiation: exact but for
/// rounding. At a corner (of abs, min or max) the slopes are those of one of its sides. `value` has
/// the bits of Expression::evaluate(). Costs about five evaluations, no allocation.
ExpressionSlopes slopes_of(const Expression& expression, const double* values, int by);

}  // namespace counterpoise
