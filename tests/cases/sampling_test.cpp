#include "cases/case_points.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "tests/support/arm_study.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using Coordinates = std::vector<double>;

Variable continuous(double low, double high) {
  Variable variable;
  variable.kind = VariableKind::continuous;
  variable.low = low;
  variable.high = high;
  return variable;
}

Variable discrete(int levels) {
  Variable variable;
  variable.kind = VariableKind::values;
  for (int i = 0; i < levels; ++i) variable.values.push_back(10.0 * i);
  return variable;
}

Study sampled(SamplingMethod method, std::int64_t count, std::uint64_t seed,
              std::vector<Variable> variables) {
  Study study;
  study.variables = std::move(variables);
  Sampling sampling;
  sampling.method = method;
  sampling.count = count;
  sampling.seed = seed;
  study.method = sampling;
  return study;
}

std::vector<Variable> unit_cube(int dimensions) {
  return std::vector<Variable>(static_cast<std::size_t>(dimensions), continuous(0.0, 1.0));
}

std::vector<Coordinates> points_of(const Study& study) {
  PointSource source(study);
  std::vector<Coordinates> points;
  for (std::int64_t id = 1; id <= study.case_count(); ++id)
    source.point(id, points.emplace_back(study.variables.size()));
  return points;
}

/// True if in each dimension each of n equal parts of the unit interval holds one of n points.
bool one_per_stratum(const std::vector<Coordinates>& points, std::size_t first, std::size_t count) {
  for (std::size_t d = 0; d < points.front().size(); ++d) {
    std::set<double> strata;
    for (std::size_t i = first; i < first + count; ++i)
      strata.insert(std::floor(points[i][d] * static_cast<double>(count)));
    if (strata.size() != count || *strata.begin() != 0.0 ||
        *strata.rbegin() != static_cast<double>(count - 1))
      return false;
  }
  return true;
}

/// The sequence of Sobol from its definition: bit j of the Gray code of n turns on direction j.
/// Polynomials and first direction numbers of the first dimensions by Joe and Kuo, 2008.
class SobolByDefinition {
 public:
  static constexpr std::size_t dimensions = 6;

  SobolByDefinition() {
    struct Row {
      int degree;
      unsigned coefficients;
      std::vector<std::uint64_t> first;
    };
    const std::vector<Row> table = {
        {1, 0, {1}}, {2, 1, {1, 3}}, {3, 1, {1, 3, 1}}, {3, 2, {1, 1, 1}}, {4, 1, {1, 1, 3, 3}}};
    directions_.emplace_back(bits, 1);  // van der Corput
    for (const Row& row : table) {
      std::vector<std::uint64_t> m = row.first;
      const auto s = static_cast<std::size_t>(row.degree);
      for (std::size_t k = s; k < bits; ++k) {
        std::uint64_t next = m[k - s] ^ (m[k - s] << s);
        for (std::size_t j = 1; j < s; ++j)
          if (((row.coefficients >> (s - 1 - j)) & 1u) != 0) next ^= m[k - j] << j;
        m.push_back(next);
      }
      directions_.push_back(m);
    }
  }

  [[nodiscard]] double at(std::uint64_t n, std::size_t dimension) const {
    const std::uint64_t gray = n ^ (n >> 1);
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < bits; ++k)
      if (((gray >> k) & 1u) != 0) sum ^= directions_[dimension][k] << (bits - 1 - k);
    return std::ldexp(static_cast<double>(sum), -static_cast<int>(bits));
  }

 private:
  static constexpr std::size_t bits = 30;
  std::vector<std::vector<std::uint64_t>> directions_;
};

}  // namespace

TEST_CASE("a grid runs through all levels once, the last variable fastest") {
  Study study =
      sampled(SamplingMethod::grid, 24, 0, {discrete(2), discrete(3), discrete(1), discrete(4)});
  std::vector<Coordinates> expected;
  for (const double a : {0.0, 1.0})
    for (const double b : {0.0, 1.0, 2.0})
      for (const double c : {0.0, 1.0, 2.0, 3.0}) expected.push_back({a, b, 0.0, c});
  CHECK(points_of(study) == expected);
}

