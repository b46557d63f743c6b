#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "optimizer/statistics/morris.hpp"
#include "optimizer/statistics/tornado.hpp"

using namespace counterpoise;

namespace {
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// The effects of a function over the unit cube, from its values at all rows of the design.
template <class Function>
std::vector<MorrisEffect> morris_effects(MorrisDesign& design, std::uint64_t seed,
                                         const Function& function) {
  std::vector<double> values(static_cast<std::size_t>(design.rows()));
  std::vector<int> levels(design.factors());
  std::vector<double> u(design.factors());
  for (std::size_t row = 0; row < values.size(); ++row) {
    design.row(static_cast<std::int64_t>(row), levels);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = design.position(i, levels[i]);
    values[row] = function(u);
  }
  return estimate_morris(design, values, seed);
}

}  // namespace

TEST_CASE("a trajectory moves every factor once, by half its levels, inside the grid") {
  const std::vector<int> levels = {4, 2, 1, 5, 6, 3};
  MorrisDesign design(levels, 200, 3);
  std::vector<int> before(levels.size()), after(levels.size());
  std::map<std::size_t, int> moved_first;
  std::set<int> jumps_from_the_middle;  // of five levels
  for (std::int64_t t = 0; t < design.trajectories(); ++t) {
    std::vector<int> moves(levels.size(), 0);
    const auto length = static_cast<std::int64_t>(levels.size() + 1);
    const std::vector<MorrisDesign::Step> steps(design.steps(t).begin(), design.steps(t).end());
    ++moved_first[steps.front().factor];
    for (std::int64_t k = 0; k + 1 < length; ++k) {
      design.row(t * length + k, before);
      design.row(t * length + k + 1, after);
      const MorrisDesign::Step& step = steps[k];
      for (std::size_t i = 0; i < levels.size(); ++i) {
        REQUIRE((after[i] >= 0 && after[i] < levels[i]));
        if (i != step.factor) REQUIRE(after[i] == before[i]);
      }
      const int jump = after[step.factor] - before[step.factor];
      CHECK(std::abs(jump) == levels[step.factor] / 2);
      if (step.factor == 3 && before[3] == 2) jumps_from_the_middle.insert(jump);
      const double range = std::max(levels[step.factor] - 1, 1);
      CHECK(step.move == Approx(jump / range));
      ++moves[step.factor];
    }
    CHECK(moves == std::vector<int>(levels.size(), 1));
  }
  // in random order: 33 times each on average
  for (std::size_t i = 0; i < levels.size(); ++i) CHECK(moved_first[i] > 12);
  CHECK(jumps_from_the_middle == std::set<int>{-2, 2});
}

TEST_CASE("trajectories visit the levels of an even grid equally often") {
  MorrisDesign design({4, 4}, 2000, 1);
  std::array<int, 4> visits{};
  std::vector<int> at(2);
  for (std::int64_t row = 0; row < design.rows(); row += 3) {
    design.row(row, at);
    ++visits[at[0]];
  }
  for (int count : visits) CHECK(count == Approx(500).margin(5 * std::sqrt(375.0)));
}

TEST_CASE("elementary effects of a linear function are its slopes over the range") {
  MorrisDesign design({4, 4, 7, 1}, 20, 1);
  const auto effects = morris_effects(
      design, 1, [](std::span<const double> u) { return 3.0 * u[0] - 2.0 * u[1] + 0.5 * u[2]; });
  const std::array<double, 4> slopes = {3.0, -2.0, 0.5, 0.0};
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    CAPTURE(i);
    CHECK(effects[i].effects == 20);
    CHECK(effects[i].known(20));
    CHECK(effects[i].mu == Approx(slopes[i]).margin(1e-14));
    CHECK(effects[i].mu_star.value == Approx(std::abs(slopes[i])).margin(1e-14));
    CHECK(effects[i].mu_star.low == Approx(std::abs(slopes[i])).margin(1e-14));
    CHECK(effects[i].mu_star.high == Approx(std::abs(slopes[i])).margin(1e-14));
    CHECK(effects[i].sigma == Approx(0.0).margin(1e-14));
  }
}

TEST_CASE("elementary effects of a parabola are its mean slopes") {
  // (2u-1)^2 on {0, 1/3, 2/3, 1}: steps of 2/3 from 0 give (1/9 - 1)/(2/3) = -4/3, from 1/3 4/3
  MorrisDesign design({4}, 4000, 1);
  const auto effects = morris_effects(
      design, 1, [](std::span<const double> u) { return std::pow(2.0 * u[0] - 1.0, 2); });
  const double size = 4.0 / 3.0, error = size / std::sqrt(4000.0);
  CHECK(effects[0].mu == Approx(0.0).margin(4 * error));
  CHECK(effects[0].mu_star.value == Approx(size));
  CHECK(effects[0].sigma == Approx(size).epsilon(0.01));
}

