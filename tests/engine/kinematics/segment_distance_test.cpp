// The distance of two segments against two nested ternary searches, which know only that the
// distance is convex in each share.

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "engine/math/pack.hpp"
#include "engine/math/segment_distance.hpp"

namespace counterpoise {
namespace {

template <class Function>
double least_by_thirds(const Function& f) {
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 50; ++i) {
    const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
    const bool left = f(a) <= f(b);
    (left ? high : low) = left ? b : a;
  }
  return std::min({f(low), f(0.0), f(1.0)});
}

double distance_by_search(const Segment<double>& a, const Segment<double>& b) {
  return least_by_thirds([&](double s) {
    const Vec3d from = a.from + s * (a.to - a.from);
    return least_by_thirds([&](double t) { return (b.from + t * (b.to - b.from) - from).norm(); });
  });
}

/// Pairs of every kind: apart, parallel, on one line, sharing an end, crossing, points, almost
/// parallel.
class RandomPairs {
 public:
  std::pair<Segment<double>, Segment<double>> next(int i) {
    Segment<double> a{place(), place()}, b{place(), place()};
    const Vec3d u = a.to - a.from;
    switch (i % 9) {
      case 1:
        b.to = b.from + number() * u;
        break;
      case 2:
        b = {a.from + number() * u, a.from + number() * u};
        break;
      case 3:
        b.from = a.to;
        break;
      case 4: {
        const Vec3d middle = a.from + 0.3 * u, half = place();
        b = {middle - half, middle + half};
        break;
      }
      case 5:
        a.to = a.from;
        break;
      case 6:
        a.to = a.from;
        b.to = b.from;
        break;
      case 7:
        b = {a.from + 1e-7 * place(), a.to + 1e-7 * place()};
        break;
      default:
        break;
    }
    return {a, b};
  }

 private:
  double number() { return std::uniform_real_distribution<double>(-1.0, 1.0)(engine_); }
  Vec3d place() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }

  std::mt19937_64 engine_{7};
};

}  // namespace

TEST_CASE("the distance of segments is the least over all their places") {
  RandomPairs pairs;
  for (int i = 0; i < 1000; ++i) {
    const auto [a, b] = pairs.next(i);
    const SegmentDistance<double> found = segment_distance(a, b);
    const double distance = std::sqrt(found.square);
    INFO("pair " << i);
    CHECK(std::abs(distance - distance_by_search(a, b)) < 1e-8);
    CHECK((found.first >= 0.0 && found.first <= 1.0));
    CHECK((found.second >= 0.0 && found.second <= 1.0));
    const Vec3d on_a = a.from + found.first * (a.to - a.from);
    const Vec3d on_b = b.from + found.second * (b.to - b.from);
    CHECK(std::abs((on_a - on_b).norm() - distance) < 1e-12);
    CHECK(std::abs(std::sqrt(segment_distance(b, a).square) - distance) < 1e-12);
  }
}

TEST_CASE("lanes have the distance of each of their segments") {
  RandomPairs pairs;
  for (int i = 0; i < 45; ++i) {
    Segment<Pack> a{Vec3<Pack>::Constant(Pack(0.0)), Vec3<Pack>::Constant(Pack(0.0))}, b = a;
    std::array<double, lanes<Pack>> expected{};
    for (int k = 0; k < lanes<Pack>; ++k) {
      const auto [one, other] = pairs.next(i + k);
      for (int axis = 0; axis < 3; ++axis) {
        set_lane(a.from(axis), k, one.from(axis));
        set_lane(a.to(axis), k, one.to(axis));
        set_lane(b.from(axis), k, other.from(axis));
        set_lane(b.to(axis), k, other.to(axis));
      }
      expected[static_cast<std::size_t>(k)] = std::sqrt(segment_distance(one, other).square);
    }
    const Pack square = segment_distance(a, b).square;
    for (int k = 0; k < lanes<Pack>; ++k)
      CHECK(std::abs(std::sqrt(lane(square, k)) - expected[static_cast<std::size_t>(k)]) < 1e-12);
  }
}

}  // namespace counterpoise
