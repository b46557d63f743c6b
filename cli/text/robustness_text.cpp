#include "cli/text/robustness_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "cli/output/answer.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/text_style.hpp"
#include "results/text/printable.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

constexpr std::array<std::string_view, 3> order_names = {"nominal", "worst", "percentile"};
constexpr std::array<std::string_view, 3> order_words = {"the design's value", "worst case",
                                                         "percentile"};

Value finite(double number) {
  return std::isfinite(number) ? Value{number} : Value{};
}

Value worst_of(const RobustDesign& design) {
  return design.worst.infeasible ? Value{} : Value{design.worst.value};
}

Value error_of(const RobustDesign& design) {
  return design.percentile.error ? Value{*design.percentile.error} : Value{};
}

Value text_or_nothing(const std::string& text) {
  return text.empty() ? Value{} : Value{text};
}

/// A number of the objective as it is shown.
Value shown(const Value& number, const RobustReport& report, const ColumnUnits& units) {
  const double* const si = std::get_if<double>(&number);
  return si == nullptr ? Value{} : Value{units.shown(report.by.name, *si)};
}

Value short_error(const RobustDesign& design, const RobustReport& report,
                  const ColumnUnits& units) {
  if (!design.percentile.error) return {};
  const double error = without_rounding(*design.percentile.error, std::abs(design.nominal));
  return fmt::format("{:.1g}", units.shown(report.by.name, error));
}

std::string tau(const std::optional<double>& value, std::size_t designs) {
  if (value) return fmt::format("{:.2f}", *value);
  return designs < 2 ? "none (there is one design)" : "none (all are tied)";
}

Table narrow_table(const RobustReport& report, const RobustRanking& ranking,
                   const ColumnUnits& units) {
  const std::string percentile = fmt::format("p{:g}", report.tolerances.percentile);
  Table table;
  table.columns = {"rank", "nominal_rank", "case"};
  for (const Column& column : report.results.layout().variables)
    if (!column.name.ends_with(".row")) table.columns.push_back(column.name);
  for (const char* name : {"nominal", "worst"}) table.columns.emplace_back(name);
  for (const std::string& name : {percentile, "+-" + percentile}) table.columns.push_back(name);
  for (const char* name : {"broken", "best"}) table.columns.emplace_back(name);
  std::int64_t rank = 0;
  for (const std::size_t d : in_order(ranking, report.order)) {
    const RobustDesign& design = ranking.designs[d];
    std::vector<Value>& row = table.rows.emplace_back();
    row = {++rank, static_cast<std::int64_t>(d) + 1, design.row.id};
    for (std::size_t c = 0; c < design.row.variables.size(); ++c)
      if (!report.results.layout().variables[c].name.ends_with(".row"))
        row.push_back(design.row.variables[c]);
    row.insert(
        row.end(),
        {shown(design.nominal, report, units), shown(worst_of(design), report, units),
         shown(finite(design.percentile.value), report, units), short_error(design, report, units),
         Value{percent_text(design.broken_share)}, Value{percent_text(design.best_share)}});
  }
  return table;
}

/// Why worst cases are missing: each reason up to its numbers once, with how many designs it holds
/// for.
std::string reasons(const RobustRanking& ranking) {
  std::vector<std::pair<std::string, int>> counted;
  int infeasible = 0;
  for (const RobustDesign& design : ranking.designs) {
    if (!design.worst.infeasible) continue;
    ++infeasible;
    const std::string& reason = design.worst.reason;
    const std::string kind = reason.substr(0, std::min(reason.find(" at t="), reason.find(" is ")));
    const auto at = std::find_if(counted.begin(), counted.end(),
                                 [&](const auto& entry) { return entry.first == kind; });
    if (at == counted.end())
      counted.emplace_back(kind, 1);
    else
      ++at->second;
  }
  if (infeasible == 0) return "";
  std::string text =
      fmt::format("{} of {} have no worst case, as tolerances may make them infeasible:\n",
                  infeasible, ranking.designs.size());
  for (const auto& [kind, times] : counted)
    text += fmt::format("  {} ({})\n", printable(kind), times);
  return text;
}

bool is_sampled(const RobustDesign& design) {
  return design.worst.sampled;
}

std::string stability(const RobustReport& report, const RobustRanking& ranking) {
  const RobustDesign& winner = ranking.designs.front();
  std::string text = fmt::format(
      "order: Kendall's tau of the designs' values and the worst cases {}, and the {:g}th "
      "percentiles {}\n",
      tau(ranking.tau_worst, ranking.designs.size()), report.tolerances.percentile,
      tau(ranking.tau_percentile, ranking.designs.size()));
  text += fmt::format("the best as designed, case {}, is the best of the {} in {} of the draws\n",
                      winner.row.id, ranking.designs.size(), percent_text(winner.best_share));
  const auto bound = [](const RobustDesign& design) { return design.worst.upper_bound; };
  if (std::any_of(ranking.designs.begin(), ranking.designs.end(), bound))
    text += report.by.expression
                ? fmt::format(
                      "worst: each number of the expression at its own largest, as springs have "
                      "more than {} corners; upper bounds where the expression grows with each\n",
                      most_corners)
                : fmt::format("worst: upper bounds, as springs have more than {} corners\n",
                              most_corners);
  if (std::any_of(ranking.designs.begin(), ranking.designs.end(), is_sampled))
    text +=
        "worst: the largest of the robots tried, as the study runs scenarios, for which nothing is "
        "known of those in between\n";
  return text;
}

