#pragma once

#include <memory>
#include <span>
#include <vector>

#include "studies/springs/spring_roles.hpp"

namespace counterpoise {

/// constant + sum of weight * metric + sum of weight * parameter; weights of metrics are >= 0.
struct MetricSum {
  struct Term {
    int index = -1;  // of Study::metrics, or of the model's parameters
    double weight = 0.0;
  };
  double constant = 0.0;
  std::vector<Term> metrics;
  std::vector<Term> parameters;  // that springs set
};

/// The largest of some sums. Metrics are convex functions of the springs' laws, so this is one too.
using MetricForm = std::vector<MetricSum>;

struct MetricNode;

/// An expression of objectives or constraints, understood as a MetricForm: sums, maxima and
/// products with numbers >= 0. What springs do not change may enter in any way: geometry,
/// baselines, and lengths of springs.
class MetricExpression {
 public:
  /// Throws InputError at `where`, naming the place in the text that is not convex in the springs.
  /// With `negated`, reads -(text): for a constraint's lower bound.
  MetricExpression(const Expression& expression, const Location& where, const Study& study,
                   const SpringRoles& roles, bool negated = false);
  ~MetricExpression();
  MetricExpression(MetricExpression&&) noexcept;
  MetricExpression& operator=(MetricExpression&&) noexcept;

  /// `values` as Study::metric_scope orders them; those of metrics that springs change are not
  /// read. Throws InputError where a factor is negative that has to be positive, or a number is not
  /// finite.
  [[nodiscard]] MetricForm form(const double* values) const;
  /// Whether springs change it at all.
  [[nodiscard]] bool varies() const;

 private:
  [[nodiscard]] MetricForm form_of_node(const MetricNode& node, double factor,
                                        const double* values) const;

  std::unique_ptr<MetricNode> root_;
  Location where_;
  std::string text_;
  double sign_ = 1.0;
};

/// A statistic of some actuators as FORMATS combines it: the largest for max and peak_power, the
/// average for mean and rms, the sum for energy.
MetricForm form_of(const Study& study, const Objective& objective);

}  // namespace counterpoise
