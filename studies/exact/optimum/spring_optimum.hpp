#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/rows/rows.hpp"
#include "studies/cases/case_outcome.hpp"
#include "studies/exact/optimum/limit_worths.hpp"

namespace counterpoise {

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

}  // namespace counterpoise
