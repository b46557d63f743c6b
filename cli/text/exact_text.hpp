#pragma once

#include <string>

#include "input/definition/study.hpp"
#include "results/ranking.hpp"
#include "results/text/cells.hpp"
#include "springs/exact.hpp"

namespace counterpoise {

/// What an exact search proved of its best case: the bound, and how the springs were chosen from
/// stock. Empty for other studies.
std::string exact_text(const Study& study, const ResultsFile& results,
                       const std::vector<Ranking>& rankings);

/// The same as JSON: {"case", "bound", "gap", "proved", "goal", "choice", "mounts"}; null for other
/// studies.
Json exact_json(const Study& study, const ResultsFile& results,
                const std::vector<Ranking>& rankings);

/// What is proved of the mounts of a study with "geometry": "prove", in a sentence or two; empty
/// for other results.
std::string mounts_proof_text(const Study& study, const ResultsFile& results);
/// Which shares of the ranges hold nothing better, and why; empty for other results.
std::string mounts_shares_text(const ResultsFile& results);
/// The same as JSON, without the proof's data: {"bound", "best", "case", "gap", "asked", "proved",
/// "ended", "simplices", "choices", "by_limits", "by_bound", "loosest", "parts"}, where shares and
/// "loosest" are of the part that bounds the objective; null for other results.
Json mounts_json(const ResultsFile& results);

/// A proof over mounts that was added up again.
std::string as_text(const MountVerdict& verdict);
Json as_json(const MountVerdict& verdict);

}  // namespace counterpoise
