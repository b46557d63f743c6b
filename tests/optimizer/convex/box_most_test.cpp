#include "optimizer/convex/choice/box_most.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/optimizer/convex/oracles.hpp"
#include "tests/optimizer/convex/problems.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

/// Two groups of two unknowns and one of one. The objective has linear terms beside its norms, one
/// of which reads one group alone.
ChoiceProblem random_choice_of_three(std::mt19937& random, bool one_piece) {
  Make make;
  make.unknowns = 5;
  make.samples = 20;
  make.series = 3;
  make.kinds = {NormKind::max, NormKind::l1, NormKind::l2};
  make.one_piece = one_piece;
  ChoiceProblem problem{random_problem(random, make), {{{3, 0}, {}}, {{2}, {}}, {{1, 4}, {}}}};
  std::erase_if(problem.convex.series.front().columns,
                [](const AffineSeries::Column& column) { return column.variable != 2; });
  for (ConvexSum& sum : problem.convex.objective)
    for (const int unknown : {0, 2, 4})
      sum.linear.push_back({unknown, uniform(random, -1.0, 1.0) * sum.norms.front().weight});
  for (ChoiceGroup& group : problem.groups)
    for (int o = 0; o < 6; ++o) {
      const std::vector<double> anywhere = random_point(random, problem.convex);
      for (auto& option = group.options.emplace_back(); option.size() < group.unknowns.size();)
        option.push_back(anywhere[group.unknowns[option.size()]]);
    }
  return problem;
}

}  // namespace

TEST_CASE("no combination of a box is above its most, and a single one is at it") {
  std::mt19937 random(13);
  for (int number = 0; number < test::trials(100); ++number) {
    ChoiceProblem problem = random_choice_of_three(random, number % 2 == 0);
    const std::vector<Combination> all = all_combinations(problem);
    const PartValues values(problem);
    const BoxMost most(problem, values);
    std::vector<std::vector<int>> box;
    for (int g = 0; g < 3; ++g) {
      std::vector<int>& left = box.emplace_back();
      for (int o = 0; o < 6; ++o)
        if (random() % 2 == 0 || (o == 5 && left.empty())) left.push_back(o);
    }
    const auto is_inside = [&](const Combination& one) {
      for (std::size_t g = 0; g < box.size(); ++g)
        if (std::find(box[g].begin(), box[g].end(), one.options[g]) == box[g].end()) return false;
      return true;
    };
    double largest = -infinity;
    for (const Combination& one : all)
      if (is_inside(one)) largest = std::max(largest, one.value);
    CAPTURE(number);
    const std::optional<double> found = most.of(box);
    REQUIRE(found);
    CHECK(*found >= largest);
    const Combination& some = all[random() % all.size()];
    std::vector<std::vector<int>> alone;
    for (const int option : some.options) alone.push_back({option});
    CHECK(most.of(alone).value() == Approx(some.value).epsilon(1e-10));
    CHECK(most.of(alone).value() >= some.value);

    problem.convex.limits = {{problem.convex.objective.front(), 0.0}};
    double highest = -infinity;
    for (const Combination& one : all)
      if (is_inside(one))
        highest =
            std::max(highest, sum_at(problem.convex, problem.convex.objective.front(), one.x));
    problem.convex.limits.front().bound = highest - 1e-6 * std::abs(highest);
    CHECK_FALSE(most.of(box));
    problem.convex.limits.front().bound = *found + 1e-6 * std::abs(*found);
    CHECK(most.of(box));
  }
}
