#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "optimizer/convex/choice/choice_check.hpp"
#include "optimizer/convex/choice/choose.hpp"
#include "tests/optimizer/convex/oracles.hpp"
#include "tests/optimizer/convex/problems.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

int whole(std::mt19937& random, int low, int high) {
  return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
}

/// Groups of one or two unknowns with options in small whole numbers, so that sums and ties are
/// exact. Series s reads the groups of its bit in `reads[s]`.
ChoiceProblem whole_numbers(std::mt19937& random, int groups, int options,
                            const std::vector<unsigned>& reads) {
  ChoiceProblem problem;
  for (int g = 0; g < groups; ++g) {
    ChoiceGroup& group = problem.groups.emplace_back();
    for (int i = whole(random, 1, 2); i > 0; --i) {
      group.unknowns.push_back(static_cast<int>(problem.convex.lower.size()));
      problem.convex.lower.push_back(0.0);
      problem.convex.upper.push_back(0.0);
    }
    for (int o = 0; o < options; ++o)
      for (auto& option = group.options.emplace_back(); option.size() < group.unknowns.size();)
        option.push_back(whole(random, -6, 6));
  }
  for (const unsigned of : reads) {
    AffineSeries& series = problem.convex.series.emplace_back();
    for (int k = 0; k < 6; ++k) series.constant.push_back(whole(random, -20, 20));
    for (int g = 0; g < groups; ++g)
      for (const int unknown : problem.groups[g].unknowns) {
        series.columns.push_back({unknown, std::vector<double>(6, 0.0)});
        for (double& coefficient : series.columns.back().coefficients)
          coefficient = (of >> g & 1U) != 0 ? whole(random, -3, 3) : 0;
      }
  }
  return problem;
}

int add_norm_of(ChoiceProblem& problem, NormKind kind, const std::vector<int>& series) {
  SeriesNorm& norm = problem.convex.norms.emplace_back();
  norm.kind = kind;
  for (const int s : series) norm.parts.push_back({s, {}});
  return static_cast<int>(problem.convex.norms.size()) - 1;
}

enum class Goal { largest_series, largest_sum, sum };

void add_objective(Goal goal, NormKind kind, ChoiceProblem& problem) {
  std::vector<int> all(problem.convex.series.size());
  std::iota(all.begin(), all.end(), 0);
  if (goal == Goal::largest_series) {
    problem.convex.objective = {{1.0, {{add_norm_of(problem, NormKind::max, all), 2.0}}, {}}};
    return;
  }
  ConvexSum together;
  for (const int s : all) {
    const ConvexSum::Term term{add_norm_of(problem, kind, {s}), 1.0};
    together.norms.push_back(term);
    if (goal == Goal::largest_sum) problem.convex.objective.push_back({0.0, {term}, {}});
  }
  if (goal == Goal::sum) problem.convex.objective = {together};
}

/// A limit of about half the options of one group, and one of a norm.
void add_limits(std::mt19937& random, ChoiceProblem& problem) {
  problem.convex.limits.push_back(
      {{0.0, {}, {{0, 1.0}}}, static_cast<double>(whole(random, 0, 3))});
  const int last = static_cast<int>(problem.convex.series.size()) - 1;
  const int norm = add_norm_of(problem, NormKind::max, {0, last});
  problem.convex.limits.push_back({{0.0, {{norm, 1.0}}, {}}, 45.0});
}

void check_choice(const ChoiceProblem& problem, const std::vector<Combination>& all, double within,
                  std::size_t keep) {
  ChoiceOptions options;
  options.within = within;
  options.keep = keep;
  const ChoiceSolution solution = choose(problem, options);
  if (all.empty()) {
    CHECK(solution.best.empty());
    return;
  }
  const std::vector<Combination> near = near_the_best(all, within);
  REQUIRE(solution.best.size() == std::min(keep, near.size()));
  for (std::size_t i = 0; i < solution.best.size(); ++i) {
    REQUIRE(solution.best[i].options == near[i].options);
    REQUIRE(solution.best[i].x == near[i].x);
    REQUIRE(solution.best[i].value == near[i].value);
  }
  CHECK(solution.truncated == (near.size() > keep));
  if (!solution.truncated) CHECK(solution.near == std::ssize(near));
  CHECK(solution.equal + solution.excluded + solution.evaluated == solution.combinations);
}

}  // namespace

