#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/case_text.hpp"
#include "cli/text/exact_text.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/fall_text.hpp"
#include "cli/text/parts_text.hpp"
#include "results/results_file.hpp"
#include "results/sqlite/output_file.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

struct ShowArguments {
  std::string results, id, output;
  std::string format = "table";
  std::vector<std::string> display;
  bool json = false, bill = false;
};

/// The design's and the baseline's simulations side by side.
Table motion_table(const Mechanism& mechanism, const Mechanism& baseline, const Motion& motion) {
  const auto run = [&](const Mechanism& design) {
    auto result = simulate(design, motion, {});
    if (const Finding* finding = std::get_if<Finding>(&result))
      throw InputError({.file = motion.name}, describe(*finding, design, motion));
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

/// Writes the loads of all the case's motions; with several motions, a first column names them.
void write_loads(EvaluatedCase& evaluated, const std::string& path) {
  const Study& study = evaluated.shown.study;
  CaseEvaluator& evaluator = evaluated.evaluator;
  const std::vector<double>& point = evaluated.shown.point;
  const std::vector<std::size_t> motions = motions_of(study, point);
  Table all;
  for (const std::size_t m : motions) {
    const MotionDesign design = evaluator.design(point, m);
    const MotionDesign baseline = evaluator.baseline_design(m);
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
int show_bill(const ShowArguments& options, EvaluatedCase& evaluated, const TextStyle& style) {
  const PartsList parts = evaluated.parts();
  print_answer(
      options.format, options.json,
      [&] { return to_csv(springs_table(parts)) + '\n' + to_csv(points_table(parts)); },
      [&] { return json_text(json_of(parts)) + '\n'; }, [&] { return to_text(parts, style); });
  return exit_done;
}

/// Whether a proof over mounts is about this case.
bool is_best_of_mounts(const ResultsFile& results, std::int64_t id) {
  const std::optional<StoredMounts> mounts = mounts_of(results);
  return mounts && mounts->best_case == id;
}

int show(const ShowArguments& options) {
  require_other_output(options.output, {options.results});
  const ResultsFile results = opened(options.results);
  const Extent extent = noted_extent(results);
  EvaluatedCase evaluated(results, extent, case_of(results, options.id));
  const TextStyle style = style_for(evaluated.shown.study, options.display);
  if (options.bill) return show_bill(options, evaluated, style);
  evaluated.explain();
  const ShownCase& shown = evaluated.shown;
  for (const std::string& message : evaluated.messages()) print_message(message);
  const bool proof = is_best_of_mounts(results, shown.stored.id);
  print_answer(
      options.json,
      [&] {
        Json json = json_of(shown);
        json["mounts"] = proof ? mounts_json(results) : Json();
        return json_text(json) + '\n';
      },
      [&] {
        return to_text(shown, results, style) +
               (proof ? mounts_proof_text(shown.study, results) : "");
      });
  if (!options.output.empty()) write_loads(evaluated, options.output);
  return exit_done;
}

}  // namespace

void add_show(Program& program) {
  const auto options = std::make_shared<ShowArguments>();
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
  add_display(command, options->display);
  command.flag("--json", options->json, "print JSON");
  command.action([options] { return show(*options); });
}

}  // namespace counterpoise
