#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "studies/definition/number.hpp"
#include "studies/reading/read.hpp"
#include "studies/reading/study_reading.hpp"

namespace counterpoise {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
  return text.substr(0, text.find_last_not_of(blank) + 1);
}

/// A number and the word behind it.
struct WrittenQuantity {
  double number = 0.0;
  std::string_view unit;
};

/// "60mm", "-2.5 N/mm": a number and a word that begins with a letter. Nothing for everything else,
/// which is a number alone or an expression.
std::optional<WrittenQuantity> split_quantity(std::string_view text) {
  text = trimmed(text);
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const std::string_view digits = text.substr(sign);
  if (digits.empty() || is_letter(digits.front())) return std::nullopt;
  WrittenQuantity found;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), found.number);
  if (error != std::errc{}) return std::nullopt;
  found.unit = trimmed(digits.substr(static_cast<std::size_t>(end - digits.data())));
  if (found.unit.empty() || !is_letter(found.unit.front())) return std::nullopt;
  if (text.starts_with('-')) found.number = -found.number;
  return found;
}

double read_setting_value(const JsonValue& value, const Parameter& parameter,
                          std::vector<std::string>& warnings) {
  constexpr const char* what = "a number";
  if (value.kind == JsonValue::Kind::object) {
    const ObjectReader object(value, "a parameter's value", {"value", "unit"});
    const JsonValue& name = object.required("unit");
    const Unit unit = unit_in(name);
    require_fit(unit, parameter.unit, parameter.name, name.location());
    return fixed_quantity(object.required("value"), what, unit);
  }
  const double number = fixed_number(value, what);
  if (const auto other = other_reading(number, parameter))
    warnings.push_back(located(value.location(),
                               fmt::format("warning: {}: write {{\"value\": {}, \"unit\": \"{}\"}}",
                                           *other, number, si_unit(parameter.unit))));
  return number;
}

}  // namespace

double fixed_number(const JsonValue& value, const std::string& what) {
  std::vector<Expression> none;
  return NumberReader(Scope(what), none).read(value).value;
}

double fixed_quantity(const JsonValue& value, const std::string& what, const Unit& unit) {
  const double number = unit.to_si(fixed_number(value, what));
  if (!std::isfinite(number)) refuse(value, what + " that is finite in SI");
  return number;
}

std::optional<std::string> other_reading(double value, const Parameter& parameter) {
  const double other = parameter.unit.to_si(value);
  if (other == value) return std::nullopt;
  const std::string_view si = si_unit(parameter.unit);
  return fmt::format("{} is read as {} {}; parameter {} is given in {}, so {} {} would be {} {}",
                     value, value, si, parameter.name, parameter.unit.name, value,
                     parameter.unit.name, other, si);
}

int parameter_of(const Model& model, const std::string& name, const Location& where) {
  const int parameter = model.find_parameter(name);
  if (parameter >= 0) return parameter;
  throw InputError(where, fmt::format("found {}, expected a parameter of the model{}",
                                      in_quotes(name), did_you_mean(name, model.scope.names())));
}

void require_in_bounds(const Model& model, int parameter, double value, const Location& where) {
  const Parameter& bounded = model.parameters[static_cast<std::size_t>(parameter)];
  const auto bound = [&](const Number& number) {
    const double* values = model.nominal_values.data();
    const double raw = evaluate(number, model.expressions, values);
    return number.fixed() ? raw : bounded.unit.to_si(raw);
  };
  if (bounded.min && value < bound(*bounded.min))
    throw InputError(where, fmt::format("found {} for {}, expected at least its min {}", value,
                                        bounded.name, bound(*bounded.min)));
  if (bounded.max && value > bound(*bounded.max))
    throw InputError(where, fmt::format("found {} for {}, expected at most its max {}", value,
                                        bounded.name, bound(*bounded.max)));
}

std::vector<ParameterSetting> read_settings(const JsonValue& object, const Model& model,
                                            std::vector<std::string>& warnings) {
  std::vector<ParameterSetting> settings;
  for (const JsonValue& member : object_of(object, "an object of parameter values")) {
    const int parameter = parameter_of(model, member.key, member.key_location());
    const double value =
        read_setting_value(member, model.parameters[static_cast<std::size_t>(parameter)], warnings);
    require_in_bounds(model, parameter, value, member.location());
    settings.push_back({parameter, value});
  }
  return settings;
}

double read_quantity(const std::string& text, const Unit& own, const std::string& owner,
                     const Location& where) {
  const auto quantity = split_quantity(text);
  if (!quantity) return Expression::parse(text, Scope("a number"), where).evaluate(nullptr);
  const std::optional<Unit> unit = find_unit(quantity->unit);
  if (!unit) throw InputError(where, unknown_unit(quantity->unit));
  require_fit(*unit, own, owner, where);
  return unit->to_si(quantity->number);
}

ParameterSetting read_setting(const std::string& text, const Location& where, const Model& model) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw InputError(where, "expected parameter=value");
  const int index = parameter_of(model, text.substr(0, equals), where);
  const Parameter& parameter = model.parameters[static_cast<std::size_t>(index)];
  return {index, read_quantity(text.substr(equals + 1), parameter.unit, parameter.name, where)};
}

}  // namespace counterpoise
