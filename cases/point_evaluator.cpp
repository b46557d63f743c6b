#include "cases/point_evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "input/reading/read.hpp"

namespace counterpoise {
namespace {

Location place_of(const Variable& variable) {
  return {.file = "point", .pointer = "/" + variable.name};
}

/// A range or a value in the variable's own unit.
std::string in_unit(const Variable& variable, double si) {
  const double number = variable.unit.from_si(si);
  if (variable.unit.name == "1") return fmt::format("{:.9g}", number);
  return fmt::format("{:.9g} {}", number, variable.unit.name);
}

std::optional<std::string> fault_of(const Variable& variable, double coordinate) {
  if (!std::isfinite(coordinate))
    return fmt::format("variable {} is {}, expected a finite number", variable.name, coordinate);
  if (!variable.discrete()) {
    if (coordinate >= variable.low && coordinate <= variable.high) return std::nullopt;
    return fmt::format("variable {} is {}, expected {} to {}", variable.name,
                       in_unit(variable, coordinate), in_unit(variable, variable.low),
                       in_unit(variable, variable.high));
  }
  const auto last = static_cast<double>(variable.level_count() - 1);
  if (coordinate == std::floor(coordinate) && coordinate >= 0.0 && coordinate <= last)
    return std::nullopt;
  return fmt::format("variable {} is {}, expected the number of a level, 0 to {}", variable.name,
                     coordinate, last);
}

double level_of(const std::vector<double>& values, std::size_t nearest, double value) {
  constexpr double same = 1e-12;  // relative: the same number by another rounding of its unit
  const double size = std::max(std::abs(values[nearest]), std::abs(value));
  return std::abs(values[nearest] - value) <= same * size ? static_cast<double>(nearest) : -1.0;
}

}  // namespace

std::optional<std::string> fault_of_point(const Study& study, std::span<const double> point) {
  if (point.size() != study.variables.size())
    return fmt::format("found {} numbers, expected {}, one for each variable of the study",
                       point.size(), study.variables.size());
  for (std::size_t v = 0; v < point.size(); ++v)
    if (auto fault = fault_of(study.variables[v], point[v])) return fault;
  return std::nullopt;
}

double coordinate_of(const Variable& variable, double value) {
  if (!variable.numeric())
    throw InputError(place_of(variable),
                     fmt::format("found {}, expected {}", value,
                                 variable.kind == VariableKind::motion
                                     ? "the name of a motion"
                                     : "the name of a row, or its number as a whole number"));
  if (!variable.discrete() || !std::isfinite(value)) return value;
  const auto nearest = std::min_element(
      variable.values.begin(), variable.values.end(),
      [&](double a, double b) { return std::abs(a - value) < std::abs(b - value); });
  const double level =
      level_of(variable.values, static_cast<std::size_t>(nearest - variable.values.begin()), value);
  if (level < 0.0)
    throw InputError(
        place_of(variable),
        fmt::format("found {}, expected one of its {} levels; the nearest is {}",
                    in_unit(variable, value), variable.values.size(), in_unit(variable, *nearest)));
  return level;
}

double coordinate_of(const Variable& variable, std::string_view text) {
  if (!variable.numeric()) {
    const auto found = std::find(variable.labels.begin(), variable.labels.end(), text);
    if (found == variable.labels.end())
      throw InputError(place_of(variable), fmt::format("found {}, expected a {}{}", in_quotes(text),
                                                       variable.kind == VariableKind::motion
                                                           ? "motion that the variable selects"
                                                           : "row of " + variable.catalogue +
                                                                 " that the variable may take",
                                                       did_you_mean(text, variable.labels)));
    return static_cast<double>(found - variable.labels.begin());
  }
  return coordinate_of(
      variable, read_quantity(std::string(text), variable.unit, variable.name, place_of(variable)));
}

double coordinate_of_row(const Variable& variable, std::int64_t row) {
  const auto found = std::find(variable.rows.begin(), variable.rows.end(), row);
  if (found == variable.rows.end())
    throw InputError(
        place_of(variable),
        fmt::format("found row {}, expected a row of {} that the variable may take: {} "
                    "of them, from {} to {}",
                    row, variable.catalogue, variable.rows.size(), variable.rows.front(),
                    variable.rows.back()));
  return static_cast<double>(found - variable.rows.begin());
}

PointEvaluator::PointEvaluator(std::shared_ptr<const Study> study, bool first_reason_only)
    : study_(std::move(study)),
      evaluator_(*study_, {.first_reason_only = first_reason_only}),
      baselines_(std::make_shared<const Baselines>(evaluator_.evaluate_baselines())) {
  evaluator_.set_baselines(baselines_);
}

}  // namespace counterpoise
