#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/evaluation/structure.hpp"
#include "studies/definition/fields.hpp"
#include "studies/reading/study_reading.hpp"

namespace counterpoise {
namespace {

constexpr std::array<std::string_view, 4> spring_statistics = {"min_length", "max_length",
                                                               "max_tension", "min_tension"};
// in the order of FallStatistic
constexpr std::array<std::string_view, 6> fall_statistics = {
    "drop", "max_speed", "max_impulse", "max_impact_speed", "settled", "energy_lost"};

/// Names the metrics of one scenario after the elements that they are about.
class FallMetrics {
 public:
  FallMetrics(Study& study, int scenario) : study_(study), scenario_(scenario) {}

  void name_all() {
    const Mechanism& nominal = study_.model->nominal;
    const Scenario& scenario =
        study_.scenarios[static_cast<std::size_t>(scenario_)].scenario.nominal;
    for (std::size_t p = 0; p < nominal.points.size(); ++p)
      if (nominal.points[p].body >= 0)
        for (const FallStatistic statistic : {FallStatistic::drop, FallStatistic::max_speed})
          add(statistic, static_cast<int>(p), nominal.points[p].name + '.');
    std::vector<std::string> gaps;
    for (const Contact& contact : scenario.contacts) gaps.push_back(contact.name);
    for (const Stop& stop : scenario.stops) gaps.push_back(stop.name);
    for (std::size_t g = 0; g < gaps.size(); ++g)
      for (const FallStatistic statistic :
           {FallStatistic::max_impulse, FallStatistic::max_impact_speed})
        add(statistic, static_cast<int>(g), gaps[g] + '.');
    add(FallStatistic::settled, -1, "");
    add(FallStatistic::energy_lost, -1, "");
  }

 private:
  void add(FallStatistic statistic, int element, const std::string& of) {
    const auto index = static_cast<int>(study_.fall_metrics.size());
    study_.fall_metrics.push_back({scenario_, statistic, element});
    const std::string& scenario = study_.scenarios[static_cast<std::size_t>(scenario_)].name;
    const auto place = static_cast<std::size_t>(statistic);
    study_.metrics.push_back({fmt::format("{}.{}{}", scenario, of, fall_statistics[place]),
                              MetricOf::scenario, index, static_cast<int>(statistic)});
  }

  Study& study_;
  int scenario_;
};

/// Which actuators and springs the variables of a study can touch.
class Change {
 public:
  explicit Change(const Study& study)
      : model_(*study.model),
        actuators_(model_.nominal.actuators.size(), false),
        springs_(model_.nominal.springs.size(), false) {
    const auto loaded = actuators_loaded_by_springs(model_.nominal);
    for (const VariableReach& variable : study.reach) {
      if (variable.moves()) touch_all();
      for (const int f : variable.fields())
        touch(model_.varying[static_cast<std::size_t>(f)], loaded);
    }
  }

  /// Metrics of scenarios are stored only if they are named: there are two for every point.
  [[nodiscard]] bool touches(const MetricName& metric) const {
    if (metric.of == MetricOf::scenario) return false;
    const auto i = static_cast<std::size_t>(metric.element);
    return metric.of == MetricOf::spring ? springs_[i] : actuators_[i];
  }

 private:
  void touch_all() {
    actuators_.assign(actuators_.size(), true);
    springs_.assign(springs_.size(), true);
  }

  void touch_spring(int spring, const std::vector<std::vector<ActuatorIndex>>& loaded) {
    springs_[static_cast<std::size_t>(spring)] = true;
    for (int a : loaded[static_cast<std::size_t>(spring)])
      actuators_[static_cast<std::size_t>(a)] = true;
  }

  void touch(const FieldNumbers& field, const std::vector<std::vector<ActuatorIndex>>& loaded) {
    switch (owner_of(field.field)) {
      case FieldOwner::spring:
        touch_spring(field.element, loaded);
        return;
      case FieldOwner::point:
        touch_point(field.element, loaded);
        return;
      case FieldOwner::actuator:
        actuators_[static_cast<std::size_t>(field.element)] = true;
        return;
      default:
        touch_all();
    }
  }

