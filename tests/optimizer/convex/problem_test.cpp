#include "optimizer/convex/problem.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "optimizer/convex/conflict.hpp"
#include "optimizer/convex/solve.hpp"
#include "tests/optimizer/convex/problems.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

ConvexProblem three_norms() {
  ConvexProblem problem = small_problem({3.0, -1.0, 2.0}, {{1.0, 0.0, -2.0}}, NormKind::max);
  problem.norms[0].parts[0].weights = {1.0, 5.0, 0.5};
  problem.norms.push_back({NormKind::l1, {{0, {}}, {0, {0.0, 1.0, 1.0}}}});
  problem.norms.push_back({NormKind::l2, {{0, {1.0, 2.0, 0.0}}}});
  problem.objective = {{1.0, {{0, 2.0}}, {{0, 10.0}}}, {-3.0, {{1, 1.0}, {2, 1.0}}, {}}};
  problem.limits = {{{0.0, {{2, 1.0}}, {{0, 1.0}}}, 100.0}};
  return problem;
}

}  // namespace

TEST_CASE("norms, sums and the objective are what their definitions say") {
  const ConvexProblem problem = three_norms();
  const std::vector<double> x = {1.0};  // samples 4, -1, 0
  CHECK(value_of(problem, problem.norms[0], x) == 5.0);
  CHECK(value_of(problem, problem.norms[1], x) == 6.0);
  CHECK(value_of(problem, problem.norms[2], x) == Approx(std::sqrt(20.0)).epsilon(1e-15));
  CHECK(value_of(problem, problem.objective[0], x) == 21.0);
  CHECK(value_of(problem, problem.objective[1], x) == Approx(3.0 + std::sqrt(20.0)).epsilon(1e-15));
  CHECK(objective_of(problem, x) == 21.0);
  CHECK_NOTHROW(check(problem));
}

TEST_CASE("lengths of huge and tiny samples stay in range") {
  const ConvexProblem huge = small_problem({3e200, 4e200}, {{0.0, 0.0}}, NormKind::l2);
  CHECK(value_of(huge, huge.norms[0], {0.0}) == Approx(5e200).epsilon(1e-14));
  const ConvexProblem tiny = small_problem({3e-200, 4e-200}, {{0.0, 0.0}}, NormKind::l2);
  CHECK(value_of(tiny, tiny.norms[0], {0.0}) == Approx(5e-200).epsilon(1e-14));
}

TEST_CASE("a problem whose parts do not fit is refused by everything") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<std::function<void(ConvexProblem&)>> mistakes = {
      [](ConvexProblem& p) { p.upper.pop_back(); },
      [](ConvexProblem& p) { p.lower[0] = p.upper[0] + 1.0; },
      [&](ConvexProblem& p) { p.lower[0] = -infinite; },
      [&](ConvexProblem& p) { p.upper[0] = nan; },
      [&](ConvexProblem& p) { p.series[0].constant[1] = nan; },
      [](ConvexProblem& p) { p.series[0].columns[0].variable = 1; },
      [](ConvexProblem& p) { p.series[0].columns.push_back(p.series[0].columns[0]); },
      [](ConvexProblem& p) { p.series[0].columns[0].coefficients.pop_back(); },
      [&](ConvexProblem& p) { p.series[0].columns[0].coefficients[2] = infinite; },
      [](ConvexProblem& p) { p.norms[0].parts[0].series = 1; },
      [](ConvexProblem& p) { p.norms[0].parts[0].series = -1; },
      [](ConvexProblem& p) { p.norms[0].parts[0].weights.pop_back(); },
      [](ConvexProblem& p) { p.norms[0].parts[0].weights[0] = -1.0; },
      [](ConvexProblem& p) { p.objective.clear(); },
      [](ConvexProblem& p) { p.objective[0].norms[0].index = 3; },
      [](ConvexProblem& p) { p.objective[0].norms[0].weight = -1.0; },
      [](ConvexProblem& p) { p.objective[0].linear[0].index = 1; },
      [&](ConvexProblem& p) { p.objective[0].linear[0].weight = nan; },
      [&](ConvexProblem& p) { p.objective[1].constant = infinite; },
      [](ConvexProblem& p) { p.limits[0].sum.norms[0].weight = -0.5; },
      [&](ConvexProblem& p) { p.limits[0].bound = nan; },
  };
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    CAPTURE(i);
    ConvexProblem problem = three_norms();
    mistakes[i](problem);
    CHECK_THROWS_AS(check(problem), std::invalid_argument);
    CHECK_THROWS_AS(solve(problem), std::invalid_argument);
    CHECK_THROWS_AS(smallest_conflict(problem), std::invalid_argument);
  }
}
