#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/optimizer/convex/oracles.hpp"
#include "tests/optimizer/convex/problems.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

std::vector<double> wave(int samples, double size, double turns) {
  std::vector<double> numbers;
  for (int k = 0; k < samples; ++k) numbers.push_back(size * std::cos(turns * k / samples));
  return numbers;
}

/// Gravity of an arm, and a spring that can cancel it exactly at x = (2, -3).
ConvexProblem compensator(NormKind kind, double size) {
  const std::vector<double> first = wave(200, size, 5.0);
  const std::vector<double> second = wave(200, 0.3 * size, 11.0);
  std::vector<double> constant;
  for (std::size_t k = 0; k < first.size(); ++k)
    constant.push_back(-2.0 * first[k] + 3.0 * second[k]);
  return small_problem(constant, {first, second}, kind);
}

/// Two springs, each a rate, its product with a free length and a pull: the least of a load where
/// the rates may add up to nothing.
ConvexProblem no_rate_allowed(std::mt19937& random) {
  ConvexProblem problem;
  AffineSeries load;
  ConvexSum rates;
  for (int spring = 0; spring < 2; ++spring) {
    const int rate = 3 * spring;
    const double most = uniform(random, 1e3, 1e5);
    const double free_low = uniform(random, 0.02, 0.05);
    const double free_high = uniform(random, 0.1, 0.2);
    problem.lower.insert(problem.lower.end(), {0.0, 0.0, 0.0});
    problem.upper.insert(problem.upper.end(),
                         {most, free_high * most, uniform(random, 10.0, 60.0)});
    for (int j = 0; j < 3; ++j) load.columns.push_back({rate + j, {}});
    const double turn = uniform(random, 0.05, 0.2);
    for (int k = 0; k < 60; ++k) {
      const double arm = 0.1 + 0.05 * std::cos(turn * k);
      const auto column = static_cast<std::size_t>(rate);
      load.columns[column].coefficients.push_back(arm * (0.2 + 0.1 * std::sin(turn * k)));
      load.columns[column + 1].coefficients.push_back(-arm);
      load.columns[column + 2].coefficients.push_back(arm);
    }
    problem.limits.push_back({{0.0, {}, {{rate, free_low}, {rate + 1, -1.0}}}, 0.0});
    problem.limits.push_back({{0.0, {}, {{rate, -free_high}, {rate + 1, 1.0}}}, 0.0});
    rates.linear.push_back({rate, 1.0 + spring});
  }
  for (int k = 0; k < 60; ++k) load.constant.push_back(uniform(random, -9.0, -3.0));
  problem.series.push_back(load);
  const int norm = add_norm(problem, NormKind::max, 0);
  problem.objective = {{0.0, {{norm, 1.0}}, {}}};
  problem.limits.push_back({rates, 0.0});
  return problem;
}

}  // namespace

TEST_CASE("loads that springs can cancel are cancelled to rounding") {
  for (const NormKind kind : all_kinds) {
    for (const double size : {1e-9, 1.0, 300.0, 1e9}) {
      const ConvexProblem problem = compensator(kind, size);
      const double bare = objective_of(problem, {0.0, 0.0});
      const ConvexSolution solution = solve(problem);
      CAPTURE(static_cast<int>(kind), size, solution.value / bare);
      CHECK(judged(problem, solution, 1e-13 * bare) == "optimal");
      CHECK(solution.value <= 1e-13 * bare);
      CHECK(solution.x[0] == Approx(2.0).epsilon(1e-12));
    }
  }
}

TEST_CASE("unknowns at a bound are there to the last bit") {
  std::mt19937 random(8);
  for (int i = 0; i < 200; ++i) {
    const ConvexProblem problem = no_rate_allowed(random);
    const ConvexSolution solution = solve(problem);
    CAPTURE(i);
    CHECK(judged(problem, solution, 1e-9 * solution.value) == "optimal");
    for (const std::size_t j : {0U, 1U, 3U, 4U}) CHECK(solution.x[j] == 0.0);
    CHECK(solution.value == objective_of(problem, solution.x));
  }
}

TEST_CASE("loads that are zero have the optimum 0") {
  for (const NormKind kind : all_kinds) {
    const ConvexProblem all = small_problem({0.0, 0.0, 0.0}, {{0.0, 0.0, 0.0}}, kind);
    CHECK(judged(all, solve(all), 0.0) == "optimal");
    CHECK(solve(all).value == 0.0);
    CHECK(solve(all).certificate.bound == 0.0);
    const ConvexProblem at_zero = small_problem({0.0, 0.0}, {{1.0, 2.0}}, kind);
    CHECK(judged(at_zero, solve(at_zero), 1e-15) == "optimal");
    CHECK(solve(at_zero).value == 0.0);
  }
}

