#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cases/case_rows.hpp"
#include "cases/provenance.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/exact_text.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/failure_text.hpp"
#include "results/rows/rows.hpp"
#include "results/text/printable.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

struct WhyArguments {
  std::string results;
  std::int64_t id = 0;
  int threads = 0;
  bool json = false;
  std::string format = "table";
  std::vector<std::string> display;
};

int why_one(const WhyArguments& options, const ResultsFile& results, const Study& study,
            const TextStyle& style) {
  const auto row = any_case(results, options.id);
  if (!row)
    throw StoreError(StoreError::Kind::unusable,
                     fmt::format("{}: has no case {}", options.results, options.id));
  const std::vector<Failure> failures = failures_of_case(results, study, *row);
  print_answer(
      options.format, options.json, [&] { return to_csv(table_of(study, failures)); },
      [&] { return to_json(table_of(study, failures)); },
      [&] {
        return (row->reason.empty() ? "" : printable(style.units.sentence(row->reason)) + "\n") +
               to_text(study, failures, style);
      });
  return exit_done;
}

int why(const WhyArguments& options) {
  const ResultsFile results = opened(options.results);
  noted_extent(results);
  const Study study = stored_study(results);
  const TextStyle style = style_for(study, options.display);
  if (options.id != 0) return why_one(options, results, study, style);
  FailureOptions wanted;
  wanted.on.threads = options.threads;
  wanted.on.interrupted = asked_by_host();
  const FailureReport report = failures_of(results, study, wanted);
  print_answer(
      options.format, options.json, [&] { return to_csv(table_of(report)); },
      [&] {
        Json json = json_of(report);
        json["mounts"] = mounts_json(results);
        return json_text(json) + '\n';
      },
      [&] { return to_text(report, style) + mounts_shares_text(study, results); });
  return exit_done;
}

}  // namespace

void add_why(Program& program) {
  const auto options = std::make_shared<WhyArguments>();
  const Command command =
      program.add("why", "Say why designs failed, and what alone would make more feasible");
  command.option("results", options->results, "results file").required();
  command.option("case", options->id, "everything that is against this case");
  command.option("--threads", options->threads, "worker threads; default: all processors",
                 Range{1, 1024});
  command.choice("--format", options->format, {"table", "csv", "json"}, "table, csv or json");
  add_display(command, options->display);
  command.flag("--json", options->json, "the same as --format json");
  command.action([options] { return why(*options); });
}

}  // namespace counterpoise
