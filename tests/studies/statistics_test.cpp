#include "optimizer/statistics/rank_statistics.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/support/random.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

int sign(double a, double b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/// Tau-b by looking at every pair.
double tau_by_pairs(const std::vector<double>& a, const std::vector<double>& b) {
  double agreeing = 0.0, in_a = 0.0, in_b = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const int by_a = sign(a[i], a[j]), by_b = sign(b[i], b[j]);
      agreeing += by_a * by_b;
      in_a += std::abs(by_a);
      in_b += std::abs(by_b);
    }
  return agreeing / std::sqrt(in_a * in_b);
}

}  // namespace

TEST_CASE("Kendall's tau is that of counting all pairs, ties and infinities too") {
  Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    const int count = 2 + random.below(40);
    const int levels = 2 + random.below(trial % 3 == 0 ? 3 : 100);
    std::vector<double> a, b;
    for (int i = 0; i < count; ++i) {
      a.push_back(random.below(levels));
      b.push_back(random.chance(0.2) ? infinite : random.below(levels) + 0.3 * a.back());
    }
    const auto found = kendall_tau(a, b);
    const double expected = tau_by_pairs(a, b);
    CAPTURE(trial, count, levels);
    REQUIRE(found.has_value() == std::isfinite(expected));
    if (found) CHECK(*found == Approx(expected).margin(1e-14));
  }
}

TEST_CASE("Kendall's tau of one order with itself, its reverse, and nothing") {
  const std::vector<double> up = {1, 2, 3, 4}, down = {4, 3, 2, 1}, flat = {5, 5, 5, 5};
  CHECK(kendall_tau(up, up) == 1.0);
  CHECK(kendall_tau(up, down) == -1.0);
  CHECK_FALSE(kendall_tau(up, flat));
  CHECK_FALSE(kendall_tau(flat, up));
  CHECK_FALSE(kendall_tau(std::vector<double>{1}, std::vector<double>{1}));
  CHECK_FALSE(kendall_tau(std::vector<double>{}, std::vector<double>{}));
}

TEST_CASE("a percentile is the least draw that so many do not exceed") {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> values;
    const int count = 1 + random.below(300);
    for (int i = 0; i < count; ++i)
      values.push_back(random.chance(0.02) ? infinite : std::floor(random.uniform(0.0, 99.0)));
    const double percent = trial % 2 == 0 ? 95.0 : 5.0 * (1 + random.below(19));
    // whole numbers of per cent times counts: exact
    const auto enough = [&](double value) {
      const auto below =
          std::count_if(values.begin(), values.end(), [&](double other) { return other <= value; });
      return 100.0 * static_cast<double>(below) >= percent * count;
    };
    double expected = infinite;
    for (const double value : values)
      if (enough(value)) expected = std::min(expected, value);
    CAPTURE(trial, count, percent);
    CHECK(percentile_of(values, percent).value == expected);
  }
}

TEST_CASE("a percentile's error is what repeated independent draws scatter by") {
  Random random(17);
  constexpr int draws = 1000, repeats = 400;
  std::vector<double> found;
  double errors = 0.0;
  for (int r = 0; r < repeats; ++r) {
    std::vector<double> values;
    for (int i = 0; i < draws; ++i) values.push_back(std::pow(random.uniform(0.0, 1.0), 2));
    const Percentile percentile = percentile_of(values, 80.0);
    found.push_back(percentile.value);
    REQUIRE(percentile.error);
    errors += *percentile.error / repeats;
  }
  double mean = 0.0, square = 0.0;
  for (const double value : found) mean += value / repeats;
  for (const double value : found) square += (value - mean) * (value - mean) / repeats;
  CHECK(mean == Approx(0.64).epsilon(0.01));
  // 400 repeats know a standard deviation to 4 %
  CHECK(errors == Approx(std::sqrt(square)).epsilon(0.12));
  CHECK_FALSE(percentile_of({1.0, infinite, infinite}, 50.0).error);
}

TEST_CASE("each draw counts for the design that is best in it") {
  const std::vector<std::vector<double>> values = {
      {1, 2, 3, infinite, 7}, {2, 1, 3, infinite, infinite}, {3, 3, 2, infinite, 5}};
  CHECK(times_best(values) == std::vector<std::size_t>{1, 1, 2});
  const std::vector<std::vector<double>> tied = {{4, 4}, {4, 4}};
  CHECK(times_best(tied) == std::vector<std::size_t>{2, 0});
}
