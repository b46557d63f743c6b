#include <algorithm>
#include <cmath>

#include "engine/evaluation/pipeline.hpp"
#include "engine/math/pack.hpp"
#include "engine/mechanism/spring_law.hpp"

namespace counterpoise {
namespace {

bool is_finite(const ActuatorMetrics& m) {
  return std::isfinite(m.max + m.mean + m.rms + m.energy + m.peak_power);
}

}  // namespace

template <class S>
bool Pipeline<S>::judge(const Mechanism& mechanism, bool springs, Metrics& out) {
  with_springs_ = springs;
  out.actuators.resize(influences_.size());
  out.springs.assign(mechanism.springs.size(), {});
  clock_.start();
  bool finite = true;
  for (std::size_t a = 0; a < influences_.size(); ++a) {
    if (springs && !influences_[a].empty()) {
      out.actuators[a] = judge_actuator(mechanism, a);
      finite = finite && is_finite(out.actuators[a]);
      continue;
    }
    BareMetrics& bare = bare_metrics_[a];
    if (bare.stamp != bare_stamps_[a]) {
      bare.metrics = sum_up(a);
      bare.finite = is_finite(bare.metrics);
      bare.stamp = bare_stamps_[a];
    }
    finite = finite && bare.finite;
    out.actuators[a] = bare.metrics;
  }
  return finite && (!springs || judge_springs(mechanism, out.springs));
}

template <class S>
bool Pipeline<S>::judge_springs(const Mechanism& mechanism, std::vector<SpringMetrics>& out) const {
  bool finite = true;
  for (std::size_t s = 0; s < out.size(); ++s) {
    const SpringShape<S>& at = shape(s);
    const SpringLaw law = law_of(mechanism.springs[s]);
    // tension is affine in length: it is least and greatest at the ends of the length's range
    const double first = at.shortest * law.rate + law.offset;
    const double last = at.longest * law.rate + law.offset;
    out[s] = {at.shortest, at.longest, std::max(std::abs(first), std::abs(last)),
              std::min(first, last)};
    finite = finite && std::isfinite(out[s].min_length + out[s].max_length + out[s].max_tension);
  }
  return finite;
}

template <class S>
void Pipeline<S>::set_terms(const Mechanism& mechanism, std::size_t actuator) {
  LoadMemory& memory = memories_[actuator];
  memory.set_bare(bare_stamps_[actuator]);
  for (std::size_t i = 0; i < influences_[actuator].size(); ++i) {
    const Influence& influence = influences_[actuator][i];
    complete_spring(influence.spring);
    const SpringShape<S>& at = shape(influence.spring);
    const SpringLaw law = law_of(mechanism.springs[influence.spring]);
    terms_[actuator][i] = {at.length.data(), per_tension(influence).data(), law.rate, law.offset};
    memory.set_spring(i, at.id, law.rate, law.offset);
  }
}

template <class S>
ActuatorMetrics Pipeline<S>::judge_actuator(const Mechanism& mechanism, std::size_t actuator) {
  LoadMemory& memory = memories_[actuator];
  const std::size_t unit = plan_->stage_units.loads[actuator];
  if (!stale_.stale(unit)) {
    count(Stage::loads, 0, 1);
    return memory.latest();
  }
  set_terms(mechanism, actuator);
  stale_.settle(unit);
  if (const ActuatorMetrics* known = memory.recall()) {
    count(Stage::loads, 0, 1);
    return *known;
  }
  clock_.start();
  const ActuatorMetrics metrics = sum_up(actuator);
  memory.remember(metrics);
  count(Stage::loads, 1, 0);
  return metrics;
}

template <class S>
ActuatorMetrics Pipeline<S>::sum_up(std::size_t actuator) {
  LoadTotals<S>& totals = totals_[actuator];
  ActuatorMetrics& plain = plain_[actuator];
  if (scaling_) {
    ActuatorMetrics scaled = plain;
    if (lost_[actuator] != 0) summarise_scaled(load(actuator), stretch(), step(), totals, scaled);
    return scaled;
  }
  plain = summarise(load(actuator), stretch(), step(), totals);
  if (stretch().ends() && !stretch().whole()) lost_[actuator] = sums_are_lost(totals) ? 1 : 0;
  return plain;
}

template <class S>
LoadSeries<S> Pipeline<S>::load(std::size_t actuator) const {
  LoadSeries<S> series{bare_load(actuator), actuator_motion_.velocity(actuator), {}};
  if (with_springs_) series.terms = terms_[actuator];
  return series;
}

template bool Pipeline<double>::judge(const Mechanism&, bool, Metrics&);
template bool Pipeline<Pack>::judge(const Mechanism&, bool, Metrics&);
template LoadSeries<double> Pipeline<double>::load(std::size_t) const;
template LoadSeries<Pack> Pipeline<Pack>::load(std::size_t) const;

}  // namespace counterpoise
