#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "optimizer/convex/conflict.hpp"
#include "tests/optimizer/convex/oracles.hpp"
#include "tests/optimizer/convex/problems.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The problem with only the conflict's limits and bounds, less the one with index `without`
/// (limits first).
ConvexProblem only(const ConvexProblem& problem, const Conflict& conflict, int without = -1) {
  ConvexProblem result = problem;
  result.limits.clear();
  result.lower.assign(problem.lower.size(), -infinite);
  result.upper.assign(problem.upper.size(), infinite);
  int member = 0;
  for (const int limit : conflict.limits) {
    if (member++ == without) continue;
    result.limits.push_back(problem.limits[limit]);
  }
  for (const Conflict::Bound& bound : conflict.bounds) {
    if (member++ == without) continue;
    const auto j = static_cast<std::size_t>(bound.variable);
    (bound.upper ? result.upper : result.lower)[j] =
        (bound.upper ? problem.upper : problem.lower)[j];
  }
  return result;
}

int members(const Conflict& conflict) {
  return static_cast<int>(conflict.limits.size() + conflict.bounds.size());
}

void check_smallest(const ConvexProblem& problem) {
  const ConvexSolution solution = solve(problem);
  REQUIRE(solution.status == ConvexSolution::Status::infeasible);
  CHECK(solution.x.empty());
  CHECK(check_conflict(problem, solution.certificate).fault.empty());
  CHECK(check_conflict(problem, solution.certificate).valid);
  const Conflict conflict = smallest_conflict(problem);
  CHECK(check_conflict(problem, conflict.certificate).fault.empty());
  CHECK(!glpk_feasible(only(problem, conflict)));
  for (int member = 0; member < members(conflict); ++member) {
    CAPTURE(member);
    CHECK(glpk_feasible(only(problem, conflict, member)));
  }
}

}  // namespace

TEST_CASE("a limit above an unknown's bound is a conflict of these two") {
  ConvexProblem problem = small_problem({1.0, -2.0}, {{1.0, 1.0}, {0.5, 1.0}}, NormKind::l1);
  problem.limits = {{{0.0, {}, {{1, 1.0}}}, 5.0},
                    {{0.0, {}, {{0, -1.0}}}, -11.0},
                    {{0.0, {{0, 1.0}}, {}}, 1000.0}};
  check_smallest(problem);
  const Conflict conflict = smallest_conflict(problem);
  CHECK(conflict.limits == std::vector<int>{1});
  REQUIRE(conflict.bounds.size() == 1);
  CHECK(conflict.bounds[0].variable == 0);
  CHECK(conflict.bounds[0].upper);
}

TEST_CASE("two limits that exclude each other need no bounds") {
  ConvexProblem problem = small_problem({1.0, -2.0}, {{1.0, 1.0}, {0.5, 1.0}}, NormKind::max);
  problem.limits = {{{0.0, {}, {{0, 1.0}, {1, 2.0}}}, 1.0},
                    {{0.0, {}, {{0, -1.0}, {1, -2.0}}}, -1.5}};
  check_smallest(problem);
  const Conflict conflict = smallest_conflict(problem);
  CHECK(conflict.limits == std::vector<int>{0, 1});
  CHECK(conflict.bounds.empty());
}

TEST_CASE("a limit that nothing can meet is a conflict of its own") {
  ConvexProblem problem = small_problem({1.0}, {{1.0}}, NormKind::l2);
  problem.limits = {{{3.0, {}, {}}, 2.0}};
  const ConvexSolution solution = solve(problem);
  REQUIRE(solution.status == ConvexSolution::Status::infeasible);
  CHECK(check_conflict(problem, solution.certificate).valid);
  const Conflict conflict = smallest_conflict(problem);
  CHECK(conflict.limits == std::vector<int>{0});
  CHECK(conflict.bounds.empty());
}

TEST_CASE("a norm that cannot be as small as its limit says is a conflict") {
  // max(|1 + x|, |1 - x|) is never below 1.
  ConvexProblem problem = small_problem({1.0, 1.0}, {{1.0, -1.0}}, NormKind::max);
  problem.limits = {{{0.0, {{0, 1.0}}, {}}, 0.9}};
  check_smallest(problem);
  CHECK(smallest_conflict(problem).bounds.empty());
  problem.limits[0].bound = 1.0 + 1e-9;
  const ConvexSolution barely = solve(problem);
  CHECK(judged(problem, barely, 1e-8) == "optimal");
}

