#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/explanation_text.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/json.hpp"
#include "cli/text/simulation_table.hpp"
#include "results/files/atomic_file.hpp"
#include "results/results_file.hpp"
#include "results/rows/store_error.hpp"
#include "results/text/printable.hpp"
#include "results/text/table_format.hpp"
#include "studies/cases/case_evaluator.hpp"
#include "studies/cases/metric_values.hpp"
#include "studies/exact/exact.hpp"
#include "studies/reports/warnings/spring_senses.hpp"
#include "studies/stored/case_rows.hpp"
#include "studies/stored/stored_study.hpp"

namespace counterpoise {
namespace {

struct Options {
  std::string results, output;
  std::int64_t id = 0;
  bool json = false;
};

/// One case, evaluated again from the texts stored with the results.
struct ShownCase {
  Extent extent;  // of the results
  Study study;
  CaseRow stored;
  std::vector<double> point;
  CaseOutcome outcome;
  std::vector<double> parameters;
  std::optional<Explanation> explanation;  // of a case that has metrics
};

/// Whether a row differs from the stored one in any bit of what is stored.
bool differs(const CaseRow& now, const CaseRow& stored) {
  const auto same = [](double a, double b) { return a == b || std::isnan(b); };
  const bool other_reason = now.reason != stored.reason && stored.settled();
  return now.status != stored.status || other_reason || now.metrics != stored.metrics ||
         !std::equal(now.objectives.begin(), now.objectives.end(), stored.objectives.begin(),
                     stored.objectives.end(), same);
}

Json as_json(const ShownCase& shown) {
  const CaseOutcome& outcome = shown.outcome;
  Json parameters = Json::object(), metrics = Json::object(), objectives = Json::object();
  for (std::size_t i = 0; i < shown.parameters.size(); ++i)
    parameters[shown.study.model->parameters[i].name] = shown.parameters[i];
  for (const MetricName& metric : shown.study.metrics)
    metrics[metric.name] = outcome.computable ? Json(value_of(outcome.metrics, metric)) : Json();
  for (std::size_t i = 0; i < shown.study.objectives.size(); ++i)
    objectives[shown.study.objectives[i].name] =
        outcome.computable ? Json(outcome.objectives[i]) : Json();
  return {{"case", shown.stored.id},
          {"status", status_name(outcome.status)},
          {"reason", shown.stored.settled() ? outcome.reason : unsettled_reason},
          {"parameters", parameters},
          {"metrics", metrics},
          {"objectives", objectives},
          {"explanation", shown.explanation ? json_of(shown.study, *shown.explanation) : Json()},
          {"complete", json_of(shown.extent)}};
}

std::string as_text(const ShownCase& shown) {
  const Study& study = shown.study;
  std::string text = fmt::format("case {} of {}: {}\n", shown.stored.id, printable(study.name),
                                 status_name(shown.outcome.status));
  if (!shown.outcome.reason.empty()) text += "  " + printable(shown.outcome.reason) + "\n";
  if (!shown.stored.settled()) text += fmt::format("  {}\n", unsettled_reason);
  text += "parameters\n";
  for (std::size_t i = 0; i < shown.parameters.size(); ++i) {
    const Parameter& parameter = study.model->parameters[i];
    const bool own = shown.parameters[i] == study.model->nominal_values[i];
    text += fmt::format("  {:<28} {:<12.6g} {}\n", parameter.name, shown.parameters[i] + 0.0,
                        own ? parameter.source : "set by this case");
  }
  if (!shown.outcome.computable) return text;
  text += "objectives\n";
  for (std::size_t i = 0; i < study.objectives.size(); ++i)
    text += fmt::format("  {:<28} {:.6g}\n", study.objectives[i].name,
                        shown.outcome.objectives[i] + 0.0);
  text +=
      "metrics (max, mean, rms, energy, peak_power; springs: min_length, max_length, "
      "max_tension, min_tension)\n";
  for (std::size_t i = 0; i < study.metrics.size(); ++i) {
    const MetricName& metric = study.metrics[i];
    if (metric.statistic == 0)
      text += fmt::format("{}  {:<28}", i == 0 ? "" : "\n",
                          metric.name.substr(0, metric.name.find('.')));
    text += fmt::format(" {:<12.6g}", value_of(shown.outcome.metrics, metric) + 0.0);
  }
  return text + "\n" + (shown.explanation ? to_text(study, *shown.explanation) : std::string());
}

/// The design's and the baseline's simulations side by side.
Table motion_table(const Mechanism& mechanism, const Mechanism& baseline, const Motion& motion) {
  const auto run = [&](const Mechanism& design) {
    auto result = simulate(design, motion, {});
    if (const Finding* finding = std::get_if<Finding>(&result))
      throw InputError({.file = motion.name}, describe(*finding, design));
    return table_of(std::get<Simulation>(result));
  };
  Table table = run(mechanism);
  const Table other = run(baseline);
  for (std::size_t c = 1; c < other.columns.size(); ++c)
    table.columns.push_back("baseline." + other.columns[c]);
  for (std::size_t k = 0; k < table.rows.size(); ++k)
    table.rows[k].insert(table.rows[k].end(), other.rows[k].begin() + 1, other.rows[k].end());
  return table;
}

/// Writes the loads of all the case's motions; several are told apart by a first column.
void write_loads(const ShownCase& shown, CaseEvaluator& evaluator, const std::string& path) {
  const Study& study = shown.study;
  std::vector<std::size_t> motions;
  for (std::size_t m = 0; m < study.motions.size(); ++m) {
    const int v = study.motion_variable;
    const auto chosen = [&] {
      const auto i = static_cast<std::size_t>(v);
      return study.variables[i].motions[static_cast<std::size_t>(shown.point[i])];
    };
    if (v < 0 || chosen() == static_cast<int>(m)) motions.push_back(m);
  }
  Table all;
  for (const std::size_t m : motions) {
    const CaseEvaluator::Design design = evaluator.design(shown.point, m);
    const CaseEvaluator::Design baseline = evaluator.baseline_design(m);
    Table table = motion_table(design.mechanism, baseline.mechanism, design.motion);
    if (motions.size() > 1) {
      table.columns.insert(table.columns.begin(), "motion");
      for (auto& row : table.rows) row.insert(row.begin(), Value{study.motions[m].name});
    }
    all.columns = table.columns;
    std::move(table.rows.begin(), table.rows.end(), std::back_inserter(all.rows));
  }
  write_file(path, to_csv(all));
}

int show(const Options& options) {
  require_other_output(options.output, {options.results});
  const ResultsFile results(options.results);
  const Extent extent = noted_extent(results);
  const auto stored = results.find(options.id);
  if (!stored)
    throw StoreError(StoreError::Kind::unusable,
                     fmt::format("{}: has no case {}", options.results, options.id));
  ShownCase shown{extent, stored_study(results), *stored, {}, {}, {}, {}};
  CaseEvaluator evaluator(shown.study);
  const auto baselines = std::make_shared<const Baselines>(evaluator.evaluate_baselines());
  evaluator.set_baselines(baselines);
  shown.point = point_of(shown.study, shown.stored);
  evaluator.evaluate(shown.point, shown.outcome);
  const auto now = [&] { return row_of(shown.study, options.id, shown.point, shown.outcome); };
  if (differs(now(), shown.stored))
    if (auto sized = sized_again(shown.study, results, shown.stored, shown.point, baselines))
      shown.outcome = std::move(*sized);
  shown.parameters.assign(evaluator.parameters().begin(), evaluator.parameters().end());
  if (shown.outcome.computable)
    shown.explanation = explain(shown.study, results, shown.stored, shown.point, shown.outcome,
                                evaluator, baselines);

  if (differs(now(), shown.stored))
    print_message(
        fmt::format("note: case {} evaluated now differs from the stored row (another version, "
                    "vector width or processor?)",
                    options.id));
  print_warnings(SpringSenses(shown.study, evaluator).of(shown.point));
  if (options.json)
    print_data(json_text(as_json(shown)) + '\n');
  else
    print_text(as_text(shown));
  if (!options.output.empty()) write_loads(shown, evaluator, options.output);
  return exit_done;
}

}  // namespace

void add_show(Program& program) {
  const auto options = std::make_shared<Options>();
  const Command command = program.add("show", "Evaluate one case again and explain it");
  command.option("results", options->results, "results file").required();
  command.option("case", options->id, "case id").required();
  command.option("-o,--output", options->output, "CSV of the case's motions beside the baseline's");
  command.flag("--json", options->json, "print JSON");
  command.action([options] { return show(*options); });
}

}  // namespace counterpoise
