#pragma once

#include <optional>

#include "optimizer/convex/certificate.hpp"

namespace counterpoise {

/// Whether the objective is a single L2 norm (with a constant), and no limit has a norm.
bool is_least_squares(const ConvexProblem& problem);

/// The optimum of such a problem, exact except for rounding, by a primal active-set method: it goes
/// from a feasible point to the least squares on the limits and bounds that are met with equality,
/// until all their multipliers are nonnegative. Returns nothing where limits cannot be met, or
/// where rounding prevents it from ending.
std::optional<ConvexSolution> least_squares(const ConvexProblem& problem,
                                            const ConvexOptions& options);

}  // namespace counterpoise
