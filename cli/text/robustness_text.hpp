#pragma once

#include <string>

#include "cli/text/ranking_text.hpp"
#include "results/rows/rows.hpp"
#include "results/text/cells.hpp"
#include "studies/robustness.hpp"

namespace counterpoise {

enum class RobustOrder { nominal, worst, percentile };

/// What robustness() found, put in an order, ready to be printed.
struct RobustReport {
  const ResultsFile& results;
  Extent extent;  // of the results
  const Tolerances& tolerances;
  RobustnessSize size;
  const Objective& by;
  RobustOrder order = RobustOrder::worst;
};

/// Best first by the report's order: infeasible ones last, those that break less often first; then
/// by their nominal order.
std::vector<std::size_t> in_order(const RobustRanking& ranking, RobustOrder order);

/// rank, nominal_rank, case, variables, nominal, worst, percentile, percentile_error, broken, best,
/// upper_bound, sampled, worst_reason, broken_reason; all motions together.
Table table_of(const RobustReport& report, const std::vector<RobustRanking>& rankings);

/// The same for a terminal with the units of variables and of the objective, then how stable the
/// order is, in words.
std::string to_text(const RobustReport& report, const std::vector<RobustRanking>& rankings,
                    const ColumnUnits& units, std::size_t width);
/// One object: what was done, and per motion its designs and the stability of their order.
Json json_of(const RobustReport& report, const std::vector<RobustRanking>& rankings);

}  // namespace counterpoise