std::string looked_at(const RobustReport& report, bool sampled) {
  return fmt::format(
      "worst: {}{} of springs {}, {} at {}\n"
      "p{:g}, broken, best: {} random designs, the same for all\n",
      sampled ? "limits for " : "", counted(report.size.spring_parts, "number"),
      report.by.expression && !sampled ? "at the corners of their box" : "over their whole box",
      counted(report.size.sampled, "other parameter"), counted(report.size.samples, "sample"),
      report.tolerances.percentile, report.size.draws);
}

}  // namespace

std::vector<std::size_t> in_order(const RobustRanking& ranking, RobustOrder order) {
  std::vector<std::size_t> indices(ranking.designs.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  if (order == RobustOrder::nominal) return indices;
  const auto key = [&](std::size_t d) {
    const RobustDesign& design = ranking.designs[d];
    const bool worst = order == RobustOrder::worst;
    const bool none = worst ? design.worst.infeasible : !std::isfinite(design.percentile.value);
    const double value = worst ? design.worst.value : design.percentile.value;
    return std::pair(none, none ? design.broken_share : value);
  };
  std::stable_sort(indices.begin(), indices.end(),
                   [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return indices;
}

Table table_of(const RobustReport& report, const std::vector<RobustRanking>& rankings) {
  Table table;
  table.columns = {"rank", "nominal_rank", "case"};
  for (const Column& column : report.results.layout().variables)
    table.columns.push_back(column.name);
  for (const char* name : {"nominal", "worst", "percentile", "percentile_error", "broken", "best",
                           "upper_bound", "sampled", "worst_reason", "broken_reason"})
    table.columns.emplace_back(name);
  for (const RobustRanking& ranking : rankings) {
    std::int64_t rank = 0;
    for (const std::size_t d : in_order(ranking, report.order)) {
      const RobustDesign& design = ranking.designs[d];
      std::vector<Value>& row = table.rows.emplace_back();
      row = {++rank, static_cast<std::int64_t>(d) + 1, design.row.id};
      row.insert(row.end(), design.row.variables.begin(), design.row.variables.end());
      row.insert(
          row.end(),
          {Value{design.nominal}, worst_of(design), finite(design.percentile.value),
           error_of(design), Value{design.broken_share}, Value{design.best_share},
           Value{std::int64_t{design.worst.upper_bound}}, Value{std::int64_t{design.worst.sampled}},
           text_or_nothing(design.worst.reason), text_or_nothing(design.broken_reason)});
    }
  }
  return table;
}

std::string to_text(const RobustReport& report, const std::vector<RobustRanking>& rankings,
                    const ColumnUnits& units, std::size_t width) {
  const auto order = static_cast<std::size_t>(report.order);
  std::string text;
  for (const RobustRanking& ranking : rankings) {
    if (ranking.designs.empty()) continue;
    const std::string unit = units.of(report.by.name);
    text += fmt::format("{}{}{}{}, ordered by {}\n", report.by.name,
                        unit.empty() ? unit : fmt::format(" [{}]", unit),
                        ranking.motion.empty() ? "" : " in motion ", ranking.motion,
                        order_words[order]);
    const Table table = units.with_units(narrow_table(report, ranking, units));
    TableFit fit{.width = width, .keys = 3};
    constexpr std::size_t behind_variables = 6;  // nominal, worst, the percentile, broken, best
    for (std::size_t c = 0; c + behind_variables < table.columns.size(); ++c)
      fit.optional.push_back(c >= fit.keys);
    text += to_aligned_text(table, fit) + reasons(ranking) + stability(report, ranking);
  }
  const bool sampled = std::any_of(rankings.begin(), rankings.end(), [](const auto& ranking) {
    return std::any_of(ranking.designs.begin(), ranking.designs.end(), is_sampled);
  });
  return text + looked_at(report, sampled);
}

Json json_of(const RobustReport& report, const std::vector<RobustRanking>& rankings) {
  Json motions = Json::array();
  for (const RobustRanking& ranking : rankings)
    motions.push_back(
        {{"motion", json_of(text_or_nothing(ranking.motion))},
         {"tau_worst", or_null(ranking.tau_worst)},
         {"tau_percentile", or_null(ranking.tau_percentile)},
         {"winner_stays",
          ranking.designs.empty() ? Json() : Json(ranking.designs.front().best_share)},
         {"designs", json_of(table_of(report, {ranking}))}});
  return {{"objective", report.by.name},
          {"order", order_names[static_cast<std::size_t>(report.order)]},
          {"percentile", report.tolerances.percentile},
          {"spring_numbers", report.size.spring_parts},
          {"sampled_parameters", report.size.sampled},
          {"samples", report.size.samples},
          {"draws", report.size.draws},
          {"complete", json_of(report.extent)},
          {"motions", motions}};
}

}  // namespace counterpoise
