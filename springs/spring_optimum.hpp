#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases/case_outcome.hpp"
#include "results/rows/rows.hpp"

namespace counterpoise {

class SpringSizer;
struct Certificate;
struct SizedCase;
struct SizingGoal;
struct SpringRoles;
struct Study;
struct WrittenProblem;

/// The shadow price of one limit, which says what loosening it is worth: the dual multiplier at the
/// optimum, which is the derivative of the best value with respect to the limit. Limits that say
/// the same, such as a left and a right spring's, count as one that is loosened for all.
struct ShadowPrice {
  std::string name;
  bool less = false;      // whether the limit is loosened by reducing it
  double bound = 0.0;     // of a constraint, an objective or a variable; else 0
  std::string unit;       // SI, of the limit; empty: none
  double per_unit = 0.0;  // decrease of the goal's value per unit, >= 0
  double step = 0.0;      // a sensible small change, in the unit
  int variable = -1;      // variable whose bound it is, index of Study::variables; else -1
};

/// The shadow prices of all limits from the dual multipliers of a problem's optimum at x. Limits on
/// products of free length and rate are turned back into limits on lengths.
std::vector<ShadowPrice> shadow_prices(const Study& study, const SpringRoles& roles,
                                       const WrittenProblem& written,
                                       const Certificate& certificate,
                                       const std::vector<double>& x);

/// A metric that determines an optimum, with its weight and the instants that carry the weight.
struct MetricHold {
  struct Instant {
    std::size_t motion = 0;  // index of Study::motions
    double time = 0.0;       // [s]
    double share = 0.0;      // of the metric's weight
  };
  int metric = -1;     // index of Study::metrics
  double share = 0.0;  // of the sum of all metrics times their weights
  std::vector<Instant>
      instants;  // for a maximum; means and root mean squares depend on all samples
};

/// The proof that no better springs exist for a case of an exact search, and its shadow prices.
struct SpringOptimum {
  /// An objective that is minimised, and by how much it falls when the goal's value falls by one.
  struct Least {
    int objective = 0;
    double per_goal = 1.0;
  };
  const char* sized = "springs";  // see SpringRoles::words()
  bool stored = false;            // whether the run stored it; else it was solved again
  std::vector<Least> least;       // several if a trade-off is limited by several at once
  bool largest_of = false;        // the goal is the largest of several weighted objectives
  double value = 0.0;             // of the goal, at the case
  double bound = 0.0;             // no springs do better in this geometry
  double size =
      0.0;  // scale of the value: |value|, or the goal's value without springs if that is larger
  std::int64_t combinations = 0;  // of catalogue springs that it is the best of; 0: none chosen
  std::string
      no_shadow_prices;  // why limits have no shadow prices here, in words; empty if they have
  std::vector<ShadowPrice> limits;  // largest gain per step first
  std::vector<MetricHold> held_by;

  [[nodiscard]] double gap() const { return value - bound; }
  /// Whether a number in the goal's unit is so small that it is rounding.
  [[nodiscard]] bool is_rounding(double number) const { return std::abs(number) <= 1e-9 * size; }
};

/// The optimum of a case in an exact search; `stored` is the case's certificate, if it has one.
/// Returns nothing if the search has no certificates, or none can be computed for this case. Bounds
/// of variables that cannot be loosened (see PossibleEnds) have no shadow price.
std::optional<SpringOptimum> spring_optimum(const Study& study, const ExplainedCase& of,
                                            const std::shared_ptr<const Baselines>& baselines,
                                            const std::optional<CertificateRow>& stored);

/// The optimum that `sizer` has just found for a goal, which it gave as `sized`. Returns nothing
/// where there is none.
std::optional<SpringOptimum> optimum_of(const Study& study, const SpringRoles& roles,
                                        SpringSizer& sizer, const SizingGoal& goal,
                                        const SizedCase& sized);

}  // namespace counterpoise
