#pragma once

#include <vector>

#include "optimizer/convex/choice/choose.hpp"

namespace counterpoise::testing {

/// Relative: what a limit may be exceeded by, and what counts as equal to the best.
inline constexpr double choice_rounding = 1e-9;

/// A sum at x by loops of its own.
double sum_at(const ConvexProblem& problem, const ConvexSum& sum, const std::vector<double>& x);

/// Every combination that meets the limits, by trying each: least value first, then by options.
/// Unknowns that are not chosen are sized under fixed bounds of the others.
std::vector<Combination> all_combinations(const ChoiceProblem& problem);

/// The first of them, up to a part above the best.
std::vector<Combination> near_the_best(const std::vector<Combination>& all, double within);

}  // namespace counterpoise::testing