TEST_CASE("random conflicts are irreducible, as GLPK finds") {
  std::mt19937 random(12);
  int conflicts = 0;
  for (int trial = 0; trial < test::trials(60); ++trial) {
    CAPTURE(trial);
    const std::vector<NormKind> norms = {trial % 2 == 0 ? NormKind::l1 : NormKind::max};
    ConvexProblem problem = random_problem(
        random,
        {.unknowns = 2 + trial % 4, .kinds = norms, .linear_limits = 5, .in_limits = norms});
    for (ConvexLimit& limit : problem.limits) {
      limit.bound -= uniform(random, 0.0, 1.5) * std::abs(limit.bound);
    }
    const bool feasible = glpk_feasible(problem);
    const bool found = solve(problem).status != ConvexSolution::Status::infeasible;
    CHECK(feasible == found);
    if (feasible || !found) {
      if (!feasible) check_smallest(problem);
      if (!feasible) ++conflicts;
    }
  }
  CHECK(conflicts >= test::trials(20));
}

TEST_CASE("conflicts of named groups are irreducible in names, as GLPK finds") {
  std::mt19937 random(23);
  int conflicts = 0, groups_left_out = 0;
  for (int trial = 0; trial < test::trials(120); ++trial) {
    CAPTURE(trial);
    ConvexProblem problem = random_problem(random, {.unknowns = 2 + trial % 3,
                                                    .kinds = {NormKind::l1},
                                                    .linear_limits = 9,
                                                    .in_limits = {NormKind::max}});
    for (ConvexLimit& limit : problem.limits)
      limit.bound -= uniform(random, 0.0, 1.5) * std::abs(limit.bound);
    const auto count = static_cast<int>(problem.limits.size());
    ConflictMembers members{{}, {count - 1}, {0}};
    for (int limit = 0; limit + 1 < count; limit += 2) {
      members.groups.push_back({limit});
      if (limit + 2 < count) members.groups.back().push_back(limit + 1);
    }
    /// The problem with these groups, what always holds, and these bounds.
    const auto with = [&](const std::vector<std::vector<int>>& groups,
                          const std::vector<Conflict::Bound>& bounds) {
      ConvexProblem result = problem;
      result.limits = {problem.limits.back()};
      for (const std::vector<int>& group : groups)
        for (const int limit : group) result.limits.push_back(problem.limits[limit]);
      result.lower.assign(problem.lower.size(), -infinite);
      result.upper.assign(problem.upper.size(), infinite);
      for (const Conflict::Bound& bound : bounds) {
        const auto j = static_cast<std::size_t>(bound.variable);
        (bound.upper ? result.upper : result.lower)[j] =
            (bound.upper ? problem.upper : problem.lower)[j];
      }
      return result;
    };
    std::vector<Conflict::Bound> all_bounds;
    for (int j = 1; j < static_cast<int>(problem.lower.size()); ++j)
      for (const bool upper : {false, true}) all_bounds.push_back({j, upper});
    if (glpk_feasible(with(members.groups, all_bounds))) continue;
    ++conflicts;
    const Conflict conflict = smallest_conflict(problem, {}, members);
    std::vector<std::vector<int>> found;
    for (const std::vector<int>& group : members.groups)
      if (std::binary_search(conflict.limits.begin(), conflict.limits.end(), group.front()))
        found.push_back(group);
    std::size_t limits = 0;
    for (const std::vector<int>& group : found) limits += group.size();
    CHECK(conflict.limits.size() == limits);  // whole groups
    CHECK(!glpk_feasible(with(found, conflict.bounds)));
    for (std::size_t i = 0; i < found.size(); ++i, ++groups_left_out) {
      auto fewer = found;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      CHECK(glpk_feasible(with(fewer, conflict.bounds)));
    }
    for (std::size_t i = 0; i < conflict.bounds.size(); ++i) {
      auto fewer = conflict.bounds;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      CHECK(conflict.bounds[i].variable != 0);
      CHECK(glpk_feasible(with(found, fewer)));
    }
  }
  CHECK(conflicts > 0);
  CHECK(groups_left_out > 0);
}
