#include "cli/text/ranking/column_units.hpp"

#include <fmt/format.h>

#include "cases/provenance.hpp"
#include "cases/study_units.hpp"
#include "input/definition/mechanism_units.hpp"
#include "input/reading/read.hpp"
#include "results/rows/rows.hpp"

namespace counterpoise {

ColumnUnits::ColumnUnits(const Study& study, const std::vector<Unit>& display) {
  for (const Variable& variable : study.variables)
    add(variable.name, unit_of(study, variable), display);
  for (const int index : study.stored) {
    const MetricName& metric = study.metrics[static_cast<std::size_t>(index)];
    add(metric.name, unit_of(study, metric), display);
  }
  for (const Objective& objective : study.objectives)
    add(objective.name, unit_of(study, objective), display);
}

void ColumnUnits::add(const std::string& column, const std::string& si,
                      const std::vector<Unit>& display) {
  const std::optional<Unit> own = find_unit(si);
  if (si.empty() || !own) return;
  Unit& unit = units_.emplace(column, *own).first->second;
  for (const Unit& wanted : display)
    if (si_unit(wanted) == si) unit = wanted;
}

std::string ColumnUnits::of(const std::string& column) const {
  const auto found = units_.find(column);
  return found == units_.end() ? std::string() : std::string(found->second.name);
}

double ColumnUnits::shown(const std::string& column, double si) const {
  const auto found = units_.find(column);
  return found == units_.end() ? si : found->second.from_si(si);
}

std::string ColumnUnits::words(const std::string& column, double si) const {
  const std::string unit = of(column);
  return fmt::format("{:.6g}{}{}", shown(column, si) + 0.0, unit.empty() ? "" : " ", unit);
}

Table ColumnUnits::with_units(Table table) const {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string column = table.columns[i];
    const std::string unit = of(column);
    if (unit.empty()) continue;
    for (auto& row : table.rows)
      if (double* number = std::get_if<double>(&row[i])) *number = shown(column, *number);
    table.columns[i] = column + " [" + unit + "]";
  }
  return table;
}

ColumnUnits units_of(const ResultsFile& results, const std::vector<std::string>& display) {
  std::vector<Unit> wanted;
  for (const std::string& name : display) add_display_unit(name, {.file = "--display"}, wanted);
  try {
    const Study study = stored_study(results);
    return {study, display.empty() ? study.display : wanted};
  } catch (const StoreError&) {
    return {};  // of another version: the numbers can be listed all the same
  }
}

}  // namespace counterpoise
