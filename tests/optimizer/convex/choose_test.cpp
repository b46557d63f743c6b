#include "optimizer/convex/choice/choose.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "tests/optimizer/convex/oracles.hpp"
#include "tests/optimizer/convex/problems.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

struct Shape {
  std::vector<std::size_t> unknowns;  // of each group
  std::vector<int> options;           // likewise
  int further = 0;                    // unknowns that are not chosen
  std::vector<NormKind> kinds;
  bool one_piece = false;
  double excluded = 0.0;  // share of combinations that a limit excludes, 0: no limit
  bool limits_norm = false;
};

/// Unknowns are dealt to the groups out of order. Some options are equal in one number, and the
/// first group has an option twice; where `alike`, all options of the last group are equal.
ChoiceProblem random_choice(std::mt19937& random, const Shape& shape, bool alike) {
  Make make;
  make.unknowns = shape.further;
  for (const std::size_t count : shape.unknowns) make.unknowns += static_cast<int>(count);
  make.kinds = shape.kinds;
  make.one_piece = shape.one_piece;
  make.samples = 25;
  ChoiceProblem problem{random_problem(random, make), {}};
  std::vector<int> deal(static_cast<std::size_t>(make.unknowns));
  std::iota(deal.begin(), deal.end(), 0);
  std::shuffle(deal.begin(), deal.end(), random);
  for (std::size_t g = 0; g < shape.unknowns.size(); ++g) {
    ChoiceGroup& group = problem.groups.emplace_back();
    for (std::size_t i = 0; i < shape.unknowns[g]; ++i) {
      group.unknowns.push_back(deal.back());
      deal.pop_back();
    }
    for (int o = 0; o < shape.options[g]; ++o) {
      const std::vector<double> anywhere = random_point(random, problem.convex);
      std::vector<double>& option = group.options.emplace_back();
      for (const int unknown : group.unknowns) option.push_back(anywhere[unknown]);
      if (o > 0 && uniform(random, 0.0, 1.0) < 0.2)
        option[0] = group.options[static_cast<std::size_t>(o) - 1][0];
    }
  }
  if (problem.groups.front().options.size() > 2)
    problem.groups.front().options.back() = problem.groups.front().options[1];
  if (alike)
    for (auto& option : problem.groups.back().options) option = problem.groups.back().options[0];
  return problem;
}

/// A limit that this share of the combinations does not meet.
void add_limit(std::mt19937& random, const Shape& shape, ChoiceProblem& problem) {
  ConvexLimit limit;
  for (std::size_t j = 0; j < problem.convex.lower.size(); ++j)
    limit.sum.linear.push_back(
        {static_cast<int>(j), uniform(random, -1.0, 1.0) / std::abs(problem.convex.upper[j])});
  if (shape.limits_norm) limit.sum.norms.push_back({0, 0.02});
  std::vector<double> values;
  for (const Combination& one : all_combinations(problem))
    values.push_back(sum_at(problem.convex, limit.sum, one.x));
  std::sort(values.begin(), values.end());
  const auto kept =
      static_cast<std::size_t>((1.0 - shape.excluded) * static_cast<double>(values.size() - 1));
  limit.bound = values[kept] + 1e-6 * std::abs(values[kept]);
  problem.convex.limits.push_back(limit);
}

Shape random_shape(std::mt19937& random, int number) {
  const auto whole = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  constexpr NormKind kinds[] = {NormKind::max, NormKind::l1, NormKind::l2};
  Shape shape;
  shape.further = number % 5 == 4 ? whole(1, 2) : 0;
  const int most = shape.further > 0 ? 80 : 9000;  // combinations
  const int groups = whole(2, 5);
  int combinations = 1;
  for (int g = 0; g < groups; ++g) {
    shape.unknowns.push_back(static_cast<std::size_t>(whole(1, 3)));
    shape.options.push_back(std::min(whole(1, 12), most / combinations));
    combinations *= shape.options.back();
  }
  if (number % 4 == 3)
    shape.kinds = {NormKind::max, NormKind::l1, NormKind::l2};
  else
    shape.kinds = {kinds[number % 4]};
  shape.one_piece = number % 8 == 7;
  shape.excluded = number % 3 == 0 ? 0.0 : uniform(random, 0.2, 0.9);
  shape.limits_norm = number % 6 == 5;
  return shape;
}

void check_counts(const ChoiceProblem& problem, const ChoiceSolution& solution) {
  std::int64_t combinations = 1;
  for (const ChoiceGroup& group : problem.groups)
    combinations *= static_cast<std::int64_t>(group.options.size());
  CHECK(solution.combinations == combinations);
  CHECK(solution.equal + solution.excluded + solution.evaluated == combinations);
  CHECK(solution.infeasible <= solution.evaluated);
}

void check_bounds(const ChoiceSolution& solution, const std::vector<Combination>& all) {
  double worst = -1e300;
  for (const Combination& one : all) {
    double bound = solution.bound_constant;
    for (std::size_t j = 0; j < one.x.size(); ++j) bound += solution.bound_slopes[j] * one.x[j];
    worst = std::max(worst, (bound - one.value) / (std::abs(one.value) + 1e-9));
  }
  CHECK(worst <= 1e-9);
}

