#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "input/definition/study.hpp"
#include "results/results_file.hpp"
#include "springs/exact.hpp"
#include "studies/instants.hpp"
#include "studies/side_effects.hpp"
#include "studies/unreached_poses.hpp"

namespace counterpoise {

/// A limit of a spring, an actuator, a constraint, a parameter that the study changes, or the range
/// of a variable that a case reaches or breaks.
struct BindingLimit {
  std::string name;  // "min_length of lean_spring in motion reach"
  double value = 0.0;
  double bound = 0.0;
  std::string unit;         // SI; empty: none
  bool broken = false;      // whether it is broken by more than 1e-9 of its size
  std::string beyond = {};  // why it cannot be loosened, in words; see PossibleEnds
  std::string stem = {};  // the name up to the bound, where it names that, to be shown in any unit
  double size = 0.0;      // of the numbers that the value comes from: 1e-12 of it is rounding
};

/// The limits that a case breaks or comes as near to as `closeness`, relative to their size, in the
/// order springs, actuators, constraints, parameters, variables.
std::vector<BindingLimit> binding_limits(const Study& study,
                                         const std::vector<ComparedMotion>& motions,
                                         const ExplainedCase& of, double closeness);

/// The rank of a case among the feasible ones of its results file, as TieOrder puts them by the
/// study's objectives. If a variable selects the motion, the rank is among the cases of its own
/// motion.
struct Standing {
  /// Values of a continuous variable closer than this fraction of its range count as the same
  /// choice.
  static constexpr double same_choice = 0.01;

  struct Difference {
    std::string variable;
    Value own, other;
  };
  /// The next-ranked settled case with another choice.
  struct Next {
    CaseRow row;
    std::int64_t rank = 0;
    std::vector<Difference> differences;
  };
  std::int64_t rank = 0;      // from 1; 0 if not feasible, or unsettled in the first objective
  std::int64_t feasible = 0;  // cases
  std::optional<Next> next;   // for a case that is not feasible: the best one with another choice
};

/// Finds the standing of a case. Cost: as place_of(); `next` is searched among the cases behind it.
Standing standing_of(const Study& study, const ResultsFile& results, const CaseRow& row);

/// Why a design is as good as it is, and what it costs elsewhere.
struct Explanation {
  /// A design this close to a limit, relative to the limit's size, is held by it in all but name.
  static constexpr double near_closeness = 1e-3;

  std::vector<double> objectives;           // of the case
  std::vector<double> objective_sizes;      // a number below 1e-9 of these is rounding
  std::vector<ActuatorInstants> actuators;  // that objectives name
  std::vector<BindingLimit> binding;        // with an optimum: only those without a shadow price
  std::vector<BindingLimit> near;           // the same within near_closeness of their size
  std::optional<SpringOptimum> optimum;     // for exact searches
  bool exact = false;                       // whether the study is an exact search
  Standing standing;
  SideEffects side_effects;
  std::vector<UnreachedPoses> unreached;  // of each motion that leaves out poses
};

/// Explains a case that has metrics. `evaluator` is the study's, with its baselines set; its design
/// is changed. Cost: some simulations with reactions, its standing, and for an exact search a
/// convex problem.
Explanation explain(const Study& study, const ResultsFile& results, const CaseRow& row,
                    const std::vector<double>& point, const CaseOutcome& outcome,
                    CaseEvaluator& evaluator, const std::shared_ptr<const Baselines>& baselines);

}  // namespace counterpoise
