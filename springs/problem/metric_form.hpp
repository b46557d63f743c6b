#pragma once

#include <span>
#include <vector>

#include "springs/problem/smooth_number.hpp"
#include "springs/problem/spring_roles.hpp"

namespace counterpoise {

/// constant + sum of weight * metric + sum of weight * parameter. Metrics have weights >= 0, but
/// least tensions have weights <= 0, since they are concave in the springs' laws.
template <class Number>
struct SumOfMetrics {
  struct Term {
    int index = -1;  // of Study::metrics, or of the model's parameters
    Number weight{};
  };
  Number constant{};
  std::vector<Term> metrics;
  std::vector<Term> parameters;  // that springs set
};
using MetricSum = SumOfMetrics<double>;
using SmoothMetricSum = SumOfMetrics<SmoothNumber>;  // its numbers are functions of mounts

/// The largest of some sums. Each term is a convex function of the springs' laws, so this form is
/// convex too.
using MetricForm = std::vector<MetricSum>;
using SmoothMetricForm = std::vector<SmoothMetricSum>;

/// A factor of a part of an expression that must be above 0 at all mounts, or else the expression
/// is not convex in the springs there.
struct PositiveFactor {
  SmoothNumber factor;
  const Expression* expression;  // of the MetricExpression
  int at;                        // character of its text
  const char* what;              // "a load"
};

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

  /// `values` are ordered as Study::metric_scope; metrics that springs change are not read from
  /// them. Throws InputError where a factor is negative that has to be positive, or a number is not
  /// finite.
  [[nodiscard]] MetricForm form(const double* values) const;
  /// The same form over a part of the box of mounts, from enclosures of `values` there. Adds the
  /// factors that must be above 0 to `positive`. Throws InputError where a number is not twice
  /// differentiable in the mounts.
  [[nodiscard]] SmoothMetricForm form(std::span<const SmoothNumber> values,
                                      std::vector<PositiveFactor>& positive) const;
  /// Whether springs change the expression at all.
  [[nodiscard]] bool varies() const { return parts_.back() != Part::number; }

 private:
  /// How a part of the tree depends on springs.
  enum class Part : char { number, parameter, affine, metric, convex };

  void require_fixed_radius(const MetricName& metric, const SpringRoles& roles) const;
  [[nodiscard]] Part part_of_value(int value, const SpringRoles& roles) const;
  [[nodiscard]] Part part_of(const ExpressionNode& node, std::span<const int> operands) const;
  template <class Numbers>
  [[nodiscard]] std::vector<SumOfMetrics<typename Numbers::Number>> form_of(Numbers numbers) const;
  template <class Numbers, class Number = typename Numbers::Number>
  void pass_factors(int node, std::vector<Number>& factors, Numbers& numbers) const;
  template <class Numbers, class Number = typename Numbers::Number>
  [[nodiscard]] std::vector<SumOfMetrics<Number>> joined(
      int node, const std::vector<Number>& factors,
      std::vector<std::vector<SumOfMetrics<Number>>>& forms, Numbers& numbers) const;

  const Study* study_;
  Expression expression_;
  std::vector<Part> parts_;  // one per node
  double sign_ = 1.0;
};

/// Whether a metric is the least tension of a spring.
bool is_least_tension(const MetricName& metric);

/// The form of a statistic of some actuators, combined as in engine/evaluation/metrics.hpp:
/// the largest for max and peak_power, the average for mean and rms, the sum for energy.
MetricForm form_of(const Study& study, const Objective& objective);

}  // namespace counterpoise
