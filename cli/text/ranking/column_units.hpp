#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "input/definition/study.hpp"
#include "results/results_file.hpp"
#include "results/rows/rows.hpp"

namespace counterpoise {

/// The units of a table's columns, and of what is printed beside it: SI, or those that the user
/// asked to see.
class ColumnUnits {
 public:
  /// No units are known.
  ColumnUnits() = default;
  /// `display`: the units that lengths and angles are shown in, such as {"mm", "deg"}.
  ColumnUnits(const Study& study, const std::vector<Unit>& display);

  /// The unit of a column; empty if it has none.
  [[nodiscard]] std::string of(const std::string& column) const;
  /// A number of this column in its unit, from SI.
  [[nodiscard]] double shown(const std::string& column, double si) const;
  /// The same with the unit behind it: "183.2 mm".
  [[nodiscard]] std::string words(const std::string& column, double si) const;
  /// The table in these units, with the units in the headings: "anchor_height [mm]".
  [[nodiscard]] Table with_units(Table table) const;

 private:
  void add(const std::string& column, const std::string& si_unit, const std::vector<Unit>& display);

  std::map<std::string, Unit> units_;
};

/// The units of the results' own study; none are known if that cannot be read again. `display`
/// replaces what the study says, where it is given: "mm,deg". Throws InputError for a unit that is
/// neither of a length nor of an angle.
ColumnUnits units_of(const ResultsFile& results, const std::vector<std::string>& display);

}  // namespace counterpoise
