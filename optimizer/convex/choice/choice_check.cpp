#include "optimizer/convex/choice/choice_check.hpp"

#include <algorithm>
#include <cmath>

#include "optimizer/convex/certificate.hpp"
#include "optimizer/convex/choice/chosen_check.hpp"
#include "optimizer/convex/choice/joined_parts.hpp"
#include "optimizer/convex/choice/part_values.hpp"
#include "optimizer/convex/problem.hpp"
#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {

ConvexProblem within_options(ConvexProblem problem, const std::vector<ChoiceGroup>& groups) {
  for (const ChoiceGroup& group : groups)
    for (std::size_t i = 0; i < group.unknowns.size(); ++i) {
      const auto at = static_cast<std::size_t>(group.unknowns[i]);
      problem.lower[at] = infinity;
      problem.upper[at] = -infinity;
      for (const std::vector<double>& option : group.options) {
        problem.lower[at] = std::min(problem.lower[at], option[i]);
        problem.upper[at] = std::max(problem.upper[at], option[i]);
      }
    }
  return problem;
}

namespace {

/// The problem with every chosen unknown at 0: the parts of these unknowns are added separately.
ConvexProblem without_chosen(ConvexProblem problem, const std::vector<ChoiceGroup>& groups) {
  for (const ChoiceGroup& group : groups)
    for (const int unknown : group.unknowns) {
      const auto at = static_cast<std::size_t>(unknown);
      problem.lower[at] = problem.upper[at] = 0.0;
    }
  return problem;
}

/// What is known of parts that have one group each.
struct LoneParts {
  double least = -infinity;  // the best value: the largest of the least ones of the parts
  std::int64_t near = 1;     // combinations with a value up to `most`
};

LoneParts look_at_each(const std::vector<ChoicePart>& parts, const std::vector<EqualOptions>& equal,
                       double most) {
  LoneParts found;
  for (const ChoicePart& part : parts) {
    const PartValues values(part.problem);
    const EqualOptions& options = equal[part.groups.front()];
    PartValues::Scratch scratch;
    double least = infinity;
    std::int64_t near = 0;
    for (std::size_t o = 0; o < options.distinct.size(); ++o) {
      const double value = values.value_of({static_cast<int>(o)}, scratch).value_or(infinity);
      least = std::min(least, value);
      if (value < infinity && (!part.counts || value <= most))
        near = plus(near, std::ssize(options.members[options.distinct[o]]));
    }
    if (part.counts || least == infinity) found.least = std::max(found.least, least);
    found.near = times(found.near, near);
  }
  return found;
}

}  // namespace

ChoiceCheck::ChoiceCheck(const ConvexProblem& problem, const std::vector<ChoiceGroup>& groups,
                         const Certificate& relaxed, double best, double most, double share)
    : problem_(problem),
      groups_(groups),
      within_options_(within_options(problem, groups)),
      without_chosen_(without_chosen(problem, groups)),
      equal_(equal_options(problem, groups)),
      best_(best),
      most_(most),
      share_(share),
      relaxed_(relaxed) {
  std::size_t chosen = 0;
  for (const ChoiceGroup& group : groups) chosen += group.unknowns.size();
  all_chosen_ = chosen == problem.lower.size();
  add(relaxed);
}

void ChoiceCheck::add(const Certificate& witness) {
  bounds_.push_back(bound_of(witness));
}

void ChoiceCheck::keep(const std::vector<int>& options, double value) {
  for (std::size_t g = 0; g < options.size(); ++g)
    if (static_cast<std::size_t>(options[g]) >= equal_[g].first.size()) return;
  Kept& kept = kept_.try_emplace(first_of(options), Kept{value, 0}).first->second;
  kept.most = std::max(kept.most, value);
  ++kept.count;
}

std::vector<int> ChoiceCheck::first_of(const std::vector<int>& options) const {
  std::vector<int> first;
  for (std::size_t g = 0; g < options.size(); ++g) first.push_back(equal_[g].first[options[g]]);
  return first;
}

