#pragma once

#include <optional>
#include <vector>

#include "springs/exact.hpp"
#include "studies/reports/explanation/binding_limits.hpp"
#include "studies/reports/explanation/instants.hpp"
#include "studies/reports/explanation/side_effects.hpp"
#include "studies/reports/explanation/standing.hpp"

namespace counterpoise {

/// Why a design is as good as it is, and what it costs elsewhere.
struct Explanation {
  std::vector<double> objectives;           // of the case
  std::vector<double> objective_sizes;      // a number below 1e-9 of these is rounding
  std::vector<ActuatorInstants> actuators;  // that objectives name
  std::vector<BindingLimit> binding;        // with an optimum: only those without a shadow price
  std::optional<SpringOptimum> optimum;     // for exact searches
  bool exact = false;                       // whether the study is an exact search
  Standing standing;
  SideEffects side_effects;
};

/// Explains a case that has metrics. `evaluator` is the study's, with its baselines set; its design
/// is changed. Cost: some simulations with reactions, two passes over the file's feasible cases,
/// and for an exact search a convex problem.
Explanation explain(const Study& study, const ResultsFile& results, const CaseRow& row,
                    const std::vector<double>& point, const CaseOutcome& outcome,
                    CaseEvaluator& evaluator, const std::shared_ptr<const Baselines>& baselines);

}  // namespace counterpoise
