#include "engine/evaluation/pipeline.hpp"

#include <algorithm>
#include <cmath>

#include "engine/evaluation/stages/declared_units.hpp"
#include "engine/math/pack.hpp"
#include "engine/mechanism/spring_law.hpp"

namespace counterpoise {
namespace {

bool is_finite(const ActuatorMetrics& m) {
  return std::isfinite(m.max + m.mean + m.rms + m.energy + m.peak_power);
}

}  // namespace

template <class S>
Pipeline<S>::Pipeline(std::shared_ptr<const EvaluationPlan> plan, const Motion& motion, Reuse reuse,
                      int longest)
    : plan_(std::move(plan)),
      reuse_(reuse),
      stale_(plan_->stage_units, plan_->nominal, plan_->drives.coordinates.size(),
             plan_->drives.driven),
      kinematics_(*plan_, longest),
      jacobian_(*plan_),
      actuator_motion_(*plan_),
      tree_forces_(*plan_),
      springs_(*plan_),
      totals_(plan_->nominal.actuators.size()),
      plain_(totals_.size()),
      slides_(plan_->nominal.bodies.size()),
      lost_(totals_.size(), 0) {
  constexpr double surely_more_than_rounding = 1e-6;
  surely_apart_ = surely_more_than_rounding * farthest_coordinate(plan_->nominal);
  find_influences();
  set_motion(motion);
}

template <class S>
void Pipeline<S>::find_influences() {
  const std::size_t actuators = plan_->nominal.actuators.size();
  influences_.resize(actuators);
  terms_.resize(actuators);
  bare_metrics_.resize(actuators);
  for (std::size_t s = 0; s < plan_->nominal.springs.size(); ++s) {
    const std::vector<ActuatorIndex>& influenced = plan_->influenced[s];
    for (std::size_t i = 0; i < influenced.size(); ++i)
      influences_[influenced[i]].push_back({s, i});
  }
  for (std::size_t a = 0; a < actuators; ++a) {
    terms_[a].resize(influences_[a].size());
    memories_.emplace_back(influences_[a].size());
  }
}

template <class S>
void Pipeline<S>::set_motion(const Motion& motion) {
  if (motion.inertia != inertia_) stale_.touch_unit(plan_->stage_units.tree_forces);
  inertia_ = motion.inertia;
  kinematics_.set_motion(motion, stale_);
}

template <class S>
void Pipeline<S>::forget() {
  stale_.touch_everything();
  springs_.forget();
  for (LoadMemory& memory : memories_) memory.forget();
}

template <class S>
void Pipeline<S>::go_to(int first) {
  kinematics_.go_to(first);
  stale_.touch_samples();
}

template <class S>
void Pipeline<S>::rewind() {
  if (stretch().whole()) return;
  std::fill(lost_.begin(), lost_.end(), 0);
  scaling_ = false;
  go_to(0);
}

template <class S>
bool Pipeline<S>::advance() {
  if (stretch().ends()) return false;
  go_to(stretch().first + stretch().samples);
  return true;
}

template <class S>
bool Pipeline<S>::next() {
  if (advance()) return true;
  if (scaling_ || std::find(lost_.begin(), lost_.end(), 1) == lost_.end()) return false;
  scaling_ = true;
  go_to(0);
  return true;
}

/// Adds to the counts. A unit counts once for all stretches of a motion.
template <class S>
void Pipeline<S>::count(Stage stage, std::int64_t runs, std::int64_t reused) {
  StageCount& counted = counts_[static_cast<std::size_t>(stage)];
  if (stretch().starts()) {
    counted.runs += runs;
    counted.reused += reused;
  }
  if (runs > 0) clock_.stop(stage);
}

template <class S>
std::optional<Finding> Pipeline<S>::follow(const Mechanism& mechanism) {
  if (reuse_ == Reuse::recompute) forget();
  revisions_.see(mechanism, stale_);
  clock_.start();

  const Coordinates<S>& coordinates = kinematics_.coordinates();
  const std::int64_t runs = coordinates.runs(), reused = coordinates.reused();
  const auto finding = kinematics_.follow(mechanism, stale_);
  count(Stage::coordinates, coordinates.runs() - runs, coordinates.reused() - reused);
  if (finding) return finding;
  if (!stretch().whole()) see_slides(mechanism);

  const std::size_t unit = plan_->stage_units.transmission;
  if (!stale_.stale(unit)) {
    count(Stage::transmission, 0, 1);
    return map_finding_;
  }
  ++map_stamp_;
  map_finding_ = jacobian_.run(mechanism, kinematics_);
  if (!map_finding_) map_finding_ = actuator_motion_.run(mechanism, kinematics_);
  stale_.settle(unit);
  count(Stage::transmission, 1, 0);
  return map_finding_;
}

template <class S>
void Pipeline<S>::see_slides(const Mechanism& mechanism) {
  for (BodyIndex body = 0; body < mechanism.body_count(); ++body)
    if (mechanism.bodies[body].joint.type == JointType::prismatic)
      extremes_of<S>(kinematics_.joints().q(body), stretch().starts(), slides_[body]);
}

template <class S>
void Pipeline<S>::outline_spring(const Mechanism& mechanism, std::size_t spring) {
  const std::size_t unit = plan_->stage_units.first_spring + spring;
  if (!stale_.stale(unit)) {
    count(Stage::spring_geometry, 0, 1);
    return;
  }
  const std::int64_t runs = springs_.runs(), reused = springs_.reused();
  clock_.start();
  springs_.outline(spring, mechanism, jacobian_, map_stamp_, kinematics_);
  stale_.settle(unit);
  count(Stage::spring_geometry, springs_.runs() - runs, springs_.reused() - reused);
}

template <class S>
void Pipeline<S>::place_spring(const Mechanism& mechanism, std::size_t spring) {
  outline_spring(mechanism, spring);
  complete_spring(spring);
}

template <class S>
void Pipeline<S>::complete_spring(std::size_t spring) {
  if (shape(spring).complete) return;
  clock_.start();
  springs_.complete(spring, jacobian_, kinematics_);
  clock_.stop(Stage::spring_geometry);
}

template <class S>
void Pipeline<S>::carry(const Mechanism& mechanism) {
  const StageUnits& units = plan_->stage_units;
  clock_.start();
  const bool tree_is_stale = stale_.stale(units.tree_forces);
  if (tree_is_stale) {
    if (tree_forces_.run(mechanism, inertia_, kinematics_))
      stale_.declare(units.tree_forces, declare_tree_forces(*plan_, mechanism));
    stale_.settle(units.tree_forces);
  }
  count(Stage::tree_forces, tree_is_stale ? 1 : 0, tree_is_stale ? 0 : 1);
  const bool bare_is_stale = stale_.stale(units.bare_loads);
  if (bare_is_stale) {
    tree_forces_.add_up(jacobian_);
    ++bare_stamp_;
    stale_.settle(units.bare_loads);
  }
  count(Stage::bare_loads, bare_is_stale ? 1 : 0, bare_is_stale ? 0 : 1);
}

template <class S>
bool Pipeline<S>::judge(const Mechanism& mechanism, bool springs, Metrics& out) {
  with_springs_ = springs;
  out.actuators.resize(influences_.size());
  out.springs.assign(mechanism.springs.size(), {});
  clock_.start();
  bool finite = true;
  const bool bare_is_new = !springs || bare_judged_ != bare_stamp_;
  if (bare_is_new) {
    bare_is_finite_ = true;
    bare_judged_ = bare_stamp_;
  }
  for (std::size_t a = 0; a < influences_.size(); ++a) {
    if (springs && !influences_[a].empty()) {
      out.actuators[a] = judge_actuator(mechanism, a);
      finite = finite && is_finite(out.actuators[a]);
      continue;
    }
    if (bare_is_new) {
      bare_metrics_[a] = sum_up(a);
      bare_is_finite_ = bare_is_finite_ && is_finite(bare_metrics_[a]);
    }
    out.actuators[a] = bare_metrics_[a];
  }
  return finite && bare_is_finite_ && (!springs || judge_springs(mechanism, out.springs));
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
  memory.set_bare(bare_stamp_);
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

template <class S>
StageCounts Pipeline<S>::counts() const {
  StageCounts counts = counts_;
  for (std::size_t i = 0; i < stage_count; ++i)
    counts[i].seconds = clock_.seconds(static_cast<Stage>(i));
  return counts;
}

template class Pipeline<double>;
template class Pipeline<Pack>;

}  // namespace counterpoise
