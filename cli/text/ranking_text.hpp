#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/text/text_style.hpp"
#include "input/definition/study.hpp"
#include "results/ranking.hpp"
#include "results/results_file.hpp"
#include "results/rows/rows.hpp"

namespace counterpoise {

/// The units of a table's columns, and of what is printed beside it: SI, or those that the user
/// asked to see.
class ColumnUnits {
 public:
  /// No units are known.
  ColumnUnits() = default;
  ColumnUnits(const Study& study, const ShownUnits& shown);

  /// The unit of a column; empty if it has none.
  [[nodiscard]] std::string of(const std::string& column) const;
  /// The size beside which a variable's numbers are rounding [SI]; 0 of other columns.
  [[nodiscard]] double size(const std::string& column) const;
  /// A number of this column in its unit, from SI.
  [[nodiscard]] double shown(const std::string& column, double si) const;
  /// The same with the unit behind it: "183.2 mm".
  [[nodiscard]] std::string words(const std::string& column, double si) const;
  /// The table in these units, with the units in the headings: "anchor_height [mm]".
  [[nodiscard]] Table with_units(Table table) const;

 private:
  ShownUnits shown_;
  std::map<std::string, std::string> si_;  // by column; those without a unit are missing
  std::map<std::string, double> sizes_;    // of variables
};

/// The units of the results' own study; none are known if that cannot be read again. `display`
/// replaces what the study says, where it is given: "mm,deg". Throws InputError for a unit that is
/// neither of a length nor of an angle.
ColumnUnits units_of(const ResultsFile& results, const std::vector<std::string>& display);

/// Rankings for a terminal: one table a motion, each headed by the motion's name if it has one. The
/// knee of a front that is cut off before it stands last, with its place in the whole front. Where
/// lines may have `width` letters only (0: any number), every objective is shown, and as many
/// variables and then reductions as fit; the others are named.
std::string to_text(const ResultsFile& results, const std::vector<Ranking>& rankings,
                    const ColumnUnits& units, std::size_t width);

/// The same without the columns of reductions.
std::string to_short_text(const ResultsFile& results, std::vector<Ranking> rankings,
                          const ColumnUnits& units, std::size_t width);

/// The size of an objective in a motion: the largest of its baselines. What is tiny beside it is
/// rounding.
double size_of(const ResultsFile& results, const std::string& motion, std::size_t objective);

/// What a reduction says: "21.1 % less", "the same".
std::string change_text(double saved);

/// Says from which place on cases are missing that the results do not keep, if these rankings list
/// such places; else empty.
std::string note_of_places(const std::vector<Ranking>& rankings);

/// What the best design gains against today's robot and the one without springs, a line an
/// objective.
std::string gains_of_best(const ResultsFile& results, const std::vector<Ranking>& rankings,
                          const ColumnUnits& units);

/// The names of the objectives of the trade-off that a study asks for; none if it asks for none.
inline std::vector<std::string> trade_off_of(const Study& study) {
  std::vector<std::string> names;
  if (study.search() == nullptr || !study.search()->trade_off) return names;
  for (const int objective : study.search()->trade_off->objectives)
    names.push_back(study.objectives[objective].name);
  return names;
}

}  // namespace counterpoise
