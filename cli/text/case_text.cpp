#include "cli/text/case_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "cases/case_outcome.hpp"
#include "cases/case_rows.hpp"
#include "cases/provenance.hpp"
#include "cases/study_units.hpp"
#include "cli/text/exact_text.hpp"
#include "cli/text/explanation_text.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/parts_text.hpp"
#include "cli/text/ranking_text.hpp"
#include "input/definition/mechanism_units.hpp"
#include "results/ranking.hpp"
#include "results/rows/rows.hpp"
#include "results/text/printable.hpp"
#include "springs/exact.hpp"
#include "studies/applied_model.hpp"
#include "studies/parts_list.hpp"
#include "studies/warnings.hpp"

namespace counterpoise {
namespace {

std::string gain(const char* what, const BaselineRow* baseline, double value) {
  if (baseline == nullptr || baseline->objectives.empty()) return "";
  const std::optional<double> saved = reduction(value, baseline->objectives.front());
  if (!saved) return "";
  const std::string change = change_text(*saved);
  return fmt::format(", {} {} {}", change, change == "the same" ? "as" : "than", what);
}

std::string motion_of(const ShownCase& shown) {
  if (shown.study.motion_variable < 0) return "";
  return shown.study.motions[motions_of(shown.study, shown.point).front()].name;
}

/// The units of an element's metrics: "N", or of a spring "m, N".
std::string metric_units(const Study& study, const MetricName& first, const ShownUnits& units) {
  const std::string own = units.of(unit_of(study, first));
  if (first.of != MetricOf::spring) return own;
  MetricName tension = first;
  tension.statistic = static_cast<int>(SpringStatistic::max_tension);
  return own + ", " + units.of(unit_of(study, tension));
}

/// The metrics of all elements of one kind, a row each; empty without such elements.
std::string metrics_table(const ShownCase& shown, MetricOf of,
                          const std::vector<std::string>& columns, const TextStyle& style) {
  const Study& study = shown.study;
  Table table{columns, {}};
  std::vector<std::string> with_holds = columns;  // where some actuator has a holding load
  with_holds.emplace_back("holds");
  std::vector<std::string> with_clearance = columns;  // where some spring keeps clear of obstacles
  with_clearance.emplace_back("clearance");
  for (std::size_t i = 0; i < study.metrics.size(); ++i) {
    const MetricName& metric = study.metrics[i];
    if (metric.of != of) continue;
    if (metric.of == MetricOf::actuator && metric.statistic == static_cast<int>(Statistic::holds))
      table.columns = with_holds;
    if (metric.of == MetricOf::spring &&
        metric.statistic == static_cast<int>(SpringStatistic::clearance))
      table.columns = with_clearance;
    if (metric.statistic == 0)
      table.rows.push_back({fmt::format("{} [{}]", metric.name.substr(0, metric.name.find('.')),
                                        metric_units(study, metric, style.units))});
    const double value = without_rounding(value_of(shown.outcome.metrics, metric),
                                          shown.metric_sizes.empty() ? 0.0 : shown.metric_sizes[i]);
    table.rows.back().emplace_back(style.units.number(value, unit_of(study, metric)));
  }
  if (table.rows.empty()) return "";
  for (std::vector<Value>& row : table.rows) row.resize(table.columns.size(), Value{""});
  if (of == MetricOf::spring) {
    clear_rounding(table, 1, 2);
    clear_rounding(table, 3, 4);
  } else {
    clear_rounding(table, 1, 3);
    clear_rounding(table, 4, 4);
    clear_rounding(table, 5, 5);
  }
  return indented_table(table, style, 1);
}

/// The metrics of scenarios that were run, a line each.
std::string falls_text(const ShownCase& shown, const TextStyle& style) {
  const Study& study = shown.study;
  Table table{{"scenario", "value", "unit"}, {}};
  for (const MetricName& metric : study.metrics) {
    if (metric.of != MetricOf::scenario) continue;
    const double value = value_of(shown.outcome.metrics, metric);
    if (std::isnan(value)) continue;
    const std::string unit = unit_of(study, metric);
    table.rows.push_back({metric.name, style.units.number(value, unit), style.units.of(unit)});
  }
  return table.rows.empty() ? "" : "metrics of scenarios\n" + indented_table(table, style, 1);
}

/// What to make of the case, before all details.
std::string verdict_text(const ShownCase& shown, const ResultsFile& results,
                         const ShownUnits& units) {
  const Study& study = shown.study;
  const Objective& first = study.objectives.front();
  std::string text = fmt::format("case {} of {}: {}", shown.stored.id, printable(study.name),
                                 status_name(shown.outcome.status));
  if (!shown.explanation) {
    text += '\n';
    if (!shown.outcome.reason.empty())
      text += "  " + printable(units.sentence(shown.outcome.reason)) + "\n";
    return text;
  }
  const Standing& standing = shown.explanation->standing;
  if (standing.rank > 0)
    text += fmt::format(", number {} of {}{}", standing.rank, standing.feasible,
                        shown.study.keep ? " that are kept" : "");
  text += '\n';
  if (!shown.outcome.reason.empty())
    text += "  " + printable(units.sentence(shown.outcome.reason)) + "\n";
  if (!shown.stored.settled()) text += fmt::format("  {}\n", unsettled_reason);
  const double size = shown.explanation->objective_sizes.front();
  const double value = without_rounding(shown.outcome.objectives.front(), size);
  const std::string unit = unit_of(study, first);
  text += fmt::format(
      "  {} {}{}{}\n", printable(first.name), units.words(value, unit),
      gain("the baseline", results.baseline(baseline_name, motion_of(shown)), value),
      gain("without springs", results.baseline(without_springs_name, motion_of(shown)), value));
  if (shown.proof)
    text += fmt::format("  {}\n", short_proof_text(study, results, *shown.proof, units));
  text += poses_text(study, "  ");
  for (const UnreachedPoses& of : shown.explanation->unreached) {
    if (of.left_out == 0) continue;
    text += fmt::format("  {} of {} poses of motion {} are left out: {}{}\n", of.left_out, of.poses,
                        study.motions[of.motion].name,
                        units.sentence(fmt::format("{}", fmt::join(of.regions, "; "))),
                        of.elsewhere > 0 ? fmt::format("; and {} elsewhere", of.elsewhere) : "");
  }
  if (standing.next)
    text += fmt::format(
        "  next best choice: case {}, {} {}\n", standing.next->row.id, printable(first.name),
        units.words(without_rounding(standing.next->row.objectives.front(), size), unit));
  return text;
}

std::string catalogue_text(const ShownCase& shown) {
  std::string text;
  for (const CatalogueChoice& choice : catalogue_choices(shown.study, shown.point)) {
    text += fmt::format("{}: {} (row {} of {})\n", printable(choice.variable),
                        printable(choice.part), choice.row, printable(choice.file));
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < choice.columns.size(); ++i)
      cells.push_back(printable(choice.columns[i]) + " " + printable(choice.cells[i]));
    text += fmt::format("  {}\n", fmt::join(cells, ", "));
    for (const std::string& made : choice.made)
      text += fmt::format("  the study sets {}\n", printable(made));
  }
  return text;
}

/// The sizes of the parameters that variables set unchanged.
std::map<int, double> chosen_sizes(const Study& study) {
  std::map<int, double> sizes;
  for (const Variable& variable : study.variables)
    for (const VariableTarget& target : variable.targets)
      if (sets_directly(variable, target)) sizes[target.parameter] = largest_number(variable);
  return sizes;
}

std::string parameters_text(const ShownCase& shown, const TextStyle& style) {
  if (shown.parameters.empty()) return "";
  const std::vector<Parameter>& parameters = shown.study.model->parameters;
  std::map<std::string_view, double> sizes;  // the largest in each unit
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (!si_unit(parameters[i].unit).empty()) {
      double& size = sizes[si_unit(parameters[i].unit)];
      size = std::max(size, std::abs(shown.parameters[i]));
    }
  std::map<int, double> chosen = chosen_sizes(shown.study);
  Table table{{"parameter", "value", "unit", "source"}, {}};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    const bool own = shown.set.contains(static_cast<int>(i));
    const std::string unit(si_unit(parameter.unit));
    const double size = own                       ? chosen[static_cast<int>(i)]
                        : parameter.value.fixed() ? 0.0
                                                  : sizes[si_unit(parameter.unit)];
    const double value = without_rounding(shown.parameters[i], size);
    table.rows.push_back({parameter.name, style.units.number(value, unit), style.units.of(unit),
                          own ? "set by this case" : parameter.source});
  }
  return "parameters\n" + indented_table(table, style, 1);
}

