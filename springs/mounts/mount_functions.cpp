#include "springs/mounts/mount_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cases/case_judge.hpp"
#include "input/expressions/affine.hpp"

namespace counterpoise {
namespace {

constexpr const char* instead =
    "; a proof over geometry takes variables that move mounts of springs and nothing else: give "
    "this one a value in the model, or search over it with \"algorithm\" in place of \"geometry\"";

[[noreturn]] void refuse_mount(const Variable& variable, const std::string& what) {
  throw InputError(variable.where, fmt::format("variable {} {}{}", variable.name, what, instead));
}

/// What else than a spring stands on a point, in words; empty if nothing does.
std::string other_use(const Mechanism& mechanism, int point) {
  const auto on = [point](const std::array<PointIndex, 2>& points) {
    return static_cast<int>(points[0]) == point || static_cast<int>(points[1]) == point;
  };
  for (const Actuator& actuator : mechanism.actuators)
    if (actuator.linear() && on(actuator.points)) return "actuator " + actuator.name;
  for (const Loop& loop : mechanism.loops)
    if (on(loop.points)) return "loop " + loop.name;
  return {};
}

/// The factor from a unit to SI.
Interval to_si(const Unit& unit) {
  return unit.si() ? Interval(1.0) : Interval(unit.times) * inverse(Interval(unit.over));
}

/// Whether loads, tensions or numbers of sized springs enter an expression.
bool springs_change(const Study& study, const SpringRoles& roles, const Expression& expression) {
  const std::span<const int> used = expression.used();
  const bool sized = std::any_of(roles.sized.begin(), roles.sized.end(), [&](int v) -> bool {
    return study.reach[v].design.changes(expression);
  });
  return sized || std::any_of(used.begin(), used.end(), [&](int value) {
           return value >= study.metric_offset() && value < study.baseline_offset();
         });
}

/// The metric at this index of Study::metric_scope; null unless it is a metric of the design
/// itself.
const MetricName* metric_at(const Study& study, int value) {
  const bool own = value >= study.metric_offset() && value < study.baseline_offset();
  return own ? &study.metrics[value - study.metric_offset()] : nullptr;
}

/// Refuses a study in which the clearance of a spring counts: only its samples are known.
void refuse_clearances(const Study& study) {
  constexpr const char* clearance_unknown =
      ", whose clearance from obstacles a proof over geometry does not bound; search with "
      "\"algorithm\" in place of \"geometry\"";
  const Model& model = *study.model;
  const auto limited = [&](std::size_t s) {
    const auto varies = [s](const FieldNumbers& field) {
      return field.field == Field::spring_min_clearance && field.element == static_cast<int>(s);
    };
    return std::isfinite(model.nominal.springs[s].min_clearance) ||
           std::any_of(model.varying.begin(), model.varying.end(), varies);
  };
  for (std::size_t s = 0; s < model.nominal.springs.size(); ++s)
    if (limited(s))
      throw InputError(
          model.location(fmt::format("/springs/{}/min_clearance", s)),
          fmt::format("limits spring {}{}", model.nominal.springs[s].name, clearance_unknown));
  const auto look_at = [&](const Expression& expression, const Location& where) {
    for (const int used : expression.used()) {
      const MetricName* metric = metric_at(study, used);
      if (metric != nullptr && metric->of == MetricOf::spring &&
          metric->statistic == static_cast<int>(SpringStatistic::clearance))
        throw InputError(where, fmt::format("reads {}{}", metric->name, clearance_unknown));
    }
  };
  for (const Constraint& constraint : study.constraints)
    look_at(constraint.expression, constraint.where);
  for (const Objective& objective : study.objectives)
    if (objective.expression) look_at(*objective.expression, objective.where);
}

}  // namespace

void require_mount(const Study& study, const SpringRoles& roles, std::size_t index) {
  refuse_clearances(study);
  const Variable& variable = study.variables[index];
  const VariableReach& reach = study.reach[index];
  const Model& model = *study.model;
  for (const Spring& spring : model.nominal.springs)
    if (spring.is_cable())
      throw InputError(
          variable.where,
          fmt::format("spring {} has a cable over points or pulleys, whose length a proof over "
                      "geometry does not know; search with \"algorithm\" in place of \"geometry\"",
                      spring.name));
  if (reach.moves()) refuse_mount(variable, "changes a motion");
  for (const int f : reach.fields()) {
    const FieldNumbers& field = model.varying[f];
    if (describe(field.field).owner == FieldOwner::spring)
      refuse_mount(variable, "enters a law or a limit of spring " +
                                 model.nominal.springs[field.element].name);
    if (field.field != Field::point) refuse_mount(variable, "moves or loads the mechanism");
    if (const std::string use = other_use(model.nominal, field.element); !use.empty())
      refuse_mount(variable, fmt::format("moves point {}, which carries {}",
                                         model.nominal.points[field.element].name, use));
  }
  for (const Constraint& constraint : study.constraints) {
    if (!reach.design.changes(constraint.expression)) continue;
    if (spring_of_length(study, roles.sized, constraint.expression, constraint.where) >= 0)
      refuse_mount(variable, fmt::format("is read by constraint {} beside a length of a spring",
                                         constraint.name));
    if (!springs_change(study, roles, constraint.expression))
      refuse_mount(variable, fmt::format("is read by constraint {}, which no springs change",
                                         constraint.name));
  }
}

MountFunctions::MountFunctions(const Study& study, std::vector<int> variables,
                               std::span<const double> point)
    : study_(study), variables_(std::move(variables)) {
  const Model& model = *study.model;
  for (std::size_t m = 0; m < study.motions.size(); ++m) {
    find_changed(m, point);
    const std::vector<Interval> box(variables_.size(), Interval(0.0, 1.0));
    const std::vector<SmoothNumber> all = parameters(m, box);
    auto& of_motion = moving_.emplace_back(model.nominal.springs.size());
    for (const FieldNumbers& field : model.varying) {
      if (field.field != Field::point) continue;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (field.numbers[axis].fixed()) continue;
        const int expression = field.numbers[axis].expression;
        if (!position({0, axis, expression}, all).varies) continue;
        for (std::size_t s = 0; s < model.nominal.springs.size(); ++s)
          for (std::size_t end : {0u, 1u})
            if (model.nominal.springs[s].type != SpringType::torsion &&
                static_cast<int>(model.nominal.springs[s].points[end]) == field.element)
              of_motion[s].push_back({end, axis, expression});
      }
    }
  }
  find_changed(study.motions.size(), point);
  find_bounds();
}

