#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "optimizer/search/search.hpp"

namespace counterpoise::testing {

/// Rosenbrock's valley; minimum 0 at (1, 1). Never inlined: its bits are the same wherever it is
/// called.
[[gnu::noinline]] inline Evaluation rosenbrock(std::span<const double> x) {
  return {100.0 * std::pow(x[1] - x[0] * x[0], 2) + std::pow(1.0 - x[0], 2), 0.0, true};
}

/// The largest of three planes; the minimum 2 is the kink at (1, 1).
inline Evaluation kink(std::span<const double> x) {
  return {std::max({x[0] + x[1], 4.0 - 2.0 * x[0], 4.0 - 2.0 * x[1]}), 0.0, true};
}

inline SearchOptions box(double lower, double upper, double start, int evaluations,
                         std::vector<SearchStage> stages = {{"LN_SBPLX", 1.0}}) {
  SearchOptions options;
  options.stages = std::move(stages);
  options.max_evaluations = evaluations;
  options.lower.assign(2, lower);
  options.upper.assign(2, upper);
  options.nominal.assign(2, start);
  return options;
}

}  // namespace counterpoise::testing
