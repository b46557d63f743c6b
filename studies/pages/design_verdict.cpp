#include "studies/pages/design_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cases/study_units.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

constexpr double least_change = 5e-4;  // relative: tables print less as 0.0 %
constexpr double rounding = 1e-9;      // of a number's scale

std::string in_words(const Study& study, const MetricName& metric) {
  const Mechanism& mechanism = study.model->nominal;
  const auto element = static_cast<std::size_t>(metric.element);
  if (metric.of == MetricOf::spring)
    return fmt::format("largest tension of {}", mechanism.springs[element].name);
  if (metric.of == MetricOf::scenario || metric.of == MetricOf::motor) return metric.name;
  if (metric.of == MetricOf::poses) return "poses left out";
  constexpr std::array<std::string_view, 6> names = {
      "peak load", "mean load", "root mean square load", "energy", "peak power", "share held"};
  return fmt::format("{} of {}", names[static_cast<std::size_t>(metric.statistic)],
                     mechanism.actuators[element].name);
}

bool less_is_better(const MetricName& metric) {
  if (metric.of == MetricOf::actuator)
    return metric.statistic != static_cast<int>(Statistic::holds);
  if (metric.of == MetricOf::motor)
    return metric.statistic < static_cast<int>(MotorStatistic::motor);
  return metric.of != MetricOf::spring ||
         metric.statistic == static_cast<int>(SpringStatistic::max_tension);
}

/// Metrics to compare: peaks and means of actuators, and what is stored.
std::vector<MetricName> compared_metrics(const Study& study) {
  std::vector<MetricName> metrics;
  for (std::size_t i = 0; i < study.metrics.size(); ++i) {
    const MetricName& metric = study.metrics[i];
    const bool stored = std::find(study.stored.begin(), study.stored.end(), static_cast<int>(i)) !=
                        study.stored.end();
    const bool load =
        metric.of == MetricOf::actuator && metric.statistic <= static_cast<int>(Statistic::mean);
    if (load || (stored && less_is_better(metric))) metrics.push_back(metric);
  }
  return metrics;
}

/// Whether an objective is the peak or the mean of one actuator, which is compared anyhow.
bool is_one_load(const Objective& objective) {
  return !objective.expression && objective.actuators.size() == 1 &&
         (objective.statistic == Statistic::max || objective.statistic == Statistic::mean);
}

/// Whether a metric is an objective itself, under whose name it is compared.
bool is_objective(const Study& study, const MetricName& metric, const CaseOutcome& outcome,
                  const CaseOutcome& other) {
  for (std::size_t i = 0; i < study.objectives.size(); ++i)
    if (!is_one_load(study.objectives[i]) &&
        outcome.objectives[i] == value_of(outcome.metrics, metric) &&
        other.objectives[i] == value_of(other.metrics, metric))
      return true;
  return false;
}

class Comparison {
 public:
  /// `size`: the scale of the number's rounding.
  void look_at(const Worsened& one, double size) {
    if (!std::isfinite(one.value) || !std::isfinite(one.before)) return;
    const double more = one.value - one.before;
    if (more <= std::max(least_change * std::abs(one.before), rounding * size)) return;
    found.push_back(one);
    found.back().before = without_rounding(one.before, size);
  }
  std::vector<Worsened> found;
};

/// The largest load of an actuator in any of the robots, which is the scale of its mean, too.
double scale_of(const MetricName& metric, const std::vector<const CaseOutcome*>& robots) {
  double size = 0.0;
  for (const CaseOutcome* robot : robots) {
    size = std::max(size, std::abs(value_of(robot->metrics, metric)));
    if (metric.of == MetricOf::actuator && metric.statistic <= static_cast<int>(Statistic::rms))
      size = std::max(size, robot->metrics.actuators[metric.element].max);
  }
  return size;
}

double relative(const Worsened& one) {
  const double more = one.value - one.before;
  return one.before == 0.0 ? no_limit : more / std::abs(one.before);
}

}  // namespace

