#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/rows.hpp"
#include "studies/explanation/binding_limits.hpp"
#include "studies/springs/problem_writer.hpp"

namespace counterpoise {

/// What loosening one limit is worth: the multiplier of the optimum, which is the slope of the best
/// value by the limit. Limits that say the same, such as those of a left and a right spring, count
/// as one that is loosened for all.
struct LimitWorth {
  std::string name;
  bool less = false;      // loosened by making it less
  double bound = 0.0;     // of a constraint, an objective or a variable; else 0
  std::string unit;       // SI, of the limit; empty: none
  double per_unit = 0.0;  // what the goal's value falls by per unit, >= 0
  double step = 0.0;      // a sensible small change, in the unit
  int variable = -1;      // whose bound it is, index of Study::variables; else -1
};

/// What holds an optimum in its place: a metric with weight, and where that weight lies.
struct MetricHold {
  struct Instant {
    std::size_t motion = 0;  // index of Study::motions
    double time = 0.0;       // [s]
    double share = 0.0;      // of the metric's weight
  };
  int metric = -1;                // index of Study::metrics
  double share = 0.0;             // of the sum of all metrics times their weights
  std::vector<Instant> instants;  // of a maximum; means and root mean squares rest on all samples
};

/// Why no better springs exist for a case of an exact search.
struct SpringOptimum {
  /// An objective that is made least, and by how much it falls when the goal's value falls by one.
  struct Least {
    int objective = 0;
    double per_goal = 1.0;
  };
  bool stored = false;             // by the run; else solved again
  std::vector<Least> least;        // several where a trade-off holds several back at once
  bool largest_of = false;         // the goal is the largest of several weighted objectives
  double value = 0.0;              // of the goal, at the case
  double bound = 0.0;              // no springs do better in this geometry
  double size = 0.0;               // what the value is left of: |value|, or the goal's with no
                                   // springs if larger
  std::int64_t combinations = 0;   // of catalogue springs that it is the best of; 0: none chosen
  std::string no_worths;           // why limits have no worth here, in words; empty: they have
  std::vector<LimitWorth> limits;  // worth most per step first
  std::vector<MetricHold> held_by;

  [[nodiscard]] double gap() const { return value - bound; }
  /// Whether a number of the goal is rounding: loads of that size balance.
  [[nodiscard]] bool is_rounding(double number) const { return std::abs(number) <= 1e-9 * size; }
};

/// Of a case in an exact search; `stored` is its certificate, if it has one. Nothing where the
/// search has no certificates, or none can be had for this case. Bounds of variables that cannot be
/// loosened (see PossibleEnds) have no worth.
std::optional<SpringOptimum> spring_optimum(const Study& study, const ExplainedCase& of,
                                            const std::shared_ptr<const Baselines>& baselines,
                                            const std::optional<CertificateRow>& stored);

/// What the multipliers of a problem's optimum at x say. Free lengths that stand as products with
/// their rate are turned back into lengths.
std::vector<LimitWorth> limit_worths(const Study& study, const SpringRoles& roles,
                                     const WrittenProblem& written, const Certificate& certificate,
                                     const std::vector<double>& x);

/// A sensible small change of a limit in this unit (empty: none) and of this size (0: not known).
double small_step(const std::string& unit, double size);

}  // namespace counterpoise
