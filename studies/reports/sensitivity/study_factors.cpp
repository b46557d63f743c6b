#include "studies/reports/sensitivity/study_factors.hpp"

#include <algorithm>
#include <cmath>

#include "cases/study_units.hpp"

namespace counterpoise {
namespace {

constexpr int grid_of_continuous = 4;  // as Morris and Saltelli recommend
constexpr double same_number = 1e-12;  // relative; two ways to one number

/// The value of every model parameter in the baseline.
std::vector<double> baseline_values(const Study& study) {
  ModelBinder binder(*study.model);
  if (binder.bind(study.baseline)) return study.model->nominal_values;
  return {binder.values().begin(), binder.values().end()};
}

bool near(double a, double b) {
  return std::abs(a - b) <= same_number * std::max(std::abs(a), std::abs(b));
}

void centre_continuous(const Variable& variable, const std::vector<double>& baseline,
                       StudyFactor& factor) {
  factor.centre = variable.low + (variable.high - variable.low) / 2.0;
  for (const VariableTarget& target : variable.targets) {
    const double value = baseline[static_cast<std::size_t>(target.parameter)];
    if (!sets_directly(variable, target) || value < variable.low || value > variable.high) continue;
    factor.centre = value;
    factor.centre_is_baseline = true;
    return;
  }
}

/// Whether everything that a level sets is as in the baseline.
bool level_is_baseline(const Variable& variable, std::size_t level,
                       const std::vector<double>& baseline) {
  return std::all_of(
      variable.targets.begin(), variable.targets.end(), [&](const VariableTarget& target) {
        return near(target.by_level[level], baseline[static_cast<std::size_t>(target.parameter)]);
      });
}

void centre_discrete(const Variable& variable, const std::vector<double>& baseline,
                     StudyFactor& factor) {
  const auto levels = static_cast<std::size_t>(variable.level_count());
  const std::size_t middle = (levels - 1) / 2;
  factor.centre = static_cast<double>(middle);
  for (std::size_t level = 0; level < levels && !variable.targets.empty(); ++level) {
    if (!level_is_baseline(variable, level, baseline)) continue;
    factor.centre = static_cast<double>(level);
    factor.centre_is_baseline = true;
    return;
  }
  if (!variable.numeric() || variable.targets.empty()) return;
  const VariableTarget& target = variable.targets.front();
  const double wanted = baseline[static_cast<std::size_t>(target.parameter)];
  const auto [least, most] = std::minmax_element(target.by_level.begin(), target.by_level.end());
  if (wanted < *least || wanted > *most) return;
  const auto nearest = std::min_element(
      target.by_level.begin(), target.by_level.end(),
      [&](double a, double b) { return std::abs(a - wanted) < std::abs(b - wanted); });
  factor.centre = static_cast<double>(nearest - target.by_level.begin());
}

}  // namespace

std::vector<StudyFactor> factors_of(const Study& study) {
  const std::vector<double> baseline = baseline_values(study);
  std::vector<StudyFactor> factors;
  for (std::size_t v = 0; v < study.variables.size(); ++v) {
    const Variable& variable = study.variables[v];
    if (variable.kind == VariableKind::motion) continue;
    StudyFactor& factor = factors.emplace_back();
    factor.variable = v;
    factor.unit = unit_of(study, variable);
    if (variable.discrete())
      centre_discrete(variable, baseline, factor);
    else
      centre_continuous(variable, baseline, factor);
  }
  return factors;
}

int grid_levels(const Variable& variable) {
  return variable.discrete() ? static_cast<int>(variable.level_count()) : grid_of_continuous;
}

double coordinate_of_level(const Variable& variable, int level) {
  if (variable.discrete()) return level;
  return level == grid_of_continuous - 1
             ? variable.high
             : variable.low + level * (variable.high - variable.low) / (grid_of_continuous - 1);
}

TornadoFactor tornado_factor(const Variable& variable, double centre) {
  if (!variable.discrete()) return {centre, {variable.low, variable.high}, true};
  if (variable.numeric()) {
    const auto begin = variable.values.begin();
    const auto [least, most] = std::minmax_element(begin, variable.values.end());
    return {centre, {static_cast<double>(least - begin), static_cast<double>(most - begin)}, true};
  }
  TornadoFactor factor{centre, {}, false};
  const auto rows = static_cast<double>(variable.level_count());
  for (double row = 0.0; row < rows; row += 1.0) factor.tried.push_back(row);
  return factor;
}

}  // namespace counterpoise
