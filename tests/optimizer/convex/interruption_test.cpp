#include "optimizer/interruption.hpp"

#include <catch2/catch.hpp>

#include "optimizer/convex/choice/choose.hpp"
#include "optimizer/convex/conflict.hpp"
#include "tests/optimizer/convex/problems.hpp"
#include "tests/support/counted_question.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;
using counterpoise::test::CountedQuestion;

namespace {

/// Work asks at least so often, ends at the question that is answered with yes, and gives what it
/// gives without any where none is.
template <class Work>
void check_stops(const Work& work, std::int64_t least_asked) {
  CountedQuestion counted;
  work(ConvexOptions{.interruption = counted.interruption()});
  CHECK(counted.asked() >= least_asked);
  const std::int64_t step = counted.asked() / 40 + 1;
  for (std::int64_t n = 1; n <= counted.asked(); n += step) {
    CountedQuestion question(n);
    const ConvexOptions options{.interruption = question.interruption()};
    CHECK_THROWS_AS(work(options), Interrupted);
    CHECK(question.asked() == n);
  }
  CountedQuestion beyond(counted.asked() + 1);
  work(ConvexOptions{.interruption = beyond.interruption()});
  CHECK(beyond.asked() == counted.asked());
}

}  // namespace

TEST_CASE("solving asks in every round whether to stop") {
  std::mt19937 random(3);
  for (const NormKind kind : all_kinds) {
    Make make;
    make.kinds = {kind};
    make.samples = 200;
    const ConvexProblem problem = random_problem(random, make);
    const int rounds = solve(problem).rounds;
    check_stops([&](const ConvexOptions& options) { solve(problem, options); }, rounds);
  }
}

TEST_CASE("explaining a conflict asks for each limit and bound whether to stop") {
  ConvexProblem problem = small_problem({-3.0}, {{1.0}, {1.0}}, NormKind::max);
  problem.limits = {
      {{0.0, {}, {{0, 1.0}}}, 1.0}, {{0.0, {}, {{0, -1.0}}}, -2.0}, {{0.0, {}, {{1, 1.0}}}, 1.0}};
  REQUIRE(solve(problem).status == ConvexSolution::Status::infeasible);
  check_stops([&](const ConvexOptions& options) { smallest_conflict(problem, options); }, 5);
}

TEST_CASE("a choice asks before each combination whether to stop") {
  std::mt19937 random(11);
  Make make;
  make.unknowns = 4;
  make.kinds = {NormKind::max};
  ChoiceProblem problem{random_problem(random, make), {}};
  problem.groups = {{{0, 1}, {}}, {{2}, {}}};
  // so near each other that no bound excludes one
  const std::vector<double> point = random_point(random, problem.convex);
  for (ChoiceGroup& group : problem.groups)
    for (int o = 0; o < 12; ++o) {
      std::vector<double>& option = group.options.emplace_back();
      for (const int unknown : group.unknowns) option.push_back(point[unknown] * (1.0 + 1e-13 * o));
    }
  const auto chosen = [&](const ConvexOptions& convex) {
    ChoiceOptions options;
    options.convex = convex;
    return choose(problem, options);
  };
  const std::int64_t evaluated = chosen({}).evaluated;
  CHECK(evaluated > 100);
  check_stops([&](const ConvexOptions& options) { chosen(options); }, evaluated);

  problem.groups.push_back({{3}, {{point[3]}}});  // so that nothing is sized beside them
  const std::int64_t tried = chosen({}).evaluated;
  CHECK(tried > 100);
  check_stops([&](const ConvexOptions& options) { chosen(options); }, tried);
}
