#include "optimizer/convex/choice/relaxed_choice.hpp"

#include <algorithm>
#include <numeric>

#include "optimizer/convex/problem.hpp"

namespace counterpoise {
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

/// Some of many half-planes, spread over all.
std::vector<HalfPlane> some_of(std::vector<HalfPlane> planes, std::size_t most) {
  if (planes.size() <= most) return planes;
  std::vector<HalfPlane> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(planes[i * planes.size() / most]);
  return some;
}

}  // namespace

std::vector<HalfPlane> convex_hull(const std::vector<Point>& points, std::size_t most) {
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
    planes.push_back({{b[1] - a[1], a[0] - b[0]}, -infinity});
  }
  planes = some_of(std::move(planes), most);
  for (HalfPlane& plane : planes)
    for (const Point& point : sorted)
      plane.bound = std::max(plane.bound, plane.normal[0] * point[0] + plane.normal[1] * point[1]);
  return planes;
}

namespace {

constexpr std::size_t most_planes = 64;  // each is a limit of every relaxed problem

std::vector<int> all_options(const ChoiceGroup& group) {
  std::vector<int> all(group.options.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

OptionHull::OptionHull(const ChoiceGroup& group) : OptionHull(group, all_options(group)) {}

OptionHull::OptionHull(const ChoiceGroup& group, const std::vector<int>& options)
    : low(group.unknowns.size(), infinity), high(group.unknowns.size(), -infinity) {
  for (const int option : options)
    for (std::size_t i = 0; i < low.size(); ++i) {
      low[i] = std::min(low[i], group.options[option][i]);
      high[i] = std::max(high[i], group.options[option][i]);
    }
  if (low.size() != 2) return;
  std::vector<Point> points;
  for (const int option : options)
    points.push_back({group.options[option][0], group.options[option][1]});
  planes = convex_hull(points, most_planes);
}

std::vector<OptionHull> hulls_of(const std::vector<ChoiceGroup>& groups) {
  std::vector<OptionHull> hulls;
  for (const ChoiceGroup& group : groups) hulls.emplace_back(group);
  return hulls;
}

ConvexProblem relaxed_choice(const ChoiceProblem& problem, const std::vector<OptionHull>& hulls,
                             const std::vector<int>& prefix) {
  ConvexProblem convex = problem.convex;
  for (std::size_t g = 0; g < problem.groups.size(); ++g) {
    const std::vector<int>& unknowns = problem.groups[g].unknowns;
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      const bool fixed = g < prefix.size();
      convex.lower[unknowns[i]] = fixed ? problem.groups[g].options[prefix[g]][i] : hulls[g].low[i];
      convex.upper[unknowns[i]] =
          fixed ? problem.groups[g].options[prefix[g]][i] : hulls[g].high[i];
    }
    if (g < prefix.size()) continue;
    for (const HalfPlane& plane : hulls[g].planes)
      convex.limits.push_back(
          {{0.0, {}, {{unknowns[0], plane.normal[0]}, {unknowns[1], plane.normal[1]}}},
           plane.bound});
  }
  return convex;
}

}  // namespace counterpoise