TEST_CASE("series that depend on nothing have their own value") {
  for (const NormKind kind : all_kinds) {
    ConvexProblem problem = small_problem({3.0, -4.0}, {}, kind);
    problem.lower = {-1.0};
    problem.upper = {2.0};
    CHECK(judged(problem, solve(problem), 1e-14) == "optimal");
    problem.lower.clear();
    problem.upper.clear();
    CHECK(judged(problem, solve(problem), 1e-14) == "optimal");
  }
}

TEST_CASE("series without samples count as 0") {
  for (const NormKind kind : all_kinds) {
    const ConvexProblem problem = small_problem({}, {{}, {}}, kind);
    CHECK(judged(problem, solve(problem), 0.0) == "optimal");
    ConvexProblem no_parts = problem;
    no_parts.norms[0].parts.clear();
    CHECK(judged(no_parts, solve(no_parts), 0.0) == "optimal");
  }
}

TEST_CASE("unknowns without room stay where they are") {
  for (const NormKind kind : all_kinds) {
    ConvexProblem problem = compensator(kind, 10.0);
    problem.lower[0] = problem.upper[0] = 1.0;
    const ConvexSolution one = solve(problem);
    CHECK(judged(problem, one, 1e-12 * one.value) == "optimal");
    CHECK(one.x[0] == 1.0);
    problem.lower[1] = problem.upper[1] = 0.125;
    const ConvexSolution none = solve(problem);
    CHECK(judged(problem, none, 1e-12 * none.value) == "optimal");
    CHECK(none.x == std::vector<double>{1.0, 0.125});
  }
}

TEST_CASE("columns that are the same or zero change nothing") {
  std::mt19937 random(3);
  for (const NormKind kind : all_kinds) {
    ConvexProblem problem = random_problem(random, {.unknowns = 2, .kinds = {kind}});
    const double alone = solve(problem).value;
    for (AffineSeries& series : problem.series) {
      series.columns.push_back({2, series.columns[0].coefficients});
      series.columns.push_back({3, std::vector<double>(series.constant.size(), 0.0)});
    }
    problem.lower.insert(problem.lower.end(), {0.0, -7.0});
    problem.upper.insert(problem.upper.end(), {0.0, 7.0});
    const ConvexSolution with_twin = solve(problem);
    CHECK(judged(problem, with_twin, 1e-9 * alone) == "optimal");
    CHECK(with_twin.value == Approx(alone).epsilon(1e-9));
    problem.lower[2] = -1e4;
    problem.upper[2] = 1e4;
    const ConvexSolution free_twin = solve(problem);
    CHECK(judged(problem, free_twin, 1e-9 * alone) == "optimal");
    CHECK(free_twin.value <= alone * (1.0 + 1e-9));
  }
}

TEST_CASE("limits that say nothing, or the same twice, change nothing") {
  std::mt19937 random(8);
  for (const NormKind kind : all_kinds) {
    const ConvexProblem problem =
        random_problem(random, {.unknowns = 4, .kinds = {kind}, .linear_limits = 2});
    ConvexProblem more = problem;
    more.limits.insert(more.limits.end(), problem.limits.begin(), problem.limits.end());
    more.limits.push_back({{-1.0, {}, {}}, 0.0});
    more.limits.push_back({{0.0, {}, {{0, 1.0}}}, 1e9});
    const ConvexSolution solution = solve(more);
    CHECK(judged(more, solution, 1e-9 * solution.value) == "optimal");
    CHECK(solution.value == Approx(solve(problem).value).epsilon(1e-9));
  }
}

TEST_CASE("a limit that holds at one point only is met there") {
  for (const NormKind kind : all_kinds) {
    ConvexProblem problem = compensator(kind, 10.0);
    problem.limits = {{{0.0, {}, {{0, 1.0}, {1, 1.0}}}, -20.0}};
    const ConvexSolution solution = solve(problem);
    CHECK(judged(problem, solution, 1e-9 * solution.value) == "optimal");
    CHECK(solution.x[0] == Approx(-10.0).epsilon(1e-13));
    CHECK(solution.x[1] == Approx(-10.0).epsilon(1e-13));
  }
}

