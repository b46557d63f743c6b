#include "cases/case_evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cases/case_drives.hpp"
#include "cases/case_falls.hpp"
#include "cases/case_judge.hpp"
#include "cases/case_points.hpp"
#include "engine/mechanism/stage.hpp"

namespace counterpoise {

struct CaseEvaluator::Impl {
  struct PerMotion {
    std::shared_ptr<Evaluator> evaluator;
    std::uint64_t motion_revision = 0;  // of the motion that the evaluator has
    Metrics metrics;                    // unused by a case that runs one motion
  };
  using Motions = std::vector<PerMotion>;

  const Study& study;
  EvaluationOptions options;
  CaseDesign design;
  CaseJudge judge;
  CaseDrives drives;
  CaseFalls falls;
  // evaluators of their own for each pass, as each has other masses: so all remember theirs
  std::vector<Motions> passes;
  std::size_t pass = CaseDrives::last_pass;
  std::vector<MotionMetrics> parts;
  TickClock<CaseWork, case_work_count> clock;
  int motion = -1;  // that the last point selects; -1: all
  bool geometry_varies = false;

  Impl(const Study& s, const EvaluationOptions& o)
      : study(s), options(o), design(s), judge(s), drives(s), falls(s) {
    const std::vector<Stage> stages = first_stages(study);
    geometry_varies = std::find(stages.begin(), stages.end(), Stage::coordinates) != stages.end();
    passes.resize(drives.passes());
    for (Motions& motions : passes)
      for (const LoadCase& load_case : study.motions) add_motion(load_case, motions);
    for (std::size_t m = 0; m < study.motions.size(); ++m)
      parts.push_back({&passes.front()[m].metrics, study.motions[m].motion.nominal.extent(),
                       study.motions[m].weight});
  }

  void add_motion(const LoadCase& load_case, Motions& motions) try {
    const Model& model = *study.model;
    const Motion& motion = load_case.motion.nominal;
    if (load_case.combination > 0 && geometry_varies && changes_bare_loads_only(load_case.motion)) {
      motions.push_back({motions.back().evaluator, 0, {}});
      return;
    }
    Holding holding = options.holding;
    // which poses are left out depends on what is held
    if (motion.skips) holding.most = std::min(holding.most, Holding().most);
    motions.push_back(
        {std::make_shared<Evaluator>(model.nominal, motion, options.reuse, holding), 0, {}});
    ElementSet varying = model.varying_elements();
    for (const StudyDrive& drive : study.drives)
      if (drive.mount && std::find(varying.bodies.begin(), varying.bodies.end(),
                                   at(drive.mount->body)) == varying.bodies.end())
        varying.bodies.push_back(at(drive.mount->body));
    motions.back().evaluator->set_varying(varying);
    motions.back().evaluator->watch_motors(drives.actuators());
  } catch (const MechanismError& error) {
    throw InputError(load_case.where, error.what());
  }

  /// Whether the parameters that a motion is run with at several values change nothing but masses,
  /// gravity, friction and forces from outside. Loads without springs are linear in these; the
  /// stages before these loads, and the springs, are the same for all values. One evaluator can
  /// then take one value after the other and run again only what changes. That pays where each
  /// design moves anew: otherwise an evaluator for each value remembers its loads without springs
  /// between designs.
  [[nodiscard]] bool changes_bare_loads_only(const ParametricMotion& motion) const {
    const Model& model = *study.model;
    std::vector<int> from;
    for (const ParameterAxis& axis : motion.axes) from.push_back(axis.parameter);
    std::vector<bool> replaced(model.parameters.size(), false);
    for (const int parameter : from) replaced[parameter] = true;
    const Reach reach = reach_of(model, from, replaced);
    return std::none_of(motion.expressions.begin(), motion.expressions.end(),
                        [&](const Expression& expression) { return reach.changes(expression); }) &&
           std::all_of(reach.fields.begin(), reach.fields.end(), [&](int f) {
             const Quantity quantity = describe(model.varying[f].field).quantity;
             return quantity == Quantity::gravity || quantity == Quantity::inertia ||
                    quantity == Quantity::leg_inertia || quantity == Quantity::applied_force ||
                    quantity == Quantity::friction || quantity == Quantity::motor;
           });
  }

  /// The pairs of baselines: one, or one for each motion that some case runs.
  [[nodiscard]] std::vector<std::size_t> baseline_pairs() const {
    if (study.motion_variable < 0) return {0};
    const auto& chosen_by = study.variables[study.motion_variable];
    return {chosen_by.motions.begin(), chosen_by.motions.end()};
  }

