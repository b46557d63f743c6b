#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/text/text_style.hpp"
#include "results/rows/rows.hpp"
#include "results/text/cells.hpp"
#include "studies/failure_report.hpp"

namespace counterpoise {

/// A few lines for the end of a run: the share of each limit among the failed designs, the nearest
/// miss, and the one limit whose loosening would make most designs feasible. Empty if nothing
/// failed.
std::string brief_text(const FailureReport& report, const std::string& results,
                       const ShownUnits& units);

/// The whole report for a terminal.
std::string to_text(const FailureReport& report, const TextStyle& style);
Json json_of(const FailureReport& report);
/// One row for each limit or reason, with the designs that loosening it alone would make feasible.
Table table_of(const FailureReport& report);

/// All limits and constraints that one case breaks.
std::string to_text(const Study& study, const std::vector<Failure>& failures,
                    const TextStyle& style);
/// The same as rows, numbers in SI.
Table table_of(const Study& study, const std::vector<Failure>& failures);

}  // namespace counterpoise