void MountFunctions::find_bounds() {
  const std::vector<Interval> box(variables_.size(), Interval(0.0, 1.0));
  for (const std::size_t m : study_.motions_by_design()) {
    const std::vector<SmoothNumber> all = parameters(m, box);
    for (std::size_t p = 0; p < study_.model->parameters.size(); ++p)
      for (const bool upper : {false, true}) {
        const Parameter& parameter = study_.model->parameters[p];
        if (!(upper ? parameter.max : parameter.min)) continue;
        const MountBound bound{m, static_cast<int>(p), upper};
        if (distance(bound, all).varies && beyond(bound, all).high > 0.0) bounds_.push_back(bound);
      }
  }
}

/// How far a parameter lies beyond its bound.
SmoothNumber MountFunctions::distance(const MountBound& bound,
                                      std::span<const SmoothNumber> parameters) const {
  const auto p = static_cast<std::size_t>(bound.parameter);
  const Parameter& parameter = study_.model->parameters[p];
  const Number& number = bound.upper ? *parameter.max : *parameter.min;
  const SmoothNumber limit =
      number.fixed()
          ? SmoothNumber::constant(number.value)
          : linear(smooth_number(study_.model->expressions[number.expression], parameters),
                   to_si(parameter.unit), Interval(0.0));
  return bound.upper ? parameters[p] - limit : limit - parameters[p];
}

Interval MountFunctions::beyond(const MountBound& bound,
                                std::span<const SmoothNumber> parameters) const {
  const Interval distance = this->distance(bound, parameters).value;
  const double size = parameters[bound.parameter].value.size();
  return distance + Interval(-slack_of(size + distance.size(), size));
}

/// What a motion sets for itself; nothing behind the last one, for the design without motions.
std::span<const ParameterSetting> MountFunctions::settings_of(std::size_t motion) const {
  if (motion == study_.motions.size()) return {};
  return study_.motions[motion].settings;
}

