#include "cases/case_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/mechanism/elements.hpp"

namespace counterpoise {
namespace {

/// Whether a drive is lacking, so that its metrics are not known.
bool lacks_drive(const CaseOutcome& out) {
  return std::any_of(out.metrics.motors.begin(), out.metrics.motors.end(),
                     [](double metric) { return std::isnan(metric); });
}

constexpr double not_set = std::numeric_limits<double>::quiet_NaN();

/// Whether a constraint holds where its expression has this value.
bool holds(const Constraint& constraint, double value, const double* values) {
  const double least = constraint.min, most = constraint.max;
  if (value >= least && value <= most) return true;
  const double term = constraint.expression.size_of_terms(values);
  return least - value <= slack_of(std::isinf(least) ? 0.0 : least, term) &&
         value - most <= slack_of(std::isinf(most) ? 0.0 : most, term);
}

}  // namespace

bool holds(const Constraint& constraint, const double* values) {
  return holds(constraint, constraint.expression.evaluate(values), values);
}

CaseJudge::CaseJudge(const Study& study) : study_(study) {
  std::vector<bool> used(study.metric_scope.names().size(), false);
  for (const Objective& objective : study.objectives) {
    std::vector<MetricPlace>& places = statistics_.emplace_back();
    for (int actuator : objective.actuators)
      places.emplace_back(MetricOf::actuator, actuator, static_cast<int>(objective.statistic));
    if (!objective.expression) continue;
    note_used(*objective.expression, used);
  }
  for (const Constraint& constraint : study.constraints) {
    note_used(constraint.expression, used);
    cheap_.push_back(!study.reads_scenario(constraint.expression));
  }
  for (std::size_t p = 0; p < study.model->parameters.size(); ++p)
    if (used[p]) parameters_.push_back(p);
  const auto add = [&](std::vector<UsedMetric>& list, int offset, std::size_t metric) {
    const std::size_t value = static_cast<std::size_t>(offset) + metric;
    if (value < used.size() && used[value])
      list.push_back({value, MetricPlace(study.metrics[metric])});
  };
  for (std::size_t i = 0; i < study.metrics.size(); ++i) {
    add(metrics_, study.metric_offset(), i);
    add(baseline_, study.baseline_offset(), i);
    if (study.metrics[i].of != MetricOf::spring)
      add(without_springs_, study.without_springs_offset(), i);
  }
  set_baselines(nullptr);
}

void CaseJudge::note_used(const Expression& expression, std::vector<bool>& used) const {
  for (int value : expression.used()) used[value] = true;
}

void CaseJudge::set_baselines(const std::shared_ptr<const Baselines>& baselines) {
  const std::size_t motions = std::max<std::size_t>(study_.motions.size(), 1);
  values_.assign(motions, std::vector<double>(study_.metric_scope.names().size(), not_set));
  if (!baselines) return;
  for (std::size_t pair = 0; pair < baselines->pairs.size(); ++pair) {
    const auto fill = [&](const std::vector<UsedMetric>& list, const CaseOutcome& outcome) {
      if (!outcome.computable) return;
      for (const UsedMetric& used : list)
        values_[pair][used.value] = used.place.of(outcome.metrics);
    };
    fill(baseline_, baselines->pairs[pair].baseline);
    fill(without_springs_, baselines->pairs[pair].without_springs);
  }
}

void CaseJudge::take(std::span<const double> parameters, std::size_t pair, const CaseOutcome& out) {
  pair_ = pair;
  std::vector<double>& values = values_[pair];
  for (std::size_t p : parameters_) values[p] = parameters[p];
  for (const UsedMetric& used : metrics_) values[used.value] = used.place.of(out.metrics);
}

void CaseJudge::judge(std::span<const double> parameters, std::size_t pair, CaseOutcome& out) {
  take(parameters, pair, out);
  const std::vector<double>& values = values_[pair];
  out.objectives.resize(study_.objectives.size());
  for (std::size_t i = 0; i < study_.objectives.size(); ++i) {
    const Objective& objective = study_.objectives[i];
    double& value = out.objectives[i];
    value = objective.expression
                ? objective.expression->evaluate(values.data())
                : combined_statistic(out.metrics, objective.statistic, statistics_[i]);
    if (std::isfinite(value)) continue;
    out.computable = false;
    if (lacks_drive(out)) continue;
    Failure failure;
    failure.kind = FailureKind::objective_not_finite;
    failure.of = static_cast<int>(i);
    out.refuse(failure, fmt::format("objective {} is not a finite number", objective.name));
  }
}

void CaseJudge::hold_against_cheap_constraints(CaseOutcome& out) const {
  for (std::size_t i = 0; i < cheap_.size(); ++i)
    if (cheap_[i]) hold_against(i, out);
}

void CaseJudge::hold_against_constraints(CaseOutcome& out, bool cheap_hold) const {
  for (std::size_t i = 0; i < cheap_.size(); ++i)
    if (!cheap_hold || !cheap_[i]) hold_against(i, out);
}

void CaseJudge::hold_against(std::size_t constraint, CaseOutcome& out) const {
  const Constraint& held = study_.constraints[constraint];
  const double value = constraint_value(constraint);
  if (holds(held, value, values_[pair_].data())) return;
  Failure failure;
  failure.of = static_cast<int>(constraint);
  if (!std::isfinite(value)) {
    if (lacks_drive(out)) return;
    failure.kind = FailureKind::constraint_not_finite;
    out.refuse(failure, fmt::format("constraint {} is not a finite number", held.name));
    return;
  }
  const bool below = value < held.min;
  failure.kind = below ? FailureKind::constraint_below_min : FailureKind::constraint_above_max;
  failure.value = value;
  failure.bound = below ? held.min : held.max;
  const double size = failure.bound == 0.0 ? 1.0 : std::abs(failure.bound);
  failure.violation = std::abs(value - failure.bound) / size;
  const std::string unit = held.unit.empty() ? "" : " " + held.unit;
  out.refuse(failure, fmt::format("constraint {} is {:.6g}{}, {} {:.6g}{}", held.name, value, unit,
                                  below ? "below" : "above", failure.bound, unit));
}

}  // namespace counterpoise
