#include "optimizer/convex/choice/relaxed_choice.hpp"

#include <algorithm>

#include "optimizer/convex/problem.hpp"

namespace counterpoise {
namespace {

void add_hull(const ChoiceGroup& group, ConvexProblem& convex) {
  std::vector<std::array<double, 2>> points;
  for (const auto& option : group.options) points.push_back({option[0], option[1]});
  for (const HalfPlane& plane : convex_hull(points))
    convex.limits.push_back(
        {{0.0, {}, {{group.unknowns[0], plane.normal[0]}, {group.unknowns[1], plane.normal[1]}}},
         plane.bound});
}

}  // namespace

ConvexProblem relaxed_choice(const ChoiceProblem& problem, const std::vector<int>& prefix) {
  ConvexProblem convex = problem.convex;
  for (std::size_t g = 0; g < problem.groups.size(); ++g) {
    const ChoiceGroup& group = problem.groups[g];
    for (std::size_t i = 0; i < group.unknowns.size(); ++i) {
      double& low = convex.lower[group.unknowns[i]];
      double& high = convex.upper[group.unknowns[i]];
      if (g < prefix.size()) {
        low = high = group.options[prefix[g]][i];
        continue;
      }
      low = infinity;
      high = -low;
      for (const auto& option : group.options) {
        low = std::min(low, option[i]);
        high = std::max(high, option[i]);
      }
    }
    if (g >= prefix.size() && group.unknowns.size() == 2) add_hull(group, convex);
  }
  return convex;
}

namespace {

using Point = std::array<double, 2>;

double turn(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// The lower hull of sorted points, or the upper one of points sorted backwards (Andrew 1979).
void append_chain(const std::vector<Point>& sorted, std::vector<Point>& corners) {
  const std::size_t first = corners.size();
  for (const Point& point : sorted) {
    while (corners.size() >= first + 2 &&
           turn(corners[corners.size() - 2], corners.back(), point) <= 0.0)
      corners.pop_back();
    corners.push_back(point);
  }
  corners.pop_back();  // begins the other chain
}

}  // namespace

std::vector<HalfPlane> convex_hull(const std::vector<Point>& points) {
  std::vector<Point> sorted = points;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<HalfPlane> planes;
  if (sorted.size() < 2) return planes;
  std::vector<Point> corners;
  append_chain(sorted, corners);
  std::reverse(sorted.begin(), sorted.end());
  append_chain(sorted, corners);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point &a = corners[i], &b = corners[(i + 1) % corners.size()];
    if (a[0] == b[0] || a[1] == b[1]) continue;  // a bound of one coordinate
    HalfPlane plane{{b[1] - a[1], a[0] - b[0]}, -infinity};
    for (const Point& point : sorted)
      plane.bound = std::max(plane.bound, plane.normal[0] * point[0] + plane.normal[1] * point[1]);
    planes.push_back(plane);
  }
  return planes;
}

}  // namespace counterpoise
