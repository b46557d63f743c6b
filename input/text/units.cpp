#include "input/text/units.hpp"

#include <fmt/format.h>

#include <vector>
namespace counterpoise {
namespace {

/// Units that measure the same quantity, one quantity per row; the SI unit stands first.
constexpr std::array<std::array<std::string_view, 3>, 14> quantities = {{
    {"N", "kN"},
    {"N/m", "N/mm", "N/cm"},
    {"m", "mm", "cm"},
    {"kg", "g"},
    {"kg*m^2", "kg*mm^2"},
    {"rad", "deg"},
    {"s", "ms"},
    {"N*m", "N*mm"},
    {"J"},
    {"W"},
    {"m/s", "mm/s"},
    {"rad/s", "deg/s"},
    {"N*s"},
    {"N*m*s"},
}};

/// The units that measure the same quantity, the SI unit first; none for "1".
std::span<const std::string_view> units_like(const Unit& unit) {
  for (const auto& names : quantities) {
    const auto end = std::find(names.begin(), names.end(), std::string_view());
    if (std::find(names.begin(), end, unit.name) != end) return {names.begin(), end};
  }
  return {};
}

}  // namespace

std::string_view si_unit(const Unit& unit) {
  const auto names = units_like(unit);
  return names.empty() ? std::string_view() : names.front();
}

bool fits(const Unit& unit, const Unit& other) {
  return other.name == "1" || si_unit(unit) == si_unit(other);
}

void require_fit(const Unit& unit, const Unit& other, std::string_view owner,
                 const Location& where) {
  if (fits(unit, other)) return;
  throw InputError(where,
                   fmt::format("found {}, expected a unit that goes with {}, the unit of "
                               "{}: {}",
                               in_quotes(unit.name), other.name, owner, listed(units_like(other))));
}

std::string unknown_unit(std::string_view name) {
  constexpr auto names = unit_names();
  return fmt::format("found the unit {}, expected one of {}{}", in_quotes(name), listed(names),
                     did_you_mean(name, std::vector<std::string>(names.begin(), names.end())));
}

}  // namespace counterpoise
