#include "studies/robustness.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>

#include "cases/provenance.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/robustness_text.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

struct RobustnessArguments {
  std::string results, tolerances;
  RobustnessOptions robustness;
  std::string rank = "worst";
  std::string format = "table";
  std::vector<std::string> display;
  bool json = false;
};

Tolerances tolerances_for(const RobustnessArguments& options, const Study& study,
                          const FileProvider& files) {
  if (!options.tolerances.empty()) return read_tolerances(options.tolerances, study, files);
  if (study.tolerances) return *study.tolerances;
  throw InputError({.file = options.results},
                   "its study has no \"tolerances\"; give them with --tolerances FILE");
}

RobustOrder order_of(const std::string& name) {
  if (name == "nominal") return RobustOrder::nominal;
  return name == "worst" ? RobustOrder::worst : RobustOrder::percentile;
}

/// An objective by its name, which robustness() has found; the first where there is no name.
const Objective& objective_of(const Study& study, const std::string& name) {
  const auto at = std::find_if(study.objectives.begin(), study.objectives.end(),
                               [&](const Objective& own) { return own.name == name; });
  return at == study.objectives.end() ? study.objectives.front() : *at;
}

void note_differences(const std::vector<RobustRanking>& rankings) {
  std::ptrdiff_t different = 0;
  for (const RobustRanking& ranking : rankings)
    different += std::count_if(ranking.designs.begin(), ranking.designs.end(),
                               [](const RobustDesign& design) { return !design.as_stored; });
  if (different > 0)
    print_message(
        fmt::format("note: {} cases evaluated now differ from their stored rows (another version, "
                    "vector width or processor?)",
                    different));
}

int show_robustness(const RobustnessArguments& options) {
  const ResultsFile results = opened(options.results);
  const Extent extent = noted_extent(results);
  const FileProvider files = stored_files(results.study());
  const Study study = stored_study(results);
  const ColumnUnits units(study, units_for(study, options.display));
  const Tolerances tolerances = tolerances_for(options, study, files);
  RobustnessOptions wanted = options.robustness;
  wanted.interrupted = asked_by_host();
  const std::vector<RobustRanking> rankings = robustness(results, study, tolerances, wanted);
  note_differences(rankings);
  const RobustReport report{results,
                            extent,
                            tolerances,
                            size_of(study, tolerances),
                            objective_of(study, options.robustness.by),
                            order_of(options.rank)};
  print_answer(
      options.format, options.json, [&] { return to_csv(table_of(report, rankings)); },
      [&] { return json_text(json_of(report, rankings)) + '\n'; },
      [&] { return to_text(report, rankings, units, terminal_width()); });
  const bool none = std::all_of(rankings.begin(), rankings.end(),
                                [](const auto& ranking) { return ranking.designs.empty(); });
  return none ? exit_infeasible : exit_done;
}

}  // namespace

void add_robustness(Program& program) {
  const auto options = std::make_shared<RobustnessArguments>();
  const Command command =
      program.add("robustness", "Evaluate the best cases again under manufacturing tolerances");
  command.option("results", options->results, "results file").required();
  command.option("--top", options->robustness.top, "designs a motion", Range{1, 1000});
  command.option("--by", options->robustness.by, "objective; default: the study's first");
  command.choice("--rank", options->rank, {"nominal", "worst", "percentile"},
                 "order by nominal, worst or percentile");
  command.option("--motion", options->robustness.motion, "only this motion");
  command.option("--tolerances", options->tolerances,
                 "JSON file with tolerances, instead of the study's");
  command.option("--threads", options->robustness.threads,
                 "worker threads; default: all processors", Range{1, 1024});
  command.choice("--format", options->format, {"table", "csv", "json"}, "table, csv or json");
  add_display(command, options->display);
  command.flag("--json", options->json, "the same as --format json");
  command.action([options] { return show_robustness(*options); });
}

}  // namespace counterpoise