  /// A mount of springs alone changes those springs; any other point may change the motion.
  void touch_point(int point, const std::vector<std::vector<ActuatorIndex>>& loaded) {
    const auto at = [point](const auto& element) {
      return std::find(element.points.begin(), element.points.end(), point) != element.points.end();
    };
    const Mechanism& nominal = model_.nominal;
    if (std::any_of(nominal.loops.begin(), nominal.loops.end(), at) ||
        std::any_of(nominal.actuators.begin(), nominal.actuators.end(), at)) {
      touch_all();
      return;
    }
    for (std::size_t s = 0; s < nominal.springs.size(); ++s)
      if (at(nominal.springs[s])) touch_spring(static_cast<int>(s), loaded);
  }

  const Model& model_;
  std::vector<bool> actuators_, springs_;
};

}  // namespace

void name_metrics(Study& study) {
  const Mechanism& nominal = study.model->nominal;
  for (std::size_t a = 0; a < nominal.actuators.size(); ++a)
    for (std::size_t s = 0; s < actuator_statistics.size(); ++s)
      study.metrics.push_back(
          {fmt::format("{}.{}", nominal.actuators[a].name, actuator_statistics[s]),
           MetricOf::actuator, static_cast<int>(a), static_cast<int>(s)});
  for (std::size_t s = 0; s < study.scenarios.size(); ++s)
    FallMetrics(study, static_cast<int>(s)).name_all();
  for (std::size_t i = 0; i < nominal.springs.size(); ++i)
    for (std::size_t s = 0; s < spring_statistics.size(); ++s)
      study.metrics.push_back({fmt::format("{}.{}", nominal.springs[i].name, spring_statistics[s]),
                               MetricOf::spring, static_cast<int>(i), static_cast<int>(s)});

  study.metric_scope =
      Scope(study.scenarios.empty() ? "a parameter or a metric such as actuator.max"
                                    : "a parameter or a metric such as "
                                      "actuator.max or scenario.settled");
  for (const Parameter& parameter : study.model->parameters) study.metric_scope.add(parameter.name);
  for (const std::string_view prefix : {"", "baseline.", "without_springs."})
    for (const MetricName& metric : study.metrics) {
      const std::string name = std::string(prefix) + metric.name;
      const bool none = metric.of == MetricOf::spring && prefix == "without_springs.";
      if (!none) study.metric_scope.add(name);
    }
}

void read_store(const JsonValue* store, Study& study) {
  std::vector<bool> wanted(study.metrics.size(), false);
  if (store != nullptr && store->kind == JsonValue::Kind::string) {
    constexpr std::array<std::string_view, 1> all = {"all"};
    choice_of(*store, all);
    wanted.assign(wanted.size(), true);
  } else if (store != nullptr) {
    std::vector<std::string> names;
    for (const MetricName& metric : study.metrics) names.push_back(metric.name);
    for (const JsonValue& item : array_of(*store, "\"all\" or an array of metrics")) {
      const std::string& name = string_of(item, "a metric");
      const auto at = std::find(names.begin(), names.end(), name);
      if (at == names.end()) refuse_name(item, name, "a metric such as actuator.max", names);
      wanted[static_cast<std::size_t>(at - names.begin())] = true;
    }
  } else {
    const Change change(study);
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = change.touches(study.metrics[i]);
    const auto name_used = [&](const Expression& expression) {
      for (int used : expression.used())
        if (used >= study.metric_offset() && used < study.baseline_offset())
          wanted[static_cast<std::size_t>(used - study.metric_offset())] = true;
    };
    for (const Objective& objective : study.objectives) {
      if (objective.expression) name_used(*objective.expression);
      for (std::size_t i = 0; i < wanted.size(); ++i)
        if (study.metrics[i].of == MetricOf::actuator &&
            study.metrics[i].statistic == static_cast<int>(objective.statistic) &&
            std::find(objective.actuators.begin(), objective.actuators.end(),
                      study.metrics[i].element) != objective.actuators.end())
          wanted[i] = true;
    }
    for (const Constraint& constraint : study.constraints) name_used(constraint.expression);
  }
  const Search* search = study.search();
  const bool exact = search != nullptr && search->method == SearchMethod::exact_springs;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i]) continue;
    if (exact && study.metrics[i].of == MetricOf::scenario)
      throw InputError(store->location(),
                       fmt::format("stores {}, a metric of a scenario, which an exact search does "
                                   "not run; list the metrics to be stored without it",
                                   study.metrics[i].name));
    study.stored.push_back(static_cast<int>(i));
  }
}

}  // namespace counterpoise
