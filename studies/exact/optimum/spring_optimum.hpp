#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases/case_outcome.hpp"
#include "results/rows/rows.hpp"
#include "studies/exact/optimum/shadow_prices.hpp"

namespace counterpoise {

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
  bool stored = false;       // whether the run stored it; else it was solved again
  std::vector<Least> least;  // several if a trade-off is limited by several at once
  bool largest_of = false;   // the goal is the largest of several weighted objectives
  double value = 0.0;        // of the goal, at the case
  double bound = 0.0;        // no springs do better in this geometry
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

}  // namespace counterpoise
