#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/exact/mounts/mount_problem.hpp"

namespace counterpoise {
namespace {

constexpr double one_length = 1e-6;  // the part of a length below which a range of them is a single

/// How far a limit of a spring without unknowns may be passed, because rounding does so too.
double slack_of(const SpringLimit& limit) {
  const double size = std::abs(limit.fixed.constant);
  return limit_slack * (size == 0.0 ? 1.0 : size);
}

/// Whether the lengths of one motion keep a constraint at every instant.
bool is_kept(const LengthConstraint& constraint, const AffineLoads& loads) {
  const AffineLoads::SpringShape& shape = loads.springs[constraint.spring];
  const double length = constraint.slope > 0.0 ? shape.longest : shape.shortest;
  return constraint.number + constraint.slope * length <= 0.0;
}

}  // namespace

/// Narrows the lengths that a spring may have by one of its limits: number + slope * length <= 0
/// for some springs within their ranges.
void MountProblem::take_length_limit(const Study& study, const SpringRoles& roles,
                                     const SpringLimit& limit) {
  const TensionLaw& law = laws_[limit.motion][limit.spring];
  if (limit.of_tension && !law.terms.empty()) return;  // depends on unknowns, not on lengths alone
  Interval number(limit.times < 0 ? limit.fixed.constant
                                  : limit.fixed.weights[static_cast<std::size_t>(limit.times)]);
  for (std::size_t i = 0; i < limit.fixed.weights.size(); ++i) {
    if (static_cast<int>(i) == limit.times || limit.fixed.weights[i] == 0.0) continue;
    const Variable& variable = study.variables[static_cast<std::size_t>(roles.sized[i])];
    number += limit.fixed.weights[i] * Interval(variable.low, variable.high);
  }
  double slope = -limit.sign;
  if (limit.of_tension) {
    number += limit.sign * Interval(law.offset);
    slope = limit.sign * law.rate;
  }
  number += Interval(-slack_of(limit));
  const int spring = moving(limit.motion, limit.spring);
  if (spring < 0 || slope == 0.0) {
    const AffineLoads::SpringShape& shape = geometry_->shape(limit);
    const double length = limit.longest ? shape.longest : shape.shortest;
    impossible_ = impossible_ || (number + slope * Interval(length)).low > 0.0;
    return;
  }
  narrow(spring, number, slope);
}

void MountProblem::take_length_constraint(const LengthConstraint& constraint) {
  length_constraints_.push_back(constraint);
  for (std::size_t m = 0; m < geometry_->loads.size(); ++m) {
    const int spring = moving(m, constraint.spring);
    if (spring >= 0)
      narrow(spring, Interval(constraint.number), constraint.slope);
    else
      impossible_ = impossible_ || !is_kept(constraint, geometry_->loads[m]);
  }
}

/// Takes away from the lengths of a moving spring those with number + slope * length > 0.
void MountProblem::narrow(int spring, const Interval& number, double slope) {
  const Interval at = -number * inverse(Interval(slope));
  const auto index = static_cast<std::size_t>(spring);
  auto range = std::find_if(length_ranges_.begin(), length_ranges_.end(),
                            [index](const LengthRange& one) { return one.spring == index; });
  if (range == length_ranges_.end())
    range = length_ranges_.insert(range, {index, -no_limit, no_limit});
  if (slope < 0.0)
    range->least = std::max(range->least, at.low);
  else
    range->most = std::min(range->most, at.high);
}

/// Refuses lengths that mounts could have on a surface only: no halving of ranges comes to an end
/// at it, however small its halves are.
void MountProblem::require_lengths(const Study& study) const {
  for (const LengthRange& range : length_ranges_) {
    const double width = range.most - range.least;
    if (!std::isfinite(width) || width < 0.0 || width > one_length * range.most) continue;
    const std::size_t spring = springs()[range.spring].spring();
    throw InputError(
        study.search()->where,
        fmt::format("found that spring {} may have no other length than {:.6g} m, expected a range "
                    "of lengths: a proof over geometry cannot end at a single one; let min_length "
                    "and max_length differ, or search with \"algorithm\" in place of \"geometry\"",
                    study.model->nominal.springs[spring].name, range.most));
  }
}

bool MountProblem::keeps_lengths(const WrittenProblem& written,
                                 const std::vector<AffineLoads>& loads) const {
  if (!written.conflict.empty()) return false;
  for (const SpringLimit& limit : written.spring_limits) {
    if (limit.limit < 0 || !part_.springs[limit.spring]) continue;
    const ConvexLimit& own = written.problem.limits[static_cast<std::size_t>(limit.limit)];
    if (own.sum.linear.empty() && own.bound < -slack_of(limit)) return false;
  }
  for (const LengthConstraint& constraint : length_constraints_)
    for (const AffineLoads& motion : loads)
      if (!is_kept(constraint, motion)) return false;
  return true;
}

}  // namespace counterpoise
