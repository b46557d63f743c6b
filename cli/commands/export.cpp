#include "results/export.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/ranking_text.hpp"

namespace counterpoise {
namespace {

struct ExportArguments {
  std::string results, output;
  bool json = false, units = false;
};

int export_results(const ExportArguments& options) {
  require_other_output(options.output, {options.results});
  const ResultsFile results = opened(options.results);
  const Extent extent = noted_extent(results);
  const ColumnUnits units =
      options.units ? units_of(results, {"m", "rad"}) : ColumnUnits();  // stored values are SI
  export_cases(results, options.output,
               [&](const std::string& column) { return units.of(column); });
  const std::int64_t cases = results.kept_count();
  if (options.json) {
    const Json object = {
        {"output", options.output}, {"cases", cases}, {"complete", json_of(extent)}};
    print_data(json_text(object) + '\n');
  } else {
    print_message(fmt::format("{}: {} cases", options.output, cases));
  }
  return exit_done;
}

}  // namespace

void add_export(Program& program) {
  const auto options = std::make_shared<ExportArguments>();
  const Command command = program.add("export", "Write all cases to a CSV file");
  command.option("results", options->results, "results file").required();
  command.option("-o,--output", options->output, "CSV file").required();
  command.flag("--units", options->units, "add the units to the headings");
  command.flag("--json", options->json, "print the summary as JSON");
  command.action([options] { return export_results(*options); });
}

}  // namespace counterpoise