TEST_CASE("many ties of parts and of sums are those that trying each combination finds") {
  std::mt19937 random(19);
  const std::vector<std::vector<unsigned>> readers = {
      {1, 2, 4, 8},     // each series one group: four parts
      {3, 4, 8},        // the first two groups together
      {1, 3, 6, 12},    // a chain
      {15, 8, 4},       // all together
      {1, 2, 4, 8, 5},  // two parts of two
      {1, 2},           // two groups that nothing reads
  };
  std::size_t longest = 0, many = 0;
  for (int number = 0; number < test::trials(180); ++number) {
    const auto goal = static_cast<Goal>(number % 3);
    const auto kind = number % 2 == 0 ? NormKind::max : NormKind::l1;
    ChoiceProblem problem =
        whole_numbers(random, 4, 7, readers[static_cast<std::size_t>(number / 3) % readers.size()]);
    add_objective(goal, kind, problem);
    if (number % 5 == 4) add_limits(random, problem);
    const std::vector<Combination> all = all_combinations(problem);
    CAPTURE(number);
    for (const double within : {0.0, 0.1, 0.6})
      for (const std::size_t keep : {std::size_t{5}, std::size_t{100'000}})
        check_choice(problem, all, within, keep);
    if (all.empty()) continue;
    longest = std::max(longest, near_the_best(all, 0.0).size());
    many += near_the_best(all, 0.6).size() > 300 ? 1 : 0;
  }
  CHECK(longest > 100);
  CHECK(many > static_cast<std::size_t>(test::trials(40)));
}

namespace {

/// r = c + a x + b y with one series for each group, in numbers of any size.
ChoiceProblem one_series_each(std::mt19937& random, int groups, int options) {
  ChoiceProblem problem;
  for (int g = 0; g < groups; ++g) {
    const int x = 2 * g;
    AffineSeries& series = problem.convex.series.emplace_back();
    series.columns = {{x, {}}, {x + 1, {}}};
    for (int k = 0; k < 20; ++k) {
      series.constant.push_back(uniform(random, 5.0, 9.0));
      series.columns[0].coefficients.push_back(uniform(random, -3.0, -1.0));
      series.columns[1].coefficients.push_back(uniform(random, -1.0, 1.0));
    }
    problem.convex.lower.insert(problem.convex.lower.end(), {0.0, 0.0});
    problem.convex.upper.insert(problem.convex.upper.end(), {0.0, 0.0});
    ChoiceGroup& group = problem.groups.emplace_back();
    group.unknowns = {x, x + 1};
    for (int o = 0; o < options; ++o)
      group.options.push_back({uniform(random, 0.0, 5.0), uniform(random, -4.0, 4.0)});
  }
  return problem;
}

/// The values of one group's options alone, in order.
std::vector<double> values_alone(const ChoiceProblem& problem, std::size_t g) {
  std::vector<double> values;
  for (const auto& option : problem.groups[g].options) {
    double largest = 0.0;
    const AffineSeries& series = problem.convex.series[g];
    for (std::size_t k = 0; k < series.constant.size(); ++k)
      largest = std::max(
          largest, std::abs(series.constant[k] + series.columns[0].coefficients[k] * option[0] +
                            series.columns[1].coefficients[k] * option[1]));
    values.push_back(largest);
  }
  return values;
}

}  // namespace

TEST_CASE("the largest load of ten groups ties in more combinations than can be listed") {
  std::mt19937 random(3);
  ChoiceProblem problem = one_series_each(random, 10, 60);
  add_objective(Goal::largest_series, NormKind::max, problem);
  double best = 0.0;
  for (std::size_t g = 0; g < 10; ++g) {
    const std::vector<double> values = values_alone(problem, g);
    best = std::max(best, *std::min_element(values.begin(), values.end()));
  }
  const double most = best + 1e-9 * best;
  std::int64_t count = 1;
  std::vector<int> first;
  for (std::size_t g = 0; g < 10; ++g) {
    const std::vector<double> values = values_alone(problem, g);
    const auto fits = [&](double value) { return value <= most; };
    count *= std::count_if(values.begin(), values.end(), fits);
    first.push_back(
        static_cast<int>(std::find_if(values.begin(), values.end(), fits) - values.begin()));
  }
  ChoiceOptions options;
  options.keep = 20;
  const ChoiceSolution solution = choose(problem, options);
  REQUIRE(solution.best.size() == 20);
  CHECK(count > 1'000'000);
  CHECK(solution.near == count);
  CHECK(solution.truncated);
  CHECK(solution.best.front().value == Approx(1.0 + 2.0 * best).epsilon(1e-13));
  CHECK(solution.best.front().options == first);
  for (std::size_t i = 1; i < solution.best.size(); ++i)
    CHECK(solution.best[i - 1].options < solution.best[i].options);

  const double value = solution.best.front().value;
  for (const double claimed : {value, 1.001 * value, 0.999 * value}) {
    ChoiceCheck check(problem.convex, problem.groups, solution.relaxed.certificate, claimed,
                      claimed);
    const ChoiceCheck::Count checked = check.run();
    CHECK(checked.beaten == (claimed > value));
    if (claimed == value) CHECK(checked.near == count);
    CHECK(checked.combinations == solution.combinations);
  }
}

TEST_CASE("a limit that a mixture of options meets and no option does leaves nothing") {
  for (const Goal goal : {Goal::sum, Goal::largest_sum, Goal::largest_series})
    for (const double within : {0.0, 0.5}) {
      std::mt19937 random(5);
      ChoiceProblem problem = one_series_each(random, 2, 40);
      for (std::size_t o = 0; o < 40; ++o)
        problem.groups[1].options[o][1] = o % 2 == 0 ? -1.0 : 1.0;
      add_objective(goal, NormKind::max, problem);
      problem.convex.limits = {{{0.0, {}, {{3, 1.0}}}, 0.5}, {{0.0, {}, {{3, -1.0}}}, 0.5}};
      ChoiceOptions options;
      options.within = within;
      const ChoiceSolution solution = choose(problem, options);
      CHECK(solution.relaxed.status != ConvexSolution::Status::infeasible);
      CHECK(solution.best.empty());
    }
}

TEST_CASE("the least sum of twelve groups is the sum of each group's least") {
  std::mt19937 random(4);
  ChoiceProblem problem = one_series_each(random, 12, 100);
  add_objective(Goal::sum, NormKind::max, problem);
  double sum = 0.0;
  std::vector<int> best;
  for (std::size_t g = 0; g < 12; ++g) {
    const std::vector<double> values = values_alone(problem, g);
    const auto least = std::min_element(values.begin(), values.end());
    sum += *least;
    best.push_back(static_cast<int>(least - values.begin()));
  }
  const ChoiceSolution solution = choose(problem);
  REQUIRE(solution.best.size() == 1);
  CHECK(solution.best.front().options == best);
  CHECK(solution.best.front().value == Approx(sum).epsilon(1e-13));
  CHECK(solution.evaluated < 1000);
}
