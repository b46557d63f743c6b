#include "engine/evaluation/pipeline.hpp"

#include <algorithm>
#include <cmath>

#include "engine/evaluation/plan.hpp"
#include "engine/math/pack.hpp"
#include "engine/mechanism/elements.hpp"

namespace counterpoise {

template <class S>
Pipeline<S>::Pipeline(std::shared_ptr<const EvaluationPlan> plan, const Motion& motion, Reuse reuse,
                      const Holding& holding)
    : plan_(std::move(plan)),
      reuse_(reuse),
      revisions_(all_elements(plan_->nominal)),
      stale_(plan_->stage_units, plan_->nominal, plan_->drives.coordinates.size(),
             plan_->drives.driven),
      kinematics_(*plan_, holding),
      transmission_(plan_->nominal, plan_->paths, plan_->actuator_plan, plan_->motion_plan,
                    plan_->force_shares),
      actuator_motion_(*plan_),
      tree_forces_(*plan_),
      springs_(*plan_),
      bent_(plan_->nominal.springs.size()),
      weights_(plan_->nominal.actuators.size()),
      coil_stamps_(tree_forces_.coils().size()),
      directions_(plan_->nominal.springs.size()),
      totals_(plan_->nominal.actuators.size()),
      slipping_(totals_.size()),
      plain_(totals_.size()),
      lost_(totals_.size(), 0) {
  size_ = farthest_coordinate(plan_->nominal);
  const List<Actuator>& actuators = plan_->nominal.actuators;
  find_ends_ = std::any_of(actuators.begin(), actuators.end(),
                           [](const Actuator& actuator) { return actuator.motor.known; });
  find_influences();
  set_motion(motion);
}

template <class S>
void Pipeline<S>::find_influences() {
  const std::size_t actuators = plan_->nominal.actuators.size();
  influences_.resize(actuators);
  terms_.resize(actuators);
  bare_metrics_.resize(actuators);
  bare_stamps_.resize(actuators, 0);
  for (std::size_t s = 0; s < plan_->nominal.springs.size(); ++s) {
    const std::vector<ActuatorIndex>& influenced = plan_->influenced[s];
    for (std::size_t i = 0; i < influenced.size(); ++i)
      influences_[influenced[i]].push_back({s, i});
  }
  for (std::size_t coil = 0; coil < tree_forces_.coils().size(); ++coil) {
    const std::vector<ActuatorIndex>& weighed = plan_->weighed[tree_forces_.coils()[coil].spring];
    for (std::size_t i = 0; i < weighed.size(); ++i) weights_[weighed[i]].push_back({coil, i});
  }
  for (std::size_t a = 0; a < actuators; ++a) {
    const auto rubbing =
        std::count_if(influences_[a].begin(), influences_[a].end(),
                      [&](const Influence& of) { return plan_->nominal.springs[of.spring].rubs; });
    terms_[a].resize(influences_[a].size() + static_cast<std::size_t>(rubbing) +
                     weights_[a].size());
    memories_.emplace_back(terms_[a].size());
  }
}

template <class S>
void Pipeline<S>::set_motion(const Motion& motion) {
  if (motion.inertia != inertia_) {
    stale_.touch_unit(plan_->stage_units.tree_forces);
    for (const std::size_t unit : plan_->stage_units.spring_masses)
      if (unit != StageUnits::none) stale_.touch_unit(unit);
  }
  inertia_ = motion.inertia;
  if (tree_forces_.set_motion(motion)) stale_.touch_unit(plan_->stage_units.tree_forces);
  weighted_ = motion.skips || motion.has_weights() ? motion : Motion();
  sample_weights_.clear();
  kinematics_.set_motion(motion, stale_);
}

template <class S>
void Pipeline<S>::forget() {
  stale_.touch_everything();
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
  StageCount& counted = counts_[account_][static_cast<std::size_t>(stage)];
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
  const bool same_samples = stretch().whole() && coordinates.runs() == runs;
  if (weighted_.poses && !(same_samples && has_weights())) weigh_samples();

  return transmit(mechanism);
}

/// Sets the weights of the samples: none of those that are left out.
template <class S>
void Pipeline<S>::weigh_samples() {
  if (stretch().starts()) {
    sum_of_weights_ = 0.0;
    samples_left_out_ = 0;
  }
  const std::span<const char> left = left_out();
  sample_weights_.assign(static_cast<std::size_t>((samples() + lanes<S> - 1) / lanes<S>), S(0.0));
  for (int k = 0; k < samples(); ++k) {
    if (!left.empty() && left[k] != 0) {
      ++samples_left_out_;
      continue;
    }
    const double weight = weighted_.pose_weight(stretch().first + k);
    const SamplePlace<S> place(k);
    set_lane(sample_weights_[place.block], place.lane, weight);
    sum_of_weights_ += weight;
  }
}

template <class S>
double Pipeline<S>::weight(int k) const {
  if (sample_weights_.empty()) return stretch().weight(stretch().first + k);
  const SamplePlace<S> place(k);
  return lane(sample_weights_[place.block], place.lane);
}

/// Runs the steps of the transmission that are stale, and the motion of the actuators.
template <class S>
std::optional<Finding> Pipeline<S>::transmit(const Mechanism& mechanism) {
  const StageUnits& units = plan_->stage_units;
  const DesignGeometry geometry = kinematics_.geometry(mechanism);
  const typename Transmission<S>::Call call{geometry, kinematics_.joints(), stretch(), step(),
                                            kinematics_.closures()};
  std::int64_t runs = 0, reused = 0;
  const auto is_to_run = [&](std::size_t unit) {
    const bool stale = stale_.stale(unit);
    ++(stale ? runs : reused);
    return stale;
  };
  for (std::size_t i = 0; i < units.transmission.size(); ++i) {
    const std::size_t unit = units.transmission[i];
    if (unit == StageUnits::none || !is_to_run(unit)) continue;
    transmission_.run(i, call);
    stale_.settle(unit);
  }
  std::optional<Finding> finding = transmission_.finding();
  if (!finding) {
    if (is_to_run(units.actuator_motion)) {
      actuator_finding_ = actuator_motion_.run(mechanism, kinematics_);
      for (Stamp& stamp : bare_stamps_) stamp = ++last_stamp_;
      motion_stamp_ = ++last_stamp_;
      stale_.settle(units.actuator_motion);
    }
    finding = actuator_finding_;
  }
  count(Stage::transmission, runs, reused);
  return finding;
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
  springs_.outline(spring, mechanism, transmission_, stale_.inputs(unit), kinematics_);
  stale_.settle(unit);
  count(Stage::spring_geometry, springs_.runs() - runs, springs_.reused() - reused);
}

template <class S>
void Pipeline<S>::place_spring(const Mechanism& mechanism, std::size_t spring) {
  outline_spring(mechanism, spring);
  complete_spring(spring);
}

template <class S>
void Pipeline<S>::clear_spring(const Mechanism& mechanism, std::size_t spring) {
  if (shape(spring).cleared || mechanism.springs[spring].clear_of.empty()) return;
  clock_.start();
  springs_.clear(spring, mechanism, kinematics_);
  clock_.stop(Stage::spring_geometry);
}

template <class S>
void Pipeline<S>::complete_spring(std::size_t spring) {
  if (shape(spring).complete) return;
  clock_.start();
  springs_.complete(spring, transmission_, kinematics_);
  clock_.stop(Stage::spring_geometry);
}

template <class S>
void Pipeline<S>::carry(const Mechanism& mechanism) {
  const StageUnits& units = plan_->stage_units;
  clock_.start();
  const bool tree_is_stale = stale_.stale(units.tree_forces);
  if (tree_is_stale) {
    if (tree_forces_.run(mechanism, inertia_, kinematics_)) declare_carriers(mechanism);
    stale_.settle(units.tree_forces);
  }
  count(Stage::tree_forces, tree_is_stale ? 1 : 0, tree_is_stale ? 0 : 1);
  std::int64_t runs = 0;
  for (std::size_t a = 0; a < units.bare_loads.size(); ++a) {
    if (!stale_.stale(units.bare_loads[a])) continue;
    tree_forces_.add_up(a, transmission_);
    bare_stamps_[a] = ++last_stamp_;
    stale_.settle(units.bare_loads[a]);
    ++runs;
  }
  count(Stage::bare_loads, runs, static_cast<std::int64_t>(units.bare_loads.size()) - runs);
  if (!coil_stamps_.empty()) weigh_springs(mechanism);
}

template <class S>
void Pipeline<S>::weigh_springs(const Mechanism& mechanism) {
  std::int64_t runs = 0;
  for (std::size_t coil = 0; coil < coil_stamps_.size(); ++coil) {
    const std::size_t unit = plan_->stage_units.spring_masses[tree_forces_.coils()[coil].spring];
    if (!stale_.stale(unit)) continue;
    tree_forces_.weigh(coil, mechanism, inertia_, kinematics_, transmission_);
    coil_stamps_[coil] = ++last_stamp_;
    stale_.settle(unit);
    ++runs;
  }
  count(Stage::tree_forces, runs, static_cast<std::int64_t>(coil_stamps_.size()) - runs);
}

/// Declares what tree forces and bare loads read now that other bodies have mass.
template <class S>
void Pipeline<S>::declare_carriers(const Mechanism& mechanism) {
  const StageUnits& units = plan_->stage_units;
  stale_.declare(units.tree_forces, declare_tree_forces(*plan_, mechanism));
  const std::vector<StageUnit> bare = declare_bare_loads(*plan_, units, mechanism);
  for (std::size_t a = 0; a < bare.size(); ++a) {
    stale_.declare(units.bare_loads[a], bare[a]);
    stale_.touch_unit(units.bare_loads[a]);
  }
}

template <class S>
void Pipeline<S>::count_apart(bool apart) {
  account_ = apart ? 1 : 0;
  clock_.count_apart(apart);
}

template <class S>
StageCounts Pipeline<S>::counts(bool apart) const {
  StageCounts counts = counts_[apart ? 1 : 0];
  for (std::size_t i = 0; i < stage_count; ++i)
    counts[i].seconds = clock_.seconds(static_cast<Stage>(i), apart);
  return counts;
}

template class Pipeline<double>;
template class Pipeline<Pack>;

namespace {

bool is_finite(const ActuatorMetrics& m) {
  return std::isfinite(m.max + m.mean + m.rms + m.energy + m.peak_power);
}

}  // namespace

template <class S>
std::optional<Finding> Pipeline<S>::rub(const Mechanism& mechanism, bool springs) {
  rubs_ = has_load_friction(mechanism);
  if (!rubs_) return std::nullopt;
  with_springs_ = springs;
  if (!friction_loads_) friction_loads_ = std::make_unique<FrictionLoads<S>>(plan_->nominal);
  for (std::size_t a = 0; a < influences_.size() && springs; ++a) set_terms(mechanism, a);
  for (std::size_t s = 0; s < mechanism.springs.size() && springs; ++s)
    if (mechanism.springs[s].rubs) direction(s);
  clock_.start();
  const auto finding = friction_loads_->run(mechanism, *this, find_ends_);
  clock_.stop(Stage::loads);
  const std::vector<std::size_t>& units = plan_->stage_units.loads;
  count(Stage::loads,
        springs ? std::count_if(units.begin(), units.end(),
                                [](std::size_t unit) { return unit != StageUnits::none; })
                : 0,
        0);
  return finding;
}

template <class S>
bool Pipeline<S>::judge(const Mechanism& mechanism, bool springs, Metrics& out) {
  with_springs_ = springs;
  out.actuators.resize(influences_.size());
  out.springs.assign(mechanism.springs.size(), {});
  out.left_out = samples_left_out_;
  clock_.start();
  bool finite = true;
  for (std::size_t a = 0; a < influences_.size(); ++a) {
    if (rubs_) {
      out.actuators[a] = sum_up(a);
      finite = finite && is_finite(out.actuators[a]);
      continue;
    }
    if (springs && !terms_[a].empty()) {
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
  for (std::size_t a = 0; a < influences_.size(); ++a)
    if (const double most = mechanism.actuators[a].holding_load; std::isfinite(most))
      out.actuators[a].holds = share_held(most, a);
  return finite && (!springs || judge_springs(mechanism, out.springs));
}

template <class S>
bool Pipeline<S>::judge_springs(const Mechanism& mechanism, std::vector<SpringMetrics>& out) const {
  bool finite = true;
  for (std::size_t s = 0; s < out.size(); ++s) {
    const SpringShape<S>& at = shape(s);
    // tension rises with length: it is least and greatest at the ends of the length's range
    const double first = tension_of(mechanism.springs[s], at.shortest);
    const double last = tension_of(mechanism.springs[s], at.longest);
    out[s] = {at.shortest, at.longest, std::max(std::abs(first), std::abs(last)),
              std::min(first, last)};
    if (at.cleared) out[s].clearance = at.least_distance - mechanism.springs[s].radius;
    finite = finite && std::isfinite(out[s].min_length + out[s].max_length + out[s].max_tension);
  }
  return finite;
}

template <class S>
std::span<const S> Pipeline<S>::bent_tension(const Mechanism& mechanism, std::size_t spring) {
  const Spring& own = mechanism.springs[spring];
  const SpringShape<S>& at = shape(spring);
  BentTension& known = bent_[spring];
  if (known.stamp != 0 && known.shape == at.id && known.rate == own.rate &&
      known.free_length == own.free_length && known.initial_tension == own.initial_tension &&
      known.group_law == own.group_law)
    return known.tension;
  known.tension.resize(at.length.size());
  std::transform(at.length.begin(), at.length.end(), known.tension.begin(),
                 [&](const S& length) { return tension_of(own, length); });
  known.shape = at.id;
  known.rate = own.rate;
  known.free_length = own.free_length;
  known.initial_tension = own.initial_tension;
  known.group_law = own.group_law;
  known.stamp = ++last_stamp_;
  return known.tension;
}

template <class S>
std::span<const S> Pipeline<S>::direction(std::size_t spring) {
  const SpringShape<S>& at = shape(spring);
  Direction& known = directions_[spring];
  const bool moves = inertia_ && !stretch().poses;
  if (known.stamp != 0 && known.shape == at.id && known.motion == motion_stamp_ &&
      known.moves == moves)
    return known.of_length;
  const std::size_t blocks = at.length.size();
  known.of_length.assign(blocks, S(0.0));
  const std::vector<ActuatorIndex>& influenced = plan_->influenced[spring];
  for (std::size_t block = 0; block < blocks && moves; ++block) {
    // a load per tension is the slope of the length by the actuator
    S rate(0.0);
    for (std::size_t i = 0; i < influenced.size(); ++i)
      rate += at.influence[i * blocks + block] *
              actuator_motion_.velocity(static_cast<std::size_t>(int{influenced[i]}))[block];
    const S rest(Friction::rest);
    known.of_length[block] = select(rest < rate, S(1.0), select(rate < S(-rest), S(-1.0), S(0.0)));
  }
  known.shape = at.id;
  known.motion = motion_stamp_;
  known.moves = moves;
  known.stamp = ++last_stamp_;
  return known.of_length;
}

template <class S>
std::span<const S> Pipeline<S>::load_without_tensions(const Mechanism& mechanism,
                                                      std::size_t actuator,
                                                      std::vector<S>& scratch) {
  const std::span<const S> bare = bare_load(actuator);
  scratch.clear();
  for (const Influence& influence : influences_[actuator]) {
    const Spring& spring = mechanism.springs[influence.spring];
    if (!spring.rubs) continue;
    if (scratch.empty()) scratch.assign(bare.begin(), bare.end());
    const std::span<const S> way = direction(influence.spring), slope = per_tension(influence);
    for (std::size_t block = 0; block < scratch.size(); ++block)
      scratch[block] += slope[block] * way[block] * spring.friction;
  }
  for (const Weight& weight : weights_[actuator]) {
    const double mass = mechanism.springs[tree_forces_.coils()[weight.coil].spring].mass;
    if (scratch.empty()) scratch.assign(bare.begin(), bare.end());
    const std::span<const S> per_mass = tree_forces_.load_per_mass(weight.coil, weight.share);
    for (std::size_t block = 0; block < scratch.size(); ++block)
      scratch[block] += per_mass[block] * mass;
  }
  return scratch.empty() ? bare : std::span<const S>(scratch);
}

template <class S>
S Pipeline<S>::play(const Mechanism& mechanism, std::size_t actuator, std::size_t block,
                    bool springs) const {
  S play =
      tree_forces_.play(actuator, block, mechanism, joints(static_cast<int>(block)), transmission_);
  if (!springs) return play;
  for (const Influence& influence : influences_[actuator]) {
    const Spring& spring = mechanism.springs[influence.spring];
    if (spring.friction == 0.0) continue;
    const S at_rest = abs(per_tension(influence)[block]) * spring.friction;
    play += select(abs(directions_[influence.spring].of_length[block]) < S(0.5), at_rest, S(0.0));
  }
  return play;
}

template <class S>
void Pipeline<S>::set_terms(const Mechanism& mechanism, std::size_t actuator) {
  LoadMemory& memory = memories_[actuator];
  memory.set_bare(bare_stamps_[actuator]);
  // terms of friction and of masses are behind the others
  std::size_t next = influences_[actuator].size();
  for (std::size_t i = 0; i < influences_[actuator].size(); ++i) {
    const Influence& influence = influences_[actuator][i];
    complete_spring(influence.spring);
    const Spring& spring = mechanism.springs[influence.spring];
    const SpringShape<S>& at = shape(influence.spring);
    if (spring.rubs) {
      const S* way = direction(influence.spring).data();
      terms_[actuator][next] = {way, per_tension(influence).data(), spring.friction, 0.0};
      memory.set_spring(next++, directions_[influence.spring].stamp, spring.friction, 0.0);
    }
    if (!spring.is_straight()) {
      const S* tension = bent_tension(mechanism, influence.spring).data();
      terms_[actuator][i] = {tension, per_tension(influence).data(), 1.0, 0.0};
      memory.set_spring(i, bent_[influence.spring].stamp, 1.0, 0.0);
      continue;
    }
    const SpringLaw law = law_of(spring);
    terms_[actuator][i] = {at.length.data(), per_tension(influence).data(), law.rate, law.offset};
    memory.set_spring(i, at.id, law.rate, law.offset);
  }
  for (const Weight& weight : weights_[actuator]) {
    const double mass = mechanism.springs[tree_forces_.coils()[weight.coil].spring].mass;
    const S* per_mass = tree_forces_.load_per_mass(weight.coil, weight.share).data();
    terms_[actuator][next] = {per_mass, per_mass, 0.0, mass};
    memory.set_spring(next++, coil_stamps_[weight.coil], 0.0, mass);
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
  const SampleWeights<S> weights{sample_weights_, sum_of_weights_};
  if (scaling_) {
    ActuatorMetrics scaled = plain;
    if (lost_[actuator] != 0)
      summarise_scaled(load(actuator), stretch(), weights, step(), totals, scaled);
    return scaled;
  }
  plain = summarise(load(actuator), stretch(), weights, step(), totals);
  if (stretch().ends() && !stretch().whole()) lost_[actuator] = sums_are_lost(totals) ? 1 : 0;
  return plain;
}

/// The share of the samples so far at which the actuator's load is at most its holding load.
template <class S>
double Pipeline<S>::share_held(double holding_load, std::size_t actuator) {
  double& slipping = slipping_[actuator];
  if (stretch().starts()) slipping = 0.0;
  const LoadSeries<S> loads = load(actuator);
  const S most(holding_load + slack_of(holding_load, 0.0));
  for (int block = 0; block * lanes<S> < samples(); ++block) {
    const S size = abs(loads(static_cast<std::size_t>(block)));
    if (holds(size <= most, lanes<S>)) continue;
    for (int k = block * lanes<S>; k < std::min((block + 1) * lanes<S>, samples()); ++k)
      if (!(lane(size, k % lanes<S>) <= lane(most, 0))) slipping += weight(k);
  }
  const SampleWeights<S> weights{sample_weights_, sum_of_weights_};
  return 1.0 - slipping / weights.sum_in(stretch());
}

template <class S>
LoadSeries<S> Pipeline<S>::load(std::size_t actuator) const {
  if (rubs_) return {friction_loads_->load(actuator), actuator_motion_.velocity(actuator), {}};
  return affine_load(actuator);
}

template <class S>
LoadSeries<S> Pipeline<S>::affine_load(std::size_t actuator) const {
  LoadSeries<S> series{bare_load(actuator), actuator_motion_.velocity(actuator), {}};
  if (with_springs_) series.terms = terms_[actuator];
  return series;
}

template std::span<const double> Pipeline<double>::direction(std::size_t);
template std::span<const Pack> Pipeline<Pack>::direction(std::size_t);
template std::span<const double> Pipeline<double>::load_without_tensions(const Mechanism&,
                                                                         std::size_t,
                                                                         std::vector<double>&);
template std::span<const Pack> Pipeline<Pack>::load_without_tensions(const Mechanism&, std::size_t,
                                                                     std::vector<Pack>&);
template double Pipeline<double>::play(const Mechanism&, std::size_t, std::size_t, bool) const;
template Pack Pipeline<Pack>::play(const Mechanism&, std::size_t, std::size_t, bool) const;
template bool Pipeline<double>::judge(const Mechanism&, bool, Metrics&);
template bool Pipeline<Pack>::judge(const Mechanism&, bool, Metrics&);
template std::optional<Finding> Pipeline<double>::rub(const Mechanism&, bool);
template std::optional<Finding> Pipeline<Pack>::rub(const Mechanism&, bool);
template LoadSeries<double> Pipeline<double>::load(std::size_t) const;
template LoadSeries<Pack> Pipeline<Pack>::load(std::size_t) const;
template LoadSeries<double> Pipeline<double>::affine_load(std::size_t) const;
template LoadSeries<Pack> Pipeline<Pack>::affine_load(std::size_t) const;

}  // namespace counterpoise
