#include <algorithm>
#include <cmath>

#include "springs/mounts/mount_problem.hpp"

namespace counterpoise {
namespace {

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

int MountProblem::role_of(int times) const {
  const int wanted = times < 0 ? role_of_number : times;
  const auto at = std::find(length_roles_.begin(), length_roles_.end(), wanted);
  return static_cast<int>(at - length_roles_.begin());
}

void MountProblem::add_e(std::size_t spring, const Interval& value, Coefficients& to) const {
  add_offset(law_of(spring), value, to);
}

void MountProblem::add_f(std::size_t spring, const Interval& value, Coefficients& to) const {
  add_rate(law_of(spring), value, to);
}

void MountProblem::add_length(const TensionLaw& law, int role, const Interval& value,
                              Coefficients& to) const {
  const int times = length_roles_[role];
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
  for (const AffineLoads::Influence& influence : loads.actuators[actuator].influences) {
    const auto s = static_cast<std::size_t>(static_cast<int>(influence.spring));
    if (moving(motion, s) >= 0) continue;
    const TensionLaw& law = laws_[motion][s];
    const Interval e = weight * Interval(influence.per_tension[k]);
    add_offset(law, e, to);
    add_rate(law, e * Interval(loads.springs[s].length[k]), to);
  }
}

void MountProblem::add_length_weight(std::size_t motion, std::size_t spring, int sample, int role,
                                     double weight, MountSum& to) const {
  const int own = moving(motion, spring);
  if (own >= 0) {
    to.of_springs[own].lengths.push_back({sample, role, weight});
    return;
  }
  const double length = geometry_->loads[motion].springs[spring].length[sample];
  add_length(laws_[motion][spring], role, weight * Interval(length), to.constant);
}

/// weight * tension of a spring at one instant.
void MountProblem::add_tension(std::size_t motion, std::size_t spring, int sample, double weight,
                               MountSum& to) const {
  add_offset(laws_[motion][spring], Interval(weight), to.constant);
  add_length_weight(motion, spring, sample, 0, weight, to);
}

/// weight * load of an actuator at one instant.
void MountProblem::add_load(const SeriesOrigin& origin, int sample, double weight,
                            MountSum& to) const {
  const AffineLoads::ActuatorLoad& load =
      geometry_->loads[origin.motion].actuators[origin.actuator];
  to.constant[0] += weight * Interval(load.bare[sample]);
  add_static_load(origin.motion, origin.actuator, sample, weight, to.constant);
  for (std::size_t i = 0; i < springs().size(); ++i) {
    if (springs()[i].motion() != origin.motion) continue;
    const std::vector<int>& actuators = springs()[i].actuators();
    const auto at = std::find(actuators.begin(), actuators.end(), origin.actuator);
    if (at != actuators.end())
      to.of_springs[i].loads.push_back(
          {sample, static_cast<std::int32_t>(at - actuators.begin()), weight});
  }
}

Coefficients MountProblem::load_without_moving_springs(const SeriesOrigin& load, int sample) const {
  const AffineLoads::ActuatorLoad& own = geometry_->loads[load.motion].actuators[load.actuator];
  Coefficients sum(1 + unknowns(), Interval(0.0));
  sum[0] = Interval(own.bare[sample]);
  add_static_load(load.motion, load.actuator, sample, 1.0, sum);
  return sum;
}

MountSum MountProblem::no_sum() const {
  return {Coefficients(1 + unknowns(), Interval(0.0)),
          std::vector<MountSum::OfSpring>(springs().size())};
}

/// The product with a norm's weight, which exists exactly once.
MountWeights::Product& MountProblem::product_of(std::int32_t norm, MountWeights& to) {
  return *std::find_if(to.products.begin(), to.products.end(),
                       [norm](const MountWeights::Product& one) { return one.norm == norm; });
}

/// multiplier * (a sum without its norms), and its share of the weights of norms that mounts
/// change.
void MountProblem::add_sum(const ConvexSum& sum, const MountNumbers::OfSum& numbers,
                           const TensionSum* tensions, int sample, double multiplier,
                           MountWeights& to) const {
  if (tensions != nullptr) {
    const TensionSum::Term& term = tensions->terms.front();
    if (numbers.tension >= 0) {
      to.products.push_back({-1, Interval(0.0), {{numbers.tension, multiplier}}, no_sum()});
      add_tension(term.motion, term.spring, sample, 1.0, to.products.back().of);
    } else {
      const double weight = -multiplier * term.weight;
      const double rounded_off = std::fma(-multiplier, term.weight, -weight);
      add_tension(term.motion, term.spring, sample, weight, to);
      add_tension(term.motion, term.spring, sample, rounded_off, to);
    }
  }
  if (numbers.constant >= 0)
    to.addends.push_back({0, {numbers.constant, multiplier}});
  else
    to.constant[0] += multiplier * Interval(sum.constant);
  for (std::size_t i = 0; i < sum.linear.size(); ++i) {
    const std::size_t coefficient = 1 + static_cast<std::size_t>(sum.linear[i].index);
    if (numbers.unknowns[i] >= 0)
      to.addends.push_back({coefficient, {numbers.unknowns[i], multiplier}});
    else
      to.constant[coefficient] += multiplier * Interval(sum.linear[i].weight);
  }
  for (std::size_t i = 0; i < sum.norms.size(); ++i) {
    if (!numbers_.weighs(static_cast<std::size_t>(sum.norms[i].index))) continue;
    MountWeights::Product& product = product_of(sum.norms[i].index, to);
    if (numbers.norms[i] >= 0)
      product.varying.push_back({numbers.norms[i], multiplier});
    else
      product.fixed += multiplier * Interval(sum.norms[i].weight);
  }
}

void MountProblem::add_limit(const InstantMultipliers::Limit& one, MountWeights& to) const {
  if (one.limit >= 0) {
    const auto index = static_cast<std::size_t>(general_[one.limit]);
    const ConvexLimit& limit = reference_.problem.limits[index];
    add_sum(limit.sum, numbers_.of_limit(index), tension_of(true, static_cast<int>(index)),
            one.sample, one.multiplier, to);
    to.constant[0] += -(one.multiplier * Interval(limit.bound));
    return;
  }
  const SpringLimit& limit = reference_.spring_limits[-1 - one.limit];
  to.constant[0] += one.multiplier * Interval(limit.fixed.constant);
  for (std::size_t i = 0; i < limit.fixed.weights.size(); ++i)
    to.constant[1 + i] += one.multiplier * Interval(limit.fixed.weights[i]);
  if (limit.of_tension)
    add_tension(limit.motion, limit.spring, one.sample, limit.sign * one.multiplier, to);
  else
    add_length_weight(limit.motion, limit.spring, one.sample, role_of(limit.times),
                      -limit.sign * one.multiplier, to);
}

MountWeights MountProblem::beyond(const LengthRange& range, std::int32_t sample,
                                  bool too_long) const {
  const double sign = too_long ? 1.0 : -1.0;
  MountWeights to{no_sum(), {}, {}, {}};
  to.constant[0] = -sign * Interval(too_long ? range.most : range.least);
  to.of_springs[range.spring].lengths.push_back({sample, role_of(-1), sign});
  return to;
}

MountWeights MountProblem::weights_of(const InstantMultipliers& multipliers) const {
  MountWeights to{no_sum(), {}, {}, {}};
  for (std::size_t n = 0; n < reference_.problem.norms.size(); ++n)
    if (numbers_.weighs(n))
      to.products.push_back({static_cast<std::int32_t>(n), Interval(0.0), {}, no_sum()});
  for (const InstantMultipliers::Piece& piece : multipliers.pieces) {
    to.pieces += Interval(piece.multiplier);
    const auto sum = static_cast<std::size_t>(piece.sum);
    add_sum(reference_.problem.objective[sum], numbers_.of_objective(sum),
            tension_of(false, piece.sum), piece.sample, piece.multiplier, to);
  }
  for (const InstantMultipliers::Limit& one : multipliers.limits) add_limit(one, to);
  for (const InstantMultipliers::Witness& witness : multipliers.witnesses) {
    const SeriesOrigin& origin = origin_of(witness);
    MountSum& sum = numbers_.weighs(static_cast<std::size_t>(witness.norm))
                        ? product_of(witness.norm, to).of
                        : to;
    if (origin.actuator < 0)
      add_tension(origin.motion, static_cast<std::size_t>(origin.spring), witness.sample,
                  witness.weight, sum);
    else
      add_load(origin, witness.sample, witness.weight, sum);
  }
  std::erase_if(to.products, [](const MountWeights::Product& one) {
    return one.varying.empty() && one.fixed.size() == 0.0;
  });
  return to;
}

/// The load of a part of a norm in a sum of the objective, if it is one (see loads_of_objective()).
std::optional<MountProblem::LoadOfObjective> MountProblem::load_of(int sum, int norm,
                                                                   int part) const {
  const bool of_part = std::find(part_.sums.begin(), part_.sums.end(), sum) != part_.sums.end();
  if (!of_part || tension_of(false, sum) != nullptr) return std::nullopt;
  const ConvexSum& own = reference_.problem.objective[sum];
  for (const ConvexSum::Term& term : own.norms) {
    const SeriesNorm& series = reference_.problem.norms[term.index];
    if (term.index != norm || series.kind != NormKind::max ||
        numbers_.weighs(static_cast<std::size_t>(norm)) || part < 0 ||
        part >= static_cast<int>(series.parts.size()))
      continue;
    return LoadOfObjective{sum,
                           norm,
                           part,
                           origin_of_series(series.parts[part].series),
                           series.parts[part].weights,
                           term.weight,
                           own.constant};
  }
  return std::nullopt;
}

std::vector<MountProblem::LoadOfObjective> MountProblem::loads_of_objective() const {
  std::vector<LoadOfObjective> loads;
  for (const int sum : part_.sums)
    for (const ConvexSum::Term& term : reference_.problem.objective[sum].norms)
      for (std::size_t p = 0; p < reference_.problem.norms[term.index].parts.size(); ++p)
        if (auto load = load_of(sum, term.index, static_cast<int>(p))) loads.push_back(*load);
  return loads;
}

std::optional<MountRow> MountProblem::row_of(const MountRow::Name& name) const {
  const auto load = load_of(name[0], name[1], name[2]);
  const auto sample = static_cast<std::int32_t>(std::abs(std::int64_t{name[3]}) - 1);
  if (!load || !is_sample(load->origin.motion, sample)) return std::nullopt;
  InstantMultipliers alone{{{load->sum, -1, 1.0}}, {}, {{load->norm, load->part, sample, 0.0}}};
  alone.witnesses.front().weight = std::copysign(load->weight_at(sample), name[3]);
  shrink(alone);
  return MountRow{name, false, weights_of(alone)};
}

std::vector<MountRow> MountProblem::rows_of(const InstantMultipliers& multipliers) const {
  std::vector<MountRow> rows;
  for (const InstantMultipliers::Witness& witness : multipliers.witnesses)
    for (const InstantMultipliers::Piece& piece : multipliers.pieces) {
      const std::int32_t sample = 1 + witness.sample;
      auto row =
          row_of({piece.sum, witness.norm, witness.part, witness.weight < 0.0 ? -sample : sample});
      if (!row) continue;
      rows.push_back(std::move(*row));
      break;
    }
  for (const InstantMultipliers::Limit& limit : multipliers.limits)
    if (limit.limit < 0)
      rows.push_back({{-1, limit.limit, limit.sample, 0},
                      true,
                      weights_of({{}, {{limit.limit, limit.sample, 1.0}}, {}})});
  return rows;
}

CornerWeights MountProblem::weights_of(const std::optional<InstantMultipliers>& optimal,
                                       const std::optional<InstantMultipliers>& conflict) const {
  CornerWeights weights;
  if (conflict) weights.conflict = weights_of(*conflict);
  if (!optimal) return weights;
  weights.optimal = weights_of(*optimal);
  weights.rows = rows_of(*optimal);
  return weights;
}

}  // namespace counterpoise
