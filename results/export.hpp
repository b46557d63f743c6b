#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "results/results_file.hpp"

namespace counterpoise {

/// All cases by ascending id as CSV, with the columns of the table `cases`. One case is in memory
/// at a time. `unit_of` gives the unit of a column for its heading, empty for none; without it
/// headings are the names alone. Throws StoreError as OutputFile does.
void export_cases(const ResultsFile& results, const std::filesystem::path& csv,
                  const std::function<std::string(const std::string&)>& unit_of = {});

}  // namespace counterpoise
