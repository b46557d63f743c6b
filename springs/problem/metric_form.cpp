#include "springs/problem/metric_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
      expression.refuse(expression.nodes()[node].at, "this is not a finite number");
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

namespace {

using Kind = ExpressionNode::Kind;

[[noreturn]] void refuse_power(const Expression& expression, const ExpressionNode& node) {
  expression.refuse(node.at,
                    "a power of what springs change is not convex in them; minimise the base");
}

template <class Term>
void add(std::vector<Term>& to, const std::vector<Term>& more) {
  for (const Term& term : more) {
    const auto same = std::find_if(to.begin(), to.end(),
                                   [&](const auto& other) { return other.index == term.index; });
    if (same == to.end())
      to.push_back(term);
    else
      same->weight = same->weight + term.weight;
  }
}

/// The largest of sums plus the largest of other sums.
template <class Sum>
std::vector<Sum> added(const std::vector<Sum>& a, const std::vector<Sum>& b) {
  std::vector<Sum> sums;
  for (const Sum& left : a)
    for (const Sum& right : b) {
      Sum sum = left;
      sum.constant = sum.constant + right.constant;
      add(sum.metrics, right.metrics);
      add(sum.parameters, right.parameters);
      sums.push_back(std::move(sum));
    }
  return sums;
}

}  // namespace

MetricExpression::MetricExpression(const Expression& expression, const Study& study,
                                   const SpringRoles& roles, bool negated)
    : study_(&study), expression_(expression), sign_(negated ? -1.0 : 1.0) {
  for (std::size_t i = 0; i < expression_.nodes().size(); ++i) {
    const ExpressionNode& node = expression_.nodes()[i];
    if (node.kind == Kind::constant)
      parts_.push_back(Part::number);
    else if (node.operands > 0)
      parts_.push_back(part_of(node, expression_.operands(static_cast<int>(i))));
    else if (const Part part = part_of_value(node.value, roles);
             node.kind == Kind::linear || part == Part::number)
      parts_.push_back(part);
    else
      refuse_power(expression_, node);
  }
}

/// Refuses a clearance that changes with what sizes or chooses the spring.
void MetricExpression::require_fixed_radius(const MetricName& metric,
                                            const SpringRoles& roles) const {
  const Model& model = *study_->model;
  for (std::size_t v = 0; v < roles.roles.size(); ++v)
    for (const int f : study_->reach[v].fields())
      if (roles.roles[v] != SpringRole::outer && model.varying[f].field == Field::spring_radius &&
          model.varying[f].element == metric.element)
        expression_.refuse(
            0, fmt::format("{} follows the radius of the spring, which variable {} changes, and an "
                           "exact search reads only clearances that geometry alone decides; state "
                           "it as min_clearance of the spring",
                           metric.name, study_->variables[v].name));
}

MetricExpression::Part MetricExpression::part_of_value(int value, const SpringRoles& roles) const {
  if (value < study_->metric_offset())
    return roles.inner_parameters[value] ? Part::parameter : Part::number;
  if (value >= study_->baseline_offset()) return Part::number;
  const MetricName& metric = study_->metrics[value - study_->metric_offset()];
  if (metric.of == MetricOf::spring &&
      metric.statistic == static_cast<int>(SpringStatistic::clearance)) {
    require_fixed_radius(metric, roles);
    return Part::number;
  }
  const bool length = metric.of == MetricOf::spring &&  // follows from the mounts
                      (metric.statistic == static_cast<int>(SpringStatistic::min_length) ||
                       metric.statistic == static_cast<int>(SpringStatistic::max_length));
  return length ? Part::number : Part::metric;
}

MetricExpression::Part MetricExpression::part_of(const ExpressionNode& node,
                                                 std::span<const int> operands) const {
  const auto part = [&](int operand) { return parts_[operand]; };
  const auto varies = [&](int operand) { return part(operand) != Part::number; };
  if (std::none_of(operands.begin(), operands.end(), varies)) return Part::number;
  const bool affine = std::all_of(operands.begin(), operands.end(),
                                  [&](int operand) { return part(operand) <= Part::affine; });
  const auto refuse = [&](const std::string& why) { expression_.refuse(node.at, why); };
  switch (node.kind) {
    case Kind::negative:
    case Kind::sum:
    case Kind::difference:
      break;
    case Kind::product:
      if (varies(operands.front()) && varies(operands.back()))
        refuse("a product of two numbers that springs change is not convex");
      break;
    case Kind::quotient:
      if (varies(operands.back())) refuse("dividing by what springs change is not convex");
      break;
    case Kind::abs:
      if (!affine)
        refuse(
            "abs of loads or maxima that springs change is not convex; of rates, initial "
            "tensions and their sums it is");
      return Part::convex;
    case Kind::max:
      return Part::convex;
    case Kind::raised:
      refuse_power(expression_, node);
    case Kind::less:
    case Kind::at_most:
    case Kind::greater:
    case Kind::at_least:
    case Kind::equal:
    case Kind::different:
    case Kind::both:
    case Kind::either:
      refuse("a condition on what springs change is not convex");
      break;
    default:
      refuse(fmt::format("{} of what springs change is not convex", node.spelling()));
  }
  return affine ? Part::affine : Part::convex;
}

