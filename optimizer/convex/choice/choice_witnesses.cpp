#include "optimizer/convex/choice/choice_witnesses.hpp"

#include <algorithm>
#include <cmath>

#include "optimizer/convex/choice/choice_check.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t most_witnesses = 1000;
// fraction of the allowed gap: what is settled here stays settled where sums round differently
constexpr double share = 0.01;

ChoiceWitnesses::Witness witness_of(ConvexProblem problem, const std::vector<ChoiceGroup>& groups,
                                    const std::vector<int>& options, const ConvexOptions& convex) {
  for (std::size_t g = 0; g < options.size(); ++g) {
    const ChoiceGroup& group = groups[g];
    const auto& option = group.options[static_cast<std::size_t>(options[g])];
    for (std::size_t i = 0; i < option.size(); ++i) {
      const auto at = static_cast<std::size_t>(group.unknowns[i]);
      problem.lower[at] = problem.upper[at] = option[i];
    }
  }
  ChoiceWitnesses::Witness witness{solve(problem, convex), {}};
  if (witness.solution.x.empty()) witness.solution.x = problem.lower;
  witness.instants = keep_what_is_told(problem, witness.solution);
  return witness;
}

}  // namespace

double most_kept(double best, double within, double last, bool all_that_may) {
  const double most = best + within * std::abs(best);
  return all_that_may ? std::min(most, last) : most;
}

ChoiceWitnesses choice_witnesses(const ConvexProblem& problem,
                                 const std::vector<ChoiceGroup>& groups, const Certificate& relaxed,
                                 const ChoiceSolution& choice, double within, int max_cases,
                                 const Interruption& interrupted) {
  ChoiceWitnesses witnesses;
  const double best = choice.best.front().value;
  witnesses.bound = best;
  std::size_t chosen = 0;
  for (const ChoiceGroup& group : groups) chosen += group.unknowns.size();
  if (chosen == problem.lower.size()) return witnesses;

  const std::size_t kept =
      within > 0.0 ? std::min(choice.best.size(), static_cast<std::size_t>(max_cases)) : 1;
  const double most = most_kept(best, within, choice.best[kept - 1].value,
                                kept == static_cast<std::size_t>(max_cases));
  ChoiceCheck check(problem, groups, relaxed, best, most, share);
  const auto settle = [&](const std::vector<int>& options) {
    if (witnesses.all.size() == most_witnesses) return false;
    witnesses.all.push_back(witness_of(problem, groups, options, {.interruption = interrupted}));
    check.add(witnesses.all.back().solution.certificate);
    return true;
  };
  for (std::size_t i = 0; i < kept; ++i) {
    const Combination& one = choice.best[i];
    if (within > 0.0) check.keep(one.options, one.value);
  }
  for (std::size_t i = 0; i < kept; ++i)
    if (!check.settles(choice.best[i].options)) settle(choice.best[i].options);
  static_cast<void>(check.run(settle, interrupted));
  witnesses.bound = check.run({}, interrupted).bound;
  return witnesses;
}

}  // namespace counterpoise
