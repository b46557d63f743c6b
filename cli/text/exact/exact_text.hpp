#pragma once

#include <string>

#include "input/definition/study.hpp"
#include "results/ranking.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// What an exact search proved of its best case: the bound, and how the springs were chosen from
/// stock. Empty for other studies.
std::string exact_text(const Study& study, const ResultsFile& results,
                       const std::vector<Ranking>& rankings);

/// The same as JSON: {"case", "bound", "gap", "proved", "goal", "choice", "mounts"}; null for other
/// studies.
Json exact_json(const Study& study, const ResultsFile& results,
                const std::vector<Ranking>& rankings);

}  // namespace counterpoise
