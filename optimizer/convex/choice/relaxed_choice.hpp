#pragma once

#include <array>
#include <vector>

#include "optimizer/convex/choice/choose.hpp"

namespace counterpoise {

/// The convex problem in which the first groups have the options of `prefix` and every other may
/// take any values in the convex hull of its options (for more than two unknowns: within their
/// ranges). The limits of the hulls come after the problem's own.
ConvexProblem relaxed_choice(const ChoiceProblem& problem, const std::vector<int>& prefix);

/// normal * point <= bound.
struct HalfPlane {
  std::array<double, 2> normal;
  double bound = 0.0;
};

/// Half-planes whose intersection is the convex hull of points in the plane. There are none where
/// all points are on one line parallel to an axis, because the ranges of the coordinates suffice
/// there. Every point is inside all half-planes in spite of rounding: each bound is the largest
/// value over all points.
std::vector<HalfPlane> convex_hull(const std::vector<std::array<double, 2>>& points);

}  // namespace counterpoise
