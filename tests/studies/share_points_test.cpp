#include "optimizer/sampling/box_samples.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace counterpoise;

TEST_CASE("a sequence fills every stratum of every dimension, and follows from its seed") {
  constexpr std::size_t dimensions = 7, count = 256;
  SobolSequence one = shifted_sobol(dimensions, 5), again = shifted_sobol(dimensions, 5);
  SobolSequence other = shifted_sobol(dimensions, 6);
  std::vector<std::vector<double>> points, others;
  std::vector<double> point(dimensions), same(dimensions);
  for (std::int64_t i = 1; i <= std::int64_t{count}; ++i) {
    one.point(i, point);
    again.point(i, same);
    CHECK(point == same);
    points.push_back(point);
    other.point(i, same);
    others.push_back(same);
  }
  CHECK(points != others);
  for (std::size_t d = 0; d < dimensions; ++d) {
    // of a Sobol sequence without its first point, all strata of 1/128 but for the ends twice
    std::vector<int> strata(128, 0);
    for (const auto& p : points) {
      REQUIRE((p[d] >= 0.0 && p[d] < 1.0));
      ++strata[static_cast<std::size_t>(p[d] * 128.0)];
    }
    CHECK(std::all_of(strata.begin(), strata.end(), [](int n) { return n >= 1 && n <= 3; }));
  }
}

TEST_CASE("a box that is sampled is looked at in its corners, if they are no more than samples") {
  CHECK(box_samples(0, 10, 1).empty());
  const auto points = box_samples(3, 8, 1);
  REQUIRE(points.size() == 8 + 8);
  std::vector<std::vector<double>> corners(points.begin(), points.begin() + 8);
  std::sort(corners.begin(), corners.end());
  CHECK(corners.front() == std::vector<double>{0, 0, 0});
  CHECK(corners[5] == std::vector<double>{1, 0, 1});
  CHECK(std::adjacent_find(corners.begin(), corners.end()) == corners.end());
  CHECK(box_samples(3, 7, 1).size() == 7);
}
