#include "springs/problem/sizing_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "cases/case_outcome.hpp"
#include "cases/study_units.hpp"

namespace counterpoise {
namespace {

void add_term(int unknown, double weight, std::vector<ConvexSum::Term>& terms) {
  const auto at = std::find_if(terms.begin(), terms.end(),
                               [&](const auto& term) { return term.index == unknown; });
  if (at == terms.end())
    terms.push_back({unknown, weight});
  else
    at->weight += weight;
}

}  // namespace

AffineSeries series_of_load(const MotionLoads& motion, std::size_t actuator, std::size_t unknowns) {
  const AffineLoads& loads = *motion.loads;
  const AffineLoads::ActuatorLoad& load = loads.actuators[actuator];
  AffineSeries series;
  series.constant = load.bare;
  std::vector<int> column_of(unknowns, -1);
  const auto add = [&](const AffineLoads::Influence& influence, double offset, double rate,
                       std::vector<double>& to) {
    const auto& length = loads.springs[influence.spring].length;
    for (std::size_t k = 0; k < to.size(); ++k)
      to[k] += influence.per_tension[k] * (rate * length[k] + offset);
  };
  for (const AffineLoads::Influence& influence : load.influences) {
    const TensionLaw& law = motion.laws[influence.spring];
    if (law.offset != 0.0 || law.rate != 0.0) add(influence, law.offset, law.rate, series.constant);
    for (const TensionLaw::Term& term : law.terms) {
      int& column = column_of[term.unknown];
      if (column < 0) {
        column = static_cast<int>(series.columns.size());
        series.columns.push_back({term.unknown, std::vector<double>(load.bare.size(), 0.0)});
      }
      add(influence, term.offset, term.rate, series.columns[column].coefficients);
    }
  }
  for (const MassLoads& mass : motion.masses) {
    const std::vector<double>& per_unit = mass.per_unit[actuator];
    if (std::all_of(per_unit.begin(), per_unit.end(), [](double x) { return x == 0.0; })) continue;
    for (std::size_t k = 0; k < per_unit.size(); ++k)
      series.constant[k] -= mass.present * per_unit[k];
    series.columns.push_back({mass.unknown, per_unit});
  }
  return series;
}

std::vector<double> shares_of_motions(const Study& study) {
  if (study.motions.size() == 1) return {1.0};
  std::vector<MotionMetrics> motions;
  for (const LoadCase& load_case : study.motions)
    motions.push_back({nullptr, load_case.motion.nominal.extent(), load_case.weight});
  const MotionShares share(motions);
  std::vector<double> shares;
  for (const MotionMetrics& motion : motions) shares.push_back(share.of(motion));
  return shares;
}

SizingProblem::SizingProblem(const Study& study, const std::vector<MotionLoads>& motions,
                             WrittenProblem& out)
    : study_(study),
      motions_(motions),
      out_(out),
      problem_(out.problem),
      unknown_of_parameter_(study.model->parameters.size(), -1) {}

void SizingProblem::set_parameter(int parameter, int unknown) {
  unknown_of_parameter_[parameter] = unknown;
}

void SizingProblem::add_to_objective(const MetricForm& form) {
  for (std::size_t i = 0; i < form.size(); ++i)
    for (OwnSum& own : sums_of(form[i])) {
      note(std::move(own.tensions), false, problem_.objective.size());
      problem_.objective.push_back(std::move(own.sum));
      out_.form_sums.push_back(static_cast<int>(i));
    }
}

void SizingProblem::limit(LimitWords words, const MetricForm& form, double bound) {
  for (std::size_t i = 0; i < form.size(); ++i)
    for (OwnSum& own : sums_of(form[i])) {
      words.sum = static_cast<int>(i);
      note(std::move(own.tensions), true, problem_.limits.size());
      out_.add_limit(words, std::move(own.sum), bound);
    }
}

void SizingProblem::note(TensionSum tensions, bool of_limit, std::size_t index) {
  if (tensions.terms.empty()) return;
  tensions.of_limit = of_limit;
  tensions.index = static_cast<int>(index);
  out_.tension_sums.push_back(std::move(tensions));
}

void SizingProblem::limit_actuators() {
  const Mechanism& first = *motions_.front().mechanism;
  for (std::size_t a = 0; a < first.actuators.size(); ++a) {
    double least = no_limit;
    for (const MotionLoads& motion : motions_)
      least = std::min(least, motion.mechanism->actuators[a].max_load);
    if (std::isinf(least)) continue;
    const std::string name = fmt::format("max_load of actuator {}", first.actuators[a].name);
    const std::string unit = load_unit(first, first.actuators[a]);
    for (std::size_t m = 0; m < motions_.size(); ++m) {
      const double bound = motions_[m].mechanism->actuators[a].max_load;
      if (std::isinf(bound)) continue;
      const std::string in =
          motions_.size() > 1 ? " in motion " + study_.motions[m].name : std::string();
      SeriesNorm norm{NormKind::max, {{load_series(m, a), {}}}};
      problem_.norms.push_back(std::move(norm));
      out_.norm_metrics.push_back(-1);
      const int index = static_cast<int>(problem_.norms.size()) - 1;
      out_.add_limit({name + in, unit, false, LimitWords::Bound::size}, {0.0, {{index, 1.0}}, {}},
                     bound);
    }
  }
}

/// A sum, the largest of several where it has least tensions.
std::vector<SizingProblem::OwnSum> SizingProblem::sums_of(const MetricSum& sum) {
  ConvexSum result;
  result.constant = sum.constant;
  std::vector<MetricSum::Term> least;
  for (const MetricSum::Term& term : sum.metrics) {
    if (term.weight == 0.0) continue;
    if (is_least_tension(study_.metrics[term.index]))
      least.push_back(term);
    else
      result.norms.push_back({norm_of(term.index), term.weight});
  }
  for (const MetricSum::Term& term : sum.parameters) {
    const int unknown = unknown_of_parameter_[term.index];
    assert(unknown >= 0);
    result.linear.push_back({unknown, term.weight});
  }
  std::vector<OwnSum> sums(1);
  if (!least.empty()) sums.front().tensions.rest = result;
  sums.front().sum = std::move(result);
  for (const MetricSum::Term& term : least)
    subtract_least_tension(static_cast<std::size_t>(study_.metrics[term.index].element),
                           -term.weight, sums);
  return sums;
}

/// A least tension is the least of the tensions where the spring is shortest and longest in each
/// motion, which are linear in the unknowns: minus it is the largest of minus these.
void SizingProblem::subtract_least_tension(std::size_t spring, double weight,
                                           std::vector<OwnSum>& sums) const {
  std::vector<OwnSum> all;
  for (const OwnSum& sum : sums)
    for (std::size_t m = 0; m < motions_.size(); ++m) {
      const AffineLoads::SpringShape& shape = motions_[m].loads->springs[spring];
      const TensionLaw& law = motions_[m].laws[spring];
      for (const bool longest : {false, true}) {
        const double length = longest ? shape.longest : shape.shortest;
        OwnSum& own = all.emplace_back(sum);
        own.tensions.terms.push_back({m, spring, longest, weight});
        own.sum.constant -= weight * law.known_at(longest, length);
        for (const TensionLaw::Term& term : law.terms)
          add_term(term.unknown, -weight * (term.offset + term.rate * length), own.sum.linear);
      }
    }
  sums = std::move(all);
}

int SizingProblem::norm_of(int metric) {
  const auto known = std::find(out_.norm_metrics.begin(), out_.norm_metrics.end(), metric);
  if (known != out_.norm_metrics.end()) return static_cast<int>(known - out_.norm_metrics.begin());
  const MetricName& name = study_.metrics[metric];
  SeriesNorm norm;
  if (name.of == MetricOf::actuator) {
    const auto statistic = static_cast<Statistic>(name.statistic);
    if (statistic == Statistic::mean || statistic == Statistic::energy) norm.kind = NormKind::l1;
    if (statistic == Statistic::rms) norm.kind = NormKind::l2;
  }
  const auto element = static_cast<std::size_t>(name.element);
  for (std::size_t m = 0; m < motions_.size(); ++m)
    norm.parts.push_back(name.of == MetricOf::spring
                             ? SeriesNorm::Part{tension_series(m, element), {}}
                             : SeriesNorm::Part{load_series(m, element), weights_of(name, m)});
  problem_.norms.push_back(std::move(norm));
  out_.norm_metrics.push_back(metric);
  return static_cast<int>(problem_.norms.size()) - 1;
}

/// The weight of |load| at each sample in a metric over all motions; see Metrics and combine().
std::vector<double> SizingProblem::weights_of(const MetricName& metric, std::size_t motion) const {
  const AffineLoads& loads = *motions_[motion].loads;
  const auto count = static_cast<std::size_t>(loads.samples);
  const std::vector<double>& velocity = loads.actuators[metric.element].velocity;
  const auto statistic = static_cast<Statistic>(metric.statistic);
  std::vector<double> weights;
  if (statistic == Statistic::max) return weights;
  for (std::size_t k = 0; k < count; ++k) {
    const double weight = loads.weight(k);
    const double share = motions_[motion].share * weight / loads.all_weights();
    const double power = loads.poses ? 0.0 : std::abs(velocity[k]);
    weights.push_back(statistic == Statistic::mean  ? share
                      : statistic == Statistic::rms ? std::sqrt(share)
                      : statistic == Statistic::energy
                          ? (count > 1 ? power * weight * loads.step : 0.0)
                          : power);
  }
  return weights;
}

int SizingProblem::load_series(std::size_t motion, std::size_t actuator) {
  for (std::size_t i = 0; i < out_.origins.size(); ++i)
    if (out_.origins[i].motion == motion && out_.origins[i].actuator == static_cast<int>(actuator))
      return static_cast<int>(i);
  problem_.series.push_back(series_of_load(motions_[motion], actuator, problem_.lower.size()));
  out_.origins.push_back({motion, static_cast<int>(actuator), -1});
  return static_cast<int>(out_.origins.size()) - 1;
}

/// A spring's tension where it is shortest and longest: one of them is its largest size.
int SizingProblem::tension_series(std::size_t motion, std::size_t spring) {
  const AffineLoads::SpringShape& shape = motions_[motion].loads->springs[spring];
  const TensionLaw& law = motions_[motion].laws[spring];
  AffineSeries series;
  series.constant = {law.known_at(false, shape.shortest), law.known_at(true, shape.longest)};
  for (const TensionLaw::Term& term : law.terms)
    series.columns.push_back(
        {term.unknown,
         {term.offset + term.rate * shape.shortest, term.offset + term.rate * shape.longest}});
  problem_.series.push_back(std::move(series));
  out_.origins.push_back({motion, -1, static_cast<int>(spring)});
  return static_cast<int>(out_.origins.size()) - 1;
}

}  // namespace counterpoise
