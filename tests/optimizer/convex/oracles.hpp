#pragma once

#include <optional>
#include <vector>

#include "optimizer/convex/choice/choose.hpp"
#include "optimizer/convex/problem.hpp"

namespace counterpoise::testing {

/// The optimum of a problem without `length` norms by GLPK: one linear program in which every
/// sample is a row. Shares neither code nor method with the cutting planes. None if infeasible.
/// Bounds may be infinite where the objective stays finite.
std::optional<double> glpk_optimum(const ConvexProblem& problem);

/// Whether the limits can be met within the bounds.
bool glpk_feasible(const ConvexProblem& problem);

/// Relative: what a limit may be exceeded by, and what counts as equal to the best.
inline constexpr double choice_rounding = 1e-9;

/// A sum at x by loops of its own.
double sum_at(const ConvexProblem& problem, const ConvexSum& sum, const std::vector<double>& x);

/// Every combination that meets the limits, by trying each: least value first, then by options.
/// Unknowns that are not chosen are sized under fixed bounds of the others.
std::vector<Combination> all_combinations(const ChoiceProblem& problem);

/// The first of them, up to a part above the best.
std::vector<Combination> near_the_best(const std::vector<Combination>& all, double within);

/// The optimum of any problem of at most three unknowns by golden sections of golden sections, with
/// broken limits added at a price: convex functions need no more. Good to 1e-9 of the value.
double golden_optimum(const ConvexProblem& problem);

/// The least of one `length` under linear limits: least squares with every set of limits and bounds
/// as equations, the best of those points that meet the rest.
double enumerated_optimum(const ConvexProblem& problem);

}  // namespace counterpoise::testing
