#pragma once

#include <optional>
#include <vector>

#include "optimizer/convex/problem/solution.hpp"

namespace counterpoise {

/// A violation of a limit that is rounding: a part of the limit's scale.
constexpr double rounding_of_limit = 1e-11;

/// What a violation of each limit is measured by: the size of its terms at the point of the bounds
/// that is nearest to 0.
std::vector<double> limit_scales(const ConvexProblem& problem);

/// Without limits, minimising the largest violation of those of `chosen`, each by its scale.
ConvexProblem elastic(const ConvexProblem& problem, const std::vector<double>& scales,
                      const std::vector<int>& chosen);

/// The multipliers of an elastic problem as a proof that the limits cannot be met.
Certificate conflict_proof(const ConvexProblem& problem, const std::vector<double>& scales,
                           const std::vector<int>& chosen, const Certificate& of_elastic);

/// 0 to one less than the number of limits.
std::vector<int> all_limits(const ConvexProblem& problem);

}  // namespace counterpoise
