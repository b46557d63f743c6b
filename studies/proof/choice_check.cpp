#include "studies/proof/choice_check.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

constexpr double agreement = 1e-9;  // relative

}  // namespace

ChoiceCheck::ChoiceCheck(const WrittenProblem& written, Certificate certificate, double best,
                         double within)
    : written_(written),
      best_(best),
      most_(best + (within + agreement) * std::abs(best)),
      x_(written.problem.lower.size(), 0.0) {
  ConvexProblem apart = written.problem;
  std::size_t chosen = 0;
  for (const ChoiceGroup& group : written.stock.options)
    for (const int unknown : group.unknowns) {
      ++chosen;
      const auto at = static_cast<std::size_t>(unknown);
      apart.lower[at] = apart.upper[at] = 0.0;
    }
  all_chosen_ = chosen == x_.size();
  add_up(apart, certificate);
  constant_ = certificate.bound;
  slopes_ = std::move(certificate.slopes);
  note_what_follows();
}

ChoiceCheck::Count ChoiceCheck::run() {
  count_ = {};
  visit(0, constant_);
  return count_;
}

void ChoiceCheck::note_what_follows() {
  const auto& groups = written_.stock.options;
  least_rest_.assign(groups.size() + 1, 0.0);
  combinations_.assign(groups.size() + 1, 1);
  for (std::size_t g = groups.size(); g-- > 0;) {
    double least = no_limit;
    for (const std::vector<double>& option : groups[g].options)
      least = std::min(least, part_of(groups[g], option));
    least_rest_[g] = least_rest_[g + 1] + least;
    combinations_[g] = combinations_[g + 1] * static_cast<std::int64_t>(groups[g].options.size());
  }
}

double ChoiceCheck::part_of(const ChoiceGroup& group, const std::vector<double>& option) const {
  double part = 0.0;
  for (std::size_t i = 0; i < option.size(); ++i)
    part += slopes_[static_cast<std::size_t>(group.unknowns[i])] * option[i];
  return part;
}

void ChoiceCheck::visit(std::size_t group, double bound) {
  if (bound + least_rest_[group] > most_) {
    count_.combinations += combinations_[group];
    return;
  }
  if (group == written_.stock.options.size()) {
    look_at();
    return;
  }
  const ChoiceGroup& choice = written_.stock.options[group];
  for (const std::vector<double>& option : choice.options) {
    for (std::size_t i = 0; i < option.size(); ++i)
      x_[static_cast<std::size_t>(choice.unknowns[i])] = option[i];
    visit(group + 1, bound + part_of(choice, option));
  }
}

void ChoiceCheck::look_at() {
  ++count_.combinations;
  if (!all_chosen_) {
    ++count_.unsettled;
    return;
  }
  if (!meets_limits()) return;
  const double value = objective_of(written_.problem, x_);
  if (value <= most_) ++count_.near;
  if (value < best_ - agreement * std::abs(best_)) count_.beaten = true;
}

bool ChoiceCheck::meets_limits() const {
  return std::all_of(written_.problem.limits.begin(), written_.problem.limits.end(),
                     [&](const ConvexLimit& limit) {
                       return value_of(written_.problem, limit.sum, x_) <=
                              limit.bound + agreement * std::abs(limit.bound);
                     });
}

}  // namespace counterpoise