std::string objectives_text(const ShownCase& shown, const TextStyle& style) {
  const Study& study = shown.study;
  Table table{{"objective", "value", "unit"}, {}};
  for (std::size_t i = 0; i < study.objectives.size(); ++i) {
    const std::string unit = unit_of(study, study.objectives[i]);
    const double size = shown.explanation ? shown.explanation->objective_sizes[i] : 0.0;
    const double value = without_rounding(shown.outcome.objectives[i], size);
    table.rows.push_back(
        {study.objectives[i].name, style.units.number(value, unit), style.units.of(unit)});
  }
  return "objectives\n" + indented_table(table, style, 1);
}

}  // namespace

std::string to_text(const ShownCase& shown, const ResultsFile& results, const TextStyle& style) {
  std::string text = verdict_text(shown, results, style.units) + catalogue_text(shown) +
                     parameters_text(shown, style);
  if (!shown.outcome.computable) return text;
  text += objectives_text(shown, style);
  text += "metrics\n" +
          metrics_table(shown, MetricOf::actuator,
                        {"actuator", "max", "mean", "rms", "energy [J]", "peak_power [W]"}, style);
  text +=
      metrics_table(shown, MetricOf::spring,
                    {"spring", "min_length", "max_length", "max_tension", "min_tension"}, style);
  text += falls_text(shown, style);
  if (shown.robots != nullptr)
    text += drives_text(shown.study, shown.outcome.metrics, *shown.robots, style);
  return text +
         (shown.explanation ? to_text(shown.study, *shown.explanation, style) : std::string());
}