TEST_CASE("constant and linear pieces of an objective need no norm") {
  ConvexProblem problem = small_problem({1.0, 2.0}, {{1.0, 1.0}}, NormKind::max);
  problem.objective = {{7.0, {}, {}}, {0.0, {{0, 1.0}}, {}}};
  CHECK(judged(problem, solve(problem), 1e-13) == "optimal");
  CHECK(solve(problem).value == 7.0);
  problem.objective = {{1.0, {}, {{0, 2.0}}}, {0.0, {}, {{0, -1.0}}}};
  CHECK(judged(problem, solve(problem), 1e-13) == "optimal");
  CHECK(solve(problem).value == Approx(1.0 / 3.0).epsilon(1e-14));
  problem.objective = {{0.0, {{0, 0.0}}, {}}};
  CHECK(judged(problem, solve(problem), 0.0) == "optimal");
}

TEST_CASE("scales of loads and unknowns do not matter") {
  std::mt19937 random(21);
  for (const NormKind kind : all_kinds) {
    const ConvexProblem problem =
        random_problem(random, {.unknowns = 4, .kinds = {kind, NormKind::max}});
    const double expected = solve(problem).value;
    for (const double load : {1e-9, 1e9}) {
      for (const double unknown : {1e-9, 1e9}) {
        ConvexProblem scaled = problem;
        for (AffineSeries& series : scaled.series) {
          for (double& c : series.constant) c *= load;
          for (auto& column : series.columns) {
            for (double& c : column.coefficients)
              c *= load / (column.variable == 1 ? unknown : 1.0);
          }
        }
        scaled.lower[1] *= unknown;
        scaled.upper[1] *= unknown;
        CAPTURE(static_cast<int>(kind), load, unknown);
        const ConvexSolution solution = solve(scaled);
        CHECK(judged(scaled, solution, 1e-9 * solution.value) == "optimal");
        CHECK(solution.value == Approx(load * expected).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("ranges of any width have the optimum without bounds") {
  std::mt19937 random(20240627);
  for (const NormKind kind : {NormKind::max, NormKind::l1}) {
    for (const double wider : {1e3, 1e7, 1e12, 1e16, 1e20}) {
      ConvexProblem problem = random_problem(random, {.unknowns = 3, .kinds = {kind}});
      ConvexProblem unbounded = problem;
      for (std::size_t j = 0; j < problem.lower.size(); ++j) {
        const double width = problem.upper[j] - problem.lower[j];
        problem.lower[j] -= j == 1 ? width : wider * width;
        problem.upper[j] += wider * width;
        unbounded.lower[j] = -std::numeric_limits<double>::infinity();
        unbounded.upper[j] = std::numeric_limits<double>::infinity();
      }
      unbounded.lower[1] = problem.lower[1];
      const ConvexSolution solution = solve(problem);
      CAPTURE(static_cast<int>(kind), wider, solution.value);
      CHECK(solution.status == ConvexSolution::Status::optimal);
      CHECK(solution.value == Approx(*glpk_optimum(unbounded)).epsilon(1e-8));
      CHECK(solution.certificate.bound <= solution.value);
      CHECK(check_certificate(problem, solution.certificate, solution.x).fault == "");
    }
  }
}

TEST_CASE("an optimum at the end of a very wide range is found there") {
  for (const NormKind kind : all_kinds) {
    const ConvexProblem far = [&] {
      ConvexProblem problem = small_problem({1e12, 1e12}, {{1.0, 1.0}}, kind);
      problem.lower = {-1e11};
      problem.upper = {1e15};
      return problem;
    }();
    const ConvexSolution solution = solve(far);
    CAPTURE(static_cast<int>(kind));
    CHECK(solution.x[0] == Approx(-1e11).epsilon(1e-12));
  }
}

TEST_CASE("rounds that are not enough leave a feasible point and an honest gap") {
  std::mt19937 random(31);
  for (int trial = 0; trial < test::trials(16); ++trial) {
    std::vector<NormKind> in_limits;
    if (trial % 2 == 1) in_limits = {NormKind::l2, NormKind::l1};
    const ConvexProblem problem = random_problem(
        random, {.unknowns = 6, .kinds = {NormKind::l1, NormKind::l2}, .in_limits = in_limits});
    const ConvexSolution best = solve(problem);
    for (const int rounds : {0, 1, 2, 4}) {
      CAPTURE(trial, rounds);
      const ConvexSolution early = solve(problem, {1e-10, rounds});
      const std::string found = judged(problem, early, HUGE_VAL);
      CHECK((found == "open" || (rounds > 2 && found == "optimal")));
      CHECK(early.gap == early.value - early.certificate.bound);
      CHECK(std::isfinite(early.gap));
      CHECK(early.certificate.bound <= best.value * (1.0 + 1e-12));
      CHECK(early.value >= best.value * (1.0 - 1e-9));
    }
  }
}
