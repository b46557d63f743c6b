#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/text/text_style.hpp"
#include "input/definition/study.hpp"
#include "optimizer/interruption.hpp"
#include "results/results_file.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// Designs that a report shows unless the user names others.
inline constexpr std::size_t best_shown = 3;

struct ReportOptions {
  std::vector<std::int64_t> cases;  // designs shown in full; the best few of each motion if empty
  std::string command;              // as the user typed it, for the page
  ShownUnits units = {};            // of texts, and those that the page begins with
  bool sensitivity = false, robustness = false;
  int threads = 0;  // 0: all processors
  Interruption interrupted = {};
};

/// The data of a report's page, which has the type `ReportData` of report/src/report/data.ts, and
/// messages for the user.
struct Report {
  Json data;
  std::string still;  // picture of the first design, as HTML; `data` has all pictures, deflated
  std::vector<std::int64_t> cases;  // designs shown in full
  std::vector<std::string> messages;
};

/// `study` is that of the results. Throws StoreError (unusable) for a case that the results do not
/// have, InputError where robustness is asked for without tolerances, and Interrupted. Cost: a few
/// passes over the cases, some simulations a design, what `why` costs, and the analyses asked for.
Report report_of(const ResultsFile& results, const Study& study, const Extent& extent,
                 const ReportOptions& options);

/// All files that texts of a page about results may name.
std::vector<std::filesystem::path> files_of(const ResultsFile& results, const Study& study);

/// The meshes of the bodies, read from their files, because results do not hold them. A mesh that
/// cannot be read is left out with a message.
Json meshes_json(const Model& model, std::vector<std::string>& messages);

}  // namespace counterpoise
