#pragma once

#include <string>

#include "engine/evaluation/affine_loads.hpp"
#include "engine/mechanism/mechanism.hpp"
#include "studies/exact/laws/unknowns.hpp"
#include "studies/exact/problem/metric_form.hpp"
#include "studies/exact/problem/written_problem.hpp"

namespace counterpoise {

/// One motion of a design, ready to have its springs sized.
struct MotionLoads {
  const AffineLoads* loads = nullptr;
  const Mechanism* mechanism = nullptr;
  double share = 1.0;            // duration * weight over the sum of all motions'
  std::vector<TensionLaw> laws;  // one per spring
};

/// The share of each motion in metrics that are integrals; see combine().
std::vector<double> shares_of_motions(const Study& study);

/// Writes a convex problem: loads as series, metrics as norms of series, forms as sums.
///
/// A metric over several motions is one norm of all their samples, so that minima and certificates
/// refer to the metrics of any other run, with their trapezoid rule and weights.
class SizingProblem {
 public:
  /// `out` already has its unknowns and their bounds. `motions` and `out` must outlive this object.
  SizingProblem(const Study& study, const std::vector<MotionLoads>& motions, WrittenProblem& out);

  /// Adds the sums of a form to the objective, which is the largest of all sums. A sum with a least
  /// tension becomes several: one for each motion and end of the spring's lengths.
  void add_to_objective(const MetricForm& form);
  /// Adds the limit form <= bound.
  void limit(LimitWords words, const MetricForm& form, double bound);
  /// Adds a limit on the largest |load| of each actuator that has one.
  void limit_actuators();

  /// Sets the unknown that stands for a parameter of the model, for forms that name parameters.
  void set_parameter(int parameter, int unknown);

 private:
  /// A sum of a form, and what it is before lengths are put in.
  struct OwnSum {
    ConvexSum sum;
    TensionSum tensions;
  };
  [[nodiscard]] std::vector<OwnSum> sums_of(const MetricSum& sum);
  void subtract_least_tension(std::size_t spring, double weight, std::vector<OwnSum>& sums) const;
  void note(TensionSum tensions, bool of_limit, std::size_t index);
  int norm_of(int metric);
  int load_series(std::size_t motion, std::size_t actuator);
  int tension_series(std::size_t motion, std::size_t spring);
  [[nodiscard]] std::vector<double> weights_of(const MetricName& metric, std::size_t motion) const;

  const Study& study_;
  const std::vector<MotionLoads>& motions_;
  WrittenProblem& out_;
  ConvexProblem& problem_;  // of `out_`
  std::vector<int> unknown_of_parameter_;
};

}  // namespace counterpoise
