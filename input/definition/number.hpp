#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "input/expressions/expression.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {

/// A number of a file: fixed, or an expression of parameters.
struct Number {
  double value = 0.0;
  int expression = -1;  // index into the owner's expressions; -1 if the number is `value`

  [[nodiscard]] bool fixed() const { return expression < 0; }
};

inline double evaluate(const Number& number, std::span<const Expression> expressions,
                       const double* parameters) {
  return number.fixed()
             ? number.value
             : expressions[static_cast<std::size_t>(number.expression)].evaluate(parameters);
}

/// Reads numbers and expressions of the parameters in `scope`; expressions that use a parameter are
/// appended to `expressions`, others become fixed numbers. Throws InputError at the value.
class NumberReader {
 public:
  NumberReader(const Scope& scope, std::vector<Expression>& expressions)
      : scope_(scope), expressions_(expressions) {}

  [[nodiscard]] Number read(const JsonValue& value) const;
  /// Reads an array of out.size() numbers; `what` names it in messages ("a point [x, y, z]").
  void read(const JsonValue& value, std::span<Number> out, std::string_view what) const;

 private:
  const Scope& scope_;
  std::vector<Expression>& expressions_;
};

}  // namespace counterpoise
