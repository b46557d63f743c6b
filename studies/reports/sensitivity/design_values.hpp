#pragma once

#include <string>
#include <vector>

#include "studies/reports/sensitivity/sensitivity.hpp"

namespace counterpoise {

/// The result of evaluating a design.
enum class DesignState : char { not_computable, breaks_limit, within_limits };

/// The objectives of all designs of a plan for one motion, in the order of its rows: Saltelli's,
/// Morris's, the tornado's.
struct DesignValues {
  std::vector<std::vector<double>> objectives;  // per objective of the plan; NaN: not computable
  std::vector<DesignState> states;
  std::int64_t first_refused = -1;  // the first row that cannot be computed, or -1
  std::string reason;               // why that one cannot be computed
};

/// Morris's and the tornado's designs of a plan. Saltelli's design follows from the plan's numbers.
MorrisDesign morris_design(const Study& study, const SensitivityPlan& plan, std::uint64_t seed);
TornadoDesign tornado_design(const Study& study, const SensitivityPlan& plan);

/// The values for each motion of the plan, computed by the threads of the arena in which it is
/// called. Incomplete when interrupted.
std::vector<DesignValues> evaluate_designs(const Study& study, const SensitivityPlan& plan,
                                           const SensitivityOptions& options, int threads);

}  // namespace counterpoise