/// Notes the parameters of one motion where the variables are 0, and which of them vary.
void MountFunctions::find_changed(std::size_t motion, std::span<const double> point) {
  const Model& model = *study_.model;
  std::vector<SmoothNumber> values;
  for (const Parameter& parameter : model.parameters)
    values.push_back(SmoothNumber::constant(parameter.value.value));
  std::vector<bool> set(values.size(), false), varies(values.size(), false);
  const auto give = [&](int parameter, double value, bool may_vary) {
    const auto p = static_cast<std::size_t>(parameter);
    values[p] = SmoothNumber::constant(value);
    set[p] = true;
    varies[p] = may_vary;
  };
  for (std::size_t v = 0; v < study_.variables.size(); ++v) {
    const bool moves =
        std::find(variables_.begin(), variables_.end(), static_cast<int>(v)) != variables_.end();
    const Variable& variable = study_.variables[v];
    for (const VariableTarget& target : variable.targets)
      give(target.parameter,
           variable.discrete() ? target.by_level.front()
           : target.expression ? target.expression->evaluate(&point[v])
                               : point[v],
           moves);
  }
  for (const ParameterSetting& setting : settings_of(motion))
    give(setting.parameter, setting.value, false);
  computed_.emplace_back();
  for (const int p : model.evaluation_order) {
    const auto at = static_cast<std::size_t>(p);
    if (set[at]) continue;
    const Parameter& parameter = model.parameters[at];
    const Expression& expression = model.expressions[parameter.value.expression];
    varies[at] = std::any_of(expression.used().begin(), expression.used().end(),
                             [&](int used) { return varies[used]; });
    if (varies[at]) computed_.back().push_back(p);
    std::vector<double> plain;
    for (const SmoothNumber& value : values) plain.push_back(value.value.low);
    values[at] = SmoothNumber::constant(parameter.unit.to_si(expression.evaluate(plain.data())));
  }
  fixed_.push_back(std::move(values));
}

bool MountFunctions::same_mounts(std::size_t first, std::size_t second, std::size_t spring) const {
  const std::vector<MovingCoordinate>& moving = moving_[first][spring];
  return moving == moving_[second][spring] &&
         std::all_of(moving.begin(), moving.end(), [&](const MovingCoordinate& one) {
           return same_values(first, second, study_.model->expressions[one.expression]);
         });
}

/// Whether two motions give the same values to all parameters that an expression reads, directly
/// or through others.
bool MountFunctions::same_values(std::size_t first, std::size_t second,
                                 const Expression& expression) const {
  const std::span<const int> used = expression.used();
  return std::all_of(used.begin(), used.end(), [&](int p) {
    const auto setting_in = [&](std::size_t motion) -> std::optional<double> {
      for (const ParameterSetting& setting : settings_of(motion))
        if (setting.parameter == p) return setting.value;
      return std::nullopt;
    };
    const std::optional<double> set = setting_in(first);
    if (set || setting_in(second)) return set == setting_in(second);
    const Number& number = study_.model->parameters[p].value;
    return number.fixed() ||
           same_values(first, second, study_.model->expressions[number.expression]);
  });
}

double MountFunctions::value_at(int index, double t) const {
  const auto v = static_cast<std::size_t>(variables_[index]);
  const Variable& variable = study_.variables[v];
  return std::clamp(variable.low + (variable.high - variable.low) * t, variable.low, variable.high);
}

std::vector<SmoothNumber> MountFunctions::parameters(std::size_t motion,
                                                     std::span<const Interval> box) const {
  std::vector<SmoothNumber> values = fixed_[motion];
  vary(motion, box, values);
  return values;
}

void MountFunctions::vary(std::size_t motion, std::span<const Interval> box,
                          std::vector<SmoothNumber>& values) const {
  const Model& model = *study_.model;
  const std::span<const ParameterSetting> settings = settings_of(motion);
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Variable& variable = study_.variables[variables_[i]];
    const Interval width = Interval(variable.high) - Interval(variable.low);
    const SmoothNumber own = SmoothNumber::variable(i, box[i], width, Interval(variable.low));
    for (const VariableTarget& target : variable.targets) {
      const bool replaced = std::any_of(settings.begin(), settings.end(), [&](const auto& setting) {
        return setting.parameter == target.parameter;
      });
      if (replaced) continue;
      values[target.parameter] =
          target.expression ? smooth_number(*target.expression, std::span(&own, 1)) : own;
    }
  }
  for (const int p : computed_[motion]) {
    const Parameter& parameter = model.parameters[p];
    const auto e = static_cast<std::size_t>(parameter.value.expression);
    values[p] =
        linear(smooth_number(model.expressions[e], values), to_si(parameter.unit), Interval(0.0));
  }
}

SmoothNumber MountFunctions::position(const MovingCoordinate& coordinate,
                                      std::span<const SmoothNumber> parameters) const {
  return smooth_number(study_.model->expressions[coordinate.expression], parameters);
}

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

/// The index in its scope of a length that an expression reads; -1 if it reads none.
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
  for (const int v : sized) alone = alone && !study.reach[v].design.changes(expression);
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
    numbers[length] = analysis.unknown(0);
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
      found.push_back(
          {static_cast<std::size_t>(metric.element),
           sign * of.number.constant - bound - slack_of(bound, std::abs(of.number.constant)),
           sign * slope});
    }
  }
  return found;
}

}  // namespace counterpoise
