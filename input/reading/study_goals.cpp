#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/evaluation/structure.hpp"
#include "input/definition/mechanism_units.hpp"
#include "input/definition/model.hpp"
#include "input/reading/read.hpp"
#include "input/reading/study_reading.hpp"

namespace counterpoise {
namespace {

/// Whether a study searches for springs and drives together.
bool finds_drives(const Study& study) {
  const Search* search = study.search();
  return search != nullptr && search->method == SearchMethod::exact_springs && !study.tolerances;
}

/// Whether an exact search minimises the cost of all drives, which is no convex function.
bool is_cost_of_drives(const Study& study, const Expression& expression) {
  return finds_drives(study) && study.cost_of_drives(expression).has_value();
}

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
    if (!study.objectives.empty() || !is_cost_of_drives(study, *objective.expression))
      require_fit_for_method(study, *objective.expression, expression->location());
    objective.unit = objective.expression->unit();
    return objective;
  }
  const std::span minimised = std::span(actuator_statistics).first<minimised_statistics>();
  objective.statistic = static_cast<Statistic>(choice_of(object.required("minimize"), minimised));
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

void require_fit_for_method(const Study& study, const Expression& expression,
                            const Location& where) {
  const Search* search = study.search();
  const bool exact = search != nullptr && search->method == SearchMethod::exact_springs;
  for (const int value : expression.used()) {
    const MetricName* metric = study.metric_of(value);
    if (metric == nullptr) continue;
    const std::string& name = study.metric_scope.names()[static_cast<std::size_t>(value)];
    if (exact && metric->of == MetricOf::scenario)
      throw InputError(where,
                       fmt::format("reads {}, a metric of a scenario, which an exact search "
                                   "cannot prove anything about; sample the study, or search "
                                   "it by nlopt",
                                   name));
    if (exact && metric->of == MetricOf::poses)
      throw InputError(where, fmt::format("reads {}, which no spring changes, so that an exact "
                                          "search cannot weigh it against loads",
                                          name));
    if (metric->of == MetricOf::motor && study.tolerances)
      throw InputError(where, fmt::format("reads {}, a metric of a motor, which has no worst case "
                                          "over tolerances; robustness looks at loads",
                                          name));
    if (metric->of == MetricOf::motor && exact)
      throw InputError(where,
                       fmt::format("reads {}, a metric of a motor, which is no convex function of "
                                   "springs; of these an exact search only minimises drives.price "
                                   "or drives.mass, as its first objective, and holds a \"max\" of "
                                   "a price or a mass. Sample the study, or search it by nlopt",
                                   name));
    if (!metric->is_share_held() || !(exact || study.tolerances)) continue;
    const std::string& actuator = study.model->nominal.actuators[metric->element].name;
    throw InputError(
        where, fmt::format("reads {}, which {}; everything is held where {}.max is at most the "
                           "holding load, which may be a constraint",
                           name,
                           exact ? "an exact search cannot prove anything about"
                                 : "has no worst case over tolerances",
                           actuator));
  }
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
    if (at == names.end()) refuse_key(member, "the name of an objective", names);
    study.ties[at - names.begin()] = ties_in(member);
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

namespace {

Constraint read_constraint(const JsonValue& value, const Study& study) {
  const ObjectReader object(value, "a constraint", {"name", "expression", "min", "max", "unit"});
  const std::string& name = name_of(object.required("name"));
  for (const Constraint& other : study.constraints)
    if (other.name == name)
      throw InputError(value.location(), fmt::format("a second constraint {}", in_quotes(name)));
  const JsonValue& text = object.required("expression");
  Constraint constraint{name,
                        Expression::parse(string_of(text, "an expression"), study.metric_scope,
                                          text.location(), ExpressionKind::condition),
                        text.location()};
  const bool of_drives = finds_drives(study) && study.cost_in(constraint.expression).has_value();
  if (!of_drives) require_fit_for_method(study, constraint.expression, text.location());
  Unit unit;
  constraint.unit = constraint.expression.unit();
  if (const JsonValue* given = object.find("unit")) {
    unit = unit_in(*given);
    if (const auto own = find_unit(constraint.unit))
      require_fit(unit, *own, constraint.expression.text(), given->location());
    if (constraint.unit.empty()) constraint.unit = si_unit(unit);
  }
  const auto bound = [&](const JsonValue& given) {
    std::optional<Unit> written;
    const TextUnit allowed = object.find("unit") != nullptr
                                 ? TextUnit::none()
                                 : TextUnit::of(constraint.unit, constraint.expression.text());
    const double number = fixed_quantity(given, "a number", unit, allowed, &written);
    if (written && constraint.unit.empty()) constraint.unit = si_unit(*written);
    return number;
  };
  const JsonValue* min = object.find("min");
  if (min != nullptr && of_drives)
    throw InputError(min->key_location(),
                     fmt::format("found a \"min\" of {}, expected a \"max\": an exact search holds "
                                 "no least cost of drives. Sample the study, or search it by nlopt",
                                 constraint.expression.text()));
  if (min != nullptr) constraint.min = bound(*min);
  if (const JsonValue* max = object.find("max")) constraint.max = bound(*max);
  if (constraint.min > constraint.max) refuse(value, "min not above max");
  if (min == nullptr && object.find("max") == nullptr) refuse(value, "\"min\", \"max\" or both");
  return constraint;
}

}  // namespace

void read_constraints(const JsonValue& array, Study& study) {
  read_each(array_of(array, "an array of constraints"), [&](const JsonValue& value) {
    study.constraints.push_back(read_constraint(value, study));
  });
}

namespace {

/// How far a number makes sense of poses at rest.
enum class OfPoses { always, not_with_motions, never };

OfPoses use_in_poses(Statistic statistic) {
  if (statistic == Statistic::max) return OfPoses::always;
  const bool power = statistic == Statistic::energy || statistic == Statistic::peak_power;
  return power ? OfPoses::never : OfPoses::not_with_motions;
}

OfPoses use_in_poses(MotorStatistic statistic) {
  switch (statistic) {
    case MotorStatistic::torque:
    case MotorStatistic::speed:
    case MotorStatistic::holding_power:
      return OfPoses::always;
    case MotorStatistic::power:
    case MotorStatistic::energy:
      return OfPoses::never;
    default:
      return OfPoses::not_with_motions;  // the mean square of the torque is part of it
  }
}

/// Refuses a number that says nothing about the poses among the motions.
void require_fit_for_poses(std::string_view name, OfPoses use, bool all_poses,
                           const Location& where) {
  if (use == OfPoses::always) return;
  if (all_poses && use == OfPoses::never)
    throw InputError(where,
                     fmt::format("found {}, which is 0 in poses, as they are at rest; expected "
                                 "max, mean or rms",
                                 name));
  if (!all_poses && use == OfPoses::not_with_motions)
    throw InputError(
        where, fmt::format("found {}, which has no meaning over poses at rest and motions in "
                           "time together; expected max, or poses and motions in a study each",
                           name));
}

}  // namespace

void check_goals_of_poses(const Study& study) {
  const auto at_rest = [](const LoadCase& load_case) { return load_case.motion.nominal.poses; };
  const bool all = std::all_of(study.motions.begin(), study.motions.end(), at_rest);
  const bool chosen = study.motion_variable >= 0;  // each design has one motion
  if (!std::any_of(study.motions.begin(), study.motions.end(), at_rest) || (chosen && !all)) return;
  const auto check = [&](const Expression& expression, const Location& where) {
    for (const int value : expression.used()) {
      const MetricName* metric = study.metric_of(value);
      if (metric != nullptr && metric->of == MetricOf::actuator)
        require_fit_for_poses(actuator_statistics[static_cast<std::size_t>(metric->statistic)],
                              use_in_poses(static_cast<Statistic>(metric->statistic)), all, where);
      if (metric != nullptr && metric->of == MetricOf::motor)
        require_fit_for_poses(
            metric->name, use_in_poses(static_cast<MotorStatistic>(metric->statistic)), all, where);
    }
  };
  for (const StudyDrive& drive : study.drives)
    if (drive.chosen() && !all)
      throw InputError(
          drive.where,
          "a drive is chosen by the mean square of its torque, which has no meaning over "
          "poses at rest and motions in time together; expected poses and motions in a "
          "study each");
  for (const Objective& objective : study.objectives) {
    if (objective.expression)
      check(*objective.expression, objective.where);
    else
      require_fit_for_poses(actuator_statistics[static_cast<std::size_t>(objective.statistic)],
                            use_in_poses(objective.statistic), all, objective.where);
  }
  for (const Constraint& constraint : study.constraints)
    check(constraint.expression, constraint.where);
}

namespace {

constexpr std::array<std::string_view, 5> spring_statistics = {
    "min_length", "max_length", "max_tension", "min_tension", "clearance"};
// in the order of MotorStatistic
constexpr std::array<std::string_view, 11> motor_statistics = {
    "motor_torque", "motor_rms", "motor_speed", "motor_power", "motor_energy", "holding_power",
    "utilisation",  "price",     "mass",        "motor",       "gearbox"};
// in the order of FallStatistic
constexpr std::array<std::string_view, 8> fall_statistics = {
    "drop",    "max_speed",   "max_impulse", "max_impact_speed",
    "settled", "energy_lost", "moved",       "moved"};

/// Names the metrics of one scenario after the elements that they are about.
class FallMetrics {
 public:
  FallMetrics(Study& study, int scenario) : study_(study), scenario_(scenario) {}

  void name_all() {
    const Mechanism& nominal = study_.model->nominal;
    const Scenario& scenario = study_.scenarios[scenario_].scenario.nominal;
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
    for (std::size_t a = 0; a < nominal.actuators.size(); ++a)
      add(FallStatistic::actuator_moved, static_cast<int>(a), nominal.actuators[a].name + '.');
    add(FallStatistic::settled, -1, "");
    add(FallStatistic::energy_lost, -1, "");
    add(FallStatistic::moved, -1, "");
  }

 private:
  void add(FallStatistic statistic, int element, const std::string& of) {
    const auto index = static_cast<int>(study_.fall_metrics.size());
    study_.fall_metrics.push_back({scenario_, statistic, element});
    const std::string& scenario = study_.scenarios[scenario_].name;
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
      : study_(study),
        model_(*study.model),
        actuators_(model_.nominal.actuators.size(), false),
        springs_(model_.nominal.springs.size(), false) {
    const auto loaded = actuators_loaded_by_springs(model_.nominal);
    for (const VariableReach& variable : study.reach) {
      if (variable.moves()) touch_all();
      for (const int f : variable.fields()) touch(model_.varying[f], loaded);
    }
    // a load that changes may change a drive, and what that weighs all other loads
    if (study.carries_drives() &&
        std::find(actuators_.begin(), actuators_.end(), true) != actuators_.end())
      actuators_.assign(actuators_.size(), true);
  }

  /// Metrics of scenarios are stored only if they are named: there are two for every point.
  [[nodiscard]] bool touches(const MetricName& metric) const {
    if (metric.of == MetricOf::scenario) return false;
    if (metric.of == MetricOf::poses) return true;
    if (metric.of == MetricOf::motor) return touches_motor(metric.element);
    const auto i = static_cast<std::size_t>(metric.element);
    return metric.of == MetricOf::spring ? springs_[i] : actuators_[i];
  }

 private:
  [[nodiscard]] bool touches_motor(int metric) const {
    const int drive = study_.motor_metrics[metric].drive;
    return drive < 0 || actuators_[study_.drives[drive].actuator];
  }

  void touch_all() {
    actuators_.assign(actuators_.size(), true);
    springs_.assign(springs_.size(), true);
  }

  void touch_spring(int spring, const std::vector<std::vector<ActuatorIndex>>& loaded) {
    springs_[spring] = true;
    for (int a : loaded[spring]) actuators_[a] = true;
  }

  void touch(const FieldNumbers& field, const std::vector<std::vector<ActuatorIndex>>& loaded) {
    switch (describe(field.field).owner) {
      case FieldOwner::spring:
        touch_spring(field.element, loaded);
        return;
      case FieldOwner::point:
        touch_point(field.element, loaded);
        return;
      case FieldOwner::actuator:
        actuators_[field.element] = true;
        return;
      default:
        touch_all();
    }
  }

  /// A mount of springs alone changes those springs; any other point may change the motion, or
  /// where a drive sits.
  void touch_point(int point, const std::vector<std::vector<ActuatorIndex>>& loaded) {
    const auto at = [point](const auto& element) { return is_on_point(element, point); };
    const Mechanism& nominal = model_.nominal;
    if (std::any_of(nominal.loops.begin(), nominal.loops.end(), at) ||
        std::any_of(nominal.obstacles.begin(), nominal.obstacles.end(), at) ||
        std::any_of(nominal.actuators.begin(), nominal.actuators.end(), at) ||
        study_.mounts_at(point)) {
      touch_all();
      return;
    }
    for (std::size_t s = 0; s < nominal.springs.size(); ++s)
      if (at(nominal.springs[s])) touch_spring(static_cast<int>(s), loaded);
  }

  const Study& study_;
  const Model& model_;
  std::vector<bool> actuators_, springs_;
};

/// Names the metrics of the motors of a study.
class MotorMetrics {
 public:
  explicit MotorMetrics(Study& study) : study_(study) {}

  void name_all() {
    bool any_chosen = false, all_priced = true, all_weighed = true;
    for (std::size_t d = 0; d < study_.drives.size(); ++d) {
      const StudyDrive& drive = study_.drives[d];
      const Actuator& actuator = study_.model->nominal.actuators[drive.actuator];
      const auto index = static_cast<int>(d);
      for (const MotorStatistic statistic :
           {MotorStatistic::torque, MotorStatistic::rms, MotorStatistic::speed,
            MotorStatistic::power, MotorStatistic::energy})
        add(index, statistic, actuator.name + '.');
      if (knows_heat(drive, actuator.motor))
        add(index, MotorStatistic::holding_power, actuator.name + '.');
      if (!drive.chosen()) continue;
      const std::string of = "drive." + actuator.name + '.';
      add(index, MotorStatistic::utilisation, of);
      if (drive.priced) add(index, MotorStatistic::price, of);
      if (drive.weighed) add(index, MotorStatistic::mass, of);
      all_priced = all_priced && drive.priced;
      all_weighed = all_weighed && drive.weighed;
      add(index, MotorStatistic::motor, of);
      add(index, MotorStatistic::gearbox, of);
      any_chosen = true;
    }
    if (any_chosen && all_priced) add(-1, MotorStatistic::price, "drives.");
    if (any_chosen && all_weighed) add(-1, MotorStatistic::mass, "drives.");
  }

 private:
  static bool knows_heat(const StudyDrive& drive, const MotorSide& motor) {
    return drive.chosen() ? drive.motors.front().resistance > 0.0
                          : motor.resistance > 0.0 && motor.torque_constant > 0.0;
  }

  void add(int drive, MotorStatistic statistic, const std::string& of) {
    const auto index = static_cast<int>(study_.motor_metrics.size());
    study_.motor_metrics.push_back({drive, statistic});
    study_.metrics.push_back(
        {fmt::format("{}{}", of, motor_statistics[static_cast<std::size_t>(statistic)]),
         MetricOf::motor, index, static_cast<int>(statistic)});
  }

  Study& study_;
};

/// Whether the model gives an actuator a holding load.
bool has_holding_load(const Model& model, std::size_t actuator) {
  return std::isfinite(model.nominal.actuators[actuator].holding_load);
}

}  // namespace

void name_metrics(Study& study) {
  const Mechanism& nominal = study.model->nominal;
  for (std::size_t a = 0; a < nominal.actuators.size(); ++a)
    for (std::size_t s = 0; s < actuator_statistics.size(); ++s) {
      if (s >= minimised_statistics && !has_holding_load(*study.model, a)) continue;
      study.metrics.push_back(
          {fmt::format("{}.{}", nominal.actuators[a].name, actuator_statistics[s]),
           MetricOf::actuator, static_cast<int>(a), static_cast<int>(s)});
    }
  MotorMetrics(study).name_all();
  for (std::size_t s = 0; s < study.scenarios.size(); ++s)
    FallMetrics(study, static_cast<int>(s)).name_all();
  if (std::any_of(study.motions.begin(), study.motions.end(),
                  [](const LoadCase& one) { return one.motion.nominal.skips; }))
    study.metrics.push_back({"poses.unreachable", MetricOf::poses, 0, 0});
  for (std::size_t i = 0; i < nominal.springs.size(); ++i)
    for (std::size_t s = 0; s < spring_statistics.size(); ++s)
      if (s < spring_statistics.size() - 1 || !nominal.springs[i].clear_of.empty())
        study.metrics.push_back(
            {fmt::format("{}.{}", nominal.springs[i].name, spring_statistics[s]), MetricOf::spring,
             static_cast<int>(i), static_cast<int>(s)});

  study.metric_scope =
      Scope(study.scenarios.empty() ? "a parameter or a metric such as actuator.max"
                                    : "a parameter or a metric such as "
                                      "actuator.max or scenario.settled");
  for (const Parameter& parameter : study.model->parameters)
    study.metric_scope.add(parameter.name, false, si_unit(parameter.unit));
  for (const std::string_view prefix : {"", "baseline.", "without_springs."})
    for (const MetricName& metric : study.metrics) {
      const std::string name = std::string(prefix) + metric.name;
      const bool none = metric.of == MetricOf::spring && prefix == "without_springs.";
      if (!none) study.metric_scope.add(name, false, unit_of(study, metric));
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
      wanted[at - names.begin()] = true;
    }
  } else {
    const Change change(study);
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = change.touches(study.metrics[i]);
    const auto name_used = [&](const Expression& expression) {
      for (int used : expression.used())
        if (used >= study.metric_offset() && used < study.baseline_offset())
          wanted[used - study.metric_offset()] = true;
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
