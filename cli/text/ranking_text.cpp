#include "cli/text/ranking_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cases/provenance.hpp"
#include "cases/study_units.hpp"
#include "input/definition/mechanism_units.hpp"
#include "input/reading/read.hpp"
#include "results/rows/rows.hpp"
#include "results/text/printable.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

/// Says that there is nothing to compare with; empty if there is.
std::string why_not(const char* what, const BaselineRow* baseline) {
  if (baseline == nullptr || baseline->status == Status::feasible) return "";
  return fmt::format("  {} is infeasible: {}\n", what, printable(baseline->reason));
}

std::string against(const char* what, const BaselineRow* baseline, std::size_t objective,
                    double value, const std::string& name, const ColumnUnits& units) {
  if (baseline == nullptr || baseline->status != Status::feasible) return "";
  const double before = baseline->objectives[objective];
  const std::optional<double> saved = reduction(value, before);
  const std::string had = fmt::format("; {} has {}", what, units.words(name, before));
  if (!saved) return had;
  const double percent = 100.0 * std::abs(*saved);
  if (percent < 0.05) return had + ": the same";
  return fmt::format("{}: {:.1f} % {}", had, percent, *saved > 0.0 ? "less" : "more");
}

}  // namespace

std::string to_text(const std::vector<Ranking>& rankings, const ColumnUnits& units,
                    std::size_t width) {
  std::string text;
  for (const Ranking& ranking : rankings) {
    if (!ranking.motion.empty()) text += fmt::format("motion {}\n", printable(ranking.motion));
    Table table = ranking.table;
    if (!ranking.knee_row.empty()) table.rows.push_back(ranking.knee_row);
    text += to_aligned_text(units.with_units(table), width);
    text += fmt::format("{} of {} feasible cases{}\n", ranking.table.rows.size(), ranking.matches,
                        ranking.selected ? " that are kept" : "");
    if (ranking.same > 0)
      text += ranking.same == 1
                  ? "1 case is left out, of a design that is listed; rank --all lists it\n"
                  : fmt::format(
                        "{} cases are left out, of designs that are listed; rank --all "
                        "lists them\n",
                        ranking.same);
    if (ranking.unsettled > 0)
      text += fmt::format("{} cases are not settled in what they would be ranked by\n",
                          ranking.unsettled);
    if (ranking.tied > 1)
      text += fmt::format("{} {}designs tie within {:g} in {}; decided by {}\n", ranking.tied,
                          ranking.selected ? "kept " : "", ranking.ties, printable(ranking.by),
                          printable(ranking.decided_by));
    if (ranking.knee) text += fmt::format("knee: case {}\n", *ranking.knee);
    const bool front = !ranking.table.columns.empty() && ranking.table.columns.back() == "knee";
    if (front && !ranking.knee)
      text += "no knee: fewer than three designs, or objectives that do not compete\n";
    if (&ranking != &rankings.back()) text += "\n";
  }
  return text;
}

std::string to_short_text(std::vector<Ranking> rankings, const ColumnUnits& units,
                          std::size_t width) {
  for (Ranking& ranking : rankings) {
    Table& table = ranking.table;
    for (std::size_t c = table.columns.size(); c-- > 0;) {
      if (table.columns[c].find(".reduction") == std::string::npos) continue;
      const auto at = static_cast<std::ptrdiff_t>(c);
      table.columns.erase(table.columns.begin() + at);
      for (auto& row : table.rows) row.erase(row.begin() + at);
      if (!ranking.knee_row.empty()) ranking.knee_row.erase(ranking.knee_row.begin() + at);
    }
  }
  return to_text(rankings, units, width);
}

std::string note_of_places(const std::vector<Ranking>& rankings) {
  std::string note;
  for (const Ranking& ranking : rankings)
    if (ranking.certain && ranking.last_place > *ranking.certain)
      note += fmt::format(
          "{}ranking{}{} is complete down to number {}; behind it, cases that are not kept may be "
          "missing",
          note.empty() ? "note: the " : "; the ", ranking.motion.empty() ? "" : " of ",
          printable(ranking.motion), *ranking.certain);
  return note;
}

std::string gains_of_best(const ResultsFile& results, const std::vector<Ranking>& rankings,
                          const ColumnUnits& units) {
  std::string text;
  for (const Ranking& ranking : rankings) {
    const std::int64_t id = best_case(ranking);
    const auto row = results.find(id);
    if (!row) continue;
    text += fmt::format("best{}{}: case {}\n", ranking.motion.empty() ? "" : " in ",
                        printable(ranking.motion), id);
    const BaselineRow* today = results.baseline(baseline_name, ranking.motion);
    const BaselineRow* springless = results.baseline(without_springs_name, ranking.motion);
    text += why_not("the baseline", today) + why_not("the robot without springs", springless);
    for (std::size_t i = 0; i < row->objectives.size(); ++i) {
      const std::string& name = results.layout().objectives[i];
      const double value = row->objectives[i];
      text += fmt::format("  {} {}{}{}\n", printable(name), units.words(name, value),
                          against("the baseline", today, i, value, name, units),
                          against("without springs", springless, i, value, name, units));
    }
  }
  return text;
}

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
