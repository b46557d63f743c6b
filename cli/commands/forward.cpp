#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/commands/mechanics.hpp"
#include "cli/output/host.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/fall_text.hpp"
#include "input/reading/read.hpp"
#include "results/sqlite/output_file.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

struct ForwardArguments {
  std::string model, scenario, output, events;
  std::vector<std::string> settings, display;
  bool json = false;
};

void require_outputs(const ForwardArguments& options, const std::vector<std::string>& inputs) {
  require_other_output(options.output, inputs);
  require_other_output(options.events, inputs);
  if (options.output.empty() || options.events.empty()) return;
  std::error_code ignored;
  const auto place = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  };
  if (place(options.output) == place(options.events))
    throw InputError({.file = options.events},
                     "is where the states are written; name another file for the events");
}

ParametricScenario scenario_for(const Model& model, const ForwardArguments& options) {
  ParametricScenario scenario = read_scenario(options.scenario, model, input_files());
  require_one_instant(scenario);
  for (const std::string& warning : scenario.warnings) print_message(warning);
  const std::filesystem::path folder = std::filesystem::path(options.scenario).parent_path();
  if (!scenario.start.file.empty())
    require_outputs(options, {(folder / scenario.start.file).string()});
  return scenario;
}

/// Both files, or neither if one of them cannot be created.
void write_outputs(const ForwardArguments& options, const Fall& fall, const Mechanism& mechanism,
                   const Scenario& scenario) {
  std::optional<OutputFile> states, events;
  if (!options.output.empty()) states.emplace(options.output);
  if (!options.events.empty()) events.emplace(options.events);
  if (states) states->write(to_csv(table_of(fall.columns)));
  if (events) events->write(to_csv(events_table(fall, mechanism, scenario)));
  if (states) states->commit();
  if (events) events->commit();
}

int let_go(const ForwardArguments& options) {
  require_outputs(options, {options.model, options.scenario});
  const TextStyle style{units_named(options.display), terminal_width()};
  const Model model = read_model(options.model, input_files());
  examine_model(model);
  const ParametricScenario parametric = scenario_for(model, options);
  FallRun run(model, parametric, options.scenario, options.settings);
  if (const auto reason = run.let_go(FallOptions{})) {
    print_message(*reason);
    return exit_infeasible;
  }
  const Fall& fall = run.fall();
  const Mechanism& mechanism = run.mechanism();
  const Scenario& scenario = run.scenario();
  write_outputs(options, fall, mechanism, scenario);
  if (options.json)
    print_data(json_text(summary_json(fall, mechanism, scenario)) + '\n');
  else if (options.output.empty())
    print_text(summary_text(fall, mechanism, scenario, style));
  for (const std::string& note : run.notes()) print_message(note);
  const auto ended = why_it_ended(fall);
  if (!ended) return exit_done;
  print_message(*ended);
  return exit_infeasible;
}

}  // namespace

void add_forward(Program& program) {
  const auto options = std::make_shared<ForwardArguments>();
  const Command command = program.add("forward", "Let a mechanism go and follow its fall");
  command.option("model", options->model, "model file").required();
  command.option("--scenario", options->scenario, "scenario file").required();
  command.option("-o,--output", options->output,
                 "CSV file of states over time; without it a summary is printed");
  command.option("--events", options->events, "CSV file of impacts and contacts");
  command.repeated("--set", options->settings,
                   "parameter=value, in SI or with a unit (60mm); may be repeated");
  add_display(command, options->display);
  command.flag("--json", options->json, "print the summary as JSON, also with --output");
  command.action([options] { return let_go(*options); });
}

}  // namespace counterpoise
