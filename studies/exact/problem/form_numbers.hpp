#pragma once

#include <fmt/format.h>

#include <cmath>

#include "studies/exact/problem/metric_form.hpp"

/// What the conversion of an expression to a MetricForm asks of its numbers, for each kind of them.
namespace counterpoise {

/// The numbers of one geometry.
struct PlainNumbers {
  using Number = double;
  const Expression& expression;
  const double* values;
  double sign;  // of the whole expression

  static Number number(double plain) { return plain; }
  /// The value of a part that springs do not change and that multiplies or divides one that they
  /// do.
  [[nodiscard]] Number at(int node) const {
    const double value = expression.evaluate(node, values);
    if (!std::isfinite(value))
      expression.refuse(expression.nodes()[static_cast<std::size_t>(node)].at,
                        "this is not a finite number");
    return value;
  }
  [[nodiscard]] Number quotient(const ExpressionNode& node, Number factor, Number divisor) const {
    if (divisor == 0.0) expression.refuse(node.at, "this divides by zero");
    return factor / divisor;
  }
  void require_positive(const ExpressionNode& node, Number factor, const char* what) const {
    if (factor >= 0.0) return;
    expression.refuse(
        node.at, sign < 0.0
                     ? fmt::format("a \"min\" of {}, a lower limit, is not convex in the springs: "
                                   "only a \"max\" of it can be held exactly; search with the "
                                   "method \"nlopt\" to hold a \"min\"",
                                   what)
                     : fmt::format("a negative multiple of {} is not convex in the springs; search "
                                   "with the method \"nlopt\" to keep it",
                                   what));
  }
  /// Like require_positive, of a least tension, which is concave.
  void require_negative(const ExpressionNode& node, Number factor) const {
    if (factor <= 0.0) return;
    expression.refuse(node.at,
                      "an upper limit on a spring's min_tension, or its minimum, is not convex in "
                      "the springs: only a lower limit can be held exactly, and only a maximum "
                      "found; search with the method \"nlopt\" for the others");
  }
};

/// Numbers as functions of mounts, enclosed. Those that mounts do not change have the signs that
/// they have at any one geometry.
struct SmoothNumbers {
  using Number = SmoothNumber;
  const Expression& expression;
  std::span<const SmoothNumber> values;
  std::vector<PositiveFactor>& positive;

  static Number number(double plain) { return SmoothNumber::constant(plain); }
  [[nodiscard]] Number at(int node) const { return smooth_number(expression, node, values); }
  [[nodiscard]] Number quotient(const ExpressionNode& node, const Number& factor,
                                const Number& divisor) const {
    if (divisor.value.holds(0.0))
      expression.refuse(node.at, "this divides by what may be 0 at some mounts");
    return factor * inverse(divisor);
  }
  void require_positive(const ExpressionNode& node, const Number& factor, const char* what) const {
    if (factor.varies) positive.push_back({factor, &expression, node.at, what});
  }
  void require_negative(const ExpressionNode& node, const Number& factor) const {
    require_positive(node, -factor, "the negative of a least tension");
  }
};

}  // namespace counterpoise
