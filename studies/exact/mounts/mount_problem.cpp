#include "studies/exact/mounts/mount_problem.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {
MountGeometry::MountGeometry(const Study& study, const MountPart& part, SpringSizer& sizer)
    : functions(study, part.variables, sizer.point()), loads(sizer.loads()) {
  for (std::size_t m = 0; m < loads.size(); ++m) {
    auto& of_motion = moving.emplace_back(loads[m].springs.size(), -1);
    for (std::size_t s = 0; s < of_motion.size(); ++s) {
      if (functions.moving(m, s).empty()) continue;
      of_motion[s] = static_cast<int>(springs.size());
      springs.emplace_back(m, s, sizer.evaluator().mount_motion(m, static_cast<int>(s)),
                           sizer.evaluator().mechanism(m), functions.moving(m, s));
    }
  }
}

MountProblem::MountProblem(const Study& study, const SpringRoles& roles, SpringSizer& sizer,
                           MountPart part, std::shared_ptr<const MountGeometry> geometry)
    : part_(std::move(part)),
      geometry_(std::move(geometry)),
      reference_(sizer.written()),
      numbers_(study, sizer.writer(), reference_, functions()),
      general_(general_limits(reference_)),
      lower_(reference_.problem.lower),
      upper_(reference_.problem.upper) {
  reference_.problem.series.clear();
  for (const TensionSum& own : reference_.tension_sums) {
    const auto index = static_cast<std::size_t>(own.index);
    (own.of_limit ? reference_.problem.limits[index].sum : reference_.problem.objective[index]) =
        own.rest;
  }
  if (part_.terms) {
    const auto index = static_cast<std::size_t>(part_.sums.front());
    ConvexSum& sum = reference_.problem.objective[index];
    numbers_.keep(*part_.terms, index, sum);
    sum = part_.terms->of(std::move(sum));
  }
  for (const MotionLoads& motion : sizer.writer().motions()) laws_.push_back(motion.laws);
  length_roles_ = {role_of_rate, role_of_number};
  for (const SpringLimit& limit : reference_.spring_limits)
    if (std::find(length_roles_.begin(), length_roles_.end(), limit.times) == length_roles_.end())
      length_roles_.push_back(limit.times);
  find_groups(study, roles, sizer.writer().unknowns());
  for (const SpringLimit& limit : reference_.spring_limits)
    if (part_.springs[limit.spring]) take_length_limit(study, roles, limit);
  for (const LengthConstraint& constraint : length_constraints(study, sizer.writer().values()))
    if (part_.springs[constraint.spring]) take_length_constraint(constraint);
  require_lengths(study);
}

void MountProblem::find_groups(const Study& study, const SpringRoles& roles,
                               const SpringUnknowns& unknowns) {
  grouped_.assign(lower_.size(), false);
  for (std::size_t i = 0; i < unknowns.count(); ++i) {
    const int rate = unknowns.all()[i].rate;
    if (rate < 0) continue;
    auto group = std::find_if(groups_.begin(), groups_.end(),
                              [rate](const Group& one) { return one.rate == rate; });
    if (group == groups_.end()) group = groups_.insert(groups_.end(), Group{rate, {}});
    const Variable& variable = study.variables[static_cast<std::size_t>(roles.sized[i])];
    group->products.push_back({static_cast<int>(i), variable.low, variable.high});
    grouped_[i] = grouped_[static_cast<std::size_t>(rate)] = true;
  }
}

MountProblem::Share MountProblem::share_of(const WrittenProblem& written) const {
  Share share;
  share.problem = written.problem;
  share.problem.objective.clear();
  for (const int index : part_.sums) {
    const ConvexSum& sum = written.problem.objective[static_cast<std::size_t>(index)];
    share.problem.objective.push_back(part_.terms ? part_.terms->of(sum) : sum);
  }
  std::vector<bool> kept(written.limits.size(), true);
  const std::vector<int> general = general_limits(written);
  for (std::size_t g = 0; g < general.size(); ++g)
    kept[static_cast<std::size_t>(general[g])] = part_.limits[g];
  for (const SpringLimit& limit : written.spring_limits) {
    if (limit.limit < 0) continue;
    const auto at = static_cast<std::size_t>(limit.limit);
    kept[at] = part_.springs[limit.spring] && !written.problem.limits[at].sum.linear.empty();
  }
  share.problem.limits.clear();
  for (std::size_t l = 0; l < kept.size(); ++l) {
    if (!kept[l]) continue;
    share.limits.push_back(static_cast<int>(l));
    share.problem.limits.push_back(written.problem.limits[l]);
  }
  return share;
}

double MountProblem::least_without_norms() const {
  double most = -no_limit;
  const std::vector<Interval> box(part_.variables.size(), Interval(0.0, 1.0));
  const std::vector<SmoothNumber> numbers = numbers_.over(functions(), box);
  for (const int sum : part_.sums) {
    if (tension_of(false, sum) != nullptr) continue;
    const ConvexSum& own = reference_.problem.objective[static_cast<std::size_t>(sum)];
    MountWeights alone = weights_of({{{sum, -1, 1.0}}, {}, {}});
    for (const MountWeights::Addend& addend : alone.addends)
      alone.constant[addend.coefficient] +=
          numbers[static_cast<std::size_t>(addend.value.number)].value;
    const bool norms_alone = own.constant == 0.0 && own.linear.empty() && alone.addends.empty();
    most = std::max(most, norms_alone ? 0.0 : least(alone.constant));
  }
  return most;
}

double MountProblem::least(const Coefficients& coefficients) const {
  Interval sum = coefficients[0];
  for (std::size_t j = 0; j < lower_.size(); ++j)
    if (!grouped_[j]) sum += Interval((coefficients[1 + j] * Interval(lower_[j], upper_[j])).low);
  for (const Group& group : groups_) {
    const auto rate = static_cast<std::size_t>(group.rate);
    double least = no_limit;
    for (const double k : {lower_[rate], upper_[rate]}) {
      Interval at = coefficients[1 + rate] * Interval(k);
      for (const Group::Product& product : group.products) {
        const Interval& c = coefficients[1 + static_cast<std::size_t>(product.unknown)];
        const Interval low = c * (Interval(product.low) * Interval(k));
        const Interval high = c * (Interval(product.high) * Interval(k));
        at += Interval(std::min(low.low, high.low));
      }
      least = std::min(least, at.low);
    }
    sum += Interval(least);
  }
  return std::isfinite(sum.low) ? sum.low : -no_limit;
}

}  // namespace counterpoise
