#pragma once

#include <string>
#include <vector>

#include "results/comparison.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// What the variants of a study, or other results, come to beside each other.
struct ComparedResults {
  std::string text;  // for people
  Json json;
};

/// Compares results files. Throws StoreError (unusable) for files that are none, or cannot be
/// compared, and InputError for an objective or a unit that is not known.
ComparedResults compare_results(const std::vector<std::string>& paths,
                                const CompareOptions& options,
                                const std::vector<std::string>& display);

}  // namespace counterpoise
