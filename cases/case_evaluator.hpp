#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "cases/case_outcome.hpp"
#include "engine/evaluation/evaluator.hpp"
#include "engine/mechanism/stage.hpp"
#include "input/definition/study.hpp"

namespace counterpoise {

/// What a CaseEvaluator does besides the engine's stages and the falls of scenarios.
enum class CaseWork {
  binding,  // parameters, mechanism and motion of a design
  judging,  // metrics of all motions together, objectives, constraints, reasons
};
inline constexpr std::size_t case_work_count = 2;

/// How often the stages and the falls of scenarios ran, and how long that and the rest took.
struct EvaluationCounts {
  StageCounts stages{};
  StageCount falls;
  std::array<double, case_work_count> work{};  // [s]

  /// The time of everything that is counted here [s].
  [[nodiscard]] double seconds() const {
    double sum = falls.seconds;
    for (const StageCount& stage : stages) sum += stage.seconds;
    for (const double time : work) sum += time;
    return sum;
  }
};

/// Adds one evaluator's counts to a sum.
inline void add(const EvaluationCounts& counts, EvaluationCounts& sum) {
  const auto add_one = [](const StageCount& count, StageCount& total) {
    total.runs += count.runs;
    total.reused += count.reused;
    total.seconds += count.seconds;
  };
  for (std::size_t stage = 0; stage < stage_count; ++stage)
    add_one(counts.stages[stage], sum.stages[stage]);
  add_one(counts.falls, sum.falls);
  for (std::size_t i = 0; i < case_work_count; ++i) sum.work[i] += counts.work[i];
}

/// The same counts with each time multiplied by a factor: by CPU time over time on the wall of the
/// thread that counted, as readings of the wall in between are all that the stages can afford.
inline EvaluationCounts scaled(EvaluationCounts counts, double factor) {
  counts.falls.seconds *= factor;
  for (StageCount& stage : counts.stages) stage.seconds *= factor;
  for (double& time : counts.work) time *= factor;
  return counts;
}

/// What one motion of a study runs of a design.
struct MotionDesign {
  Mechanism mechanism;
  Motion motion;
};

/// Makes mechanisms, motions and scenarios from a point of a study: with the parameters set by the
/// variables, the baseline, and the motion or scenario itself. One per thread; `study` must outlive
/// it. Allocates nothing after the first design unless a reason is returned.
class CaseDesign {
 public:
  explicit CaseDesign(const Study& study);

  /// Sets the parameters of a point (see PointSource). Returns the motion it selects, or -1.
  int set_point(std::span<const double> point);
  /// Sets further parameters, or overrides those of the point. Call it after set_point().
  void set_besides(std::span<const ParameterSetting> settings);
  void set_baseline() { settings_ = study_->baseline; }
  /// The masses of the study's drives that mechanisms carry from the next bind_motion() on, one for
  /// each drive [kg]; first, none. Without `load_limits` no load is too large for an actuator. The
  /// study has to mount drives.
  void carry(std::span<const double> masses, bool load_limits);
  /// The parameters that are set, without those that hold for one motion alone.
  [[nodiscard]] std::span<const ParameterSetting> settings() const { return settings_; }

  /// Binds the settings. If there is no such design, returns the reason in words.
  std::optional<std::string> bind();
  /// Binds the design for motion `m`, with the parameters that hold for this motion alone, and the
  /// motion itself. Call it after bind().
  std::optional<std::string> bind_motion(std::size_t m);
  /// Binds the design for scenario `s`, with the parameters that the scenario sets, and the
  /// scenario itself, begun at one of the instants of its start. Call it after bind().
  std::optional<std::string> bind_scenario(std::size_t s, std::size_t instant);

  /// Whether a motion runs the design without parameters of its own; -1: whether any does.
  [[nodiscard]] bool runs_plain(int motion) const;

  /// A point's design for one motion, whichever motion the point selects. Throws InputError with
  /// the reason where there is none.
  MotionDesign of(std::span<const double> point, std::size_t motion);
  /// The same of the baseline.
  MotionDesign of_baseline(std::size_t motion);

  /// The binder that refused the last bind(), or (`m` >= 0) the last bind_motion(); null if it was
  /// the motion's own numbers.
  [[nodiscard]] const ModelBinder* refused_by(int m) const {
    return m < 0 ? &binder_ : motions_[m].model.binder.get();
  }

  /// The mechanism that the last bind_motion() of `m` made; it stays in place until the next.
  [[nodiscard]] const Mechanism& mechanism(std::size_t m) const {
    return carried_.empty() ? bound(motions_[m].model).mechanism() : carried_[m];
  }
  [[nodiscard]] const Motion& motion(std::size_t m) const { return motions_[m].motion.motion(); }
  /// See MotionBinder.
  [[nodiscard]] std::uint64_t motion_revision(std::size_t m) const {
    return motions_[m].motion.revision();
  }

  /// The value of every model parameter in the last bind().
  [[nodiscard]] std::span<const double> parameters() const { return binder_.values(); }
  /// The value of every model parameter in the last bind_motion() of `m`.
  [[nodiscard]] std::span<const double> parameters(std::size_t m) const {
    return bound(motions_[m].model).values();
  }
  /// What the last bind_scenario() of `s` made; it stays in place until the next.
  [[nodiscard]] const Mechanism& scenario_mechanism(std::size_t s) const {
    return bound(scenarios_[s].model).mechanism();
  }
  [[nodiscard]] const ScenarioBinder& scenario(std::size_t s) const {
    return scenarios_[s].scenario;
  }
  /// The masses of the drives that mechanisms carry, one for each of the study; none if no drive is
  /// mounted.
  [[nodiscard]] std::span<const double> masses() const { return masses_; }

