#pragma once

#include <algorithm>
#include <array>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>

#include "input/text/input_error.hpp"

namespace counterpoise {

/// A unit that users may write. SI value = value * times / over; both are exact, so that 105.5 mm
/// is the same double as 0.1055 m.
struct Unit {
  std::string_view name = "1";
  double times = 1.0;
  double over = 1.0;

  [[nodiscard]] double to_si(double value) const { return value * times / over; }
  [[nodiscard]] double from_si(double si) const { return si * over / times; }
  [[nodiscard]] bool si() const { return times == 1.0 && over == 1.0; }
};

inline constexpr std::array<Unit, 27> known_units = {{
    {"N", 1.0, 1.0},      {"kN", 1e3, 1.0},
    {"N/m", 1.0, 1.0},    {"N/mm", 1e3, 1.0},
    {"N/cm", 1e2, 1.0},   {"m", 1.0, 1.0},
    {"mm", 1.0, 1e3},     {"cm", 1.0, 1e2},
    {"kg", 1.0, 1.0},     {"g", 1.0, 1e3},
    {"kg*m^2", 1.0, 1.0}, {"kg*mm^2", 1.0, 1e6},
    {"rad", 1.0, 1.0},    {"deg", std::numbers::pi, 180.0},
    {"s", 1.0, 1.0},      {"ms", 1.0, 1e3},
    {"N*m", 1.0, 1.0},    {"N*mm", 1.0, 1e3},
    {"J", 1.0, 1.0},      {"W", 1.0, 1.0},
    {"m/s", 1.0, 1.0},    {"mm/s", 1.0, 1e3},
    {"rad/s", 1.0, 1.0},  {"deg/s", std::numbers::pi, 180.0},
    {"N*s", 1.0, 1.0},    {"N*m*s", 1.0, 1.0},
    {"1", 1.0, 1.0},
}};

constexpr std::optional<Unit> find_unit(std::string_view name) {
  const auto found = std::find_if(known_units.begin(), known_units.end(),
                                  [&](const Unit& unit) { return unit.name == name; });
  if (found == known_units.end()) return std::nullopt;
  return *found;
}

/// The names of known_units, for messages.
constexpr std::array<std::string_view, known_units.size()> unit_names() {
  std::array<std::string_view, known_units.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = known_units[i].name;
  return names;
}

/// The SI unit of the same quantity: "m" for mm; empty for "1".
std::string_view si_unit(const Unit& unit);

/// Whether numbers in `unit` can stand where numbers in `other` do: both measure the same quantity,
/// or `other` is "1", which says nothing.
bool fits(const Unit& unit, const Unit& other);

/// Throws InputError `found "mm", expected a unit that goes with N/m, the unit of rate: N/m, N/mm,
/// N/cm` unless `unit` fits `other`, the unit of `owner`.
void require_fit(const Unit& unit, const Unit& other, std::string_view owner,
                 const Location& where);

/// What to say of a name that is no known unit: `found the unit "mn", expected one of N, ...; did
/// you mean "mm"?`.
std::string unknown_unit(std::string_view name);

}  // namespace counterpoise
