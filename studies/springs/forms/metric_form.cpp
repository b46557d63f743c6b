#include "studies/springs/forms/metric_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/io/expressions/expression_tokens.hpp"
#include "studies/springs/forms/metric_nodes.hpp"

namespace counterpoise {
namespace {

void add(std::vector<MetricSum::Term>& to, const std::vector<MetricSum::Term>& more) {
  for (const MetricSum::Term& term : more) {
    const auto same = std::find_if(to.begin(), to.end(),
                                   [&](const auto& other) { return other.index == term.index; });
    if (same == to.end())
      to.push_back(term);
    else
      same->weight += term.weight;
  }
}

/// The largest of sums plus the largest of other sums.
MetricForm added(const MetricForm& a, const MetricForm& b) {
  MetricForm sums;
  for (const MetricSum& left : a)
    for (const MetricSum& right : b) {
      MetricSum sum = left;
      sum.constant += right.constant;
      add(sum.metrics, right.metrics);
      add(sum.parameters, right.parameters);
      sums.push_back(std::move(sum));
    }
  return sums;
}

}  // namespace

MetricExpression::MetricExpression(const Expression& expression, const Location& where,
                                   const Study& study, const SpringRoles& roles, bool negated)
    : where_(where), text_(expression.text()), sign_(negated ? -1.0 : 1.0) {
  root_ = metric_nodes(text_, where_, study, roles);
}
MetricExpression::~MetricExpression() = default;
MetricExpression::MetricExpression(MetricExpression&&) noexcept = default;
MetricExpression& MetricExpression::operator=(MetricExpression&&) noexcept = default;

bool MetricExpression::varies() const {
  return root_->varies();
}

/// `factor` times a node, so that what is negative may be so twice.
MetricForm MetricExpression::form_of_node(const MetricNode& node, double factor,
                                          const double* values) const {
  const auto refuse = [&](const char* why) { refuse_expression(where_, text_, node.at, why); };
  const auto require_positive = [&](const char* what) {
    if (factor >= 0.0) return;
    refuse_expression(where_, text_, node.at,
                      sign_ < 0.0
                          ? fmt::format("a \"min\" of {}, a lower limit, is not convex in the "
                                        "springs: only a \"max\" of it can be held exactly; search "
                                        "with the method \"nlopt\" to hold a \"min\"",
                                        what)
                          : fmt::format("a negative multiple of {} is not convex in the springs; "
                                        "search with the method \"nlopt\" to keep it",
                                        what));
  };
  const auto number = [&](std::size_t part) {
    const double value = node.parts[part]->number->evaluate(values);
    if (!std::isfinite(value)) refuse("this holds a number that is not finite");
    return value;
  };
  const auto part = [&](std::size_t i, double by) {
    return form_of_node(*node.parts[i], by, values);
  };
  switch (node.kind) {
    case MetricNode::Kind::number: {
      const double value = node.number->evaluate(values);
      if (!std::isfinite(value)) refuse("this is not a finite number");
      return {{factor * value, {}, {}}};
    }
    case MetricNode::Kind::metric:
      require_positive("a load");
      return {{0.0, {{node.index, factor}}, {}}};
    case MetricNode::Kind::parameter:
      return {{0.0, {}, {{node.index, factor}}}};
    case MetricNode::Kind::negative:
      return part(0, -factor);
    case MetricNode::Kind::sum:
      return added(part(0, factor), part(1, factor));
    case MetricNode::Kind::difference:
      return added(part(0, factor), part(1, -factor));
    case MetricNode::Kind::product: {
      const std::size_t varying = node.parts[0]->varies() ? 0 : 1;
      return part(varying, factor * number(1 - varying));
    }
    case MetricNode::Kind::quotient: {
      const double divisor = number(1);
      if (divisor == 0.0) refuse("this divides by zero");
      return part(0, factor / divisor);
    }
    case MetricNode::Kind::size: {
      require_positive("an abs");
      MetricForm both = part(0, factor);
      for (MetricSum& sum : part(0, -factor)) both.push_back(std::move(sum));
      return both;
    }
    case MetricNode::Kind::largest: {
      require_positive("a maximum");
      MetricForm all;
      for (std::size_t i = 0; i < node.parts.size(); ++i)
        for (MetricSum& sum : part(i, factor)) all.push_back(std::move(sum));
      return all;
    }
  }
  return {};
}

MetricForm MetricExpression::form(const double* values) const {
  return form_of_node(*root_, sign_, values);
}

MetricForm form_of(const Study& study, const Objective& objective) {
  const auto metric_of = [&](int actuator) {
    const auto at = std::find_if(study.metrics.begin(), study.metrics.end(), [&](const auto& name) {
      return !name.spring && name.element == actuator &&
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
