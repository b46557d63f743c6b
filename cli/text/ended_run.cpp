#include "cli/text/ended_run.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

#include "cases/clock.hpp"
#include "cli/command.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/exact_text.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/failure_text.hpp"
#include "cli/text/ranking_text.hpp"
#include "cli/text/run_times.hpp"
#include "results/text/printable.hpp"
#include "results/text/table_format.hpp"
#include "studies/warnings.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t rows_shown = 10;

}  // namespace

EvaluateOnOptions reasons(const RunReportOptions& asked,
                          std::shared_ptr<const Baselines> baselines) {
  constexpr std::size_t brief_most = 4000;
  EvaluateOnOptions wanted;
  if (!asked.json) wanted.most_evaluated = brief_most;
  wanted.threads = asked.threads;
  wanted.baselines = std::move(baselines);
  return wanted;
}

int report_run(const Study& study, const EndedRun& run, const RunReportOptions& asked) {
  const RunSummary& summary = run.summary;
  const bool json = asked.json;
  const std::filesystem::path& kept = summary.beside.empty() ? run.output : summary.beside;
  const ResultsFile results(kept);
  RankOptions options;
  options.top = rows_shown;
  if (!json) options.same.emplace();
  RunCosts costs;
  const WorkMeter meter;
  const std::vector<Ranking> rankings = rank(results, options);
  costs.ranking = meter.passed().cpu;
  const std::int64_t feasible = results.count(Status::feasible);
  const std::string wrong_senses = SpringSenses(study).among(results, rankings);
  const FailureReport failures = summary.interrupted
                                     ? FailureReport()
                                     : failures_of(results, study,
                                                   {.on = reasons(asked, summary.baselines),
                                                    .by_variable = json,
                                                    .failed = &summary.failed,
                                                    .begun = run.evaluated_on});
  costs.reasons = failures.seconds;
  costs.process = process_seconds();
  if (json) {
    Json object = {
        {"study", study.name},
        {"output", kept.string()},
        {"cases", results.count()},
        {"feasible", feasible},
        {"infeasible", results.count(Status::infeasible)},
        {"failed", results.count(Status::failed)},
        {"kept", results.kept_count()},
        {"evaluated", summary.evaluated},
        {"seconds", run.seconds},
        {"interrupted", summary.interrupted},
        {"stages", stages_json(summary)},
        {"falls", {{"runs", summary.counts.falls.runs}, {"seconds", summary.counts.falls.seconds}}},
        {"cpu_seconds", cpu_json(summary, costs)},
        {"cases_per_second", cases_per_second(summary, run.seconds)},
        {"ranking", json_of(joined(rankings))},
        {"proof", exact_json(study, results, rankings)},
        {"failures", json_of(failures)}};
    if (asked.collected != nullptr)
      *asked.collected = std::move(object);
    else
      print_data(json_text(object) + '\n');
  } else {
    const std::string why = brief_text(failures, kept.string(), asked.style.units);
    const ColumnUnits units(study, asked.style.units);
    if (feasible > 0)
      print_text(to_short_text(results, rankings, units, asked.style.width) + '\n' +
                 gains_of_best(results, rankings, units) + exact_text(study, results, rankings));
    if (!why.empty()) print_text((feasible > 0 ? "\n" : "") + why);
    if (asked.timing && summary.evaluated > 0)
      print_text('\n' + to_text(summary, costs, run.seconds));
    print_text(fmt::format(
        "\n{}: {} cases, {} feasible, {} infeasible, {} failed; {} evaluated in {:.3g} s{}\n",
        printable(kept.string()), results.count(), feasible, results.count(Status::infeasible),
        results.count(Status::failed), summary.evaluated, run.seconds,
        asked.joined ? " by the first process" : ""));
    print_text(poses_text(study));
    if (const std::string what = what_is_kept(results); !what.empty()) print_text(what + '\n');
    print_text(falls_text(summary));
  }
  if (const std::string note = note_of_places(rankings); !note.empty()) print_message(note);
  if (!wrong_senses.empty()) print_message(wrong_senses);
  // an interrupted run has no tally of failures; the tally of an exact search names no bounds
  if (feasible == 0 && (summary.interrupted || failures.exact_springs) && !json) {
    CaseRow first;
    auto cases = results.cases();
    if (cases.next(first))
      print_text(fmt::format("case {}: {}\n", first.id,
                             printable(asked.style.units.sentence(first.reason))) +
                 mounts_proof_text(study, results));
  }
  if (summary.interrupted) {
    print_message(summary.beside.empty()
                      ? "interrupted; --resume continues"
                      : fmt::format("interrupted; --resume continues in {}, and {} stays as it "
                                    "was until that is whole",
                                    kept.string(), run.output.string()));
    return exit_interrupted;
  }
  return feasible > 0 ? exit_done : exit_infeasible;
}

}  // namespace counterpoise