 private:
  /// A binder of its own for a motion or scenario that sets parameters for itself alone.
  struct OwnModel {
    std::unique_ptr<ModelBinder> binder;  // null if it sets none
    std::vector<char> overridden;         // per model parameter
  };
  struct OwnMotion {
    MotionBinder motion;
    OwnModel model;
  };
  struct OwnScenario {
    ScenarioBinder scenario;
    OwnModel model;
  };

  MotionDesign in_motion(std::size_t m);
  void load(std::size_t m);
  [[nodiscard]] OwnModel own_model(std::span<const ParameterSetting> settings) const;
  std::optional<std::string> bind_own(OwnModel& own, std::span<const ParameterSetting> settings);
  [[nodiscard]] const ModelBinder& bound(const OwnModel& own) const {
    return own.binder ? *own.binder : binder_;
  }

  const Study* study_;
  ModelBinder binder_;
  std::vector<OwnMotion> motions_;
  std::vector<OwnScenario> scenarios_;
  std::vector<ParameterSetting> settings_, own_settings_;
  std::vector<Mechanism> carried_;  // of each motion, with drives; none if no drive is mounted
  std::vector<double> masses_;      // of the drives
  bool load_limits_ = true;
};

/// How a CaseEvaluator works; a row of results is the same either way.
struct EvaluationOptions {
  Reuse reuse = Reuse::remember;
  /// Stop at the first reason against a case. Then neither the metrics of a robot that breaks a
  /// limit are known nor its whole violation.
  bool first_reason_only = false;
  /// Evaluate designs whose parameters are beyond their bounds too, as infeasible ones.
  bool beyond_bounds = false;
  /// Let designs fall that break a limit or constraint of their motions, and choose drives for
  /// them, too. Otherwise scenarios and drives are left out for them, and then neither their
  /// metrics nor the objectives are known.
  bool every_fall = false;
  /// A motion that is too long to be held is evaluated a stretch of its samples at a time, each
  /// design anew, so that memory does not grow with its length; a shorter one is held with all that
  /// its stages remember.
  Holding holding{};

  /// The same, but finding everything that is against a case.
  [[nodiscard]] EvaluationOptions with_all_reasons() const {
    EvaluationOptions all = *this;
    all.first_reason_only = false;
    all.beyond_bounds = all.every_fall = true;
    return all;
  }
};

/// Evaluates points of a study. One per thread: it owns a binder and one evaluator per motion.
class CaseEvaluator {
 public:
  /// Throws InputError, located in the model or motion, when the mechanism has too few or too many
  /// actuators or coordinates. `study` must outlive it.
  explicit CaseEvaluator(const Study& study, const EvaluationOptions& options = {});
  ~CaseEvaluator();
  CaseEvaluator(CaseEvaluator&&) noexcept;

  /// Evaluates the study's baselines. Throws InputError when an objective or constraint divides by
  /// a baseline that is infeasible.
  Baselines evaluate_baselines();
  /// Has to be called before cases are evaluated.
  void set_baselines(const std::shared_ptr<const Baselines>& baselines);

  /// Evaluates a point as PointSource gives it: motions first, then the constraints that read no
  /// scenario, and scenarios last. Without scenarios allocates nothing for feasible cases after the
  /// first.
  void evaluate(std::span<const double> point, CaseOutcome& out);

  /// Evaluates the case of the last evaluate() again with all reasons (see EvaluationOptions), for
  /// the cost of the stages that it did not run, where stages remember. counts() has that apart
  /// from everything else.
  void evaluate_on(CaseOutcome& out);

  /// The values of the constraints in the case that was evaluated last, whose outcome is `last`,
  /// one each; NaN where they are not known because the case could not be computed.
  void constraint_values(const CaseOutcome& last, std::span<double> out) const;

  /// Splits the loads of a design into bare loads and the influence of each spring, one AffineLoads
  /// for each motion of the study (no variable may select a motion); mechanism() gives the
  /// mechanism of each. If there is no such design, or it cannot follow a motion, refuses `out`
  /// with the reason. Limits are not checked, nor are the bounds of the parameters in `unbounded`
  /// (one for each of the model; none: all are).
  bool take_apart(std::span<const double> point, std::vector<AffineLoads>& loads, CaseOutcome& out,
                  const std::vector<bool>& unbounded = {});
  /// The mechanism of motion `m` in the last design given to take_apart(); stays in place until the
  /// next design.
  [[nodiscard]] const Mechanism& mechanism(std::size_t m) const;

  /// How the mounts of a spring move in motion `m` of that design.
  [[nodiscard]] MountMotion mount_motion(std::size_t m, SpringIndex spring);

  /// The value of every model parameter in the last case.
  [[nodiscard]] std::span<const double> parameters() const;

  /// How often the stages ran since construction, over all motions and scenarios: in
  /// evaluate_on(), or in everything else.
  [[nodiscard]] EvaluationCounts counts(bool on = false) const;

  /// See CaseDesign::of(). The mechanism carries the drives that are chosen for the design; throws
  /// InputError also where none suffices. Costs an evaluation where drives are mounted.
  MotionDesign design(std::span<const double> point, std::size_t motion);
  /// The same of the baseline, with the drives that it has with its springs or without them; where
  /// none suffices, with the nearest.
  MotionDesign baseline_design(std::size_t motion, bool springs = true);
  /// The masses of the drives that the mechanism carries in a design, one for each of the study; 0
  /// of those that are not mounted. Throws InputError where none suffices.
  std::vector<double> carried_masses(std::span<const double> point);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace counterpoise
