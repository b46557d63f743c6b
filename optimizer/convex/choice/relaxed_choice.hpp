#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "optimizer/convex/choice/choose.hpp"

namespace counterpoise {

/// normal * point <= bound.
struct HalfPlane {
  std::array<double, 2> normal;
  double bound = 0.0;
};

/// Half-planes whose intersection is the convex hull of points in the plane. There are none where
/// all points are on one line parallel to an axis, because the ranges of the coordinates suffice
/// there. Every point is inside all half-planes in spite of rounding: each bound is the largest
/// value over all points. Of more than `most` half-planes only so many are returned, spread over
/// all. Cost: n log n in the points, and their number times that of the half-planes.
std::vector<HalfPlane> convex_hull(const std::vector<std::array<double, 2>>& points,
                                   std::size_t most = std::numeric_limits<std::size_t>::max());

/// What the options of a group lie in: the range of each unknown, and for two unknowns the convex
/// hull, of which at most 64 half-planes are kept.
struct OptionHull {
  std::vector<double> low, high;
  std::vector<HalfPlane> planes;

  explicit OptionHull(const ChoiceGroup& group);
  /// Of these options only, at least one.
  OptionHull(const ChoiceGroup& group, const std::vector<int>& options);
};

/// The hull of each group. Cost: n log n in its options.
std::vector<OptionHull> hulls_of(const std::vector<ChoiceGroup>& groups);

/// The convex problem in which the first groups have the options of `prefix` and every other may
/// take any values in the hull of its options. The limits of the hulls come after the problem's
/// own. Cost: a copy of the problem, whatever the number of options.
ConvexProblem relaxed_choice(const ChoiceProblem& problem, const std::vector<OptionHull>& hulls,
                             const std::vector<int>& prefix = {});

}  // namespace counterpoise
