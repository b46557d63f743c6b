#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "input/text/input_error.hpp"
#include "input/text/units.hpp"

namespace counterpoise {

struct ExpressionToken {
  enum class Kind { number, name, text, sign, open, close, comma, end };  // sign: an operator
  Kind kind = Kind::end;
  std::string_view spelling;   // of a text: what stands between the quotes
  std::size_t at = 0;          // character of the expression, from 0
  double number = 0.0;         // of a number with a unit: in SI
  std::optional<Unit> unit{};  // behind a number
};

/// Splits an expression into tokens; the last one is `end`. Throws InputError at `where` for a
/// character that cannot be part of an expression, and says which one.
std::vector<ExpressionToken> expression_tokens(std::string_view text, const Location& where);

/// Throws InputError about the character `at` of the expression `text`.
[[noreturn]] void refuse_expression(const Location& where, std::string_view text, std::size_t at,
                                    std::string_view message);

}  // namespace counterpoise
