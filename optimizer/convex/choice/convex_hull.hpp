#pragma once

#include <array>
#include <vector>

namespace counterpoise {

/// normal * point <= bound.
struct HalfPlane {
  std::array<double, 2> normal;
  double bound = 0.0;
};

/// Half-planes whose intersection is the convex hull of points in the plane; none where all points
/// are on one line parallel to an axis, as the range of the coordinates says it all. Every point is
/// inside all of them as computed: bounds are largest values over the points, not corners'
/// products.
std::vector<HalfPlane> convex_hull(const std::vector<std::array<double, 2>>& points);

}  // namespace counterpoise
