#include "input/text/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace counterpoise {
namespace {

/// What to write instead of a unit of temperature; empty for any other name.
std::string_view hint_of_temperature(std::string_view name) {
  constexpr std::array<std::string_view, 9> temperatures = {
      "degC", "\u00b0C", "celsius", "Celsius", "degF", "\u00b0F", "K", "kelvin", "Kelvin"};
  const bool is_one =
      std::find(temperatures.begin(), temperatures.end(), name) != temperatures.end();
  return is_one ? "; a temperature is a plain number, whose scale the model's expressions choose"
                : "";
}

}  // namespace

std::optional<Unit> leading_unit(std::string_view text) {
  const auto ends_word = [](char c) {
    return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '_' || c == '.');
  };
  std::optional<Unit> longest;
  for (const Unit& unit : known_units)
    if (unit.name != "1" && text.starts_with(unit.name) &&
        (text.size() == unit.name.size() || ends_word(text[unit.name.size()])) &&
        (!longest || unit.name.size() > longest->name.size()))
      longest = unit;
  return longest;
}

std::string units_like(std::string_view si) {
  std::vector<std::string_view> names;
  for (const Unit& unit : known_units)
    if (unit.si_name == si) names.push_back(unit.name);
  return listed(names);
}

bool fits(const Unit& unit, const Unit& other) {
  return other.name == "1" || si_unit(unit) == si_unit(other);
}

void require_fit(const Unit& unit, const Unit& other, std::string_view owner,
                 const Location& where) {
  if (fits(unit, other)) return;
  throw InputError(
      where, fmt::format("found {}, expected a unit that goes with {}, the unit of "
                         "{}: {}",
                         in_quotes(unit.name), other.name, owner, units_like(si_unit(other))));
}

std::string unknown_unit(std::string_view name) {
  constexpr auto names = unit_names();
  return fmt::format("found the unit {}, expected one of {}{}", in_quotes(name), listed(names),
                     unit_like(name));
}

std::string unit_like(std::string_view name) {
  if (const auto hint = hint_of_temperature(name); !hint.empty()) return std::string(hint);
  constexpr auto names = unit_names();
  const std::string near = did_you_mean(name, std::vector<std::string>(names.begin(), names.end()));
  if (!near.empty()) return near;
  std::string_view longest;
  for (const std::string_view unit : names)
    if (unit.size() > std::max<std::size_t>(longest.size(), 1) && name.starts_with(unit))
      longest = unit;
  return longest.empty() ? "" : fmt::format("; did you mean {}?", in_quotes(longest));
}

std::string unknown_leading_unit(std::string_view text) {
  constexpr std::string_view of_units =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.*/^";
  constexpr std::string_view degree = "\u00b0";
  const std::size_t begin_of_letters = text.starts_with(degree) ? degree.size() : 0;
  const std::string_view name =
      text.substr(0, std::min(text.find_first_not_of(of_units, begin_of_letters), text.size()));
  constexpr auto names = unit_names();
  std::string hint(hint_of_temperature(name));
  if (hint.empty()) hint = did_you_mean(name, std::vector<std::string>(names.begin(), names.end()));
  if (const std::optional<Unit> unit = leading_unit(text); unit && hint.empty()) {
    const std::string_view begin = name.substr(0, unit->name.size() + 1);  // as "N/" of N/inch
    std::vector<std::string_view> alike;
    for (const std::string_view other : names)
      if (other.starts_with(begin)) alike.push_back(other);
    hint = "; there are " + (alike.empty() ? units_like(si_unit(*unit)) : listed(alike));
  }
  return fmt::format("unknown unit {}{}", in_quotes(name), hint);
}

}  // namespace counterpoise
