#pragma once

#include <string>
#include <vector>

#include "cli/text/text_style.hpp"
#include "input/definition/study.hpp"
#include "results/comparison.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// Results files that are compared: variants of a study, or others with the same objectives.
struct OpenedResults {
  std::vector<ResultsFile> files;
  std::vector<Study> studies;      // of the files
  std::vector<std::string> names;  // that tell them apart: without folder and ending where these do
  std::vector<std::string> notes;  // what a user has to know of them
};

/// Throws StoreError (unusable) for files that are no results.
OpenedResults open_results(const std::vector<std::string>& paths);

/// What results come to beside each other.
struct ComparedResults {
  std::string text;  // for people
  Json json;
};

/// Throws StoreError (unusable) where the files cannot be compared, and InputError for an objective
/// or a unit that is not known.
ComparedResults compare_results(const OpenedResults& opened, const CompareOptions& options,
                                const std::vector<std::string>& display);

/// A page on which the best designs of all results move beside each other.
struct ComparisonPage {
  Json data;          // type `ComparisonData` of report/src/report/comparison_data.ts
  std::string still;  // picture of the best design, as HTML
  std::vector<std::string> messages;
};

/// `compared` is that of the same files. Cost: some simulations of the best design of each.
ComparisonPage comparison_page(const OpenedResults& opened, const ComparedResults& compared,
                               const ShownUnits& units, const std::string& command);

}  // namespace counterpoise
