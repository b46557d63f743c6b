#pragma once

#include "optimizer/convex/problem/problem.hpp"

namespace counterpoise {

/// The relative accuracy to which two ways of computing a number have to agree.
inline constexpr double agreement = 1e-9;

/// Whether a and b differ by no more than `agreement` times the largest of |a|, |b| and `size`.
bool agree(double a, double b, double size);

/// The scale to which an objective that is nearly zero is compared: the largest sum of the
/// objective without springs.
double size_without_springs(const ConvexProblem& problem);

/// The objective at x if no terms cancelled: the size of the numbers whose differences make it. 0
/// if x is not of the problem. Costs a copy of the problem.
double size_of_terms(ConvexProblem problem, std::vector<double> x);

/// The largest gap between value and bound with which an objective still counts as proved: 1e-6 of
/// the value. For an objective that is nearly zero it is the rounding of its sums: 1e-9 of the
/// objective without springs, and 1e-14 of the sum of its linear terms at the far ends of their
/// ranges.
double allowed_gap(const ConvexProblem& problem, double value);

}  // namespace counterpoise