TEST_CASE("sigma is the standard deviation of a sample") {
  MorrisDesign design({4}, 5, 2);
  const auto effects = morris_effects(
      design, 1, [](std::span<const double> u) { return std::pow(2.0 * u[0] - 1.0, 2); });
  const double mu = effects[0].mu;  // of five effects of 4/3 and -4/3
  CHECK(std::abs(mu) < 4.0 / 3.0);
  CHECK(effects[0].sigma == Approx(std::sqrt((5.0 * 16.0 / 9.0 - 5.0 * mu * mu) / 4.0)));
}

TEST_CASE("the interval of mu* holds the mean size of effects as often as it should") {
  // effect of u0 is 1 + u1, and u1 is uniform on {0, 1/3, 2/3, 1}: 1.5 in the mean
  int held = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    MorrisDesign design({4, 4}, 60, seed);
    const auto effects =
        morris_effects(design, seed, [](std::span<const double> u) { return u[0] * (1.0 + u[1]); });
    held += effects[0].mu_star.low <= 1.5 && 1.5 <= effects[0].mu_star.high ? 1 : 0;
  }
  CHECK(held >= 175);  // 190 expected, standard deviation 3
  CHECK(held <= 199);
}

TEST_CASE("effects with an end that cannot be computed are left out") {
  MorrisDesign design({4, 4}, 10, 1);
  std::vector<double> values(static_cast<std::size_t>(design.rows()));
  std::vector<int> at(2);
  for (std::size_t r = 0; r < values.size(); ++r) {
    design.row(static_cast<std::int64_t>(r), at);
    values[r] = at[0] + 2.0 * at[1];
  }
  for (std::size_t t = 0; t < 3; ++t) values[3 * t] = not_known;  // where the first three begin
  const auto effects = estimate_morris(design, values, 1);
  CHECK(effects[0].effects + effects[1].effects == 17);
  CHECK(effects[0].mu == Approx(3.0));
  CHECK(effects[1].mu == Approx(6.0));
  const auto none = estimate_morris(design, std::vector<double>(values.size(), not_known), 1);
  CHECK(none[0].effects == 0);
  CHECK_FALSE(none[0].known(10));
  CHECK(none[0].mu_star.value == 0.0);
}

TEST_CASE("a tornado holds both ends of each factor, the widest first") {
  const TornadoDesign design({{1.0, {0.0, 4.0}, true},
                              {0.0, {-1.0, 1.0}, true},
                              {2.0, {0.0, 1.0, 2.0, 3.0}, false},
                              {5.0, {5.0, 5.0}, true}});
  CHECK(design.rows() == 11);
  const auto function = [](std::span<const double> x) {
    return 10.0 * x[0] + 100.0 * x[1] * x[1] + (x[2] == 1.0 ? -7.0 : x[2] == 3.0 ? 5.0 : 0.0);
  };
  const auto bars = tornado(design, function);
  REQUIRE(bars.size() == 4);
  CHECK(bars[0].factor == 1);  // both ends are 100 above the centre
  CHECK(bars[0].low.value == 110.0);
  CHECK(bars[0].high.value == 110.0);
  CHECK(bars[0].swing == 100.0);
  CHECK(bars[1].factor == 0);
  CHECK(bars[1].low.at == 0.0);
  CHECK(bars[1].low.value == 0.0);
  CHECK(bars[1].high.at == 4.0);
  CHECK(bars[1].high.value == 40.0);
  CHECK(bars[1].swing == 40.0);
  CHECK(bars[2].factor == 2);  // choices: the smallest and the largest value
  CHECK(bars[2].low.at == 1.0);
  CHECK(bars[2].low.value == 3.0);
  CHECK(bars[2].high.at == 3.0);
  CHECK(bars[2].high.value == 15.0);
  CHECK(bars[2].swing == 12.0);
  CHECK(bars[3].swing == 0.0);
}

TEST_CASE("an end that cannot be computed is not known and counts nothing") {
  const TornadoDesign design({{1.0, {0.0, 2.0}, true}, {0.0, {0.0, 1.0, 2.0}, false}});
  const auto bars =
      tornado(design, std::vector<double>{1.0, not_known, 3.0, not_known, not_known, not_known});
  CHECK(bars[0].factor == 0);
  CHECK_FALSE(bars[0].low.known);
  CHECK(bars[0].low.at == 0.0);
  CHECK(bars[0].high.known);
  CHECK(bars[0].swing == 2.0);
  CHECK_FALSE(bars[1].low.known);
  CHECK_FALSE(bars[1].high.known);
  CHECK(bars[1].swing == 0.0);
}
