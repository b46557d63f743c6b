#include "cli/text/ranking_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/provenance.hpp"
#include "cases/study_units.hpp"
#include "input/definition/mechanism_units.hpp"
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
  if (std::isnan(before)) return fmt::format("; {} has none", what);  // as no drive suffices
  const std::optional<double> saved = reduction(value, before);
  const std::string had = fmt::format("; {} has {}", what, units.words(name, before));
  if (!saved) return had;
  return had + ": " + change_text(*saved);
}

bool is_reduction(const std::string& column) {
  return column.find(".reduction") != std::string::npos;
}

std::string table_text(const ResultsFile& results, const Ranking& ranking, const ColumnUnits& units,
                       std::size_t width) {
  Table table = ranking.table;
  if (!ranking.knee_row.empty()) table.rows.push_back(ranking.knee_row);
  TableFit fit{.width = width, .keys = 2};
  const std::vector<std::string>& objectives = results.layout().objectives;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto at = std::find(objectives.begin(), objectives.end(), table.columns[c]);
    const bool objective = at != objectives.end();
    if (objective)
      clear_rounding(
          table, c, c,
          size_of(results, ranking.motion, static_cast<std::size_t>(at - objectives.begin())));
    else
      clear_rounding(table, c, c, units.size(table.columns[c]));
    fit.optional.push_back(!objective && table.columns[c] != "knee");
  }
  return to_aligned_text(units.with_units(table), fit);
}

}  // namespace

double size_of(const ResultsFile& results, const std::string& motion, std::size_t objective) {
  double size = 0.0;
  for (const char* const name : {baseline_name, without_springs_name})
    if (const BaselineRow* row = results.baseline(name, motion);
        row != nullptr && objective < row->objectives.size())
      size = std::max(size, std::abs(row->objectives[objective]));
  return size;
}

std::string to_text(const ResultsFile& results, const std::vector<Ranking>& rankings,
                    const ColumnUnits& units, std::size_t width) {
  std::string text;
  for (const Ranking& ranking : rankings) {
    if (!ranking.motion.empty()) text += fmt::format("motion {}\n", printable(ranking.motion));
    text += table_text(results, ranking, units, width);
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
    const bool front = !ranking.table.columns.empty() && ranking.table.columns.back() == "knee";
    if (ranking.tied > 1)
      text += fmt::format("{} {}designs{} tie within {:g} in {}; decided by {}\n", ranking.tied,
                          ranking.selected ? "kept " : "", front ? " of the front" : "",
                          ranking.ties, printable(ranking.by), printable(ranking.decided_by));
    if (ranking.knee) text += fmt::format("knee: case {}\n", *ranking.knee);
    if (front && !ranking.knee)
      text += "no knee: fewer than three designs, or objectives that do not compete\n";
    if (&ranking != &rankings.back()) text += "\n";
  }
  return text;
}

std::string to_short_text(const ResultsFile& results, std::vector<Ranking> rankings,
                          const ColumnUnits& units, std::size_t width) {
  for (Ranking& ranking : rankings) {
    Table& table = ranking.table;
    for (std::size_t c = table.columns.size(); c-- > 0;) {
      if (!is_reduction(table.columns[c])) continue;
      const auto at = static_cast<std::ptrdiff_t>(c);
      table.columns.erase(table.columns.begin() + at);
      for (auto& row : table.rows) row.erase(row.begin() + at);
      if (!ranking.knee_row.empty()) ranking.knee_row.erase(ranking.knee_row.begin() + at);
    }
  }
  return to_text(results, rankings, units, width);
}

std::string change_text(double saved) {
  constexpr double least_shown = 0.0005;   // 0.1 % rounded
  constexpr double whole_percents = 10.0;  // from here on
  const double part = std::abs(saved);
  if (part < 1e-9) return "the same";
  std::string percent = fmt::format("{:.{}f}", 100.0 * part, part < whole_percents ? 1 : 0);
  if (part < least_shown) percent = "less than 0.1";
  if (percent == "100.0" && saved > 0.0 && saved < 1.0 - rounding_part) percent = "more than 99.9";
  return fmt::format("{} % {}", percent, saved > 0.0 ? "less" : "more");
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
      const double value =
          without_rounding(row->objectives[i], size_of(results, ranking.motion, i));
      text += fmt::format("  {} {}{}{}\n", printable(name), units.words(name, value),
                          against("the baseline", today, i, value, name, units),
                          against("without springs", springless, i, value, name, units));
    }
  }
  return text;
}

ColumnUnits::ColumnUnits(const Study& study, const ShownUnits& shown) : shown_(shown) {
  const auto add = [&](const std::string& column, const std::string& si) {
    if (!si.empty() && find_unit(si)) si_.emplace(column, si);
  };
  for (const Variable& variable : study.variables) {
    add(variable.name, unit_of(study, variable));
    sizes_.emplace(variable.name, largest_number(variable));
  }
  for (const int index : study.stored) {
    const MetricName& metric = study.metrics[index];
    add(metric.name, unit_of(study, metric));
  }
  for (const Objective& objective : study.objectives)
    add(objective.name, unit_of(study, objective));
}

std::string ColumnUnits::of(const std::string& column) const {
  const auto found = si_.find(column);
  return found == si_.end() ? std::string() : shown_.of(found->second);
}

double ColumnUnits::size(const std::string& column) const {
  const auto found = sizes_.find(column);
  return found == sizes_.end() ? 0.0 : found->second;
}

double ColumnUnits::shown(const std::string& column, double si) const {
  const auto found = si_.find(column);
  return found == si_.end() ? si + 0.0 : shown_.number(si, found->second);
}

std::string ColumnUnits::words(const std::string& column, double si) const {
  const std::string unit = of(column);
  return fmt::format("{:.6g}{}{}", shown(column, si), unit.empty() ? "" : " ", unit);
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
  try {
    const Study study = stored_study(results);
    return {study, units_for(study, display)};
  } catch (const StoreError&) {
    return {};  // of another version: the numbers can be listed all the same
  }
}

}  // namespace counterpoise