TEST_CASE("Sobol points are the sequence's own") {
  const SobolByDefinition sequence;
  const std::vector<Coordinates> points =
      points_of(sampled(SamplingMethod::sobol, 5000, 0, unit_cube(SobolByDefinition::dimensions)));
  // the first coordinates as they are printed with the direction numbers
  CHECK(points[0][0] == 0.5);
  CHECK(points[1][0] == 0.75);
  CHECK(points[1][1] == 0.25);
  CHECK(points[8][2] == 0.4375);
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t d = 0; d < SobolByDefinition::dimensions; ++d) {
      CAPTURE(i, d);
      REQUIRE(points[i][d] == sequence.at(i + 1, d));
    }
}

TEST_CASE("Sobol points fill every dyadic stratum of every dimension, shifted by a seed or not") {
  for (const std::uint64_t seed : {0u, 1u, 77u})
    for (const std::size_t count : {2u, 16u, 256u, 2048u}) {
      CAPTURE(seed, count);
      const auto points = points_of(sampled(
          SamplingMethod::sobol, static_cast<std::int64_t>(2 * count), seed, unit_cube(20)));
      // the study leaves out the sequence's first point, so its point `count` begins a whole block
      CHECK(one_per_stratum(points, count - 1, count));
    }
}

TEST_CASE("a Latin hypercube has one point in every stratum of every dimension") {
  for (const std::int64_t count : {1, 2, 3, 4, 5, 17, 64, 1000})
    for (const std::uint64_t seed : {0u, 5u}) {
      CAPTURE(count, seed);
      const auto points =
          points_of(sampled(SamplingMethod::latin_hypercube, count, seed, unit_cube(5)));
      CHECK(one_per_stratum(points, 0, static_cast<std::size_t>(count)));
    }
}

TEST_CASE("the dimensions of a Latin hypercube are unrelated") {
  constexpr std::int64_t count = 10'000;
  const auto points = points_of(sampled(SamplingMethod::latin_hypercube, count, 3, unit_cube(4)));
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      double covariance = 0.0;
      for (const Coordinates& point : points) covariance += (point[a] - 0.5) * (point[b] - 0.5);
      const double correlation = 12.0 * covariance / static_cast<double>(count);
      CHECK(std::abs(correlation) < 5.0 / std::sqrt(static_cast<double>(count)));
    }
}

TEST_CASE("random points have the moments of a uniform distribution") {
  constexpr std::int64_t count = 100'000;
  constexpr double n = count;
  const auto points = points_of(sampled(SamplingMethod::random, count, 9, unit_cube(3)));
  const double five_sigma = 5.0 / std::sqrt(n);
  for (std::size_t d = 0; d < 3; ++d) {
    double mean = 0.0, square = 0.0, neighbour = 0.0, beside = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double x = points[i][d] - 0.5;
      mean += x / n;
      square += x * x / n;
      neighbour += x * (points[(i + 1) % points.size()][d] - 0.5) / n;
      beside += x * (points[i][(d + 1) % 3] - 0.5) / n;
    }
    CHECK(std::abs(mean) < five_sigma * std::sqrt(1.0 / 12.0));
    CHECK(std::abs(square - 1.0 / 12.0) < five_sigma * std::sqrt(1.0 / 180.0));
    CHECK(std::abs(neighbour) < five_sigma / 12.0);
    CHECK(std::abs(beside) < five_sigma / 12.0);
  }
}

