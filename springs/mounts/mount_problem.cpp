#include "springs/mounts/mount_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

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
      std::size_t first = 0;
      const MovingSpring& own = springs.back();
      while (springs[first].spring() != s || !springs[first].has_numbers_of(own) ||
             !functions.same_mounts(springs[first].motion(), m, s))
        ++first;
      same.push_back(first);
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
    const Variable& variable = study.variables[roles.sized[i]];
    group->products.push_back({static_cast<int>(i), variable.low, variable.high});
    grouped_[i] = grouped_[rate] = true;
  }
}

MountProblem::Share MountProblem::share_of(const WrittenProblem& written) const {
  Share share;
  share.problem = written.problem;
  share.problem.objective.clear();
  for (const int index : part_.sums) {
    const ConvexSum& sum = written.problem.objective[index];
    share.problem.objective.push_back(part_.terms ? part_.terms->of(sum) : sum);
  }
  std::vector<bool> kept(written.limits.size(), true);
  const std::vector<int> general = general_limits(written);
  for (std::size_t g = 0; g < general.size(); ++g) kept[general[g]] = part_.limits[g];
  for (const SpringLimit& limit : written.spring_limits) {
    if (limit.limit < 0) continue;
    const auto at = static_cast<std::size_t>(limit.limit);
    kept[at] = part_.springs[limit.spring] && !written.problem.limits[at].sum.linear.empty();
  }
  for (const MeetingEnds& own : written.meeting_ends) {
    if (!own.moves) continue;
    const auto at = static_cast<std::size_t>(own.limit);
    kept[at] = part_.springs[own.spring] && !written.problem.limits[at].sum.linear.empty();
  }
  share.problem.limits.clear();
  for (std::size_t l = 0; l < kept.size(); ++l) {
    if (!kept[l]) continue;
    share.limits.push_back(static_cast<int>(l));
    share.problem.limits.push_back(written.problem.limits[l]);
  }
  return share;
}

auto MountProblem::least_sums() const -> std::vector<LeastSum> {
  std::vector<LeastSum> sums;
  const std::vector<Interval> box(part_.variables.size(), Interval(0.0, 1.0));
  const std::vector<SmoothNumber> numbers = numbers_.over(functions(), box);
  for (const int sum : part_.sums) {
    if (tension_of(false, sum) != nullptr) continue;
    const ConvexSum& own = reference_.problem.objective[sum];
    MountWeights alone = weights_of({{{sum, -1, 1.0}}, {}, {}});
    for (const MountWeights::Addend& addend : alone.addends)
      alone.constant[addend.coefficient] += numbers[addend.value.number].value;
    const bool norms_alone = own.constant == 0.0 && own.linear.empty() && alone.addends.empty();
    LeastSum& least = sums.emplace_back();
    least.without_norms = norms_alone ? 0.0 : this->least(alone.constant);
    for (const ConvexSum::Term& term : own.norms)
      if (!numbers_.weighs(static_cast<std::size_t>(term.index))) least.norms.push_back(term);
  }
  return sums;
}

double MountProblem::least(std::span<const Interval> coefficients) const {
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

Eigen::MatrixXd MountProblem::level_directions(std::span<const Interval> coefficients,
                                               double negligible) const {
  const auto n = static_cast<Eigen::Index>(unknowns());
  const auto slope = [&](std::size_t unknown) { return coefficients[1 + unknown].middle(); };
  const auto width = [&](std::size_t unknown) { return upper_[unknown] - lower_[unknown]; };
  std::vector<Eigen::VectorXd> found;
  const auto take = [&](const Eigen::VectorXd& direction, double change) {
    if (std::abs(change) <= negligible && direction.squaredNorm() > 0.0) found.push_back(direction);
  };
  const auto along = [&](std::size_t unknown) -> Eigen::VectorXd {
    return width(unknown) * Eigen::VectorXd::Unit(n, static_cast<Eigen::Index>(unknown));
  };
  for (std::size_t j = 0; j < unknowns(); ++j)
    if (!grouped_[j]) take(along(j), slope(j) * width(j));
  for (const Group& group : groups_) {
    const auto rate = static_cast<std::size_t>(group.rate);
    Eigen::VectorXd direction = along(rate);
    double change = slope(rate) * width(rate);
    for (const Group::Product& product : group.products) {
      const auto p = static_cast<std::size_t>(product.unknown);
      if (std::abs(slope(p)) * width(p) <= negligible) {
        take(along(p), 0.0);
        continue;
      }
      // at an end of its range, which moves with the rate
      const double end = slope(p) > 0.0 ? product.low : product.high;
      direction(product.unknown) = end * width(rate);
      change += end * slope(p) * width(rate);
    }
    take(direction, change);
  }
  Eigen::MatrixXd all(n, static_cast<Eigen::Index>(found.size()));
  for (std::size_t i = 0; i < found.size(); ++i) all.col(static_cast<Eigen::Index>(i)) = found[i];
  return all;
}

namespace {

constexpr double one_length = 1e-6;  // the part of a length below which a range of them is a single

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
  Interval number(limit.times < 0 ? limit.fixed.constant : limit.fixed.weights[limit.times]);
  for (std::size_t i = 0; i < limit.fixed.weights.size(); ++i) {
    if (static_cast<int>(i) == limit.times || limit.fixed.weights[i] == 0.0) continue;
    const Variable& variable = study.variables[roles.sized[i]];
    number += limit.fixed.weights[i] * Interval(variable.low, variable.high);
  }
  double slope = -limit.sign;
  if (limit.of_tension) {
    number += limit.sign * Interval(law.offset);
    slope = limit.sign * law.rate;
  }
  const AffineLoads::SpringShape& shape = geometry_->shape(limit);
  number += Interval(-slack_of(number.size(), std::abs(slope) * shape.longest));
  const int spring = moving(limit.motion, limit.spring);
  if (spring < 0 || slope == 0.0) {
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
  const std::size_t index = same_as(static_cast<std::size_t>(spring));
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
        fmt::format(
            "spring {} can only have the length {:.6g} m, but a proof over geometry needs a range "
            "of lengths; let min_length and max_length differ, or search with "
            "\"algorithm\" in place of \"geometry\"",
            study.model->nominal.springs[spring].name, range.most));
  }
}

