#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "studies/definition/mechanism_units.hpp"
#include "studies/reading/read.hpp"
#include "studies/reading/study_reading.hpp"

namespace counterpoise {
namespace {

Objective read_objective(const JsonValue& value, const Study& study) {
  const ObjectReader object(value, "an objective", {"name", "minimize", "of", "expression"});
  Objective objective;
  objective.name = name_of(object.required("name"));
  objective.where = value.location();
  objective.name_where = object.required("name").location();
  if (const JsonValue* expression = object.find("expression")) {
    for (const std::string_view key : {"minimize", "of"})
      if (const JsonValue* extra = object.find(key))
        throw InputError(extra->key_location(),
                         fmt::format("\"{}\" does not go with \"expression\"", key));
    objective.where = expression->location();
    objective.expression = Expression::parse(string_of(*expression, "an expression"),
                                             study.metric_scope, expression->location());
    require_no_scenario(study, *objective.expression, expression->location());
    objective.unit = unit_of(study, *objective.expression);
    return objective;
  }
  objective.statistic =
      static_cast<Statistic>(choice_of(object.required("minimize"), actuator_statistics));
  std::vector<std::string> actuators;
  for (const Actuator& actuator : study.model->nominal.actuators)
    actuators.push_back(actuator.name);
  const JsonValue& of = object.required("of");
  for (const JsonValue& item : array_of(of, "an array of actuators' names")) {
    const std::string& name = string_of(item, "an actuator's name");
    const auto at = std::find(actuators.begin(), actuators.end(), name);
    if (at == actuators.end()) refuse_name(item, name, "an actuator", actuators);
    const int index = static_cast<int>(at - actuators.begin());
    if (std::find(objective.actuators.begin(), objective.actuators.end(), index) !=
        objective.actuators.end())
      throw InputError(item.location(), fmt::format("actuator {} is listed twice", name));
    objective.actuators.push_back(index);
  }
  if (objective.actuators.empty()) refuse(of, "at least one actuator");
  return objective;
}

}  // namespace

void require_no_scenario(const Study& study, const Expression& expression, const Location& where) {
  const Search* search = study.search();
  if (search == nullptr || search->method != SearchMethod::exact_springs ||
      !study.reads_scenario(expression))
    return;
  const auto used = expression.used();
  const auto reads = std::find_if(used.begin(), used.end(), [&](const int value) {
    const MetricName* metric = study.metric_of(value);
    return metric != nullptr && metric->of == MetricOf::scenario;
  });
  throw InputError(where,
                   fmt::format("reads {}, a metric of a scenario, which an exact search "
                               "cannot prove anything about; sample the study, or search "
                               "it by nlopt",
                               study.metric_scope.names()[static_cast<std::size_t>(*reads)]));
}

void read_objectives(const JsonValue& array, Study& study) {
  read_each(array_of(array, "an array of objectives"), [&](const JsonValue& value) {
    study.objectives.push_back(read_objective(value, study));
  });
  if (study.objectives.empty()) refuse(array, "at least one objective");
}

void read_trade_off(const JsonValue& study_root, Study& study) {
  auto* search = std::get_if<Search>(&study.method);
  const JsonValue* value = search == nullptr ? nullptr : study_root.find("search");
  value = value == nullptr ? nullptr : value->find("trade_off");
  if (value == nullptr) return;
  const ObjectReader object(*value, "a trade-off", {"objectives", "points"});
  TradeOff trade_off;
  std::vector<std::string> names;
  for (const Objective& objective : study.objectives) names.push_back(objective.name);
  const JsonValue& list = object.required("objectives");
  for (const JsonValue& item : array_of(list, "two or three objectives")) {
    const std::string& name = string_of(item, "an objective");
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) refuse_name(item, name, "an objective of the study", names);
    const int index = static_cast<int>(at - names.begin());
    if (std::find(trade_off.objectives.begin(), trade_off.objectives.end(), index) !=
        trade_off.objectives.end())
      throw InputError(item.location(), fmt::format("objective {} is listed twice", name));
    trade_off.objectives.push_back(index);
  }
  if (trade_off.objectives.size() < 2 || trade_off.objectives.size() > 3)
    refuse(list, "two or three objectives");
  if (const JsonValue* points = object.find("points"))
    trade_off.points = static_cast<int>(integer_of(*points, "a number of points", 2, 10'000));
  if (search->within > 0.0)
    throw InputError(
        value->location(),
        "a trade-off keeps one design a point; \"within_percent\" does not go with it");
  search->trade_off = trade_off;
}

void read_ties(const JsonValue* value, Study& study) {
  const auto ties_in = [](const JsonValue& given) {
    const double ties = fixed_number(given, "a relative tolerance");
    if (!(ties >= 0.0 && ties < 1.0)) refuse(given, "a relative tolerance from 0 to below 1");
    return ties;
  };
  study.ties.assign(study.objectives.size(), default_ties);
  if (value == nullptr) return;
  if (value->kind != JsonValue::Kind::object) {
    study.ties.assign(study.objectives.size(), ties_in(*value));
    return;
  }
  std::vector<std::string> names;
  for (const Objective& objective : study.objectives) names.push_back(objective.name);
  for (const JsonValue& member : object_of(*value, "an object of tolerances")) {
    const auto at = std::find(names.begin(), names.end(), member.key);
    if (at == names.end())
      throw InputError(member.key_location(),
                       fmt::format("found {}, expected the name of an objective{}",
                                   in_quotes(member.key), did_you_mean(member.key, names)));
    study.ties[static_cast<std::size_t>(at - names.begin())] = ties_in(member);
  }
}

void add_display_unit(const std::string& name, const Location& where, std::vector<Unit>& units) {
  std::vector<std::string> names;
  for (const Unit& unit : known_units)
    if (si_unit(unit) == "m" || si_unit(unit) == "rad") names.emplace_back(unit.name);
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw InputError(
        where, fmt::format("found {}, expected a unit of lengths or angles: {}{}", in_quotes(name),
                           fmt::join(names, ", "), did_you_mean(name, names)));
  const Unit unit = *find_unit(name);
  for (const Unit& other : units)
    if (si_unit(other) == si_unit(unit))
      throw InputError(where, fmt::format("found {} beside {}, expected one unit of lengths and "
                                          "one of angles",
                                          in_quotes(name), in_quotes(other.name)));
  units.push_back(unit);
}

void read_display(const JsonValue* value, Study& study) {
  if (value == nullptr) return;
  for (const JsonValue& item : array_of(*value, "an array of units"))
    add_display_unit(string_of(item, "a unit"), item.location(), study.display);
}

}  // namespace counterpoise
