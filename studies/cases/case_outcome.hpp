#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/evaluation/stages/metrics.hpp"

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

  /// Feasible so far, nothing computed.
  void begin();
  /// The first reason stays.
  void refuse(std::string why, double excess);
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

/// A case as it was evaluated again.
struct ExplainedCase {
  std::span<const double> point;       // of the study
  std::span<const double> parameters;  // of the model
  const CaseOutcome* outcome = nullptr;
  const Baselines::Pair* baselines = nullptr;
};

}  // namespace counterpoise
