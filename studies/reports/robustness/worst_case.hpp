#pragma once

#include <string>

#include "studies/reports/robustness/box_metrics.hpp"
#include "studies/reports/robustness/deviated_case.hpp"

namespace counterpoise {

/// Every corner is evaluated if all springs together have at most this many; see BoxMetrics.
inline constexpr std::size_t most_corners = 4096;

/// The largest value of an objective over all tolerances.
struct WorstCase {
  bool infeasible = false;  // whether it is infeasible somewhere in the box; then there is no value
  std::string reason;       // in words, at the first place where it is infeasible
  double value = 0.0;
  bool upper_bound =
      false;  // whether there were too many corners, so that the value may exceed the largest
  /// Whether the value is the largest of the designs that were tried, and larger ones may exist: so
  /// where a study reads scenarios, whose metrics no bound over the box is known for.
  bool sampled = false;
};

/// Finds the worst case of the design in `at`, whose point is set: at the design itself and at
/// `samples` of the sampled parameters, each over the whole box of the springs. Cost per sample:
/// that of a case, a copy of its loads, and one pass over the time samples per corner and actuator.
WorstCase worst_case(const Study& study, const ToleranceBox& box,
                     std::span<const ToleranceInterval> intervals,
                     std::span<const std::vector<double>> samples, std::size_t objective,
                     DeviatedCase& at);

}  // namespace counterpoise
