#pragma once

#include <string>

#include "results/results_file.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// What results were made from, by what and where, and what made this page of them.
Json provenance_json(const ResultsFile& results, const std::string& command);

/// The description in the study file; empty if it has none.
std::string description_of(const ResultsFile& results);

}  // namespace counterpoise
