#pragma once

#include "optimizer/convex/certificate.hpp"

namespace counterpoise {

/// Does the work of solve() by rounds of cuts. Where the linear program finds the limits
/// infeasible, the solution is infeasible too, and has no certificate.
ConvexSolution cutting_planes(const ConvexProblem& problem, const ConvexOptions& options);

/// On which side of a number the optimum lies. Bounds may be infinite here.
enum class Side { below, above, unknown };
Side side_of_optimum(const ConvexProblem& problem, double number, const ConvexOptions& options);

}  // namespace counterpoise