bool MountProblem::keeps_lengths(const WrittenProblem& written,
                                 const std::vector<AffineLoads>& loads) const {
  if (!written.conflict.empty()) return false;
  for (const SpringLimit& limit : written.spring_limits) {
    if (limit.limit < 0 || !part_.springs[limit.spring]) continue;
    const ConvexLimit& own = written.problem.limits[limit.limit];
    const double term = loads[limit.motion].springs[limit.spring].longest;
    if (own.sum.linear.empty() && own.bound < -slack_of(limit.fixed.constant, term)) return false;
  }
  for (const MeetingEnds& own : written.meeting_ends) {
    const ConvexLimit& limit = written.problem.limits[own.limit];
    if (own.moves && part_.springs[own.spring] && limit.sum.linear.empty()) return false;
  }
  for (const LengthConstraint& constraint : length_constraints_)
    for (const AffineLoads& motion : loads)
      if (!is_kept(constraint, motion)) return false;
  return true;
}

bool MountProblem::keeps_parameters(std::span<const double> at) const {
  std::vector<Interval> point;
  for (const double t : at) point.emplace_back(t);
  return std::none_of(functions().bounds().begin(), functions().bounds().end(),
                      [&](const MountBound& bound) {
                        const auto parameters = functions().parameters(bound.motion, point);
                        return functions().beyond(bound, parameters).high > 0.0;
                      });
}

namespace {

bool is_index(int index, std::size_t count) {
  return index >= 0 && static_cast<std::size_t>(index) < count;
}

std::tuple<int, int, int> place_of(const InstantMultipliers::Witness& witness) {
  return {witness.norm, witness.part, witness.sample};
}

/// The instant at which a spring is shortest or longest.
std::int32_t instant_of(const AffineLoads& loads, std::size_t spring, bool longest) {
  const std::vector<double>& length = loads.springs[spring].length;
  const auto at = longest ? std::max_element(length.begin(), length.end())
                          : std::min_element(length.begin(), length.end());
  return static_cast<std::int32_t>(at - length.begin());
}

}  // namespace

/// The tension that a sum reads; null if it reads none.
const TensionSum* MountProblem::tension_of(bool of_limit, int index) const {
  for (const TensionSum& own : reference_.tension_sums)
    if (own.of_limit == of_limit && own.index == index) return &own;
  return nullptr;
}

