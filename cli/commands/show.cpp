#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/explanation/case_text.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/parts_text.hpp"
#include "cli/text/simulation_table.hpp"
#include "results/files/atomic_file.hpp"
#include "results/results_file.hpp"
#include "results/rows/store_error.hpp"
#include "results/text/printable.hpp"
#include "results/text/table_format.hpp"
#include "studies/cases/case_evaluator.hpp"
#include "studies/exact/exact.hpp"
#include "studies/reports/warnings/spring_senses.hpp"
#include "studies/stored/applied_model.hpp"
#include "studies/stored/case_rows.hpp"
#include "studies/stored/stored_study.hpp"

namespace counterpoise {
namespace {

struct Options {
  std::string results, id, output;
  std::string format = "table";
  bool json = false, bill = false;
};

/// Whether a row differs from the stored one in any bit of what is stored.
bool differs(const CaseRow& now, const CaseRow& stored) {
  const auto same = [](double a, double b) { return a == b || std::isnan(b); };
  const bool other_reason = now.reason != stored.reason && stored.settled();
  return now.status != stored.status || other_reason || now.metrics != stored.metrics ||
         !std::equal(now.objectives.begin(), now.objectives.end(), stored.objectives.begin(),
                     stored.objectives.end(), same);
}

/// The design's and the baseline's simulations side by side.
Table motion_table(const Mechanism& mechanism, const Mechanism& baseline, const Motion& motion) {
  const auto run = [&](const Mechanism& design) {
    auto result = simulate(design, motion, {});
    if (const Finding* finding = std::get_if<Finding>(&result))
      throw InputError({.file = motion.name}, describe(*finding, design));
    return table_of(std::get<Simulation>(result).columns);
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
  const std::vector<std::size_t> motions = motions_of(study, shown.point);
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

/// Prints what the design is built from.
int show_bill(const Options& options, const ShownCase& shown, CaseEvaluator& evaluator) {
  if (!shown.outcome.computable)
    throw StoreError(
        StoreError::Kind::unusable,
        fmt::format("case {} cannot be built: {}", shown.stored.id, shown.outcome.reason));
  const PartsList parts = parts_of(shown.study, shown.point, shown.outcome, evaluator);
  if (options.json || options.format == "json")
    print_data(json_text(json_of(parts)) + '\n');
  else if (options.format == "csv")
    print_data(to_csv(springs_table(parts)) + '\n' + to_csv(points_table(parts)));
  else
    print_text(to_text(parts));
  return exit_done;
}

int show(const Options& options) {
  require_other_output(options.output, {options.results});
  const ResultsFile results(options.results);
  const Extent extent = noted_extent(results);
  const CaseRow stored = case_of(results, options.id);
  ShownCase shown{extent, stored_study(results), stored, {}, {}, {}, {}, {}, {}};
  CaseEvaluator evaluator(shown.study);
  const auto baselines = std::make_shared<const Baselines>(evaluator.evaluate_baselines());
  evaluator.set_baselines(baselines);
  shown.point = point_of(shown.study, shown.stored);
  evaluator.evaluate(shown.point, shown.outcome);
  const auto now = [&] { return row_of(shown.study, stored.id, shown.point, shown.outcome); };
  if (differs(now(), shown.stored))
    if (auto sized = sized_again(shown.study, results, shown.stored, shown.point, baselines))
      shown.outcome = std::move(*sized);
  for (const ParameterSetting& setting : settings_of(shown.study, shown.point, -1))
    shown.set.insert(setting.parameter);
  shown.proof = proof_of(shown.study, results, stored.id);
  if (options.bill) return show_bill(options, shown, evaluator);
  shown.parameters.assign(evaluator.parameters().begin(), evaluator.parameters().end());
  if (shown.outcome.computable)
    shown.explanation = explain(shown.study, results, shown.stored, shown.point, shown.outcome,
                                evaluator, baselines);

  if (differs(now(), shown.stored))
    print_message(
        fmt::format("note: case {} evaluated now differs from the stored row (another version, "
                    "vector width or processor?)",
                    stored.id));
  for (const WrongSense& wrong : SpringSenses(shown.study, evaluator).of(shown.point))
    print_message(wrong.warning);
  if (options.json)
    print_data(json_text(json_of(shown)) + '\n');
  else
    print_text(to_text(shown, results));
  if (!options.output.empty()) write_loads(shown, evaluator, options.output);
  return exit_done;
}

}  // namespace

void add_show(Program& program) {
  const auto options = std::make_shared<Options>();
  const Command command = program.add("show", "Evaluate one case again and explain it");
  command.option("results", options->results, "results file").required();
  command.option("case", options->id, "case id, or best").required();
  command.option("-o,--output", options->output, "CSV of the case's motions beside the baseline's");
  command
      .flag("--bill", options->bill,
            "print what to order and to drill: springs, and the points they are held at")
      .excludes("--output");
  command
      .choice("--format", options->format, {"table", "csv", "json"},
              "format of --bill: table, csv or json")
      .needs("--bill");
  command.flag("--json", options->json, "print JSON");
  command.action([options] { return show(*options); });
}

}  // namespace counterpoise
