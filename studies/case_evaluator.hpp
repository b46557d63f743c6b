#pragma once

#include <memory>
#include <string>

#include "engine/evaluation/evaluator.hpp"
#include "studies/io/study.hpp"

namespace counterpoise {

enum class CaseStatus { feasible, infeasible, failed };
std::string_view status_name(CaseStatus status);

/// What one case came to.
struct CaseOutcome {
  CaseStatus status = CaseStatus::failed;
  std::string reason;              // in words, empty if feasible
  bool computable = false;         // whether metrics and objectives below are set
  double violation = 0.0;          // of limits and constraints or the loops' gap, relative, summed
  Metrics metrics;                 // combined over the case's motions
  std::vector<double> objectives;  // one per Study::objectives
};

/// The two robots that every case is compared with: the baseline, and the baseline without springs;
/// once, or once per motion when the study has a motion variable.
struct Baselines {
  struct Pair {
    CaseOutcome baseline;
    CaseOutcome without_springs;
  };
  std::vector<Pair> pairs;
};

/// Evaluates points of a study. One per thread: it owns a binder and one evaluator per motion.
class CaseEvaluator {
 public:
  /// Throws InputError, located in the model or motion, when the mechanism has too few or too many
  /// actuators or coordinates. `study` must outlive it.
  explicit CaseEvaluator(const Study& study);
  ~CaseEvaluator();
  CaseEvaluator(CaseEvaluator&&) noexcept;

  /// The study's baselines. Throws InputError when an objective or constraint divides by a baseline
  /// that is infeasible.
  Baselines evaluate_baselines();
  /// To be set before cases are evaluated.
  void set_baselines(std::shared_ptr<const Baselines> baselines);

  /// `point` as PointSource gives it. Nothing is allocated for feasible cases after the first.
  void evaluate(std::span<const double> point, CaseOutcome& out);

  /// The value of every model parameter in the last case.
  [[nodiscard]] std::span<const double> parameters() const;

  /// A design for one motion of the study, as `evaluate` would run it.
  struct Design {
    Mechanism mechanism;
    Motion motion;
  };
  /// Throws InputError with the reason where there is no such design.
  Design design(std::span<const double> point, std::size_t motion);
  Design baseline_design(std::size_t motion);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace counterpoise