InstantMultipliers MountProblem::by_instant(const Certificate& certificate, const Share& share,
                                            const SpringSizer& sizer) const {
  const WrittenProblem& written = sizer.written();
  InstantMultipliers found;
  const auto sample_of = [&](const TensionSum* tensions) {
    if (tensions == nullptr) return std::int32_t{-1};
    const TensionSum::Term& term = tensions->terms.front();
    return instant_of(sizer.loads()[term.motion], term.spring, term.longest);
  };
  for (std::size_t i = 0; i < certificate.pieces.size(); ++i)
    if (certificate.pieces[i] > 0.0)
      found.pieces.push_back(
          {part_.sums[i], sample_of(tension_of(false, part_.sums[i])), certificate.pieces[i]});

  const std::vector<int> general = general_limits(written);
  for (std::size_t l = 0; l < certificate.limits.size(); ++l) {
    const double multiplier = certificate.limits[l];
    if (!(multiplier > 0.0)) continue;
    const int index = share.limits[l];
    const auto at = std::find(general.begin(), general.end(), index);
    if (at != general.end())
      found.limits.push_back({static_cast<std::int32_t>(at - general.begin()),
                              sample_of(tension_of(true, general_[at - general.begin()])),
                              multiplier});
    for (std::size_t i = 0; i < written.spring_limits.size(); ++i) {
      const SpringLimit& limit = written.spring_limits[i];
      if (limit.limit == index)
        found.limits.push_back(
            {-1 - static_cast<std::int32_t>(i),
             instant_of(sizer.loads()[limit.motion], limit.spring, limit.longest), multiplier});
    }
  }
  std::map<std::tuple<int, int, int>, double> sums;
  for (const Certificate::Witness& witness : certificate.witnesses) {
    const SeriesNorm& norm = written.problem.norms[witness.norm];
    const auto part = static_cast<std::size_t>(witness.part);
    const SeriesOrigin& origin = written.origins[norm.parts[part].series];
    const int sample = origin.actuator >= 0 ? witness.sample
                                            : instant_of(sizer.loads()[origin.motion],
                                                         static_cast<std::size_t>(origin.spring),
                                                         witness.sample == 1);
    sums[{witness.norm, witness.part, sample}] += witness.weight;
  }
  for (const auto& [place, weight] : sums)
    if (weight != 0.0)
      found.witnesses.push_back(
          {std::get<0>(place), std::get<1>(place), std::get<2>(place), weight});
  normalise(written, found);
  shrink(found);
  return found;
}

/// Divides the witnesses of norms whose weights mounts change by the weight at this geometry.
void MountProblem::normalise(const WrittenProblem& written, InstantMultipliers& multipliers) const {
  std::vector<double> weights(written.problem.norms.size(), 0.0);
  const auto add = [&](const ConvexSum& sum, double multiplier) {
    for (const ConvexSum::Term& term : sum.norms) weights[term.index] += multiplier * term.weight;
  };
  const std::vector<int> general = general_limits(written);
  for (const InstantMultipliers::Piece& piece : multipliers.pieces)
    add(written.problem.objective[piece.sum], piece.multiplier);
  for (const InstantMultipliers::Limit& one : multipliers.limits)
    if (one.limit >= 0) {
      const int index = general[one.limit];
      add(written.problem.limits[index].sum, one.multiplier);
    }
  for (InstantMultipliers::Witness& witness : multipliers.witnesses) {
    const auto n = static_cast<std::size_t>(witness.norm);
    if (numbers_.weighs(n)) witness.weight *= weights[n] > 0.0 ? 1.0 / weights[n] : 0.0;
  }
}

const SeriesOrigin& MountProblem::origin_of(const InstantMultipliers::Witness& witness) const {
  const SeriesNorm& norm = reference_.problem.norms[witness.norm];
  const int series = norm.parts[witness.part].series;
  return reference_.origins[series];
}

/// The total weight of each norm, by which its witnesses are bounded: 1 where mounts change it.
std::vector<Interval> MountProblem::norm_weights(const InstantMultipliers& multipliers) const {
  std::vector<Interval> weights(reference_.problem.norms.size());
  const auto add = [&](const ConvexSum& sum, double multiplier) {
    for (const ConvexSum::Term& term : sum.norms)
      weights[term.index] += multiplier * Interval(term.weight);
  };
  for (const InstantMultipliers::Piece& piece : multipliers.pieces)
    add(reference_.problem.objective[piece.sum], piece.multiplier);
  for (const InstantMultipliers::Limit& one : multipliers.limits)
    if (one.limit >= 0) {
      const auto index = static_cast<std::size_t>(general_[one.limit]);
      add(reference_.problem.limits[index].sum, one.multiplier);
    }
  for (std::size_t n = 0; n < weights.size(); ++n)
    if (numbers_.weighs(n)) weights[n] = Interval(1.0);
  return weights;
}

/// The dual norm of each norm's witnesses. A sample of weight 0 takes none.
std::vector<Interval> MountProblem::dual_sizes(const InstantMultipliers& multipliers) const {
  std::vector<Interval> sizes(reference_.problem.norms.size());
  for (const InstantMultipliers::Witness& witness : multipliers.witnesses) {
    const SeriesNorm& norm = reference_.problem.norms[witness.norm];
    const std::vector<double>& weights = norm.parts[witness.part].weights;
    const double weight = weights.empty() ? 1.0 : weights[witness.sample];
    const Interval ratio =
        weight > 0.0 ? Interval(std::abs(witness.weight)) * inverse(weight) : Interval(no_limit);
    Interval& size = sizes[witness.norm];
    if (norm.kind == NormKind::max) size += ratio;
    if (norm.kind == NormKind::l1)
      size = {std::max(size.low, ratio.low), std::max(size.high, ratio.high)};
    if (norm.kind == NormKind::l2) size += square(ratio);
  }
  for (std::size_t n = 0; n < sizes.size(); ++n)  // a norm without witnesses keeps size 0
    if (reference_.problem.norms[n].kind == NormKind::l2 && sizes[n].high > 0.0)
      sizes[n] = root(sizes[n]);
  return sizes;
}