/// Passes the factor of a node on to its operands, so that two negative factors may cancel.
template <class Numbers, class Number>
void MetricExpression::pass_factors(int index, std::vector<Number>& factors,
                                    Numbers& numbers) const {
  const ExpressionNode& node = expression_.nodes()[index];
  const Number factor = factors[index];
  const std::vector<int> operands = expression_.operands(index);
  const auto give = [&](int operand, const Number& to) { factors[operand] = to; };
  for (const int operand : operands) give(operand, factor);
  switch (node.kind) {
    case Kind::negative:
    case Kind::difference:
      give(operands.back(), -factor);
      break;
    case Kind::product: {
      const bool left = parts_[operands.front()] != Part::number;
      const int varying = left ? operands.front() : operands.back();
      give(varying, factor * numbers.at(left ? operands.back() : operands.front()));
      break;
    }
    case Kind::quotient:
      give(operands.front(), numbers.quotient(node, factor, numbers.at(operands.back())));
      break;
    case Kind::abs:
      numbers.require_positive(node, factor, "an abs");
      break;
    case Kind::max:
      numbers.require_positive(node, factor, "a maximum");
      break;
    default:
      break;
  }
}

/// The form of a part that springs change, times its factor; consumes its operands' forms.
template <class Numbers, class Number>
std::vector<SumOfMetrics<Number>> MetricExpression::joined(
    int index, const std::vector<Number>& factors,
    std::vector<std::vector<SumOfMetrics<Number>>>& forms, Numbers& numbers) const {
  using Form = std::vector<SumOfMetrics<Number>>;
  const auto at = static_cast<std::size_t>(index);
  const ExpressionNode& node = expression_.nodes()[at];
  if (node.operands == 0) {
    const Number weight = factors[at] * Numbers::number(node.factor);
    const Number constant =
        node.offset == 0.0 ? Numbers::number(0.0) : factors[at] * Numbers::number(node.offset);
    if (parts_[at] == Part::parameter) return {{constant, {}, {{node.value, weight}}}};
    const int metric = node.value - study_->metric_offset();
    if (is_least_tension(study_->metrics[metric]))
      numbers.require_negative(node, weight);
    else
      numbers.require_positive(node, weight, "a load");
    return {{constant, {{metric, weight}}, {}}};
  }
  const std::vector<int> operands = expression_.operands(index);
  const auto operand = [&](int of) -> Form {
    const auto i = static_cast<std::size_t>(of);
    if (parts_[i] != Part::number) return std::move(forms[i]);
    return {{factors[i] * numbers.at(of), {}, {}}};
  };
  switch (node.kind) {
    case Kind::sum:
    case Kind::difference:
      return added(operand(operands.front()), operand(operands.back()));
    case Kind::product:
      return operand(parts_[operands.front()] != Part::number ? operands.front() : operands.back());
    case Kind::abs: {
      Form both = operand(operands.front());
      SumOfMetrics<Number> opposite = both.front();  // what is affine is one sum of parameters
      opposite.constant = -opposite.constant;
      for (auto& term : opposite.parameters) term.weight = -term.weight;
      both.push_back(std::move(opposite));
      return both;
    }
    case Kind::max: {
      Form all;
      for (const int of : operands)
        for (SumOfMetrics<Number>& sum : operand(of)) all.push_back(std::move(sum));
      return all;
    }
    default:  // negative, quotient: their factor has reached the operand
      return operand(operands.front());
  }
}

template <class Numbers>
std::vector<SumOfMetrics<typename Numbers::Number>> MetricExpression::form_of(
    Numbers numbers) const {
  using Number = typename Numbers::Number;
  const int root = static_cast<int>(parts_.size()) - 1;
  const Number sign = Numbers::number(sign_);
  if (!varies()) return {{sign * numbers.at(root), {}, {}}};
  std::vector<Number> factors(parts_.size());
  factors.back() = sign;
  for (int i = root; i >= 0; --i)
    if (parts_[i] != Part::number) pass_factors(i, factors, numbers);
  std::vector<std::vector<SumOfMetrics<Number>>> forms(parts_.size());
  for (int i = 0; i <= root; ++i)
    if (parts_[i] != Part::number) forms[i] = joined(i, factors, forms, numbers);
  return std::move(forms.back());
}

MetricForm MetricExpression::form(const double* values) const {
  return form_of(PlainNumbers{expression_, values, sign_});
}

SmoothMetricForm MetricExpression::form(std::span<const SmoothNumber> values,
                                        std::vector<PositiveFactor>& positive) const {
  return form_of(SmoothNumbers{expression_, values, positive});
}

bool is_least_tension(const MetricName& metric) {
  return metric.of == MetricOf::spring &&
         metric.statistic == static_cast<int>(SpringStatistic::min_tension);
}

MetricForm form_of(const Study& study, const Objective& objective) {
  const auto metric_of = [&](int actuator) {
    const auto at = std::find_if(study.metrics.begin(), study.metrics.end(), [&](const auto& name) {
      return name.of == MetricOf::actuator && name.element == actuator &&
             name.statistic == static_cast<int>(objective.statistic);
    });
    return static_cast<int>(at - study.metrics.begin());
  };
  const bool largest =
      objective.statistic == Statistic::max || objective.statistic == Statistic::peak_power;
  const double weight = objective.statistic == Statistic::energy
                            ? 1.0
                            : 1.0 / static_cast<double>(objective.actuators.size());
  MetricForm form;
  if (!largest) form.emplace_back();
  for (const int actuator : objective.actuators) {
    if (largest)
      form.push_back({0.0, {{metric_of(actuator), 1.0}}, {}});
    else
      form.front().metrics.push_back({metric_of(actuator), weight});
  }
  return form;
}

}  // namespace counterpoise
