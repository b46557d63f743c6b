#pragma once

#include <string>

#include "results/results_file.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// "192,720 of 3,000,000 cases; not finished"; empty for a file that holds its whole study.
std::string why_incomplete(const Extent& extent);

/// {"done": 192720, "of": 3000000}; `of` is null where it is not known.
Json json_of(const Extent& extent);

/// How much of its study a file holds; says so on standard error where that is not all.
Extent noted_extent(const ResultsFile& results);

}  // namespace counterpoise
