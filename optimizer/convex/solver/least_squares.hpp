#pragma once

#include <optional>

#include "optimizer/convex/problem/solution.hpp"

namespace counterpoise {

/// Whether the objective is one `length` alone (with a constant), and no limit has a norm.
bool is_least_squares(const ConvexProblem& problem);

/// The optimum of such a problem, exact but for rounding, by a primal active-set method: from a
/// feasible point to the least squares on the limits and bounds that are met with equality, until
/// no multiplier of theirs is negative. None where limits cannot be met, or rounding keeps it from
/// its end.
std::optional<ConvexSolution> least_squares(const ConvexProblem& problem,
                                            const ConvexOptions& options);

}  // namespace counterpoise
