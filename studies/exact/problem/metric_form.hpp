#pragma once

#include <span>
#include <vector>

#include "studies/exact/laws/spring_roles.hpp"

namespace counterpoise {

/// constant + sum of weight * metric + sum of weight * parameter. The weights of metrics are >= 0,
/// and those of least tensions <= 0: a least tension is concave in the springs' laws.
struct MetricSum {
  struct Term {
    int index = -1;  // of Study::metrics, or of the model's parameters
    double weight = 0.0;
  };
  double constant = 0.0;
  std::vector<Term> metrics;
  std::vector<Term> parameters;  // that springs set
};

/// The largest of some sums. Each term is a convex function of the springs' laws, so this form is
/// convex too.
using MetricForm = std::vector<MetricSum>;

/// An expression of objectives or constraints, converted to a MetricForm: sums, maxima, products
/// with numbers >= 0 (of least tensions with numbers <= 0), and abs of expressions that are affine
/// in the springs. Numbers that springs do not change may enter in any way: geometry, baselines,
/// and lengths of springs.
class MetricExpression {
 public:
  /// Throws InputError at the place where the expression is not convex in the springs for all
  /// numbers: products, quotients, powers and conditions of numbers that springs change, functions
  /// other than max and abs, and abs of loads and maxima. With `negated` it reads -(expression),
  /// for a constraint's lower bound.
  MetricExpression(const Expression& expression, const Study& study, const SpringRoles& roles,
                   bool negated = false);

  /// `values` as Study::metric_scope orders them; those of metrics that springs change are not
  /// read. Throws InputError where a factor is negative that has to be positive, or a number is not
  /// finite.
  [[nodiscard]] MetricForm form(const double* values) const;
  /// Whether springs change the expression at all.
  [[nodiscard]] bool varies() const { return parts_.back() != Part::number; }

 private:
  /// How a part of the tree depends on springs.
  enum class Part : char { number, parameter, affine, metric, convex };

  [[nodiscard]] Part part_of_value(int value, const SpringRoles& roles) const;
  [[nodiscard]] Part part_of(const ExpressionNode& node, std::span<const int> operands) const;
  void require_positive(const ExpressionNode& node, double factor, const char* what) const;
  void require_negative(const ExpressionNode& node, double factor) const;
  void pass_factors(int node, std::vector<double>& factors, const double* values) const;
  [[nodiscard]] MetricForm joined(int node, const std::vector<double>& factors,
                                  std::vector<MetricForm>& forms, const double* values) const;
  [[nodiscard]] double factor_at(int node, const double* values) const;

  const Study* study_;
  Expression expression_;
  std::vector<Part> parts_;  // one per node
  double sign_ = 1.0;
};

/// Whether a metric is the least tension of a spring.
bool is_least_tension(const MetricName& metric);

/// The form of a statistic of some actuators, combined as in engine/evaluation/stages/metrics.hpp:
/// the largest for max and peak_power, the average for mean and rms, the sum for energy.
MetricForm form_of(const Study& study, const Objective& objective);

}  // namespace counterpoise
