#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "results/rows/batched_front.hpp"
#include "results/rows/dominance_tree.hpp"

using namespace counterpoise;

namespace {

using Point = FrontPoint;

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

std::set<std::int64_t> ids_of(BatchedFront& front) {
  std::set<std::int64_t> ids;
  for (const Point& point : front.points()) ids.insert(point.id);
  return ids;
}

/// Does to a set of ids what a change of a front says.
void follow(const BatchedFront::Change& change, std::set<std::int64_t>& ids) {
  for (const std::int64_t id : change.joined) CHECK(ids.insert(id).second);
  for (const std::int64_t id : change.left) CHECK(ids.erase(id) == 1);
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
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t objectives = 1 + random() % 12, most_equal = trial % 2 == 0 ? 1000 : 2;
    const std::vector<Point> points = random_points(random, objectives, trial / 2 % 4);
    BatchedFront front(most_equal, 1 + random() % 200);
    std::set<std::int64_t> told;
    for (std::size_t i = 0; i < points.size(); ++i) {
      front.add(points[i].id, points[i].objectives);
      if (i % 97 == 0 || i + 1 == points.size()) {
        follow(front.take_change(), told);
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
    BatchedFront front(points.size(), 1 + random() % 200);
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

TEST_CASE("a tree of points knows what they dominate, whatever the numbers and their scales") {
  std::mt19937_64 random(10);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::array extremes = {infinity, -infinity, 1.7e308, -1.7e308, 5e-324, 0.0};
  std::uniform_real_distribution<> any(0.0, 1.0);
  int dominated = 0, not_dominated = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t objectives = 1 + random() % 20, count = 1 + random() % 700;
    // single precision tells none of the differences of kind 1
    const double spread = trial % 3 == 1 ? 1e-14 : 1.0;
    const double scale = std::pow(10.0, static_cast<double>(random() % 600) - 300.0);
    const auto point = [&] {
      std::vector<double> values(objectives);
      const double level = any(random);  // else hardly any point of many objectives is dominated
      for (double& value : values) {
        value = scale * (1.0 + spread * (level + 0.2 * any(random)));
        if (trial % 3 == 2 && random() % 20 == 0) value = extremes[random() % extremes.size()];
      }
      return values;
    };
    std::vector<std::vector<double>> points;
    std::vector<double> all;
    for (std::size_t i = 0; i < count; ++i) {
      points.push_back(i % 5 == 4 ? points[random() % i] : point());
      all.insert(all.end(), points[i].begin(), points[i].end());
    }
    const auto beaten = [&](const std::vector<double>& other) {
      return std::any_of(points.begin(), points.end(),
                         [&](const auto& each) { return point_beats(each, other); });
    };
    DominanceTree tree(all, objectives);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < count; ++i)
      if (!beaten(points[i])) expected.push_back(i);
    REQUIRE(tree.undominated() == expected);
    for (int k = 0; k < 50; ++k) {
      const std::vector<double> other = point();
      const bool yes = beaten(other);
      REQUIRE(tree.dominates(other) == yes);
      ++(yes ? dominated : not_dominated);
    }
  }
  CHECK(dominated > 3000);
  CHECK(not_dominated > 1000);
}

TEST_CASE("points above a limit leave a front, which goes on") {
  std::mt19937_64 random(8);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Point> points = random_points(random, 1 + random() % 4, trial % 3);
    BatchedFront front;
    for (const Point& point : points) front.add(point.id, point.objectives);
    const double limit = points[random() % points.size()].objectives.front();
    std::set<std::int64_t> expected, gone;
    for (const Point& point : front.points())
      (point.objectives.front() <= limit ? expected : gone).insert(point.id);
    static_cast<void>(front.take_change());
    front.leave_out_above(limit);
    CHECK(ids_of(front) == expected);
    const std::vector<std::int64_t> left = front.take_change().left;
    CHECK(std::set<std::int64_t>(left.begin(), left.end()) == gone);
    CHECK(front.size() == expected.size());
    const std::vector<double> best(points.front().objectives.size(), -1.0);
    front.add(9999, best);
    CHECK(ids_of(front) == std::set<std::int64_t>{9999});
  }
}

TEST_CASE("points in order take no more looks for each than shuffled ones, however many they are") {
  using Objectives = std::vector<double>;
  const auto looks_of = [](int count, const std::function<Objectives(int)>& at, int window) {
    BatchedFront front;
    for (int i = 0; i < count; ++i) {
      front.add(i + 1, at(i));
      if ((i + 1) % window == 0) static_cast<void>(front.take_change());
    }
    return static_cast<double>(front.looks()) / count;
  };
  constexpr int few = 4000, many = 64'000;
  const std::vector<std::pair<const char*, std::function<Objectives(int)>>> orders = {
      {"along the front",
       [](int i) {
         return Objectives{1.0 * i, -1.0 * i, 5.0};
       }},
      {"back along the front",
       [](int i) {
         return Objectives{-1.0 * i, 1.0 * i, 5.0};
       }},
      {"away from it",
       [](int i) {
         return Objectives{1.0 * i, 1.0 * i, 1.0 * i};
       }},
      {"towards it",
       [](int i) {
         return Objectives{-1.0 * i, -1.0 * i, -1.0 * i};
       }},
      {"in one objective",
       [](int i) {
         return Objectives{1.0, 1.0 * i, 1.0};
       }},
      {"all the same",
       [](int) {
         return Objectives{1.0, 1.0, 1.0};
       }},
      {"stairs",
       [](int i) {
         return Objectives{1.0 * (i / 100), -1.0 * (i / 100), 1.0 * (i % 7)};
       }},
      {"shuffled", [](int i) {
         const int place = static_cast<int>(i * 7919LL % many);
         return Objectives{1.0 * place, -1.0 * place, 5.0};
       }}};
  for (const auto& [name, at] : orders)
    for (const int share : {1, 16}) {  // of all points in a window
      CAPTURE(name, share);
      const double least = looks_of(few, at, few / share), most = looks_of(many, at, many / share);
      // sixteen times as many points: if each had to be compared with each, sixteen times the looks
      CHECK(most < 3.0 * least + 20.0);
      CHECK(most < 200.0);
    }
}
