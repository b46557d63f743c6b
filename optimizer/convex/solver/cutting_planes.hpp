#pragma once

#include "optimizer/convex/problem/solution.hpp"

namespace counterpoise {

/// solve() by rounds of cuts. Where the linear program finds the limits infeasible, so is the
/// solution, without a certificate.
ConvexSolution cutting_planes(const ConvexProblem& problem, const ConvexOptions& options);

/// On which side of a number an optimum is. Bounds may be infinite here.
enum class Side { below, above, unknown };
Side side_of_optimum(const ConvexProblem& problem, double number, const ConvexOptions& options);

}  // namespace counterpoise
