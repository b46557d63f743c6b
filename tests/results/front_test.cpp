#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "results/rows/batched_front.hpp"

using namespace counterpoise;

namespace {

using Point = ParetoFront::Point;

bool point_beats(const std::vector<double>& a, const std::vector<double>& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

/// By comparing each point with each other one.
std::set<std::int64_t> front_of(const std::vector<Point>& points, std::size_t most_equal) {
  std::map<std::vector<double>, std::set<std::int64_t>> places;
  for (const Point& point : points) places[point.objectives].insert(point.id);
  std::set<std::int64_t> front;
  for (const auto& place : places) {
    const bool on_front = std::none_of(places.begin(), places.end(), [&](const auto& other) {
      return point_beats(other.first, place.first);
    });
    std::size_t taken = 0;
    for (const std::int64_t id : place.second)
      if (on_front && taken++ < most_equal) front.insert(id);
  }
  return front;
}

std::set<std::int64_t> ids_of(const ParetoFront& front) {
  std::set<std::int64_t> ids;
  for (const Point& point : front.points()) ids.insert(point.id);
  return ids;
}

/// Kinds: a coarse grid with many equal points; anywhere; nearly all on the front; all on a line.
std::vector<Point> random_points(std::mt19937_64& random, std::size_t objectives, int kind) {
  std::uniform_real_distribution<> any(0.0, 1.0);
  std::vector<Point> points(1 + random() % 400);
  std::int64_t id = 0;
  for (Point& point : points) {
    point.id = ++id;
    double size = 0.0;
    for (std::size_t k = 0; k < objectives; ++k) {
      point.objectives.push_back(kind == 0 ? static_cast<double>(random() % 6) : any(random));
      size += point.objectives.back() * point.objectives.back();
    }
    for (double& value : point.objectives) {
      if (kind == 2) value /= std::sqrt(size);
      if (kind == 3) value = static_cast<double>(id % 7) * 1e-200;
    }
    if (kind == 2) point.objectives.back() *= 1.0 + 0.01 * any(random);
  }
  std::shuffle(points.begin(), points.end(), random);
  return points;
}

}  // namespace

TEST_CASE("a front holds the points that no other dominates, at any moment and in any order") {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 800; ++trial) {
    const std::size_t objectives = 1 + random() % 6, most_equal = trial % 2 == 0 ? 1000 : 2;
    const std::vector<Point> points = random_points(random, objectives, trial / 2 % 4);
    ParetoFront front(most_equal);
    std::set<std::int64_t> told;
    std::vector<std::int64_t> left;
    for (std::size_t i = 0; i < points.size(); ++i) {
      left.clear();
      if (front.add(points[i].id, points[i].objectives, &left)) told.insert(points[i].id);
      for (const std::int64_t id : left) CHECK(told.erase(id) == 1);
      if (i % 97 == 0 || i + 1 == points.size()) {
        const auto expected = front_of(
            {points.begin(), points.begin() + static_cast<std::ptrdiff_t>(i) + 1}, most_equal);
        REQUIRE(ids_of(front) == expected);
        REQUIRE(told == expected);
        REQUIRE(front.size() == expected.size());
      }
    }
  }
}

TEST_CASE("a front that takes points together is the same, whatever the batches") {
  std::mt19937_64 random(9);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (int trial = 0; trial < 800; ++trial) {
    std::vector<Point> points = random_points(random, 1 + random() % 6, trial % 4);
    if (trial % 5 == 0)
      for (Point& point : points)
        if (random() % 8 == 0) point.objectives.back() = random() % 2 == 0 ? infinity : -infinity;
    BatchedFront front(1 + random() % 200);
    const std::size_t asked = random() % points.size();  // in the middle, which changes nothing
    for (std::size_t i = 0; i < points.size(); ++i) {
      front.add(points[i].id, points[i].objectives);
      if (i == asked) CHECK_FALSE(front.points().empty());
    }
    const std::vector<Point> found = front.points();
    std::set<std::int64_t> ids;
    for (std::size_t i = 0; i < found.size(); ++i) {
      ids.insert(found[i].id);
      if (i == 0) continue;
      const bool in_order = std::tie(found[i - 1].objectives, found[i - 1].id) <
                            std::tie(found[i].objectives, found[i].id);
      CHECK(in_order);
    }
    CHECK(ids.size() == found.size());
    CHECK(ids == front_of(points, points.size()));
  }
}

TEST_CASE("points above a limit leave a front, which goes on") {
  std::mt19937_64 random(8);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Point> points = random_points(random, 1 + random() % 4, trial % 3);
    ParetoFront front;
    for (const Point& point : points) front.add(point.id, point.objectives);
    const double limit = points[random() % points.size()].objectives.front();
    std::set<std::int64_t> expected, gone;
    for (const Point& point : front.points())
      (point.objectives.front() <= limit ? expected : gone).insert(point.id);
    std::vector<std::int64_t> left;
    front.leave_out_above(limit, left);
    CHECK(ids_of(front) == expected);
    CHECK(std::set<std::int64_t>(left.begin(), left.end()) == gone);
    CHECK(front.size() == expected.size());
    const std::vector<double> best(points.front().objectives.size(), -1.0);
    CHECK(front.add(9999, best));
    CHECK(ids_of(front) == std::set<std::int64_t>{9999});
  }
}
