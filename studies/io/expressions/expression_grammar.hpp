#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "studies/io/expression.hpp"

namespace counterpoise {

struct ExpressionFunction {
  std::string_view name;
  int fewest;
  int most;
};
std::span<const ExpressionFunction> expression_functions();

/// An expression that follows the grammar, in a spelling without names, numbers and texts of the
/// user's: values are v0, v1, ... and literals c0, c1, ...
struct CheckedExpression {
  std::string spelling;
  std::vector<int> used;          // v0 is the value used[0] of the scope, ...
  std::vector<double> constants;  // c0, ...
};

/// Checks `text` against the grammar of Expression. Throws InputError at `where`.
CheckedExpression check_expression(std::string_view text, const Scope& scope, const Location& where,
                                   ExpressionKind kind);

}  // namespace counterpoise
