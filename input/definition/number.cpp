#include "input/definition/number.hpp"

#include <fmt/format.h>

#include <cmath>

#include "input/text/json_document.hpp"

namespace counterpoise {

Number NumberReader::read(const JsonValue& value) const {
  if (value.kind == JsonValue::Kind::number) return {.value = value.number};
  Expression expression =
      Expression::parse(string_of(value, "a number or an expression"), scope_, value.location());
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

void NumberReader::read(const JsonValue& value, std::span<Number> out,
                        std::string_view what) const {
  const auto items = array_of(value, out.size(), what);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = read(items[i]);
}

}  // namespace counterpoise