void check_list(const std::vector<Combination>& found, const std::vector<Combination>& expected,
                double tolerance) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    REQUIRE(found[i].options == expected[i].options);
    REQUIRE(found[i].value == Approx(expected[i].value).epsilon(tolerance));
  }
}

}  // namespace

TEST_CASE("the best of all combinations and all near it are those that trying each finds") {
  std::mt19937 random(71);
  std::int64_t excluded = 0, infeasible = 0, longest = 0;
  for (int number = 0; number < test::trials(60); ++number) {
    const Shape shape = random_shape(random, number);
    ChoiceProblem problem = random_choice(random, shape, number % 7 == 2);
    if (shape.excluded > 0.0) add_limit(random, shape, problem);
    const std::vector<Combination> all = all_combinations(problem);
    REQUIRE_FALSE(all.empty());
    for (const double within : {0.0, 0.05, 0.5}) {
      CAPTURE(number, within, all.size(), shape.further);
      ChoiceOptions options;
      options.within = within;
      const ChoiceSolution solution = choose(problem, options);
      const std::vector<Combination> near = near_the_best(all, within);
      check_list(solution.best, near, shape.further > 0 ? 1e-9 : 1e-13);
      CHECK_FALSE(solution.truncated);
      check_counts(problem, solution);
      check_bounds(solution, all);
      excluded += solution.excluded;
      infeasible += solution.infeasible;
      longest = std::max(longest, static_cast<std::int64_t>(near.size()));

      options.keep = 3;
      const ChoiceSolution few = choose(problem, options);
      check_list(few.best,
                 {near.begin(), near.begin() + std::min<std::ptrdiff_t>(3, std::ssize(near))},
                 shape.further > 0 ? 1e-9 : 1e-13);
      CHECK(few.truncated == (near.size() > 3));
      check_counts(problem, few);
    }
  }
  CHECK(excluded > test::trials(10'000));  // the bounds are worth something
  CHECK(infeasible > test::trials(100));
  CHECK(longest > 100);
}

TEST_CASE("where no combination meets the limits none is found and all are counted") {
  ChoiceProblem problem{small_problem({-3.0, 1.0}, {{1.0, 0.5}, {1.0, -0.4}}, NormKind::l1), {}};
  problem.groups = {{{0}, {{-2.0}, {1.0}, {3.0}, {4.0}, {7.0}}}, {{1}, {{0.5}, {2.0}, {-1.0}}}};
  const auto choose_within = [&](double low, double high) {
    problem.convex.limits = {{{0.0, {}, {{0, -1.0}}}, -low}, {{0.0, {}, {{0, 1.0}}}, high}};
    const ChoiceSolution solution = choose(problem);
    check_counts(problem, solution);
    return solution;
  };
  // beyond all options: their hull says so
  ChoiceSolution solution = choose_within(7.5, 9.0);
  CHECK(solution.best.empty());
  CHECK(solution.relaxed.status == ConvexSolution::Status::infeasible);
  CHECK(solution.excluded == 15);
  // between two options: only trying them does
  solution = choose_within(4.5, 6.5);
  CHECK(solution.best.empty());
  CHECK(solution.relaxed.status == ConvexSolution::Status::optimal);
  CHECK(solution.evaluated == 15);
  CHECK(solution.infeasible == 15);
  solution = choose_within(4.0, 6.5);
  REQUIRE(solution.best.size() == 1);
  CHECK(solution.best.front().options.front() == 3);
}

TEST_CASE("ties go to the smaller options") {
  // r = x + y - 3, options with the same sum
  ChoiceProblem problem{small_problem({-3.0}, {{1.0}, {1.0}}, NormKind::max), {}};
  problem.groups = {{{0}, {{2.0}, {1.0}, {0.0}}}, {{1}, {{2.0}, {1.0}, {2.0}, {0.0}}}};
  const ChoiceSolution solution = choose(problem);
  std::vector<std::vector<int>> found;
  for (const Combination& one : solution.best) found.push_back(one.options);
  CHECK(found == std::vector<std::vector<int>>{{0, 1}, {1, 0}, {1, 2}});
  CHECK(solution.best.front().value == 0.0);
  CHECK(solution.best.front().x == std::vector<double>{2.0, 1.0});
}

TEST_CASE("a choice that cannot be meant is refused") {
  const ConvexProblem convex = small_problem({1.0}, {{1.0}, {1.0}}, NormKind::max);
  const auto refused = [&](const std::vector<ChoiceGroup>& groups) {
    CHECK_THROWS_AS(choose({convex, groups}), std::invalid_argument);
  };
  refused({});
  refused({{{0}, {}}});
  refused({{{0}, {{1.0, 2.0}}}});
  refused({{{0, 1}, {{1.0, 2.0}, {1.0}}}});
  refused({{{2}, {{1.0}}}});
  refused({{{-1}, {{1.0}}}});
  refused({{{0}, {{1.0}}}, {{0}, {{1.0}}}});
  refused({{{0, 0}, {{1.0, 1.0}}}});
}
