#include <catch2/catch.hpp>
#include <cmath>

#include "tests/optimizer/convex/oracles.hpp"
#include "tests/optimizer/convex/problems.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

using enum NormKind;

constexpr double of_simplex = 1e-8;  // how well GLPK's tolerances of 1e-10 fix an optimum
constexpr double of_golden = 2e-8;   // and golden sections

/// Problems of these kinds, `count` of each, against GLPK.
void compare_with_glpk(const std::vector<Make>& makes, int count) {
  std::mt19937 random(20240611);
  for (std::size_t kind = 0; kind < makes.size(); ++kind) {
    for (int trial = 0; trial < test::trials(count); ++trial) {
      CAPTURE(kind, trial);
      const ConvexProblem problem = random_problem(random, makes[kind]);
      const ConvexSolution solution = solve(problem);
      const std::optional<double> expected = glpk_optimum(problem);
      REQUIRE(expected.has_value());
      CHECK(judged(problem, solution, 1e-9 * solution.value) == "optimal");
      CHECK(std::abs(solution.value - *expected) <= of_simplex * std::abs(*expected));
    }
  }
}

}  // namespace

TEST_CASE("the optimum of max and l1 norms is GLPK's, which knows every sample as a row") {
  compare_with_glpk(
      {
          {.unknowns = 3, .kinds = {max}},
          {.unknowns = 6, .kinds = {max, max}},
          {.unknowns = 3, .kinds = {l1}},
          {.unknowns = 6, .kinds = {l1, l1}},
          {.unknowns = 6, .kinds = {max, l1, max, l1}},
          {.unknowns = 9, .kinds = {max, l1}, .one_piece = true},
          {.unknowns = 12, .samples = 90, .series = 4, .kinds = {l1, max, l1, max}},
      },
      8);
}

TEST_CASE("the optimum under limits is GLPK's") {
  compare_with_glpk(
      {
          {.unknowns = 4, .kinds = {max}, .linear_limits = 3},
          {.unknowns = 4, .kinds = {l1}, .linear_limits = 3},
          {.unknowns = 5, .kinds = {max, l1}, .linear_limits = 2, .in_limits = {max}},
          {.unknowns = 5, .kinds = {l1}, .linear_limits = 1, .in_limits = {l1, max}},
          {.unknowns = 6, .kinds = {max, l1}, .in_limits = {l1}, .one_piece = true},
      },
      8);
}

TEST_CASE("the optimum of the size that springs are solved for is GLPK's") {
  compare_with_glpk({{.unknowns = 6, .samples = 601, .series = 2, .kinds = {max, l1, max}}}, 2);
}

TEST_CASE("the optimum of lengths, alone and mixed, is that of nested golden sections") {
  const std::vector<Make> makes = {
      {.unknowns = 2, .kinds = {l2}},
      {.unknowns = 2, .kinds = {l2, l2}},
      {.unknowns = 2, .kinds = {l2, l1, max}},
      {.unknowns = 2, .kinds = {l2, max}, .one_piece = true},
      {.unknowns = 2, .kinds = {l2, l1}, .linear_limits = 1},
      {.unknowns = 2, .kinds = {max}, .in_limits = {l2}},
      {.unknowns = 2, .kinds = {l2}, .in_limits = {l2}},
      {.unknowns = 3, .samples = 15, .kinds = {l2, max}},
  };
  std::mt19937 random(7);
  for (std::size_t kind = 0; kind < makes.size(); ++kind) {
    const int count = makes[kind].unknowns == 2 ? 5 : 1;
    for (int trial = 0; trial < test::trials(count); ++trial) {
      CAPTURE(kind, trial);
      const ConvexProblem problem = random_problem(random, makes[kind]);
      const ConvexSolution solution = solve(problem);
      CHECK(judged(problem, solution, 1e-9 * solution.value) == "optimal");
      const double expected = golden_optimum(problem);
      CHECK(std::abs(solution.value - expected) <= of_golden * expected);
    }
  }
}

TEST_CASE(
    "no point that meets the limits is below the bound, and the best is not above the optimum") {
  std::mt19937 random(99);
  const std::vector<Make> makes = {
      {.unknowns = 2, .kinds = {max, l1}, .linear_limits = 1},
      {.unknowns = 3, .kinds = {l2, l1}, .linear_limits = 1, .in_limits = {max}},
      {.unknowns = 5, .kinds = {l1}, .linear_limits = 1, .in_limits = {l2}},
  };
  for (std::size_t kind = 0; kind < makes.size(); ++kind) {
    const ConvexProblem problem = random_problem(random, makes[kind]);
    const ConvexSolution solution = solve(problem);
    REQUIRE(judged(problem, solution, 1e-9 * solution.value) == "optimal");
    int feasible = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < 4000; ++i) {
      std::vector<double> x = random_point(random, problem);
      const double nearness = i % 2 == 0 ? 0.0 : std::pow(10.0, uniform(random, -9.0, 0.0));
      for (std::size_t j = 0; i % 2 == 1 && j < x.size(); ++j) {
        x[j] = solution.x[j] + nearness * (x[j] - solution.x[j]);
      }
      if (excess_of(problem, x) > 0.0) continue;
      ++feasible;
      least = std::min(least, objective_of(problem, x));
    }
    CAPTURE(kind, feasible);
    CHECK(feasible > 20);
    CHECK(least >= solution.certificate.bound * (1.0 - 1e-12));
    CHECK(least <= 1.1 * solution.value);
  }
}

TEST_CASE("a mean has its optimum at the weighted median, a largest midway, a length at the mean") {
  const std::vector<double> constant = {-1.0, -2.0, -4.0, -7.0, -7.5};
  const std::vector<std::vector<double>> ones = {{1.0, 1.0, 1.0, 1.0, 1.0}};
  CHECK(solve(small_problem(constant, ones, l1)).x[0] == Approx(4.0).epsilon(1e-13));
  CHECK(solve(small_problem(constant, ones, max)).x[0] == Approx(4.25).epsilon(1e-13));
  CHECK(solve(small_problem(constant, ones, l2)).x[0] == Approx(4.3).epsilon(1e-13));
  ConvexProblem weighted = small_problem(constant, ones, l1);
  weighted.norms[0].parts[0].weights = {9.0, 1.0, 1.0, 1.0, 1.0};
  CHECK(solve(weighted).x[0] == Approx(1.0).epsilon(1e-13));
}

TEST_CASE("an unknown that ends at a bound is there to the last bit") {
  std::mt19937 random(77);
  int at_bounds = 0;
  for (int trial = 0; trial < test::trials(30); ++trial) {
    const NormKind kind = trial % 3 == 0 ? max : trial % 3 == 1 ? l1 : l2;
    const ConvexProblem problem = random_problem(random, {.unknowns = 5, .kinds = {kind}});
    const std::vector<double> x = solve(problem).x;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double room = std::min(x[j] - problem.lower[j], problem.upper[j] - x[j]);
      CAPTURE(trial, j);
      if (room == 0.0) ++at_bounds;
      CHECK((room == 0.0 || room > 1e-12 * (problem.upper[j] - problem.lower[j])));
    }
  }
  CHECK(at_bounds > test::trials(30));
}
