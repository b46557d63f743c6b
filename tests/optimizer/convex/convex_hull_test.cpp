#include "optimizer/convex/choice/relaxed_choice.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "tests/optimizer/convex/problems.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

using Points = std::vector<std::array<double, 2>>;

/// A half-plane in whole numbers without a common factor: normal, bound.
using Edge = std::array<long, 3>;

Edge reduced(const std::array<double, 2>& normal, double bound) {
  Edge edge = {std::lround(normal[0]), std::lround(normal[1]), std::lround(bound)};
  const long factor = std::gcd(edge[0], edge[1]);
  for (long& number : edge) {
    REQUIRE(number % factor == 0);
    number /= factor;
  }
  return edge;
}

/// Every line through two of the points that has no point beyond it, by trying all pairs; those
/// along the axes are left to the ranges of the coordinates.
std::set<Edge> edges_by_pairs(const Points& points) {
  std::set<Edge> edges;
  for (const auto& a : points) {
    for (const auto& b : points) {
      if (a[0] == b[0] || a[1] == b[1]) continue;
      const std::array<double, 2> normal = {b[1] - a[1], a[0] - b[0]};
      const double bound = normal[0] * a[0] + normal[1] * a[1];
      const bool supports = std::none_of(points.begin(), points.end(), [&](const auto& point) {
        return normal[0] * point[0] + normal[1] * point[1] > bound;
      });
      if (supports) edges.insert(reduced(normal, bound));
    }
  }
  return edges;
}

std::set<Edge> edges_of(const Points& points) {
  const std::vector<HalfPlane> planes = convex_hull(points);
  std::set<Edge> edges;
  for (const HalfPlane& plane : planes) edges.insert(reduced(plane.normal, plane.bound));
  CHECK(edges.size() == planes.size());  // each once
  return edges;
}

bool all_inside(const Points& points) {
  for (const HalfPlane& plane : convex_hull(points))
    for (const auto& point : points)
      if (plane.normal[0] * point[0] + plane.normal[1] * point[1] > plane.bound) return false;
  return true;
}

Points on_a_grid(std::mt19937& random, int count, int width) {
  Points points;
  for (int i = 0; i < count; ++i)
    points.push_back(
        {std::floor(uniform(random, -width, width)), std::floor(uniform(random, -width, width))});
  return points;
}

}  // namespace

TEST_CASE("a hull has the edges that all pairs of points have, each once") {
  std::mt19937 random(61);
  for (int i = 0; i < 400; ++i) {
    const Points points = on_a_grid(random, 1 + i % 40, 2 + i % 17);
    CAPTURE(i, points);
    CHECK(edges_of(points) == edges_by_pairs(points));
  }
}

TEST_CASE("every point is inside every half-plane as computed, at any scale") {
  std::mt19937 random(62);
  for (int i = 0; i < 300; ++i) {
    Points points;
    const double wide = std::pow(10.0, i % 13 - 6), high = std::pow(10.0, i % 7 - 3);
    for (int k = 0; k < 3 + i % 60; ++k)
      points.push_back({wide * uniform(random, -1.0, 1.0), high * uniform(random, 0.9, 1.0)});
    CAPTURE(i);
    CHECK(all_inside(points));
    CHECK(convex_hull(points).size() >= 2);
  }
}

TEST_CASE("a hull does not depend on the order of its points, nor on points said twice") {
  std::mt19937 random(63);
  for (int i = 0; i < 50; ++i) {
    Points points = on_a_grid(random, 20, 9);
    const std::set<Edge> edges = edges_of(points);
    points.insert(points.end(), points.begin(), points.begin() + 10);
    std::shuffle(points.begin(), points.end(), random);
    CHECK(edges_of(points) == edges);
  }
}

TEST_CASE("sets without an inside have the half-planes that hold them and no others") {
  CHECK(convex_hull({}).empty());
  CHECK(convex_hull({{3.0, -2.0}}).empty());
  CHECK(convex_hull({{3.0, -2.0}, {3.0, -2.0}}).empty());
  CHECK(convex_hull({{3.0, -2.0}, {3.0, 5.0}, {3.0, 1.0}}).empty());
  CHECK(convex_hull({{-1.0, 4.0}, {7.0, 4.0}, {2.0, 4.0}}).empty());
  CHECK(convex_hull({{0.0, 0.0}, {2.0, 0.0}, {0.0, 3.0}, {2.0, 3.0}}).empty());
  const std::set<Edge> line = {{1, -2, 1}, {-1, 2, -1}};
  CHECK(edges_of({{1.0, 0.0}, {3.0, 1.0}}) == line);
  CHECK(edges_of({{5.0, 2.0}, {1.0, 0.0}, {3.0, 1.0}, {5.0, 2.0}}) == line);
  CHECK(edges_of({{0.0, 0.0}, {4.0, 0.0}, {0.0, 3.0}, {1.0, 1.0}}) == std::set<Edge>{{3, 4, 12}});
}
