#include "studies/exact/laws/unknowns.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace counterpoise {
namespace {

std::vector<int> used_by(const AffineNumber& number) {
  std::vector<int> used;
  for (std::size_t i = 0; i < number.slopes.size(); ++i)
    if (number.slopes[i] != 0.0) used.push_back(static_cast<int>(i));
  return used;
}

}  // namespace

SpringUnknowns::SpringUnknowns(const Study& study, const SpringRoles& roles,
                               const std::vector<std::vector<AffineSpring>>& springs) {
  const auto variable_of = [&](int i) -> const Variable& {
    const auto at = static_cast<std::size_t>(roles.sized[static_cast<std::size_t>(i)]);
    return study.variables[at];
  };
  for (std::size_t i = 0; i < roles.sized.size(); ++i) {
    const Variable& variable = variable_of(static_cast<int>(i));
    unknowns_.push_back({static_cast<int>(i), -1});
    low_.push_back(variable.low);
    high_.push_back(variable.high);
  }
  std::vector<bool> is_rate(unknowns_.size(), false), is_plain(unknowns_.size(), false);
  for (const auto& of_motion : springs)
    for (const AffineSpring& spring : of_motion)
      for (const int i : used_by(spring.rate)) is_rate[static_cast<std::size_t>(i)] = true;

  for (const auto& of_motion : springs)
    for (const AffineSpring& spring : of_motion) {
      const std::vector<int> rates = used_by(spring.rate);
      for (const int length : used_by(spring.free_length)) {
        const auto at = static_cast<std::size_t>(length);
        const Variable& variable = variable_of(length);
        if (is_rate[at])
          throw InputError(variable.where,
                           fmt::format("variable {} is a rate and a free length at once; an exact "
                                       "search needs a variable for each",
                                       variable.name));
        if (rates.empty()) {
          if (spring.rate.constant != 0.0) is_plain[at] = true;
          continue;
        }
        const bool alone = rates.size() == 1 && spring.rate.constant == 0.0;
        SpringUnknown& unknown = unknowns_[at];
        if (!alone || (unknown.rate >= 0 && unknown.rate != rates.front()))
          throw InputError(variable.where,
                           fmt::format("free length {} goes with more than one rate; an exact "
                                       "search needs one variable for the rate of its springs, "
                                       "in proportion",
                                       variable.name));
        unknown.rate = rates.front();
      }
    }
  for (const auto& of_motion : springs)
    for (const AffineSpring& spring : of_motion)
      for (const int i : used_by(spring.initial_tension))
        if (unknowns_[static_cast<std::size_t>(i)].rate >= 0)
          throw InputError(variable_of(i).where,
                           fmt::format("free length {} goes with a rate that is sized, and enters "
                                       "an initial tension too; an exact search knows it only as "
                                       "their product: give the initial tension a variable of its "
                                       "own",
                                       variable_of(i).name));
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (is_plain[i] && unknowns_[i].rate >= 0)
      throw InputError(variable_of(static_cast<int>(i)).where,
                       fmt::format("free length {} goes with a rate that is sized and with one "
                                   "that is not; an exact search needs a variable for each",
                                   variable_of(static_cast<int>(i)).name));
}

TensionLaw SpringUnknowns::law_of(const AffineSpring& spring) const {
  const AffineNumber &rate = spring.rate, &free = spring.free_length;
  TensionLaw law;
  law.rate = rate.constant;
  law.offset = spring.initial_tension.constant - rate.constant * free.constant;
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    TensionLaw::Term term{static_cast<int>(i), 0.0, rate.slopes[i]};
    term.offset = spring.initial_tension.slopes[i] - rate.slopes[i] * free.constant;
    if (free.slopes[i] != 0.0) {
      const int product = unknowns_[i].rate;
      term.offset -= free.slopes[i] *
                     (product < 0 ? rate.constant : rate.slopes[static_cast<std::size_t>(product)]);
    }
    if (term.offset != 0.0 || term.rate != 0.0) law.terms.push_back(term);
  }
  return law;
}

std::optional<LinearInUnknowns> SpringUnknowns::times_rate(const AffineNumber& number,
                                                           int& rate) const {
  LinearInUnknowns linear;
  linear.weights.assign(unknowns_.size(), 0.0);
  const std::vector<int> used = used_by(number);
  rate = -1;
  for (const int i : used) {
    const int product = unknowns_[static_cast<std::size_t>(i)].rate;
    if (product < 0) continue;
    if (rate >= 0 && rate != product) return std::nullopt;
    rate = product;
  }
  for (const int i : used) {
    const auto at = static_cast<std::size_t>(i);
    if (rate >= 0 && unknowns_[at].rate < 0) return std::nullopt;
    linear.weights[at] = number.slopes[at];
  }
  if (rate < 0)
    linear.constant = number.constant;
  else
    linear.weights[static_cast<std::size_t>(rate)] += number.constant;
  return linear;
}

std::vector<double> SpringUnknowns::variables_at(const std::vector<double>& x,
                                                 const std::vector<IdleLength>& lengths) const {
  std::vector<double> u(unknowns_.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    const int rate = unknowns_[i].rate;
    u[i] = x[i];
    if (rate >= 0) {
      const double by = x[static_cast<std::size_t>(rate)];
      u[i] = by > 0.0 ? std::clamp(x[i] / by, lengths[i].low, lengths[i].high) : lengths[i].idle;
    }
    u[i] = std::clamp(u[i], low_[i], high_[i]);
  }
  return u;
}

void SpringUnknowns::tidy(std::vector<double>& x, const std::vector<IdleLength>& lengths) const {
  for (std::size_t i = 0; i < x.size() && i < unknowns_.size(); ++i) {
    const int rate = unknowns_[i].rate;
    if (rate < 0) continue;
    const double by = x[static_cast<std::size_t>(rate)];
    x[i] = std::clamp(x[i], lengths[i].low * by, lengths[i].high * by);
  }
}

}  // namespace counterpoise
