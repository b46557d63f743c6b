#pragma once

#include <string>

#include "cli/text/ranking/column_units.hpp"
#include "results/ranking.hpp"

namespace counterpoise {

/// Rankings for a terminal: one table a motion, each headed by the motion's name if it has one. The
/// knee of a front that is cut off before it stands last, with its place in the whole front. Lines
/// are no longer than `width` letters, 0 for any length.
std::string to_text(const std::vector<Ranking>& rankings, const ColumnUnits& units,
                    std::size_t width);

/// The same without the columns of reductions, narrow enough for most terminals.
std::string to_short_text(std::vector<Ranking> rankings, const ColumnUnits& units,
                          std::size_t width);

/// Says from which place on cases are missing that the results do not keep, if these rankings list
/// such places; else empty.
std::string note_of_places(const std::vector<Ranking>& rankings);

/// What the best design gains against today's robot and the one without springs, a line an
/// objective.
std::string gains_of_best(const ResultsFile& results, const std::vector<Ranking>& rankings,
                          const ColumnUnits& units);

}  // namespace counterpoise
