#pragma once

#include "optimizer/convex/problem/problem.hpp"

namespace counterpoise::testing {

/// The optimum of any problem of at most three unknowns by golden sections of golden sections, with
/// broken limits added at a price: convex functions need no more. Good to 1e-9 of the value.
double golden_optimum(const ConvexProblem& problem);

/// The least of one `length` under linear limits: least squares with every set of limits and bounds
/// as equations, the best of those points that meet the rest.
double enumerated_optimum(const ConvexProblem& problem);

}  // namespace counterpoise::testing
