#include <catch2/catch.hpp>
#include <cmath>

#include "tests/optimizer/convex/oracles.hpp"
#include "tests/optimizer/convex/problems.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

TEST_CASE("least squares within bounds and limits are the best of all sets of active ones") {
  std::mt19937 random(4);
  for (int trial = 0; trial < test::trials(40); ++trial) {
    CAPTURE(trial);
    const int unknowns = 1 + trial % 4;
    const ConvexProblem problem = random_problem(
        random,
        {.unknowns = unknowns, .kinds = {NormKind::l2}, .linear_limits = trial % 3 == 0 ? 0 : 2});
    const ConvexSolution solution = solve(problem);
    CHECK(judged(problem, solution, 1e-12 * solution.value) == "optimal");
    CHECK(solution.rounds == 1);
    const double expected = enumerated_optimum(problem);
    CHECK(std::abs(solution.value - expected) <= 1e-9 * expected);
  }
}

TEST_CASE("least squares of columns that are nearly the same keep a gap of rounding") {
  std::mt19937 random(5);
  for (const double difference : {1e-3, 1e-6, 1e-9, 0.0}) {
    CAPTURE(difference);
    std::vector<double> constant;
    std::vector<std::vector<double>> columns(3);
    for (int k = 0; k < 60; ++k) {
      constant.push_back(uniform(random, -5.0, 5.0));
      const double wave = std::sin(0.1 * k);
      columns[0].push_back(wave);
      columns[1].push_back(wave + difference * uniform(random, -1.0, 1.0));
      columns[2].push_back(0.3);
    }
    const ConvexProblem problem = small_problem(constant, columns, NormKind::l2);
    const ConvexSolution solution = solve(problem);
    CHECK(judged(problem, solution, 1e-12 * solution.value) == "optimal");
  }
}

TEST_CASE("a residual far below what cancels in it keeps a gap of the rounding of those terms") {
  std::mt19937 random(6);
  std::vector<double> constant;
  std::vector<std::vector<double>> columns(2);
  for (int k = 0; k < 80; ++k) {
    columns[0].push_back(100.0 * std::cos(0.07 * k));
    columns[1].push_back(70.0 * std::sin(0.11 * k));
    constant.push_back(-2.0 * columns[0].back() + 3.0 * columns[1].back() +
                       1e-6 * uniform(random, -1.0, 1.0));
  }
  const ConvexProblem problem = small_problem(constant, columns, NormKind::l2);
  const ConvexSolution solution = solve(problem);
  CHECK(judged(problem, solution, 1e-4 * solution.value) == "optimal");
  CHECK(solution.value > 1e-6);
  CHECK(solution.rounds == 1);
}