TEST_CASE("a discrete choice is floor(u * n), and so uniform") {
  for (const SamplingMethod method :
       {SamplingMethod::sobol, SamplingMethod::latin_hypercube, SamplingMethod::random}) {
    constexpr std::int64_t count = 70'000;
    const std::vector<Coordinates> points =
        points_of(sampled(method, count, 4, {discrete(7), discrete(1), discrete(2)}));
    const std::vector<Coordinates> u = points_of(sampled(method, count, 4, unit_cube(3)));
    std::vector<int> chosen(7, 0);
    for (std::size_t i = 0; i < points.size(); ++i) {
      REQUIRE(points[i][0] == std::floor(u[i][0] * 7.0));
      REQUIRE(points[i][1] == 0.0);
      REQUIRE(points[i][2] == std::floor(u[i][2] * 2.0));
      ++chosen[points[i][0]];
    }
    const double five_sigma = 5.0 * std::sqrt(count * (1.0 / 7.0) * (6.0 / 7.0));
    for (int times : chosen) CHECK(std::abs(times - count / 7.0) < five_sigma);
  }
}

TEST_CASE("a range is filled from end to end") {
  for (const SamplingMethod method :
       {SamplingMethod::sobol, SamplingMethod::latin_hypercube, SamplingMethod::random}) {
    const auto points = points_of(sampled(method, 1000, 2, {continuous(-3.0, 5.0)}));
    const auto [low, high] = std::minmax_element(points.begin(), points.end());
    CHECK(low->front() >= -3.0);
    CHECK(low->front() < -2.9);
    CHECK(high->front() <= 5.0);
    CHECK(high->front() > 4.9);
  }
}

TEST_CASE("a case has its point whatever was asked before") {
  const std::vector<Variable> variables = {continuous(1.0, 2.0), discrete(5), discrete(3),
                                           continuous(-1.0, 0.0)};
  std::mt19937 shuffler(1);
  for (const SamplingMethod method :
       {SamplingMethod::sobol, SamplingMethod::latin_hypercube, SamplingMethod::random}) {
    const Study study = sampled(method, 500, 8, variables);
    const std::vector<Coordinates> in_order = points_of(study);
    std::vector<std::int64_t> ids(in_order.size());
    std::iota(ids.begin(), ids.end(), 1);
    std::shuffle(ids.begin(), ids.end(), shuffler);
    PointSource source(study);
    Coordinates point(variables.size());
    for (const std::int64_t id : ids) {
      source.point(id, point);
      REQUIRE(point == in_order[id - 1]);
    }
  }
}

TEST_CASE("another seed gives other points, the same seed the same") {
  for (const SamplingMethod method :
       {SamplingMethod::sobol, SamplingMethod::latin_hypercube, SamplingMethod::random}) {
    const auto with_seed = [&](std::uint64_t seed) {
      return points_of(sampled(method, 50, seed, unit_cube(2)));
    };
    CHECK(with_seed(1) == with_seed(1));
    CHECK(with_seed(1) != with_seed(2));
    CHECK(with_seed(0) != with_seed(1));
  }
}

TEST_CASE("a list of designs becomes levels and values") {
  Files files = arm_files(arm_study(
      R"("variables": {
"rate": {"values": [100, 250]},
"spring": {"catalogue": "springs.csv", "sets": {"free": "free_length"}, "where": "initial > 0"},
"mount": {"range": [0.1, 0.3]},
"height": {"range": [0.4, 0.6], "count": 3},
"path": {"motion": ["fold", "swing"]}},
"sampling": {"method": "list", "file": "designs.csv"}, )" +
          one_objective,
      R"({"swing": "swing.json", "fold": "fold.json"})"));
  files["designs.csv"] =
      "path,rate,mount [mm],height,spring\n"
      "swing,250,300,0.4,firm\n"
      "fold,100,100,0.6,stiff\n"
      "fold,250,150,0.5,hard\n";
  const Study study = study_of(files);
  CHECK(study.case_count() == 3);
  const std::vector<Coordinates> points = points_of(study);
  const std::vector<Coordinates> expected = {
      {1, 0, 0.3, 0, 1}, {0, 2, 0.1, 2, 0}, {1, 1, 0.15, 1, 0}};
  REQUIRE(points.size() == expected.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t v = 0; v < 5; ++v)
      CHECK(points[i][v] == Approx(expected[i][v]).epsilon(1e-15));
}
