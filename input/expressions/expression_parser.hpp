#pragma once

#include <string_view>
#include <vector>

#include "input/expressions/expression.hpp"
#include "input/expressions/expression_units.hpp"

namespace counterpoise {

/// The most numbers that may wait for their operator while an expression is evaluated.
inline constexpr int deepest_expression = 1024;

struct ParsedExpression {
  std::vector<ExpressionNode> nodes;
  std::vector<int> used;
  PartUnit unit;           // of the whole
  bool has_units = false;  // whether the text has a unit anywhere
};

/// Parses an expression into its tree. Throws InputError at `where`.
ParsedExpression parse_expression(std::string_view text, const Scope& scope, const Location& where,
                                  ExpressionKind kind);

/// The value of a node that has operands, from their values.
double apply(const ExpressionNode& node, const double* operands);

}  // namespace counterpoise
