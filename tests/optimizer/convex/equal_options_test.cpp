#include "optimizer/convex/choice/equal_options.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "tests/optimizer/convex/oracles.hpp"
#include "tests/optimizer/convex/problems.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

/// Three groups of few different options, each of them several times and out of order; the last
/// unknown of the first group is a number that nothing reads and that differs from option to
/// option.
ChoiceProblem with_equal_options(std::mt19937& random, int further) {
  Make make;
  make.unknowns = 5 + further;
  make.kinds = {all_kinds[random() % 3]};
  make.samples = 20;
  ChoiceProblem problem{random_problem(random, make), {}};
  const auto unread = static_cast<int>(problem.convex.lower.size());
  problem.convex.lower.push_back(0.0);
  problem.convex.upper.push_back(100.0);
  problem.groups = {{{0, 1, unread}, {}}, {{2}, {}}, {{3, 4}, {}}};
  for (ChoiceGroup& group : problem.groups) {
    std::vector<std::vector<double>> different;
    for (int d = 0; d < 3; ++d) {
      const std::vector<double> point = random_point(random, problem.convex);
      for (auto& option = different.emplace_back(); option.size() < group.unknowns.size();)
        option.push_back(point[group.unknowns[option.size()]]);
    }
    for (int o = 0; o < 6; ++o) {
      group.options.push_back(different[random() % different.size()]);
      if (group.unknowns.back() == unread) group.options.back().back() = uniform(random, 0.0, 99.0);
    }
  }
  return problem;
}

/// One group of `count` options that are one and the same, for each unknown of r = x + y + ... - 3.
ChoiceProblem all_equal(std::size_t groups, std::size_t count) {
  ChoiceProblem problem{
      small_problem({-3.0}, std::vector<std::vector<double>>(groups, {1.0}), NormKind::max), {}};
  for (std::size_t g = 0; g < groups; ++g)
    problem.groups.push_back(
        {{static_cast<int>(g)}, std::vector<std::vector<double>>(count, {0.5})});
  return problem;
}

}  // namespace

TEST_CASE("what equals the best is found with it, and each different combination tried once") {
  std::mt19937 random(5);
  std::int64_t evaluated = 0;
  for (int number = 0; number < test::trials(40); ++number) {
    const ChoiceProblem problem = with_equal_options(random, number % 5 == 4 ? 1 : 0);
    const double tolerance = number % 5 == 4 ? 1e-9 : 1e-13;
    const std::vector<Combination> all = all_combinations(problem);
    for (const double within : {0.0, 0.3})
      for (const std::size_t keep : {std::size_t{7}, std::size_t{100'000}}) {
        CAPTURE(number, within, keep);
        ChoiceOptions options;
        options.within = within;
        options.keep = keep;
        const ChoiceSolution solution = choose(problem, options);
        const std::vector<Combination> near = near_the_best(all, within);
        REQUIRE(solution.best.size() == std::min(keep, near.size()));
        CHECK(solution.truncated == (near.size() > keep));
        for (std::size_t i = 0; i < solution.best.size(); ++i) {
          CHECK(solution.best[i].value == Approx(near[i].value).epsilon(tolerance));
          const auto of_option = [&](const Combination& one) {
            return one.options == solution.best[i].options;
          };
          const auto same = std::find_if(near.begin(), near.end(), of_option);
          REQUIRE(same != near.end());
          for (const ChoiceGroup& group : problem.groups)
            for (const int unknown : group.unknowns) {
              const auto at = static_cast<std::size_t>(unknown);
              CHECK(solution.best[i].x[at] == same->x[at]);
            }
        }
        if (tolerance < 1e-9)
          for (std::size_t i = 0; i < solution.best.size(); ++i)
            CHECK(solution.best[i].options == near[i].options);
        CHECK(solution.combinations == 216);
        CHECK(solution.equal >= 216 - 27);
        CHECK(solution.equal + solution.excluded + solution.evaluated == 216);
        evaluated += solution.evaluated;
      }
  }
  CHECK(evaluated > test::trials(40));
}

TEST_CASE("a thousand equal options in three groups are one combination to try") {
  ChoiceOptions options;
  options.keep = 50;
  const ChoiceSolution solution = choose(all_equal(3, 1000), options);
  CHECK(solution.combinations == 1'000'000'000);
  CHECK(solution.equal == 999'999'999);
  CHECK(solution.evaluated == 1);
  CHECK(solution.truncated);
  REQUIRE(solution.best.size() == 50);
  for (int i = 0; i < 50; ++i) {
    CHECK(solution.best[i].options == std::vector<int>{0, 0, i});
    CHECK(solution.best[i].value == 1.5);
  }
}

TEST_CASE("more combinations than a 64-bit number counts are that many or more") {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  CHECK(times(3'000'000'000, 3'000'000'000) == 9'000'000'000'000'000'000);
  CHECK(times(3'100'000'000, 3'100'000'000) == largest);
  CHECK(times(0, largest) == 0);
  CHECK(plus(largest - 1, 1) == largest);
  CHECK(plus(largest, largest) == largest);
  ChoiceProblem problem = all_equal(7, 1000);
  for (ChoiceGroup& group : problem.groups)
    for (std::size_t o = 0; o < group.options.size(); ++o)
      group.options[o][0] = 1.0 + 0.01 * static_cast<double>(o);
  const ChoiceSolution solution = choose(problem);
  CHECK(solution.combinations == largest);
  CHECK(solution.excluded == largest);
  CHECK(solution.evaluated == 1);
  REQUIRE(solution.best.size() == 1);
  CHECK(solution.best.front().options == std::vector<int>(7, 0));
}
