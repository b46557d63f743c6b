#include "optimizer/dyadic_simplex.hpp"

#include <Eigen/Dense>
#include <catch2/catch.hpp>
#include <set>

#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// The barycentric coordinates of a point, by a linear system.
Eigen::VectorXd coordinates(const DyadicSimplex& simplex, int d, const Eigen::VectorXd& point) {
  Eigen::MatrixXd system(d + 1, d + 1);
  for (int v = 0; v <= d; ++v) {
    for (int i = 0; i < d; ++i) system(i, v) = simplex.corners[v][i];
    system(d, v) = 1.0;
  }
  Eigen::VectorXd right(d + 1);
  right << point, 1.0;
  return system.fullPivLu().solve(right);
}

double volume(const DyadicSimplex& simplex, int d) {
  Eigen::MatrixXd edges(d, d);
  double factorial = 1.0;
  for (int v = 1; v <= d; ++v) {
    factorial *= v;
    for (int i = 0; i < d; ++i) edges(i, v - 1) = simplex.corners[v][i] - simplex.corners[0][i];
  }
  return std::abs(edges.determinant()) / factorial;
}

/// The leaves of a random bisection.
std::vector<DyadicSimplex> random_leaves(int d, int bisections, Random& random) {
  const DyadicBisection bisection(d);
  std::vector<DyadicSimplex> leaves = bisection.box();
  for (int i = 0; i < bisections; ++i) {
    const auto at = static_cast<std::size_t>(random.below(static_cast<int>(leaves.size())));
    const auto halves = bisection.halves(leaves[at]);
    leaves[at] = halves[0];
    leaves.push_back(halves[1]);
  }
  return leaves;
}

}  // namespace

TEST_CASE("bisections cover the box once, in every dimension") {
  Random random(6);
  for (int d = 1; d <= most_dimensions; ++d) {
    const auto leaves = random_leaves(d, 300, random);
    double total = 0.0;
    for (const DyadicSimplex& leaf : leaves) total += volume(leaf, d);
    CHECK(total == Approx(1.0).epsilon(1e-12));
    for (int i = 0; i < test::trials(100); ++i) {
      Eigen::VectorXd point(d);
      for (int j = 0; j < d; ++j) point(j) = random.uniform(0.0, 1.0);
      int inside = 0;
      for (const DyadicSimplex& leaf : leaves)
        inside += coordinates(leaf, d, point).minCoeff() >= -1e-12 ? 1 : 0;
      CHECK(inside == 1);
    }
  }
}

TEST_CASE("halves share the middle of one edge, and shapes repeat") {
  for (int d = 1; d <= most_dimensions; ++d) {
    const DyadicBisection bisection(d);
    CHECK(bisection.box().size() ==
          std::array{1U, 2U, 6U, 24U, 120U, 720U}.at(static_cast<std::size_t>(d - 1)));
    // down one random branch as deep as it goes, the longest edge shrinks with the volume
    Random random(static_cast<std::uint64_t>(d));
    DyadicSimplex simplex = bisection.box().front();
    int depth = 0;
    while (bisection.may_halve(simplex)) {
      const auto halves = bisection.halves(simplex);
      std::set<DyadicPoint> before, after;
      for (int v = 0; v <= d; ++v) {
        before.insert(simplex.corners[v]);
        for (const DyadicSimplex& half : halves) after.insert(half.corners[v]);
      }
      CHECK(after.size() == before.size() + 1);
      simplex = halves[random.below(2)];
      ++depth;
      double longest = 0.0;
      for (int v = 0; v <= d; ++v)
        for (int w = 0; w < v; ++w)
          for (int i = 0; i < d; ++i)
            longest = std::max(longest, std::abs(simplex.corners[v][i] - simplex.corners[w][i]));
      CHECK(longest <= std::ldexp(1.0, -(depth / d)));
      CHECK(longest > 0.0);
    }
    CHECK(depth == 50 * d);
  }
}

TEST_CASE("corners are numbered in the order in which they are first seen") {
  DyadicCorners corners;
  CHECK(corners.number_of({0.5}) == 0);
  CHECK(corners.number_of({0.25}) == 1);
  CHECK(corners.number_of({0.5}) == 0);
  CHECK(corners.count() == 2);
  CHECK(corners.point(1)[0] == 0.25);
}