std::vector<Worsened> what_got_worse(const Study& study, const CaseOutcome& outcome,
                                     const Baselines::Pair& beside) {
  std::vector<const CaseOutcome*> robots;
  for (const CaseOutcome* robot : {&outcome, &beside.baseline, &beside.without_springs})
    if (robot->computable) robots.push_back(robot);
  Comparison comparison;
  if (!outcome.computable) return {};
  for (const CaseOutcome* other : robots) {
    if (other == &outcome) continue;
    const bool springless = other == &beside.without_springs;
    for (const MetricName& metric : compared_metrics(study)) {
      if (springless && metric.of == MetricOf::spring) continue;
      if (is_objective(study, metric, outcome, *other)) continue;
      comparison.look_at(
          {metric.name, in_words(study, metric), unit_of(study, metric),
           value_of(outcome.metrics, metric), value_of(other->metrics, metric), springless},
          scale_of(metric, robots));
    }
    for (std::size_t i = 0; i < study.objectives.size(); ++i) {
      const Objective& objective = study.objectives[i];
      if (is_one_load(objective)) continue;
      double size = 0.0;
      for (const CaseOutcome* robot : robots) size = std::max(size, std::abs(robot->objectives[i]));
      comparison.look_at({objective.name, objective.name, unit_of(study, objective),
                          outcome.objectives[i], other->objectives[i], springless},
                         size);
    }
  }
  std::stable_sort(comparison.found.begin(), comparison.found.end(),
                   [](const Worsened& a, const Worsened& b) { return relative(a) > relative(b); });
  return std::move(comparison.found);
}

namespace {

/// The name of a limit without the number of its bound, which stands beside it.
std::string without_number(std::string name) {
  for (const std::string_view ending : {" at its lower bound", " at its upper bound"})
    if (const std::size_t at = name.find(ending); at != std::string::npos)
      name.resize(at + ending.size());
  return name;
}

}  // namespace

Json priced_json(const Study& study, const SpringOptimum& optimum) {
  Json json = Json::array();
  for (const ShadowPrice& price : optimum.limits) {
    Json gains = Json::array();
    for (const SpringOptimum::Least& least : optimum.least) {
      const Objective& objective = study.objectives[least.objective];
      gains.push_back({{"objective", objective.name},
                       {"unit", unit_of(study, objective)},
                       {"less", price.per_unit * price.step * least.per_goal}});
    }
    json.push_back({{"name", without_number(price.name)},
                    {"loosened_by", price.less ? "less" : "more"},
                    {"step", price.step},
                    {"unit", price.unit},
                    {"gains", gains}});
  }
  return json;
}

Json verdict_json(const Study& study, const CaseOutcome& outcome, const Baselines::Pair& beside,
                  const Explanation& explanation) {
  Json worse = Json::array(), near = Json::array();
  for (const Worsened& one : what_got_worse(study, outcome, beside))
    worse.push_back({{"name", one.name},
                     {"what", one.what},
                     {"unit", one.unit},
                     {"value", one.value},
                     {"before", one.before},
                     {"beside", one.without_springs ? "without_springs" : "baseline"}});
  for (const BindingLimit& limit : explanation.near)
    near.push_back({{"name", without_number(limit.name)},
                    {"value", without_rounding(limit.value, limit.size)},
                    {"bound", limit.bound},
                    {"unit", limit.unit},
                    {"broken", limit.broken},
                    {"beyond", limit.beyond}});
  std::string unknown;
  if (explanation.optimum)
    unknown = explanation.optimum->no_shadow_prices;
  else if (explanation.exact)
    unknown = "this case has no certificate";
  return {
      {"worse", worse},
      {"beside",
       {{"baseline", beside.baseline.computable},
        {"without_springs", beside.without_springs.computable}}},
      {"near", near},
      {"closeness", Explanation::near_closeness},
      {"priced", explanation.optimum ? priced_json(study, *explanation.optimum) : Json::array()},
      {"prices_unknown", unknown}};
}

}  // namespace counterpoise
