#pragma once

#include <array>
#include <vector>

namespace counterpoise {

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
