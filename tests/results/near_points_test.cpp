#include "results/rows/near_points.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

using namespace counterpoise;

namespace {

using Point = std::vector<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// By comparing with each point.
bool near_any(const std::vector<Point>& points, const Point& point, const Point& widths) {
  for (const Point& other : points) {
    std::size_t near = 0;
    while (near < widths.size() && std::abs(other[near] - point[near]) <= widths[near]) ++near;
    if (near == widths.size()) return true;
  }
  return false;
}

/// Kinds: anywhere; on a grid whose steps are widths, so that many are exactly as far apart as is
/// near; rising in all coordinates, as rankings often are; with infinities and what is no number.
double random_value(std::mt19937_64& random, int kind, std::size_t i) {
  const double any = std::uniform_real_distribution<>(0.0, 1.0)(random);
  if (kind == 0) return any;
  if (kind == 1) return 0.1 * std::floor(30.0 * any);
  if (kind == 2) return 0.003 * static_cast<double>(i) + 0.02 * any;
  if (any < 0.02) return std::numeric_limits<double>::quiet_NaN();
  return any < 0.1 ? infinity : any < 0.2 ? -infinity : any < 0.3 ? -0.0 : std::round(9.0 * any);
}

double random_width(std::mt19937_64& random, int kind) {
  const double any = std::uniform_real_distribution<>(0.0, 1.0)(random);
  if (kind == 1) return any < 0.2 ? 0.0 : 0.1;
  if (kind == 3) return any < 0.2 ? infinity : any < 0.4 ? 0.0 : std::round(2.0 * any);
  return any < 0.1 ? 0.0 : 0.3 * any * any;
}

}  // namespace

TEST_CASE("a point is near others where a comparison with each says so") {
  std::mt19937_64 random(45);
  std::size_t found = 0, missed = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const int kind = trial % 4;
    Point widths(trial / 4 % 6);
    for (double& width : widths) width = random_width(random, kind);
    NearPoints index(widths);
    std::vector<Point> points;
    const bool all = random() % 2 == 0;  // or as a ranking does, those that are near none
    for (std::size_t i = 0; i < 700; ++i) {
      Point point(widths.size());
      for (double& value : point) value = random_value(random, kind, i);
      const bool near = near_any(points, point, widths);
      REQUIRE(index.near(point) == near);
      ++(near ? found : missed);
      if (near && !all) continue;
      index.add(point);
      points.push_back(point);
    }
  }
  CHECK(found > 10000);
  CHECK(missed > 10000);
}

TEST_CASE("a search for near points compares few of them, in whatever order they came") {
  std::mt19937_64 random(46);
  for (const bool sorted : {false, true}) {
    NearPoints index({0.01, 0.01, 0.01});
    std::uint64_t before = 0;
    for (int i = 0; i < 40000; ++i) {
      if (i == 20000) before = index.looks();
      std::uniform_real_distribution<> any(0.0, 1.0);
      const Point point{sorted ? i / 40000.0 : any(random), any(random), any(random)};
      static_cast<void>(index.near(point));
      index.add(point);
    }
    CHECK((index.looks() - before) / 20000 < 400);
  }
}
