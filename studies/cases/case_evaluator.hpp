#pragma once

#include <memory>
#include <string>

#include "engine/evaluation/evaluator.hpp"
#include "input/definition/study.hpp"
#include "studies/cases/case_design.hpp"
#include "studies/cases/case_outcome.hpp"
#include "studies/cases/evaluation_counts.hpp"

namespace counterpoise {

/// How a CaseEvaluator works; a row of results is the same either way.
struct EvaluationOptions {
  Reuse reuse = Reuse::remember;
  /// Stop at the first reason against a case. Then neither the metrics of a robot that breaks a
  /// limit are known nor its whole violation.
  bool first_reason_only = false;
  /// Evaluate designs whose parameters are beyond their bounds too, as infeasible ones.
  bool beyond_bounds = false;
  /// Let designs fall that break a limit or constraint of their motions, too. Otherwise scenarios
  /// are left out for them, and then neither their metrics nor the objectives are known.
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
  /// with the reason. Limits are not checked.
  bool take_apart(std::span<const double> point, std::vector<AffineLoads>& loads, CaseOutcome& out);
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

  /// See CaseDesign::of().
  MotionDesign design(std::span<const double> point, std::size_t motion);
  MotionDesign baseline_design(std::size_t motion);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace counterpoise
