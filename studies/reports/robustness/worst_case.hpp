#pragma once

#include <string>

#include "studies/reports/robustness/box_metrics.hpp"
#include "studies/reports/robustness/deviated_case.hpp"

namespace counterpoise {

/// Up to so many corners of all springs together each corner is looked at; see BoxMetrics.
inline constexpr std::size_t most_corners = 4096;

/// The largest value of an objective over all tolerances.
struct WorstCase {
  bool infeasible = false;  // somewhere in the box; then there is no value
  std::string reason;       // in words, of the first place where it is
  double value = 0.0;
  bool upper_bound = false;  // too many corners: the value is at least the largest
};

/// Looks at a design of `at` (its point set) at the design itself, at `samples` of the parameters
/// that are sampled, and at each of them over the whole box of the springs. Cost a sample: that of
/// a case, a copy of its loads, and a pass over the samples a corner and actuator.
WorstCase worst_case(const Study& study, const ToleranceBox& box,
                     std::span<const Interval> intervals,
                     std::span<const std::vector<double>> samples, std::size_t objective,
                     DeviatedCase& at);

}  // namespace counterpoise
