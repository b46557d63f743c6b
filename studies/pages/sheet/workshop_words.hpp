#pragma once

#include <string>

#include "input/text/units.hpp"
#include "studies/parts_list.hpp"

namespace counterpoise {

/// Numbers in SI as a workshop reads them, with six digits.
class WorkshopUnits {
 public:
  WorkshopUnits(const Unit& length, const Unit& angle) : length_(length), angle_(angle) {}

  [[nodiscard]] double length(double si) const { return length_.from_si(si) + 0.0; }
  [[nodiscard]] std::string length_name() const { return std::string(length_.name); }
  /// A length without its unit, and as nothing but rounding leaves it.
  [[nodiscard]] std::string length_number(double si) const;
  [[nodiscard]] std::string angle(double si) const;

  /// A length of a spring, or the angle of a torsion spring.
  [[nodiscard]] std::string stretch(double si, bool torsion) const;
  [[nodiscard]] static std::string load(double si, bool torsion);
  [[nodiscard]] std::string rate(double si, bool torsion) const;

 private:
  Unit length_, angle_;
};

/// How often a spring is stretched and let go again: "1 in each run of swing (0.8 s)".
std::string cycles_text(const SpringPart& part);

}  // namespace counterpoise
