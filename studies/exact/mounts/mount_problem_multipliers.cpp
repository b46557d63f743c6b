#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "studies/exact/mounts/mount_problem.hpp"

namespace counterpoise {
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
      found.limits.push_back(
          {static_cast<std::int32_t>(at - general.begin()),
           sample_of(tension_of(true, general_[static_cast<std::size_t>(at - general.begin())])),
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
    const SeriesNorm& norm = written.problem.norms[static_cast<std::size_t>(witness.norm)];
    const auto part = static_cast<std::size_t>(witness.part);
    const SeriesOrigin& origin = written.origins[static_cast<std::size_t>(norm.parts[part].series)];
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
    for (const ConvexSum::Term& term : sum.norms)
      weights[static_cast<std::size_t>(term.index)] += multiplier * term.weight;
  };
  const std::vector<int> general = general_limits(written);
  for (const InstantMultipliers::Piece& piece : multipliers.pieces)
    add(written.problem.objective[static_cast<std::size_t>(piece.sum)], piece.multiplier);
  for (const InstantMultipliers::Limit& one : multipliers.limits)
    if (one.limit >= 0) {
      const int index = general[static_cast<std::size_t>(one.limit)];
      add(written.problem.limits[static_cast<std::size_t>(index)].sum, one.multiplier);
    }
  for (InstantMultipliers::Witness& witness : multipliers.witnesses) {
    const auto n = static_cast<std::size_t>(witness.norm);
    if (numbers_.weighs(n)) witness.weight *= weights[n] > 0.0 ? 1.0 / weights[n] : 0.0;
  }
}

const SeriesOrigin& MountProblem::origin_of(const InstantMultipliers::Witness& witness) const {
  const SeriesNorm& norm = reference_.problem.norms[static_cast<std::size_t>(witness.norm)];
  const int series = norm.parts[static_cast<std::size_t>(witness.part)].series;
  return reference_.origins[static_cast<std::size_t>(series)];
}

/// The total weight of each norm, by which its witnesses are bounded: 1 where mounts change it.
std::vector<Interval> MountProblem::norm_weights(const InstantMultipliers& multipliers) const {
  std::vector<Interval> weights(reference_.problem.norms.size());
  const auto add = [&](const ConvexSum& sum, double multiplier) {
    for (const ConvexSum::Term& term : sum.norms)
      weights[static_cast<std::size_t>(term.index)] += multiplier * Interval(term.weight);
  };
  for (const InstantMultipliers::Piece& piece : multipliers.pieces)
    add(reference_.problem.objective[static_cast<std::size_t>(piece.sum)], piece.multiplier);
  for (const InstantMultipliers::Limit& one : multipliers.limits)
    if (one.limit >= 0) {
      const auto index = static_cast<std::size_t>(general_[static_cast<std::size_t>(one.limit)]);
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
    const SeriesNorm& norm = reference_.problem.norms[static_cast<std::size_t>(witness.norm)];
    const std::vector<double>& weights = norm.parts[static_cast<std::size_t>(witness.part)].weights;
    const double weight = weights.empty() ? 1.0 : weights[static_cast<std::size_t>(witness.sample)];
    const Interval ratio =
        weight > 0.0 ? Interval(std::abs(witness.weight)) * inverse(weight) : Interval(no_limit);
    Interval& size = sizes[static_cast<std::size_t>(witness.norm)];
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
        general ? part_.limits[static_cast<std::size_t>(one.limit)]
                : part_.springs[reference_.spring_limits[static_cast<std::size_t>(spring)].spring];
    if (!of_part)
      return fmt::format("a multiplier names limit {}, which is of another part", one.limit);
    const TensionSum* const tensions =
        general ? tension_of(true, general_[static_cast<std::size_t>(one.limit)]) : nullptr;
    if (general && tensions == nullptr) continue;
    const std::size_t motion =
        general ? tensions->terms.front().motion
                : reference_.spring_limits[static_cast<std::size_t>(spring)].motion;
    if (!is_sample(motion, one.sample)) return fmt::format("a limit names sample {}", one.sample);
  }
  for (std::size_t i = 0; i < multipliers.witnesses.size(); ++i) {
    const InstantMultipliers::Witness& witness = multipliers.witnesses[i];
    if (!is_index(witness.norm, reference_.problem.norms.size()))
      return fmt::format("a witness names norm {}", witness.norm);
    const SeriesNorm& norm = reference_.problem.norms[static_cast<std::size_t>(witness.norm)];
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