Json json_of(const ShownCase& shown) {
  const CaseOutcome& outcome = shown.outcome;
  Json parameters = Json::object(), metrics = Json::object(), objectives = Json::object();
  Json set = Json::array(), chosen = Json::object();
  for (std::size_t i = 0; i < shown.parameters.size(); ++i)
    parameters[shown.study.model->parameters[i].name] = shown.parameters[i];
  for (const int parameter : shown.set)
    set.push_back(shown.study.model->parameters[parameter].name);
  for (const CatalogueChoice& choice : catalogue_choices(shown.study, shown.point)) {
    Json columns = Json::object();
    for (std::size_t i = 0; i < choice.columns.size(); ++i)
      columns[choice.columns[i]] = choice.cells[i];
    chosen[choice.variable] = {{"part", choice.part},
                               {"catalogue", choice.file},
                               {"row", choice.row},
                               {"columns", columns}};
  }
  for (const MetricName& metric : shown.study.metrics)
    metrics[metric.name] = outcome.computable ? Json(value_of(outcome.metrics, metric)) : Json();
  for (std::size_t i = 0; i < shown.study.objectives.size(); ++i)
    objectives[shown.study.objectives[i].name] =
        outcome.computable ? Json(outcome.objectives[i]) : Json();
  Json json = {
      {"case", shown.stored.id},
      {"status", status_name(outcome.status)},
      {"reason", shown.stored.settled() ? outcome.reason : unsettled_reason},
      {"parameters", parameters},
      {"set_by_case", set},
      {"catalogue_parts", chosen},
      {"metrics", metrics},
      {"objectives", objectives},
      {"explanation", shown.explanation ? json_of(shown.study, *shown.explanation) : Json()},
      {"complete", json_of(shown.extent)}};
  if (!shown.study.drives.empty() && outcome.computable && shown.robots != nullptr)
    json["drives"] = drives_json(shown.study, outcome.metrics, *shown.robots);
  return json;
}

