#include "optimizer/convex/independent_parts.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "tests/optimizer/convex/oracles.hpp"
#include "tests/optimizer/convex/problems.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

using enum NormKind;

/// Several problems as one, with unknowns in a random order. `place` becomes the unknowns of each.
ConvexProblem joined(const std::vector<ConvexProblem>& problems, std::mt19937& random,
                     std::vector<std::vector<int>>& place) {
  ConvexProblem all;
  std::size_t count = 0;
  for (const ConvexProblem& problem : problems) count += problem.lower.size();
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  all.lower.resize(count);
  all.upper.resize(count);
  auto next = order.begin();
  for (const ConvexProblem& problem : problems) {
    const auto size = static_cast<std::ptrdiff_t>(problem.lower.size());
    const std::vector<int>& own = place.emplace_back(next, next + size);
    next += size;
    const auto at = [&](int unknown) { return own[unknown]; };
    for (std::size_t j = 0; j < own.size(); ++j) {
      all.lower[own[j]] = problem.lower[j];
      all.upper[own[j]] = problem.upper[j];
    }
    const auto series = static_cast<int>(all.series.size());
    const auto norms = static_cast<int>(all.norms.size());
    for (AffineSeries one : problem.series) {
      for (AffineSeries::Column& column : one.columns) column.variable = at(column.variable);
      all.series.push_back(std::move(one));
    }
    for (SeriesNorm norm : problem.norms) {
      for (SeriesNorm::Part& part : norm.parts) part.series += series;
      all.norms.push_back(std::move(norm));
    }
    const auto moved = [&](ConvexSum sum) {
      for (ConvexSum::Term& term : sum.norms) term.index += norms;
      for (ConvexSum::Term& term : sum.linear) term.index = at(term.index);
      return sum;
    };
    for (const ConvexSum& sum : problem.objective) all.objective.push_back(moved(sum));
    for (const ConvexLimit& limit : problem.limits)
      all.limits.push_back({moved(limit.sum), limit.bound});
  }
  return all;
}

ConvexProblem joined(const std::vector<ConvexProblem>& problems, std::mt19937& random) {
  std::vector<std::vector<int>> place;
  return joined(problems, random, place);
}

/// Two unknowns whose sum has to be at least twice what their bounds allow.
ConvexProblem impossible() {
  ConvexProblem problem;
  problem.lower = {-1.0, -1.0};
  problem.upper = {1.0, 1.0};
  problem.limits.push_back({{0.0, {}, {{0, -1.0}, {1, -1.0}}}, -4.0});
  return problem;
}

}  // namespace

TEST_CASE("problems that share no unknown are found in the one that joins them") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<ConvexProblem> problems = {
        random_problem(random, {.unknowns = 3, .kinds = {max, l1}, .in_limits = {l1}}),
        random_problem(random, {.unknowns = 2, .kinds = {l2}}), impossible()};
    std::vector<std::vector<int>> place;
    const ConvexProblem all = joined(problems, random, place);
    const std::vector<IndependentPart> parts = independent_parts(all);
    CHECK(parts.size() >= 3);
    for (std::vector<int>& unknowns : place) std::sort(unknowns.begin(), unknowns.end());
    for (const IndependentPart& part : parts)  // of one problem each
      CHECK(std::count_if(place.begin(), place.end(), [&](const std::vector<int>& unknowns) {
              return std::includes(unknowns.begin(), unknowns.end(), part.unknowns.begin(),
                                   part.unknowns.end());
            }) == 1);
    std::size_t pieces = 0, limits = 0, norms = 0;
    for (const IndependentPart& part : parts) {
      check(part.problem_of(all));
      pieces += part.pieces.size();
      limits += part.limits.size();
      norms += part.norms.size();
    }
    CHECK(pieces == all.objective.size());
    CHECK(limits == all.limits.size());
    CHECK(norms == all.norms.size());
  }
}

