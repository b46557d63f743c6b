#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/expressions/expression.hpp"
#include "input/text/json_document.hpp"
#include "input/text/units.hpp"

namespace counterpoise {

/// A number of a file: fixed, or an expression of parameters.
struct Number {
  double value = 0.0;
  int expression = -1;  // index into the owner's expressions; -1 if the number is `value`

  [[nodiscard]] bool fixed() const { return expression < 0; }
};

inline double evaluate(const Number& number, std::span<const Expression> expressions,
                       const double* parameters) {
  return number.fixed() ? number.value : expressions[number.expression].evaluate(parameters);
}

/// The unit that the text of a number may have, as in "60 mm".
struct TextUnit {
  std::optional<Unit> fits{};  // convertible to this one; "1": any unit; absent: no unit allowed
  std::string_view owner{};    // quantity that has the unit `fits`, for messages

  static TextUnit none() { return {}; }
  static TextUnit any() { return {.fits = Unit()}; }
  /// Units of one quantity; any unit if its SI unit is not known.
  static TextUnit of(std::string_view si, std::string_view owner) {
    return {.fits = find_unit(si).value_or(Unit()), .owner = owner};
  }
};

/// Throws InputError at `where` if the expression has a unit that is not `allowed`: in its text, or
/// by the names in it.
void require_unit(const Expression& expression, const TextUnit& allowed, const Location& where);

/// Reads numbers and expressions of the parameters in `scope`; expressions that use a parameter are
/// appended to `expressions`, others become fixed numbers. Throws InputError at the value.
class NumberReader {
 public:
  NumberReader(const Scope& scope, std::vector<Expression>& expressions)
      : scope_(scope), expressions_(expressions) {}

  /// A number with a unit in its text is read as SI; `written` becomes that unit, if it has one.
  [[nodiscard]] Number read(const JsonValue& value, const TextUnit& allowed = TextUnit::none(),
                            std::optional<Unit>* written = nullptr) const;
  /// The SI unit that the expression of a number is known to have, or nothing.
  [[nodiscard]] std::string_view unit_of(const Number& number) const {
    return number.fixed() ? std::string_view() : expressions_[number.expression].unit();
  }
  /// Reads an array of out.size() numbers; `what` names it in messages ("a point [x, y, z]").
  void read(const JsonValue& value, std::span<Number> out, std::string_view what,
            const TextUnit& allowed = TextUnit::none()) const;

 private:
  const Scope& scope_;
  std::vector<Expression>& expressions_;
};

}  // namespace counterpoise
