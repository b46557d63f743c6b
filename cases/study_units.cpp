#include "cases/study_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace counterpoise {

bool sets_directly(const Variable& variable, const VariableTarget& target) {
  if (!variable.numeric()) return false;
  return variable.discrete() ? target.by_level == variable.values : !target.expression;
}

std::string unit_of(const Study& study, const Variable& variable) {
  for (const VariableTarget& target : variable.targets)
    if (sets_directly(variable, target))
      return std::string(si_unit(study.model->parameters[target.parameter].unit));
  return "";
}

std::string unit_of(const Study& study, const Objective& objective) {
  if (objective.expression) return objective.unit;
  if (objective.statistic == Statistic::energy) return "J";
  if (objective.statistic == Statistic::peak_power) return "W";
  const Mechanism& mechanism = study.model->nominal;
  std::string unit;
  for (const int a : objective.actuators) {
    const std::string own = load_unit(mechanism, mechanism.actuators[a]);
    if (!unit.empty() && own != unit) return "";
    unit = own;
  }
  return unit;
}

double largest_number(const Variable& variable) {
  if (variable.low > 0.0 || variable.high < 0.0) return 0.0;
  double size = std::max(std::abs(variable.low), std::abs(variable.high));
  for (const double value : variable.values) size = std::max(size, std::abs(value));
  return size;
}

std::string bound_name(const Study& study, const Variable& variable, bool upper, double bound) {
  const std::string unit = unit_of(study, variable);
  return fmt::format("{} at its {} bound {:.6g}{}", variable.name, upper ? "upper" : "lower", bound,
                     unit.empty() ? unit : " " + unit);
}

double small_step(const std::string& unit, double size) {
  constexpr double largest_part = 0.1;  // of the number's own size
  size = std::abs(size);
  double step = 0.0;
  if (unit == "m") step = 1e-3;
  if (unit == "N" || unit == "N*m") step = 1.0;
  if (unit == "N/m") step = 100.0;
  if (unit == "rad") step = std::numbers::pi / 180.0;
  const bool fits = step > 0.0 && (size == 0.0 || step <= largest_part * size);
  return fits ? step : size > 0.0 ? 0.01 * size : 1.0;
}

double near_end(const std::string& unit, double low, double high, double end) {
  const double size = end != 0.0 ? std::abs(end) : small_step(unit, 0.0);
  return binding_closeness * std::min(size, high - low);
}

}  // namespace counterpoise
