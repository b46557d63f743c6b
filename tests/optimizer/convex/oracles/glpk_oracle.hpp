#pragma once

#include <optional>

#include "optimizer/convex/problem/problem.hpp"

namespace counterpoise::testing {

/// The optimum of a problem without `length` norms by GLPK: one linear program in which every
/// sample is a row. Shares neither code nor method with the cutting planes. None if infeasible.
/// Bounds may be infinite where the objective stays finite.
std::optional<double> glpk_optimum(const ConvexProblem& problem);

/// Whether the limits can be met within the bounds.
bool glpk_feasible(const ConvexProblem& problem);

}  // namespace counterpoise::testing
