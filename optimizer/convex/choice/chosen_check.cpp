#include "optimizer/convex/choice/chosen_check.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include "optimizer/convex/choice/choice_check.hpp"

#include "optimizer/convex/choice/choice_check.hpp"
#include "optimizer/convex/choice/relaxed_choice.hpp"
#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t few_left = 256;  // combinations, which cost no more than a relaxed problem

ChoiceProblem with_distinct_options(const ConvexProblem& problem,
                                    const std::vector<ChoiceGroup>& groups,
                                    const std::vector<EqualOptions>& equal) {
  ChoiceProblem distinct{problem, {}};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    ChoiceGroup& own = distinct.groups.emplace_back();
    own.unknowns = groups[g].unknowns;
    for (const int option : equal[g].distinct) own.options.push_back(groups[g].options[option]);
  }
  return distinct;
}

double agreement_with(double value) {
  return ConvexTolerances::agreement * std::abs(value);
}

}  // namespace

ChosenCheck::ChosenCheck(const ConvexProblem& problem, const std::vector<ChoiceGroup>& groups,
                         const std::vector<EqualOptions>& equal, Certificate relaxed,
                         Interruption interrupted)
    : problem_(with_distinct_options(problem, groups, equal)),
      equal_(equal),
      values_(problem_),
      relaxed_(std::move(relaxed)),
      interrupted_(std::move(interrupted)),
      at_zero_(problem),
      within_options_(within_options(problem_.convex, problem_.groups)),
      sizes_(unknown_sizes(problem)),
      rounding_(ConvexTolerances::rounding * size_without_springs(problem)) {
  at_zero_.lower.assign(at_zero_.lower.size(), 0.0);
  at_zero_.upper = at_zero_.lower;
}

bool ChosenCheck::is_beaten(double best) {
  bool beaten = false;
  const double below = best - agreement_with(best);
  // a bound that rounding puts below what it proves still excludes
  visit(best - std::max(0.5 * agreement_with(best), rounding_),
        [&](const std::vector<int>&, double value) {
          beaten = value < below;
          return !beaten;
        });
  return beaten;
}

std::int64_t ChosenCheck::count_up_to(double most, std::int64_t enough) {
  std::int64_t count = 0;
  const double last = most + agreement_with(most);
  visit(std::nextafter(last + rounding_, infinity),
        [&](const std::vector<int>& options, double value) {
          if (value > last) return true;
          std::int64_t equal = 1;
          for (std::size_t g = 0; g < options.size(); ++g)
            equal = times(equal, std::ssize(equal_[g].members[equal_[g].distinct[options[g]]]));
          count = plus(count, equal);
          return count <= enough;
        });
  return count;
}

template <class Meet>
void ChosenCheck::visit(double from, const Meet& meet) {
  std::vector<Box> open = {{whole_box(problem_), true}};
  while (!open.empty()) {
    interrupted_.poll();
    Box box = std::move(open.back());
    open.pop_back();
    ConvexSolution solved;
    solved.certificate = relaxed_;
    if (!box.whole) {
      std::vector<OptionHull> hulls;
      for (std::size_t g = 0; g < box.left.size(); ++g)
        hulls.emplace_back(problem_.groups[g], box.left[g]);
      solved = solve(relaxed_choice(problem_, hulls), {.interruption = interrupted_});
      solved.certificate.limits.resize(problem_.convex.limits.size());
      if (!fault_of_multipliers(problem_.convex, solved.certificate).empty())
        solved.certificate = relaxed_;
    }
    const BoxBounds::Excludes excludes = excluding(solved.certificate, from);
    BoxBounds bounds(problem_, at_zero_, values_, solved.certificate, box.left);
    const std::size_t before = size_of(box.left);
    if (!bounds.leave_out(excludes, box.left)) continue;
    if (bounds.count(excludes, few_left) <= few_left) {
      for (const BoxBounds::Listed& one : bounds.list(excludes, box.left)) {
        const std::vector<double> x = x_of(one.options);
        if (meets_limits(x) && !meet(one.options, objective_of(problem_.convex, x))) return;
      }
    } else if (box.whole || 2 * size_of(box.left) <= before) {
      open.push_back({std::move(box.left), false});
    } else {
      if (solved.x.empty()) solved.x = within_options_.lower;
      auto [first, second] = split_box(problem_, sizes_, box.left, solved.x);
      open.push_back({std::move(second), false});
      open.push_back({std::move(first), false});
    }
  }
}

/// A proof that limits exclude each other excludes where its sum is above 0 by more than rounding.
BoxBounds::Excludes ChosenCheck::excluding(const Certificate& certificate, double from) const {
  if (proves_conflict(certificate))
    from = std::nextafter(
        ConvexTolerances::rounding * ProvedSum(within_options_, certificate).size(within_options_),
        infinity);
  return [from](double bound) { return bound >= from; };
}

std::vector<double> ChosenCheck::x_of(const std::vector<int>& options) const {
  std::vector<double> x(problem_.convex.lower.size(), 0.0);
  for (std::size_t g = 0; g < options.size(); ++g) {
    const ChoiceGroup& group = problem_.groups[g];
    for (std::size_t i = 0; i < group.unknowns.size(); ++i)
      x[group.unknowns[i]] = group.options[options[g]][i];
  }
  return x;
}

bool ChosenCheck::meets_limits(const std::vector<double>& x) const {
  return std::all_of(
      problem_.convex.limits.begin(), problem_.convex.limits.end(), [&](const ConvexLimit& limit) {
        return value_of(problem_.convex, limit.sum, x) <= limit.bound + agreement_with(limit.bound);
      });
}

}  // namespace counterpoise
