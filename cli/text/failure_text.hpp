#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/text/text_style.hpp"
#include "results/rows/rows.hpp"
#include "results/text/cells.hpp"
#include "studies/failure_report.hpp"

namespace counterpoise {

/// A few lines for the end of a run: the share of each limit, the nearest miss, and what alone
/// would open most. Empty if nothing failed.
std::string brief_text(const FailureReport& report, const std::string& results,
                       const ShownUnits& units);

/// The whole report for a terminal.
std::string to_text(const FailureReport& report, const TextStyle& style);
Json json_of(const FailureReport& report);
/// One row for each thing that was against a case, with what loosening it alone would open.
Table table_of(const FailureReport& report);

/// Everything that is against one case.
std::string to_text(const Study& study, const std::vector<Failure>& failures,
                    const TextStyle& style);
/// The same as rows, numbers in SI.
Table table_of(const Study& study, const std::vector<Failure>& failures);

}  // namespace counterpoise
