#pragma once

#include <filesystem>

#include "results/results_file.hpp"

namespace counterpoise {

/// All cases by ascending id as CSV, with the columns of the table `cases`. One case is in memory
/// at a time. Throws StoreError as AtomicFile does.
void export_cases(const ResultsFile& results, const std::filesystem::path& csv);

}  // namespace counterpoise
