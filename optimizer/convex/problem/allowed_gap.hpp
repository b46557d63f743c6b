#pragma once

#include "optimizer/convex/problem/problem.hpp"

namespace counterpoise {

/// Relative; how well two ways to one number have to agree.
inline constexpr double agreement = 1e-9;

/// To that part of the largest of both and of `size`.
bool agree(double a, double b, double size);

/// What an objective that is nearly zero is small beside: the largest sum without springs.
double size_without_springs(const ConvexProblem& problem);

/// What a proof may leave open of an objective's value and still say that there is nothing better
/// worth having: 1e-6 of the value. Of one that is nearly zero, what rounding makes of the sums:
/// 1e-9 of the objective without springs, and 1e-14 of what its linear terms come to at the far
/// ends of their ranges.
double allowed_gap(const ConvexProblem& problem, double value);

}  // namespace counterpoise