  void run(int motion, bool springs, CaseOutcome& out);
  /// Runs motions and finds drives for them, which the mechanism may have to carry.
  void run_driven(int motion, bool springs, CaseDrives::Choice choice, CaseOutcome& out);
  /// Has the design carry the drives that are chosen for the settings, also where limits are
  /// broken. `m`: the motion whose place an error tells.
  void carry_chosen(int motion, bool springs, CaseDrives::Choice choice, std::size_t m);
  /// Finds the motors' metrics of a design whose motions were run; where a drive is required and
  /// none suffices, refuses it. A design that breaks a limit of its motions gets no drive, unless
  /// everything that is against it is to be found.
  void drive(int motion, CaseDrives::Choice choice, CaseOutcome& out);
  /// Runs the scenarios of a design whose motions were run, unless it is refused already.
  void let_fall(bool springs, CaseOutcome& out);
  /// Motions, constraints that read no scenario, then scenarios, objectives and the other
  /// constraints.
  void run_and_judge(CaseOutcome& out);
  void count_apart(bool apart) {
    clock.count_apart(apart);
    falls.count_apart(apart);
    for (const Motions& motions : passes)
      for (const PerMotion& of : motions) of.evaluator->count_apart(apart);
  }
  [[nodiscard]] bool is_only_beyond(int m, const std::vector<bool>& parameters) const;
  bool bind_motion(std::size_t m, CaseOutcome& out, const std::vector<bool>& unbounded = {});
  bool run_motion(std::size_t m, bool springs, Metrics& metrics, CaseOutcome& out);
  /// Refuses a design that could not be bound, for motion `m` or (-1) for all. Returns whether it
  /// is to be evaluated nevertheless.
  bool refuse_design(std::string reason, int m, CaseOutcome& out);
  [[nodiscard]] std::string in_motion(std::size_t m) const {
    return study.motions.size() > 1 ? " in motion " + study.motions[m].name : std::string();
  }
};

/// Runs one motion, or all motions (-1), with the settings of `design`.
void CaseEvaluator::Impl::run(int motion, bool springs, CaseOutcome& out) {
  out.begin();
  drives.forget(out);
  drives.begin(pass);
  falls.forget(out);
  clock.start();
  auto refusal = design.bind();
  clock.stop(CaseWork::binding);
  // a design that every motion runs with parameters of its own cannot speak against a case
  if (refusal && design.runs_plain(motion) && !refuse_design(std::move(*refusal), -1, out)) return;
  const std::size_t count = study.motions.size();
  if (motion >= 0 || count == 1) {
    const std::size_t only = motion < 0 ? 0 : static_cast<std::size_t>(motion);
    out.computable = bind_motion(only, out) && run_motion(only, springs, out.metrics, out);
    return;
  }
  bool computable = true;
  for (std::size_t m = 0; m < count; ++m) {
    if (!bind_motion(m, out)) return;
    computable = run_motion(m, springs, passes.front()[m].metrics, out) && computable;
    if (!computable && options.first_reason_only) return;
  }
  if (!computable) return;
  clock.start();
  combine(parts, out.metrics);
  clock.stop(CaseWork::judging);
  out.computable = true;
}

/// A design that carries drives runs with the lightest of all, then with the heaviest of one after
/// the other; loads are affine in these masses. Then it runs with the drives that suffice for the
/// loads which they cause. Limits that no mass changes are told before drives are looked for.
void CaseEvaluator::Impl::run_driven(int motion, bool springs, CaseDrives::Choice choice,
                                     CaseOutcome& out) {
  const auto run_pass = [&](std::size_t which) {
    pass = which;
    design.carry(drives.masses(pass), pass == CaseDrives::last_pass);
    run(motion, springs, out);
  };
  if (!drives.carried()) {
    run(motion, springs, out);
    drive(motion, choice, out);
    return;
  }
  std::string reason;
  for (std::size_t which = 1; which < passes.size(); ++which) {
    run_pass(which);
    if (which == 1) reason = out.reason;
    if (out.status != CaseStatus::feasible && !options.every_fall) out.computable = false;
    if (!out.computable) return drives.forget(out);
  }
  clock.start();
  const bool suffice = drives.choose_carried(design.mechanism(0), choice, out);
  clock.stop(CaseWork::judging);
  if (!suffice) return;
  run_pass(CaseDrives::last_pass);
  if (!reason.empty()) out.reason = std::move(reason);
  drive(motion, choice, out);
}

void CaseEvaluator::Impl::drive(int motion, CaseDrives::Choice choice, CaseOutcome& out) {
  if (!drives.any() || !out.computable) return;
  const bool refused = out.status != CaseStatus::feasible && !options.every_fall;
  if (refused) choice = CaseDrives::Choice::left_out;
  clock.start();
  const std::size_t first = motion < 0 ? 0 : static_cast<std::size_t>(motion);
  drives.finish(design.mechanism(first), choice, out);
  clock.stop(CaseWork::judging);
  if (refused && drives.chooses()) out.computable = false;
}

void CaseEvaluator::Impl::let_fall(bool springs, CaseOutcome& out) {
  if (!falls.any() || !out.computable) return;
  out.computable = false;
  if (out.status != CaseStatus::feasible && !options.every_fall) return;
  if (!falls.bind(design, out)) return;
  if (!springs)
    for (Mechanism& mechanism : falls.mechanisms()) disable_springs(mechanism);
  out.computable = falls.run(design, out);
}

void CaseEvaluator::Impl::run_and_judge(CaseOutcome& out) {
  run_driven(motion, true, CaseDrives::Choice::required, out);
  if (!out.computable) return;
  const std::size_t pair = motion < 0 ? 0 : static_cast<std::size_t>(motion);
  clock.start();
  if (falls.any()) {
    judge.take(design.parameters(), pair, out);
    judge.hold_against_cheap_constraints(out);
    clock.stop(CaseWork::judging);
    let_fall(true, out);
    if (!out.computable) return;
    clock.start();
  }
  judge.judge(design.parameters(), pair, out);
  judge.hold_against_constraints(out, falls.any());
  clock.stop(CaseWork::judging);
}

/// Whether the design that was bound last, for motion `m` or (-1) for all, breaks bounds of these
/// parameters and has no other fault.
bool CaseEvaluator::Impl::is_only_beyond(int m, const std::vector<bool>& parameters) const {
  const ModelBinder* binder = design.refused_by(m);
  if (parameters.empty() || binder == nullptr || !binder->fault()) return false;
  const std::vector<ModelBinder::Fault> beyond = binder->all_beyond_bounds();
  return !beyond.empty() && std::all_of(beyond.begin(), beyond.end(), [&](const auto& fault) {
    return parameters[fault.parameter];
  });
}

bool CaseEvaluator::Impl::bind_motion(std::size_t m, CaseOutcome& out,
                                      const std::vector<bool>& unbounded) {
  clock.start();
  const auto reason = design.bind_motion(m);
  if (reason && !is_only_beyond(static_cast<int>(m), unbounded) &&
      !refuse_design(*reason + in_motion(m), static_cast<int>(m), out))
    return false;
  PerMotion& own = passes[pass][m];
  if (own.motion_revision != design.motion_revision(m)) {
    own.motion_revision = design.motion_revision(m);
    own.evaluator->set_motion(design.motion(m));
  }
  clock.stop(CaseWork::binding);
  return true;
}

bool CaseEvaluator::Impl::refuse_design(std::string reason, int m, CaseOutcome& out) {
  const ModelBinder* binder = design.refused_by(m);
  if (binder == nullptr || !binder->fault()) {
    out.refuse(std::move(reason), 1.0);
    return false;
  }
  const auto refuse = [&](const ModelBinder::Fault& fault) {
    const double violation = out.violation + 1.0;  // such a design has no other measure
    out.refuse(failure_of(fault, m), reason);
    out.violation = violation;
  };
  const std::vector<ModelBinder::Fault> beyond =
      options.beyond_bounds ? binder->all_beyond_bounds() : std::vector<ModelBinder::Fault>();
  if (beyond.empty()) refuse(*binder->fault());
  for (const ModelBinder::Fault& fault : beyond) refuse(fault);
  return !beyond.empty();
}

/// Runs one motion and returns whether it has metrics.
bool CaseEvaluator::Impl::run_motion(std::size_t m, bool springs, Metrics& metrics,
                                     CaseOutcome& out) {
  const Mechanism& mechanism = design.mechanism(m);
  Evaluator& evaluator = *passes[pass][m].evaluator;
  const auto finding =
      evaluator.evaluate(mechanism, {springs, true, options.first_reason_only}, metrics);
  if (!finding || evaluator.followed()) drives.add(m, mechanism, evaluator);
  if (!finding) return true;
  clock.start();
  const bool fault = finding->kind == FindingKind::not_finite;
  const bool first = out.status == CaseStatus::feasible;
  const double violation = out.violation + finding->violation;
  if (first) out.reason = describe(*finding, mechanism, design.motion(m)) + in_motion(m);
  out.status = first ? CaseStatus::infeasible : out.status;
  for (const Finding& one : evaluator.findings())
    out.failures.push_back(failure_of(one, static_cast<int>(m)));
  out.violation = violation;
  if (fault && first) out.status = CaseStatus::failed;
  clock.stop(CaseWork::judging);
  return !options.first_reason_only && evaluator.followed() && breaks_limit_only(finding->kind);
}

CaseEvaluator::CaseEvaluator(const Study& study, const EvaluationOptions& options)
    : impl_(new Impl(study, options)) {}
CaseEvaluator::~CaseEvaluator() = default;
CaseEvaluator::CaseEvaluator(CaseEvaluator&&) noexcept = default;

Baselines CaseEvaluator::evaluate_baselines() {
  Impl& own = *impl_;
  const Study& study = own.study;
  const bool per_motion = study.motion_variable >= 0;
  auto result = std::make_shared<Baselines>();
  result->pairs.resize(per_motion ? study.motions.size() : 1);
  const std::vector<std::size_t> selected = own.baseline_pairs();
  own.design.set_baseline();
  for (std::size_t p : selected) {
    Baselines::Pair& pair = result->pairs[p];
    const int motion = per_motion ? static_cast<int>(p) : -1;
    own.run_driven(motion, true, CaseDrives::Choice::tried, pair.baseline);
    own.let_fall(true, pair.baseline);
    pair.baseline.computable = pair.baseline.status == CaseStatus::feasible;
    own.run_driven(motion, false, CaseDrives::Choice::tried, pair.without_springs);
    own.let_fall(false, pair.without_springs);
    pair.without_springs.computable = pair.without_springs.status == CaseStatus::feasible;
  }
  // what the expressions of objectives and constraints compare with has to exist
  const auto needs = [&](const Expression& expression, const Location& where) {
    for (int used : expression.used())
      for (std::size_t p : selected) {
        const Baselines::Pair& pair = result->pairs[p];
        const bool springless = used >= study.without_springs_offset();
        const CaseOutcome& outcome = springless ? pair.without_springs : pair.baseline;
        if (used >= study.baseline_offset() && !outcome.computable)
          throw InputError(
              where,
              fmt::format("uses {}, but {} is infeasible: {}", study.metric_scope.names()[used],
                          springless ? "the robot without springs" : "the baseline",
                          outcome.reason));
        const MetricName* metric = study.metric_of(used);
        if (used >= study.baseline_offset() && metric->of == MetricOf::motor &&
            std::isnan(value_of(outcome.metrics, *metric)))
          throw InputError(where,
                           fmt::format("uses {}, but no drive of the catalogues suffices for {}",
                                       study.metric_scope.names()[used],
                                       springless ? "the robot without springs" : "the baseline"));
      }
  };
  for (const Objective& objective : study.objectives)
    if (objective.expression) needs(*objective.expression, objective.where);
  for (const Constraint& constraint : study.constraints)
    needs(constraint.expression, constraint.where);

  own.judge.set_baselines(result);
  for (std::size_t p : selected) {
    Baselines::Pair& pair = result->pairs[p];
    if (pair.baseline.computable) {
      own.judge.judge(own.design.parameters(), p, pair.baseline);
      pair.baseline.computable = pair.baseline.status == CaseStatus::feasible;
      own.judge.hold_against_constraints(pair.baseline);
    }
    if (pair.without_springs.computable) {
      own.judge.judge(own.design.parameters(), p, pair.without_springs);
      pair.without_springs.computable = pair.without_springs.status == CaseStatus::feasible;
    }
  }
  return *result;
}

void CaseEvaluator::set_baselines(const std::shared_ptr<const Baselines>& baselines) {
  impl_->judge.set_baselines(baselines);
}

void CaseEvaluator::evaluate(std::span<const double> point, CaseOutcome& out) {
  Impl& own = *impl_;
  own.clock.start();
  own.motion = own.design.set_point(point);
  own.clock.stop(CaseWork::binding);
  own.run_and_judge(out);
}

void CaseEvaluator::evaluate_on(CaseOutcome& out) {
  Impl& own = *impl_;
  EvaluationOptions options = own.options.with_all_reasons();
  std::swap(own.options, options);
  own.count_apart(true);
  own.run_and_judge(out);
  own.count_apart(false);
  std::swap(own.options, options);
}

void CaseEvaluator::constraint_values(const CaseOutcome& last, std::span<double> out) const {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = last.computable ? impl_->judge.constraint_value(i)
                             : std::numeric_limits<double>::quiet_NaN();
}

bool CaseEvaluator::take_apart(std::span<const double> point, std::vector<AffineLoads>& loads,
                               CaseOutcome& out, const std::vector<bool>& unbounded) {
  Impl& own = *impl_;
  own.design.set_point(point);
  out.begin();
  loads.resize(own.study.motions.size());
  if (auto reason = own.design.bind();
      reason && own.design.runs_plain(-1) && !own.is_only_beyond(-1, unbounded)) {
    out.refuse(std::move(*reason), 1.0);
    return false;
  }
  for (std::size_t m = 0; m < own.study.motions.size(); ++m) {
    if (!own.bind_motion(m, out, unbounded)) return false;
    const Mechanism& bound = own.design.mechanism(m);
    const auto finding = own.passes.front()[m].evaluator->take_apart(bound, loads[m]);
    if (!finding) continue;
    out.refuse(failure_of(*finding, static_cast<int>(m)),
               describe(*finding, bound, own.design.motion(m)) + own.in_motion(m));
    return false;
  }
  return true;
}

const Mechanism& CaseEvaluator::mechanism(std::size_t m) const {
  return impl_->design.mechanism(m);
}

MountMotion CaseEvaluator::mount_motion(std::size_t m, SpringIndex spring) {
  return impl_->passes.front()[m].evaluator->mount_motion(mechanism(m), spring);
}

std::span<const double> CaseEvaluator::parameters() const {
  return impl_->design.parameters();
}

EvaluationCounts CaseEvaluator::counts(bool on) const {
  EvaluationCounts sum{.falls = impl_->falls.count(on)};
  for (const CaseWork work : {CaseWork::binding, CaseWork::judging})
    sum.work[static_cast<std::size_t>(work)] = impl_->clock.seconds(work, on);
  const Evaluator* last = nullptr;  // load cases that share one stand side by side
  for (const Impl::Motions& motions : impl_->passes)
    for (const Impl::PerMotion& motion : motions) {
      if (motion.evaluator.get() != last) add({motion.evaluator->counts(on), {}, {}}, sum);
      last = motion.evaluator.get();
    }
  return sum;
}

void CaseEvaluator::Impl::carry_chosen(int selected, bool springs, CaseDrives::Choice choice,
                                       std::size_t m) {
  if (!drives.carried()) return;
  EvaluationOptions all = options.with_all_reasons();
  CaseOutcome out;
  std::swap(options, all);
  count_apart(true);
  run_driven(selected, springs, choice, out);
  count_apart(false);
  std::swap(options, all);
  if (pass != CaseDrives::last_pass) throw InputError(study.motions[m].where, out.reason);
}

MotionDesign CaseEvaluator::design(std::span<const double> point, std::size_t motion) {
  impl_->carry_chosen(impl_->design.set_point(point), true, CaseDrives::Choice::required, motion);
  return impl_->design.of(point, motion);
}

MotionDesign CaseEvaluator::baseline_design(std::size_t motion, bool springs) {
  Impl& own = *impl_;
  own.design.set_baseline();
  own.carry_chosen(own.study.motion_variable >= 0 ? static_cast<int>(motion) : -1, springs,
                   CaseDrives::Choice::tried, motion);
  return own.design.of_baseline(motion);
}

std::vector<double> CaseEvaluator::carried_masses(std::span<const double> point) {
  Impl& own = *impl_;
  const int selected = own.design.set_point(point);
  own.carry_chosen(selected, true, CaseDrives::Choice::required,
                   selected < 0 ? 0 : static_cast<std::size_t>(selected));
  if (!own.drives.carried()) return std::vector<double>(own.study.drives.size(), 0.0);
  const std::span<const double> masses = own.drives.masses(CaseDrives::last_pass);
  return {masses.begin(), masses.end()};
}

CaseDesign::CaseDesign(const Study& study) : study_(&study), binder_(*study.model) {
  if (study.carries_drives()) {
    carried_.assign(study.motions.size(), study.model->nominal);
    masses_.assign(study.drives.size(), 0.0);
  }
  for (const LoadCase& load_case : study.motions)
    motions_.push_back({MotionBinder(load_case.motion), own_model(load_case.settings)});
  for (const ScenarioCase& scenario_case : study.scenarios)
    scenarios_.push_back(
        {ScenarioBinder(scenario_case.scenario), own_model(scenario_case.scenario.settings)});
}

auto CaseDesign::own_model(std::span<const ParameterSetting> settings) const -> OwnModel {
  OwnModel own;
  if (settings.empty()) return own;
  own.binder = std::make_unique<ModelBinder>(*study_->model);
  own.overridden.assign(study_->model->parameters.size(), 0);
  for (const ParameterSetting& setting : settings) own.overridden[setting.parameter] = 1;
  return own;
}

int CaseDesign::set_point(std::span<const double> point) {
  settings_.clear();
  int motion = -1;
  for (std::size_t v = 0; v < study_->variables.size(); ++v) {
    const Variable& variable = study_->variables[v];
    if (variable.kind == VariableKind::motion) motion = variable.motions[point[v]];
    for (const VariableTarget& target : variable.targets) {
      double value = point[v];
      if (variable.discrete())
        value = target.by_level[point[v]];
      else if (target.expression)
        value = target.expression->evaluate(&point[v]);
      settings_.push_back({target.parameter, value});
    }
  }
  return motion;
}

void CaseDesign::set_besides(std::span<const ParameterSetting> settings) {
  for (const ParameterSetting& setting : settings) {
    const auto same = [&](const ParameterSetting& other) {
      return other.parameter == setting.parameter;
    };
    const auto at = std::find_if(settings_.begin(), settings_.end(), same);
    if (at == settings_.end())
      settings_.push_back(setting);
    else
      at->value = setting.value;
  }
}

std::optional<std::string> CaseDesign::bind() {
  return binder_.bind(settings_);
}

std::optional<std::string> CaseDesign::bind_own(OwnModel& own,
                                                std::span<const ParameterSetting> settings) {
  if (!own.binder) return std::nullopt;
  own_settings_.assign(settings.begin(), settings.end());
  for (const ParameterSetting& setting : settings_)
    if (own.overridden[setting.parameter] == 0) own_settings_.push_back(setting);
  return own.binder->bind(own_settings_);
}

std::optional<std::string> CaseDesign::bind_motion(std::size_t m) {
  OwnMotion& own = motions_[m];
  auto reason = bind_own(own.model, study_->motions[m].settings);
  if (!carried_.empty()) load(m);
  return reason ? reason : own.motion.bind(parameters(m));
}

void CaseDesign::carry(std::span<const double> masses, bool load_limits) {
  masses_.assign(masses.begin(), masses.end());
  load_limits_ = load_limits;
}

void CaseDesign::load(std::size_t m) {
  carried_[m] = bound(motions_[m].model).mechanism();
  add_drives(*study_, masses_, carried_[m]);
  if (load_limits_) return;
  for (Actuator& actuator : carried_[m].actuators) actuator.max_load = no_limit;
}

bool CaseDesign::runs_plain(int motion) const {
  const auto plain = [](const LoadCase& load_case) { return load_case.settings.empty(); };
  if (motion >= 0) return plain(study_->motions[motion]);
  return std::any_of(study_->motions.begin(), study_->motions.end(), plain);
}

MotionDesign CaseDesign::in_motion(std::size_t m) {
  auto reason = bind();
  if (!reason || !runs_plain(static_cast<int>(m))) reason = bind_motion(m);
  if (reason) throw InputError(study_->motions[m].where, *reason);
  return {mechanism(m), motion(m)};
}

MotionDesign CaseDesign::of(std::span<const double> point, std::size_t motion) {
  set_point(point);
  return in_motion(motion);
}

MotionDesign CaseDesign::of_baseline(std::size_t motion) {
  set_baseline();
  return in_motion(motion);
}

std::optional<std::string> CaseDesign::bind_scenario(std::size_t s, std::size_t instant) {
  OwnScenario& own = scenarios_[s];
  if (auto reason = bind_own(own.model, study_->scenarios[s].scenario.settings)) return reason;
  return own.scenario.bind(bound(own.model).values(), instant);
}

}  // namespace counterpoise