TEST_CASE("the optimum of independent parts is GLPK's of all of them") {
  std::mt19937 random(20261126);
  const std::vector<std::vector<Make>> makes = {
      {{.unknowns = 3, .kinds = {max, l1}}, {.unknowns = 3, .kinds = {max, l1}}},
      {{.unknowns = 2, .kinds = {max}, .linear_limits = 2},
       {.unknowns = 3, .kinds = {l1}, .in_limits = {max}},
       {.unknowns = 1, .kinds = {l1}}},
      {{.unknowns = 3, .kinds = {l1, max}, .in_limits = {l1}, .one_piece = true},
       {.unknowns = 2, .kinds = {l1}, .linear_limits = 1}}};
  for (const std::vector<Make>& make : makes)
    for (int trial = 0; trial < test::trials(12); ++trial) {
      CAPTURE(make.size(), trial);
      std::vector<ConvexProblem> problems;
      for (const Make& one : make) problems.push_back(random_problem(random, one));
      // now and then unknowns that only have to meet limits, and a sum without unknowns
      if (trial % 3 == 1) problems.back().objective.clear();
      ConvexProblem all = joined(problems, random);
      if (trial % 3 == 2) all.objective.push_back({1e-3 * all.objective.front().constant, {}, {}});
      const ConvexSolution solution = solve(all);
      const std::optional<double> expected = glpk_optimum(all);
      REQUIRE(expected.has_value());
      CHECK(judged(all, solution, 1e-9 * std::abs(solution.value)) == "optimal");
      CHECK(std::abs(solution.value - *expected) <= 1e-8 * std::abs(*expected));
      // and what has no proof is the same
      const ConvexSolution hasty = solve(all, {.proof = false});
      CHECK(std::abs(hasty.value - *expected) <= 1e-8 * std::abs(*expected));
      CHECK(excess_of(all, hasty.x) <= excess_of(all, solution.x) + 1e-9);
      CHECK(hasty.certificate.bound <= *expected + 1e-8 * std::abs(*expected));
    }
}

TEST_CASE("the optimum of independent lengths is the larger one of both") {
  std::mt19937 random(11);
  for (int trial = 0; trial < test::trials(12); ++trial) {
    const std::vector<ConvexProblem> problems = {
        random_problem(random, {.unknowns = 3, .kinds = {l2}}),
        random_problem(random, {.unknowns = 2, .kinds = {l2}, .linear_limits = 1})};
    const ConvexProblem all = joined(problems, random);
    const ConvexSolution solution = solve(all);
    const double expected = std::max(solve(problems[0]).value, solve(problems[1]).value);
    CHECK(judged(all, solution, 1e-9 * solution.value) == "optimal");
    CHECK(solution.value == Approx(expected).epsilon(1e-9));
  }
}

TEST_CASE("a part that is impossible makes the whole so, with proof") {
  std::mt19937 random(5);
  const std::vector<ConvexProblem> problems = {
      random_problem(random, {.unknowns = 3, .kinds = {max}}), impossible(),
      random_problem(random, {.unknowns = 2, .kinds = {l1}, .linear_limits = 1})};
  const ConvexProblem all = joined(problems, random);
  for (const bool proof : {true, false}) {
    const ConvexSolution solution = solve(all, {.proof = proof});
    CHECK(solution.status == ConvexSolution::Status::infeasible);
    CHECK(solution.x.empty());
    CHECK(solution.certificate.pieces.size() == all.objective.size());
    CHECK(check_conflict(all, solution.certificate).fault.empty());
  }
}

TEST_CASE("unknowns that the objective does not feel stay where the caller starts") {
  std::mt19937 random(3);
  const ConvexProblem felt = random_problem(random, {.unknowns = 3, .kinds = {max, l1}});
  ConvexProblem unfelt = impossible();
  unfelt.limits.front().bound = -1.0;  // their sum is at least 1
  std::vector<std::vector<int>> place;
  const ConvexProblem all = joined({felt, unfelt}, random, place);
  const auto both = [&](const std::vector<double>& x) {
    return std::pair(x[place[1][0]], x[place[1][1]]);
  };
  ConvexOptions options;
  options.start = random_point(random, all);
  const auto start_with = [&](double a, double b) {
    options.start[place[1][0]] = a;
    options.start[place[1][1]] = b;
    return both(solve(all, options).x);
  };
  CHECK(start_with(0.75, 0.5) == std::pair(0.75, 0.5));
  const auto [a, b] = start_with(-0.5, 0.5);  // which breaks the limit
  CHECK(a + b >= 1.0 - 1e-11);
  const auto [c, d] = both(solve(all).x);
  CHECK(c + d >= 1.0 - 1e-11);
}
