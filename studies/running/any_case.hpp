#pragma once

#include <optional>

#include "results/results_file.hpp"

namespace counterpoise {

/// The row of a case that was evaluated: as it is stored or, of results that keep some cases only,
/// made again from the study that is stored with them. Nothing for other ids. Throws StoreError
/// (unusable) for damaged results.
std::optional<CaseRow> any_case(const ResultsFile& results, std::int64_t id);

}  // namespace counterpoise