ChoiceCheck::Bound ChoiceCheck::bound_of(const Certificate& certificate) const {
  const ProvedSum sum(within_options_, certificate);
  Bound bound;
  if (proves_conflict(certificate))
    bound.conflict = ConvexTolerances::rounding * sum.size(within_options_);
  for (const ChoiceGroup& group : groups_) {
    std::vector<double>& parts = bound.parts.emplace_back();
    for (const std::vector<double>& option : group.options) {
      double part = 0.0;
      for (std::size_t i = 0; i < option.size(); ++i)
        part += sum.slopes[group.unknowns[i]] * option[i];
      parts.push_back(part);
    }
  }
  bound.constant = sum.bound(without_chosen_);
  bound.least_rest.assign(groups_.size() + 1, 0.0);
  for (std::size_t g = groups_.size(); g-- > 0;)
    bound.least_rest[g] =
        bound.least_rest[g + 1] + *std::min_element(bound.parts[g].begin(), bound.parts[g].end());
  return bound;
}

ChoiceCheck::Count ChoiceCheck::run(const Settle& settle, const Interruption& interrupted,
                                    std::int64_t enough) {
  count_ = {};
  count_.bound = best_;
  asking_ = static_cast<bool>(settle);
  if (all_chosen_) {
    const std::vector<ChoicePart> parts = choice_parts({problem_, groups_}, equal_);
    if (parts.size() == groups_.size()) {
      const LoneParts found =
          look_at_each(parts, equal_, most_ + ConvexTolerances::agreement * std::abs(most_));
      count_.combinations = count_all(equal_);
      count_.near = found.near;
      count_.beaten = found.least < best_ - ConvexTolerances::agreement * std::abs(best_);
      return count_;
    }
    ChosenCheck check(problem_, groups_, equal_, relaxed_, interrupted);
    count_.combinations = count_all(equal_);
    count_.beaten = check.is_beaten(best_);
    if (enough > 0) count_.near = check.count_up_to(most_, enough);
    return count_;
  }
  visit(settle, interrupted);
  return count_;
}

/// The largest lower bound that any multipliers prove for all combinations that begin with these
/// options.
double ChoiceCheck::bound_of(const std::vector<int>& options) const {
  double largest = -infinity;
  for (const Bound& bound : bounds_) {
    double sum = bound.constant + bound.least_rest[options.size()];
    for (std::size_t g = 0; g < options.size(); ++g) sum += bound.parts[g][options[g]];
    largest = std::max(largest, bound.of(sum));
  }
  return largest;
}

/// The value that a combination must not be below. If not all combinations equal to it are kept, it
/// is that required of one that is not kept.
double ChoiceCheck::asked_of(const std::vector<int>& options) const {
  if (kept_.empty()) return best_;
  const auto found = kept_.find(first_of(options));
  if (found == kept_.end() || found->second.count < count_equal(equal_, found->first)) return most_;
  return found->second.most;
}

bool ChoiceCheck::settles(const std::vector<int>& options) const {
  const double asked = asked_of(options);
  return bound_of(options) >= asked - share_ * allowed_gap(problem_, asked);
}

void ChoiceCheck::visit(const Settle& settle, const Interruption& interrupted) {
  interrupted.poll();
  const std::size_t group = options_.size();
  if (bound_of(options_) > most_ + ConvexTolerances::agreement * std::abs(most_)) {
    count_.combinations =
        plus(count_.combinations, times(count_equal(equal_, options_), count_all(equal_, group)));
    return;
  }
  if (group == groups_.size()) {
    look_at(settle);
    return;
  }
  for (const int option : equal_[group].distinct) {
    options_.push_back(option);
    visit(settle, interrupted);
    options_.pop_back();
    if (settle && !asking_) return;
  }
}

void ChoiceCheck::look_at(const Settle& settle) {
  const std::int64_t equal = count_equal(equal_, options_);
  count_.combinations = plus(count_.combinations, equal);
  bool settled = settles(options_);
  if (!settled && asking_) {
    asking_ = settle(options_);
    settled = settles(options_);
  }
  if (!settled) count_.unsettled = plus(count_.unsettled, equal);
  count_.bound = std::min(count_.bound, bound_of(options_));
}

namespace {

constexpr std::size_t most_witnesses = 1000;
// fraction of the allowed gap: what is settled here stays settled where sums round differently
constexpr double share = 0.01;

ChoiceWitnesses::Witness witness_of(ConvexProblem problem, const std::vector<ChoiceGroup>& groups,
                                    const std::vector<int>& options, const ConvexOptions& convex) {
  for (std::size_t g = 0; g < options.size(); ++g) {
    const ChoiceGroup& group = groups[g];
    const auto& option = group.options[options[g]];
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