EvaluatedCase::EvaluatedCase(const ResultsFile& results, const Extent& extent, CaseRow stored)
    : shown{extent, stored_study(results), std::move(stored), {}, {}, {}, {}, {}, {}, {}, nullptr},
      evaluator(shown.study),
      results_(results),
      baselines_(std::make_shared<const Baselines>(evaluator.evaluate_baselines())) {
  evaluator.set_baselines(baselines_);
  shown.point = point_of(shown.study, shown.stored);
  evaluator.evaluate(shown.point, shown.outcome);
  if (differs())
    if (auto sized = sized_again(shown.study, results, shown.stored, shown.point, baselines_))
      shown.outcome = std::move(*sized);
  for (const ParameterSetting& setting : settings_of(shown.study, shown.point, -1))
    shown.set.insert(setting.parameter);
  shown.proof = proof_of(shown.study, results, shown.stored.id);
}

/// Whether the row differs from the stored one in any stored bit.
bool EvaluatedCase::differs() const {
  const CaseRow& stored = shown.stored;
  const CaseRow now = row_of(shown.study, stored.id, shown.point, shown.outcome);
  const auto same = [](double a, double b) { return a == b || std::isnan(b); };
  const bool other_reason = now.reason != stored.reason && stored.settled();
  return now.status != stored.status || other_reason || now.metrics != stored.metrics ||
         !std::equal(now.objectives.begin(), now.objectives.end(), stored.objectives.begin(),
                     stored.objectives.end(), same);
}

void EvaluatedCase::explain() {
  const Study& study = shown.study;
  const std::size_t pair = study.motion_variable < 0 ? 0 : motions_of(study, shown.point).front();
  const Baselines::Pair& robots = baselines_->pairs[pair];
  shown.robots = &robots;
  for (const MetricName& metric : study.metrics) {
    double& size = shown.metric_sizes.emplace_back(0.0);
    if (metric.of != MetricOf::actuator) continue;
    for (const CaseOutcome* robot : {&robots.baseline, &robots.without_springs})
      if (robot->computable) size = std::max(size, std::abs(value_of(robot->metrics, metric)));
  }
  shown.parameters.assign(evaluator.parameters().begin(), evaluator.parameters().end());
  if (shown.outcome.computable)
    shown.explanation = counterpoise::explain(shown.study, results_, shown.stored, shown.point,
                                              shown.outcome, evaluator, baselines_);
}

const Baselines::Pair& EvaluatedCase::beside() const {
  const int v = shown.study.motion_variable;
  if (v < 0) return baselines_->pairs.front();
  const auto at = static_cast<std::size_t>(v);
  const auto level = static_cast<std::size_t>(shown.point[at]);
  return baselines_->pairs[shown.study.variables[at].motions[level]];
}

PartsList EvaluatedCase::parts() {
  if (!shown.outcome.computable)
    throw StoreError(
        StoreError::Kind::unusable,
        fmt::format("case {} cannot be built: {}", shown.stored.id, shown.outcome.reason));
  return parts_of(shown.study, shown.point, shown.outcome, evaluator);
}

std::vector<std::string> EvaluatedCase::messages() {
  std::vector<std::string> said;
  if (differs())
    said.push_back(
        fmt::format("note: case {} evaluated now differs from the stored row (another version, "
                    "vector width or processor?)",
                    shown.stored.id));
  for (const WrongSense& wrong : SpringSenses(shown.study).of(shown.point))
    said.push_back(wrong.warning);
  return said;
}

}  // namespace counterpoise
