#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "studies/cases/failure.hpp"
#include "studies/cases/metric_values.hpp"

namespace counterpoise {

enum class CaseStatus { feasible, infeasible, failed };
std::string_view status_name(CaseStatus status);

/// The result of evaluating one case.
struct CaseOutcome {
  CaseStatus status = CaseStatus::failed;
  std::string reason;  // in words, empty if feasible
  std::vector<Failure>
      failures;             // what is against the case as far as it is known, the reason first
  bool computable = false;  // whether metrics and objectives below are set
  double violation =
      0.0;  // sum of relative violations of limits and constraints, or of the loops' residual
  CaseMetrics metrics;             // combined over the case's motions
  std::vector<double> objectives;  // one per Study::objectives

  /// Sets the outcome to feasible with nothing computed.
  void begin();
  /// Makes the outcome infeasible. The first reason stays; the failure's violation is added.
  void refuse(const Failure& failure, std::string why);
  /// The same for a reason that there are only words for.
  void refuse(std::string why, double excess);
};

/// Everything that is against one case, each kind of one element once: as it is in the motion where
/// it is worst.
struct BrokenLimits {
  std::vector<Failure> failures;  // by kind and element; empty if the case is feasible
  bool whole = false;  // whether the case could be evaluated to its end, so that these are all
};
/// The same of a case that was evaluated whatever limits it breaks.
BrokenLimits broken_limits_of(const CaseOutcome& outcome);

/// What is wrong with a parameter of a design for one motion, or (-1) for all.
Failure failure_of(const ModelBinder::Fault& fault, int motion);

/// The two robots that every case is compared with: the baseline, and the baseline without springs.
/// There is one pair, or one pair per motion when the study has a motion variable.
struct Baselines {
  struct Pair {
    CaseOutcome baseline;
    CaseOutcome without_springs;
  };
  std::vector<Pair> pairs;
};

/// A case as it was evaluated again.
struct ExplainedCase {
  std::span<const double> point;       // of the study
  std::span<const double> parameters;  // of the model
  const CaseOutcome* outcome = nullptr;
  const Baselines::Pair* baselines = nullptr;
};

}  // namespace counterpoise
