#pragma once

#include <optional>
#include <vector>

#include "studies/exact/exact.hpp"
#include "studies/reports/explanation/binding_limits.hpp"
#include "studies/reports/explanation/instants.hpp"
#include "studies/reports/explanation/side_effects.hpp"
#include "studies/reports/explanation/standing.hpp"

namespace counterpoise {

/// Why a design is as good as it is, and what it costs elsewhere.
struct Explanation {
  std::vector<double> objectives;           // of the case
  std::vector<double> objective_sizes;      // below 1e-9 of them a number is rounding
  std::vector<ActuatorInstants> actuators;  // that objectives name
  std::vector<BindingLimit> binding;        // with an optimum: those that have no worth in it
  std::optional<SpringOptimum> optimum;     // of exact searches
  bool exact = false;                       // whether the study is one
  Standing standing;
  SideEffects side_effects;
};

/// Of a case that has metrics. `evaluator` is the study's, with its baselines set; it is left with
/// another design. Cost: some simulations with reactions, two passes over the file's feasible
/// cases, and for an exact search a convex problem.
Explanation explain(const Study& study, const ResultsFile& results, const CaseRow& row,
                    const std::vector<double>& point, const CaseOutcome& outcome,
                    CaseEvaluator& evaluator, const std::shared_ptr<const Baselines>& baselines);

}  // namespace counterpoise
