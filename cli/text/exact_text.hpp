#pragma once

#include <string>

#include "cli/text/text_style.hpp"
#include "input/definition/study.hpp"
#include "results/ranking.hpp"
#include "results/text/cells.hpp"
#include "springs/exact.hpp"

namespace counterpoise {

/// What an exact search proved of its best case: the bound, and how the springs were chosen from
/// stock. Empty for other studies.
std::string exact_text(const Study& study, const ResultsFile& results,
                       const std::vector<Ranking>& rankings);

/// What a certificate proves of its case, in a line.
std::string short_proof_text(const Study& study, const ResultsFile& results,
                             const CertificateRow& certificate, const ShownUnits& units);

/// What exact_text() says as JSON: {"case", "bound", "gap", "proved", "goal", "choice", "mounts"};
/// null for other studies.
Json exact_json(const Study& study, const ResultsFile& results,
                const std::vector<Ranking>& rankings);

/// The result of a proof over mounts ("geometry": "prove") in a sentence or two; empty for other
/// results.
std::string mounts_proof_text(const Study& study, const ResultsFile& results);
/// Which shares of the mounts' ranges are excluded, by limits and by the bound; empty for other
/// results.
std::string mounts_shares_text(const Study& study, const ResultsFile& results);
/// The same as JSON, without the proof's data: {"bound", "best", "case", "gap", "asked", "proved",
/// "ended", "simplices", "choices", "by_limits", "by_bound", "loosest", "parts"}, where shares and
/// "loosest" describe the part that determines the bound; null for other results.
Json mounts_json(const ResultsFile& results);

/// The verdict of `verify` on a certificate.
std::string as_text(const Study& study, const ResultsFile& results, const CertificateRow& of,
                    const Verdict& verdict);
/// The verdict of `verify` on a proof over mounts.
std::string as_text(const Study& study, const ResultsFile& results, const MountVerdict& verdict);
Json as_json(const MountVerdict& verdict);

}  // namespace counterpoise
