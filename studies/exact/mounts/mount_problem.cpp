#include "studies/exact/mounts/mount_problem.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

constexpr int role_of_rate = -1, role_of_number = -2;  // see MountProblem::length_roles()

/// Adds value * (a tension's part that does not depend on the length).
void add_offset(const TensionLaw& law, const Interval& value, Coefficients& to) {
  to[0] += law.offset * value;
  for (const TensionLaw::Term& term : law.terms)
    to[1 + static_cast<std::size_t>(term.unknown)] += term.offset * value;
}

/// Adds value * (a tension's slope by the length).
void add_rate(const TensionLaw& law, const Interval& value, Coefficients& to) {
  to[0] += law.rate * value;
  for (const TensionLaw::Term& term : law.terms)
    to[1 + static_cast<std::size_t>(term.unknown)] += term.rate * value;
}

}  // namespace

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
      general_(general_limits(reference_)),
      lower_(reference_.problem.lower),
      upper_(reference_.problem.upper) {
  reference_.problem.series.clear();
  for (const TensionSum& own : reference_.tension_sums) {
    const auto index = static_cast<std::size_t>(own.index);
    (own.of_limit ? reference_.problem.limits[index].sum : reference_.problem.objective[index]) =
        own.rest;
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
  for (const int sum : part_.sums)
    share.problem.objective.push_back(written.problem.objective[static_cast<std::size_t>(sum)]);
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

int MountProblem::role_of(int times) const {
  const int wanted = times < 0 ? role_of_number : times;
  const auto at = std::find(length_roles_.begin(), length_roles_.end(), wanted);
  return static_cast<int>(at - length_roles_.begin());
}

void MountProblem::add_e(std::size_t spring, const Interval& value, Coefficients& to) const {
  add_offset(law_of(springs()[spring]), value, to);
}

void MountProblem::add_f(std::size_t spring, const Interval& value, Coefficients& to) const {
  add_rate(law_of(springs()[spring]), value, to);
}

void MountProblem::add_length(std::size_t spring, int role, const Interval& value,
                              Coefficients& to) const {
  add_length(law_of(springs()[spring]), role, value, to);
}

void MountProblem::add_length(const TensionLaw& law, int role, const Interval& value,
                              Coefficients& to) const {
  const int times = length_roles_[static_cast<std::size_t>(role)];
  if (times == role_of_rate)
    add_rate(law, value, to);
  else
    to[times == role_of_number ? 0 : 1 + static_cast<std::size_t>(times)] += value;
}

/// The part of springs that do not move with the variables in weight * load.
void MountProblem::add_static_load(std::size_t motion, int actuator, int sample, double weight,
                                   Coefficients& to) const {
  const AffineLoads& loads = geometry_->loads[motion];
  const auto k = static_cast<std::size_t>(sample);
  for (const AffineLoads::Influence& influence :
       loads.actuators[static_cast<std::size_t>(actuator)].influences) {
    const auto s = static_cast<std::size_t>(static_cast<int>(influence.spring));
    if (moving(motion, s) >= 0) continue;
    const TensionLaw& law = laws_[motion][s];
    const Interval e = weight * Interval(influence.per_tension[k]);
    add_offset(law, e, to);
    add_rate(law, e * Interval(loads.springs[s].length[k]), to);
  }
}

void MountProblem::add_length_weight(std::size_t motion, std::size_t spring, int sample, int role,
                                     double weight, MountWeights& to) const {
  const int own = moving(motion, spring);
  if (own >= 0) {
    to.of_springs[static_cast<std::size_t>(own)].lengths.push_back({sample, role, weight});
    return;
  }
  const double length =
      geometry_->loads[motion].springs[spring].length[static_cast<std::size_t>(sample)];
  add_length(laws_[motion][spring], role, weight * Interval(length), to.constant);
}

/// weight * tension of a spring at one instant.
void MountProblem::add_tension(std::size_t motion, std::size_t spring, int sample, double weight,
                               MountWeights& to) const {
  add_offset(laws_[motion][spring], Interval(weight), to.constant);
  add_length_weight(motion, spring, sample, 0, weight, to);
}

MountWeights MountProblem::weights_of(const InstantMultipliers& multipliers) const {
  MountWeights to;
  to.constant.assign(1 + unknowns(), Interval(0.0));
  to.of_springs.resize(springs().size());
  const auto add_sum = [&](const ConvexSum& sum, const TensionSum* tensions, int sample,
                           double multiplier) {
    if (tensions != nullptr) {
      const TensionSum::Term& term = tensions->terms.front();
      const double weight = -multiplier * term.weight;
      const double rounded_off = std::fma(-multiplier, term.weight, -weight);
      add_tension(term.motion, term.spring, sample, weight, to);
      add_tension(term.motion, term.spring, sample, rounded_off, to);
    }
    to.constant[0] += multiplier * Interval(sum.constant);
    for (const ConvexSum::Term& term : sum.linear)
      to.constant[1 + static_cast<std::size_t>(term.index)] += multiplier * Interval(term.weight);
  };
  for (const InstantMultipliers::Piece& piece : multipliers.pieces) {
    to.pieces += Interval(piece.multiplier);
    add_sum(reference_.problem.objective[static_cast<std::size_t>(piece.sum)],
            tension_of(false, piece.sum), piece.sample, piece.multiplier);
  }
  for (const InstantMultipliers::Limit& one : multipliers.limits) {
    if (one.limit >= 0) {
      const auto index = static_cast<std::size_t>(general_[static_cast<std::size_t>(one.limit)]);
      const ConvexLimit& limit = reference_.problem.limits[index];
      add_sum(limit.sum, tension_of(true, static_cast<int>(index)), one.sample, one.multiplier);
      to.constant[0] += -(one.multiplier * Interval(limit.bound));
      continue;
    }
    const SpringLimit& limit = reference_.spring_limits[static_cast<std::size_t>(-1 - one.limit)];
    to.constant[0] += one.multiplier * Interval(limit.fixed.constant);
    for (std::size_t i = 0; i < limit.fixed.weights.size(); ++i)
      to.constant[1 + i] += one.multiplier * Interval(limit.fixed.weights[i]);
    if (limit.of_tension)
      add_tension(limit.motion, limit.spring, one.sample, limit.sign * one.multiplier, to);
    else
      add_length_weight(limit.motion, limit.spring, one.sample, role_of(limit.times),
                        -limit.sign * one.multiplier, to);
  }
  for (const InstantMultipliers::Witness& witness : multipliers.witnesses) {
    const SeriesOrigin& origin = origin_of(witness);
    if (origin.actuator < 0) {
      add_tension(origin.motion, static_cast<std::size_t>(origin.spring), witness.sample,
                  witness.weight, to);
      continue;
    }
    const AffineLoads::ActuatorLoad& load =
        geometry_->loads[origin.motion].actuators[static_cast<std::size_t>(origin.actuator)];
    to.constant[0] +=
        witness.weight * Interval(load.bare[static_cast<std::size_t>(witness.sample)]);
    add_static_load(origin.motion, origin.actuator, witness.sample, witness.weight, to.constant);
    for (std::size_t i = 0; i < springs().size(); ++i) {
      if (springs()[i].motion() != origin.motion) continue;
      const std::vector<int>& actuators = springs()[i].actuators();
      const auto at = std::find(actuators.begin(), actuators.end(), origin.actuator);
      if (at != actuators.end())
        to.of_springs[i].loads.push_back(
            {witness.sample, static_cast<std::int32_t>(at - actuators.begin()), witness.weight});
    }
  }
  return to;
}

double MountProblem::least_without_norms() const {
  double most = -no_limit;
  for (const int sum : part_.sums) {
    if (tension_of(false, sum) != nullptr) continue;
    const ConvexSum& own = reference_.problem.objective[static_cast<std::size_t>(sum)];
    const bool norms_alone = own.constant == 0.0 && own.linear.empty();
    const MountWeights alone = weights_of({{{sum, -1, 1.0}}, {}, {}});
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