void MountProblem::shrink(InstantMultipliers& multipliers) const {
  constexpr double margin = 1.0 - 1e-15;
  const std::vector<Interval> weights = norm_weights(multipliers);
  const std::vector<Interval> sizes = dual_sizes(multipliers);
  for (InstantMultipliers::Witness& witness : multipliers.witnesses) {
    const auto n = static_cast<std::size_t>(witness.norm);
    if (sizes[n].high > weights[n].low)
      witness.weight *= std::max(0.0, weights[n].low / sizes[n].high * margin);
  }
}

bool MountProblem::is_sample(std::size_t motion, int sample) const {
  return is_index(sample, static_cast<std::size_t>(geometry_->loads[motion].samples));
}

std::string MountProblem::fault_of(const InstantMultipliers& multipliers) const {
  double pieces = 0.0;
  for (std::size_t i = 0; i < multipliers.pieces.size(); ++i) {
    const InstantMultipliers::Piece& piece = multipliers.pieces[i];
    if (std::find(part_.sums.begin(), part_.sums.end(), piece.sum) == part_.sums.end())
      return fmt::format("a multiplier names sum {} of the objective", piece.sum);
    if (i > 0 && multipliers.pieces[i - 1].sum >= piece.sum)
      return "multipliers of the objective are not in order";
    if (const TensionSum* tensions = tension_of(false, piece.sum);
        tensions != nullptr && !is_sample(tensions->terms.front().motion, piece.sample))
      return fmt::format("a multiplier of the objective names sample {}", piece.sample);
    if (!(piece.multiplier >= 0.0 && piece.multiplier <= 2.0))
      return fmt::format("a multiplier of the objective is {}", piece.multiplier);
    pieces += piece.multiplier;
  }
  if (!multipliers.of_conflict() && !(pieces > 0.5 && pieces < 2.0))
    return fmt::format("the multipliers of the objective add up to {}, not 1", pieces);
  for (const InstantMultipliers::Limit& one : multipliers.limits) {
    if (!(one.multiplier >= 0.0) || !(one.multiplier <= 1e30))
      return fmt::format("the multiplier of a limit is {}", one.multiplier);
    const int spring = -1 - one.limit;
    const bool general = one.limit >= 0;
    if (general ? !is_index(one.limit, general_.size())
                : !is_index(spring, reference_.spring_limits.size()))
      return fmt::format("a multiplier names limit {}", one.limit);
    const bool of_part =
        general ? part_.limits[one.limit] : part_.springs[reference_.spring_limits[spring].spring];
    if (!of_part)
      return fmt::format("a multiplier names limit {}, a limit of another part", one.limit);
    const TensionSum* const tensions = general ? tension_of(true, general_[one.limit]) : nullptr;
    if (general && tensions == nullptr) continue;
    const std::size_t motion =
        general ? tensions->terms.front().motion : reference_.spring_limits[spring].motion;
    if (!is_sample(motion, one.sample)) return fmt::format("a limit names sample {}", one.sample);
  }
  for (std::size_t i = 0; i < multipliers.witnesses.size(); ++i) {
    const InstantMultipliers::Witness& witness = multipliers.witnesses[i];
    if (!is_index(witness.norm, reference_.problem.norms.size()))
      return fmt::format("a witness names norm {}", witness.norm);
    const SeriesNorm& norm = reference_.problem.norms[witness.norm];
    if (!is_index(witness.part, norm.parts.size()))
      return fmt::format("a witness names part {}", witness.part);
    const std::size_t motion = origin_of(witness).motion;
    if (!is_sample(motion, witness.sample))
      return fmt::format("a witness names sample {}", witness.sample);
    if (!std::isfinite(witness.weight)) return "a witness has a weight that is no number";
    if (i > 0 && place_of(multipliers.witnesses[i - 1]) >= place_of(witness))
      return "witnesses are not in order";
  }
  const std::vector<Interval> weights = norm_weights(multipliers);
  const std::vector<Interval> sizes = dual_sizes(multipliers);
  for (std::size_t n = 0; n < sizes.size(); ++n)
    if (!(sizes[n].high <= weights[n].low) && sizes[n].high > 0.0)
      return fmt::format("the witnesses of norm {} have size {}, more than its weight {}", n,
                         sizes[n].high, weights[n].low);
  return {};
}

}  // namespace counterpoise
