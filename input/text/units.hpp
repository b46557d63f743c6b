#pragma once

#include <algorithm>
#include <array>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>

#include "input/text/input_error.hpp"

namespace counterpoise {

/// A unit that users may write. SI value = value * times / over; both are exact where the unit is
/// an exact decimal multiple of SI, so that 105.5 mm is the same double as 0.1055 m.
struct Unit {
  std::string_view name = "1";
  std::string_view si_name = {};  // the SI unit of the same quantity; empty for "1"
  double times = 1.0;
  double over = 1.0;

  [[nodiscard]] double to_si(double value) const { return value * times / over; }
  [[nodiscard]] double from_si(double si) const { return si * over / times; }
  [[nodiscard]] bool si() const { return times == 1.0 && over == 1.0; }
};

// NIST Special Publication 811 (2008), appendix B.8: 1 in = 0.0254 m, 1 ft = 0.3048 m,
// 1 lb = 0.45359237 kg and 1 lbf = 4.4482216152605 N, all exactly.
inline constexpr double lbf_times = 8896443230521.0, lbf_over = 2e12;

/// All units, and nowhere else. Of a quantity the SI unit stands first.
inline constexpr auto known_units = std::to_array<Unit>({
    {"N", "N", 1.0, 1.0},
    {"kN", "N", 1e3, 1.0},
    {"lbf", "N", lbf_times, lbf_over},
    {"N/m", "N/m", 1.0, 1.0},
    {"N/mm", "N/m", 1e3, 1.0},
    {"N/cm", "N/m", 1e2, 1.0},
    {"lbf/in", "N/m", lbf_times, lbf_over / 1e4 * 254.0},
    {"m", "m", 1.0, 1.0},
    {"mm", "m", 1.0, 1e3},
    {"cm", "m", 1.0, 1e2},
    {"in", "m", 127.0, 5e3},
    {"ft", "m", 381.0, 1250.0},
    {"kg", "kg", 1.0, 1.0},
    {"g", "kg", 1.0, 1e3},
    {"lb", "kg", 45359237.0, 1e8},
    {"kg*m^2", "kg*m^2", 1.0, 1.0},
    {"kg*mm^2", "kg*m^2", 1.0, 1e6},
    {"kg*cm^2", "kg*m^2", 1.0, 1e4},
    {"g*cm^2", "kg*m^2", 1.0, 1e7},
    {"lb*in^2", "kg*m^2", 45359237.0 * 64516.0, 1e16},
    {"rad", "rad", 1.0, 1.0},
    {"deg", "rad", std::numbers::pi, 180.0},
    {"arcmin", "rad", std::numbers::pi, 10800.0},
    {"s", "s", 1.0, 1.0},
    {"ms", "s", 1.0, 1e3},
    {"N*m", "N*m", 1.0, 1.0},
    {"N*mm", "N*m", 1.0, 1e3},
    {"mN*m", "N*m", 1.0, 1e3},
    {"lbf*in", "N*m", lbf_times * 127.0, lbf_over * 5e3},
    {"lbf*ft", "N*m", lbf_times * 381.0, lbf_over * 1250.0},
    {"N*m/rad", "N*m/rad", 1.0, 1.0},
    {"N*m/deg", "N*m/rad", 180.0, std::numbers::pi},
    {"N*mm/rad", "N*m/rad", 1.0, 1e3},
    {"N*mm/deg", "N*m/rad", 180.0, 1e3 * std::numbers::pi},
    {"lbf*in/rad", "N*m/rad", lbf_times * 127.0, lbf_over * 5e3},
    {"lbf*in/deg", "N*m/rad", lbf_times * 127.0 * 180.0, lbf_over * 5e3 * std::numbers::pi},
    {"Pa", "Pa", 1.0, 1.0},
    {"MPa", "Pa", 1e6, 1.0},
    {"psi", "Pa", lbf_times, lbf_over / 1e8 * 64516.0},
    {"J", "J", 1.0, 1.0},
    {"W", "W", 1.0, 1.0},
    {"m/s", "m/s", 1.0, 1.0},
    {"mm/s", "m/s", 1.0, 1e3},
    {"rad/s", "rad/s", 1.0, 1.0},
    {"deg/s", "rad/s", std::numbers::pi, 180.0},
    {"rpm", "rad/s", std::numbers::pi, 30.0},
    {"rad/m", "rad/m", 1.0, 1.0},
    {"turn/m", "rad/m", 2.0 * std::numbers::pi, 1.0},
    {"turn/mm", "rad/m", 2e3 * std::numbers::pi, 1.0},
    {"N*s", "N*s", 1.0, 1.0},
    {"N*m*s", "N*m*s", 1.0, 1.0},
    {"N*s/m", "N*s/m", 1.0, 1.0},
    {"N*m*s/rad", "N*m*s/rad", 1.0, 1.0},
    {"N*m*s/deg", "N*m*s/rad", 180.0, std::numbers::pi},
    {"N*m/A", "N*m/A", 1.0, 1.0},
    {"mN*m/A", "N*m/A", 1.0, 1e3},
    {"ohm", "ohm", 1.0, 1.0},
    {"1", "", 1.0, 1.0},
});

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
constexpr std::string_view si_unit(const Unit& unit) {
  return unit.si_name;
}

/// The longest unit but "1" that the text begins with and that no letter, digit, "_" or "."
/// follows; nothing if there is none.
std::optional<Unit> leading_unit(std::string_view text);

/// The units that measure what this SI unit does: "N, kN, lbf".
std::string units_like(std::string_view si);

/// Whether numbers in `unit` can stand where numbers in `other` do: both measure the same quantity,
/// or `other` is "1", which says nothing.
bool fits(const Unit& unit, const Unit& other);

/// Throws InputError `found "mm", expected a unit that goes with N/m, the unit of rate: N/m, N/mm,
/// N/cm` unless `unit` fits `other`, the unit of `owner`.
void require_fit(const Unit& unit, const Unit& other, std::string_view owner,
                 const Location& where);

/// The message about an unknown unit: `found the unit "mn", expected one of N, ...; did you mean
/// "mm"?`.
std::string unknown_unit(std::string_view name);

/// `; did you mean "mm"?` for a name that resembles a unit or begins with one, as "inch" does; else
/// empty.
std::string unit_like(std::string_view name);

/// Where a text begins with a unit, but goes on as if it meant another: `unknown unit "N/inch";
/// there are N/m, N/mm, N/cm`.
std::string unknown_leading_unit(std::string_view text);

}  // namespace counterpoise
