#include "studies/pages/sheet/workshop_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <vector>

#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

std::string with_unit(double number, const std::string& unit) {
  return fmt::format("{:.6g} {}", number + 0.0, unit);
}

}  // namespace

std::string WorkshopUnits::length_number(double si) const {
  constexpr double rounding = 1e-12;  // [m]
  return fmt::format("{:.6g}", std::abs(si) < rounding ? 0.0 : length(si));
}

std::string WorkshopUnits::angle(double si) const {
  return with_unit(angle_.from_si(si), std::string(angle_.name));
}

std::string WorkshopUnits::stretch(double si, bool torsion) const {
  return torsion ? angle(si) : with_unit(length_.from_si(si), length_name());
}

std::string WorkshopUnits::load(double si, bool torsion) {
  return with_unit(si, torsion ? "N*m" : "N");
}

std::string WorkshopUnits::rate(double si, bool torsion) const {
  const Unit& unit = torsion ? angle_ : length_;
  return with_unit(unit.to_si(si), fmt::format("{}/{}", torsion ? "N*m" : "N", unit.name));
}

std::string cycles_text(const SpringPart& part) {
  if (part.cycles.empty()) return "unknown, as poses at rest have no order in time";
  std::vector<std::string> words;
  for (const SpringPart::Cycles& cycles : part.cycles)
    words.push_back(fmt::format("{} in each run of {} ({:.6g} s)", cycles.count,
                                printable(cycles.motion), cycles.duration));
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace counterpoise
