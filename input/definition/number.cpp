#include "input/definition/number.hpp"

#include <fmt/format.h>

#include <cmath>

#include "input/text/json_document.hpp"

namespace counterpoise {
namespace {

/// Throws InputError if the parameters of an expression without a unit in its text measure
/// something else.
void require_unit_of_names(const Expression& expression, const TextUnit& allowed,
                           const Location& where) {
  const std::string_view unit = expression.unit();
  if (unit.empty() || unit == "1" || !allowed.fits || fits(*find_unit(unit), *allowed.fits)) return;
  throw InputError(where, fmt::format("found {}, which is in {}, expected a number that goes with "
                                      "{}, the unit of {}: {}",
                                      in_quotes(expression.text()), unit, allowed.fits->name,
                                      allowed.owner, units_like(si_unit(*allowed.fits))));
}

}  // namespace

void require_unit(const Expression& expression, const TextUnit& allowed, const Location& where) {
  const std::optional<Unit>& written = expression.written_unit();
  if (!written) return require_unit_of_names(expression, allowed, where);
  if (!allowed.fits)
    throw InputError(where, fmt::format("found the unit {} in {}, expected a number without one, "
                                        "or its unit beside it if it has a key for that",
                                        in_quotes(written->name), in_quotes(expression.text())));
  require_fit(*written, *allowed.fits, allowed.owner, where);
}

Number NumberReader::read(const JsonValue& value, const TextUnit& allowed,
                          std::optional<Unit>* written) const {
  if (value.kind == JsonValue::Kind::number) return {.value = value.number};
  Expression expression =
      Expression::parse(string_of(value, "a number or an expression"), scope_, value.location());
  require_unit(expression, allowed, value.location());
  if (written != nullptr) *written = expression.written_unit();
  if (expression.is_constant()) {
    const double constant = expression.evaluate(nullptr);
    if (!std::isfinite(constant))
      throw InputError(value.location(),
                       fmt::format("the expression {} gives {}, expected a finite number",
                                   in_quotes(value.text), constant));
    return {.value = constant};
  }
  expressions_.push_back(std::move(expression));
  return {.expression = static_cast<int>(expressions_.size()) - 1};
}

void NumberReader::read(const JsonValue& value, std::span<Number> out, std::string_view what,
                        const TextUnit& allowed) const {
  const auto items = array_of(value, out.size(), what);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = read(items[i], allowed);
}

}  // namespace counterpoise
