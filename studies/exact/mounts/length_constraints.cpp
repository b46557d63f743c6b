#include "studies/exact/mounts/length_constraints.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cases/case_judge.hpp"
#include "input/expressions/affine.hpp"

namespace counterpoise {
namespace {

constexpr const char* or_else =
    "; state it as a limit of the spring (min_length, max_length, acts), or search with "
    "\"algorithm\" in place of \"geometry\"";
constexpr double longest = 1e6;  // [m] or [rad] of any spring

bool is_length(const MetricName& metric) {
  return metric.of == MetricOf::spring &&
         (metric.statistic == static_cast<int>(SpringStatistic::min_length) ||
          metric.statistic == static_cast<int>(SpringStatistic::max_length));
}

/// The metric with this value of Study::metric_scope; null if it is none of the design itself.
const MetricName* metric_at(const Study& study, int value) {
  const bool own = value >= study.metric_offset() && value < study.baseline_offset();
  return own ? &study.metrics[static_cast<std::size_t>(value - study.metric_offset())] : nullptr;
}

/// The value of a scope that is a length; -1 if an expression reads none.
int length_read_by(const Study& study, const Expression& expression) {
  for (const int used : expression.used())
    if (const MetricName* metric = metric_at(study, used); metric != nullptr && is_length(*metric))
      return used;
  return -1;
}

}  // namespace

int spring_of_length(const Study& study, const std::vector<int>& sized,
                     const Expression& expression, const Location& where) {
  const int length = length_read_by(study, expression);
  if (length < 0) return -1;
  const MetricName& metric = *metric_at(study, length);
  bool alone = true;
  for (const int used : expression.used())
    alone = alone && (used == length || metric_at(study, used) == nullptr);
  for (const int v : sized)
    alone = alone && !study.reach[static_cast<std::size_t>(v)].design.changes(expression);
  if (!alone)
    throw InputError(where, fmt::format("reads {} beside loads, other lengths or numbers of "
                                        "springs, which a proof over geometry cannot follow{}",
                                        metric.name, or_else));
  return metric.element;
}

std::vector<LengthConstraint> length_constraints(const Study& study,
                                                 std::span<const double> values) {
  std::vector<LengthConstraint> found;
  for (const Constraint& constraint : study.constraints) {
    const int length = length_read_by(study, constraint.expression);
    if (length < 0) continue;
    const MetricName& metric = *metric_at(study, length);
    const bool least = metric.statistic == static_cast<int>(SpringStatistic::min_length);
    const AffineAnalysis analysis({{0.0, longest}});
    std::vector<AffineValue> numbers;
    for (const double value : values) numbers.push_back(AffineAnalysis::constant(value));
    numbers[static_cast<std::size_t>(length)] = analysis.unknown(0);
    const AffineValue of = analysis.of(constraint.expression, numbers);
    if (of.refusal || !of.varies)
      throw InputError(constraint.where,
                       fmt::format("is not affine (a*x + b) in {}, which a proof over geometry "
                                   "needs{}",
                                   metric.name, or_else));
    const double slope = of.number.slopes.front();
    for (const double sign : {1.0, -1.0}) {
      const double bound = sign > 0.0 ? constraint.max : -constraint.min;
      if (std::isinf(bound) || slope == 0.0) continue;
      if (least == (sign * slope > 0.0))
        throw InputError(
            constraint.where,
            fmt::format("bounds {} from {}, which is no condition of every instant, and a "
                        "proof over geometry needs one{}",
                        metric.name, least ? "above" : "below", or_else));
      found.push_back({static_cast<std::size_t>(metric.element),
                       sign * of.number.constant - loosened(bound), sign * slope});
    }
  }
  return found;
}

}  // namespace counterpoise
