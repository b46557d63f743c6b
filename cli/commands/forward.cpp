#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/fall_text.hpp"
#include "cli/text/simulation_table.hpp"
#include "engine/forward/fall.hpp"
#include "results/files/atomic_file.hpp"
#include "results/text/table_format.hpp"
#include "studies/reading/read.hpp"

namespace counterpoise {
namespace {

struct ForwardArguments {
  std::string model, scenario, output, events;
  std::vector<std::string> settings;
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
  ParametricScenario scenario = read_scenario(options.scenario, model, read_text_file);
  if (scenario.start.several)
    throw InputError(scenario.start.times_where,
                     "found several instants, which are for studies; give one \"time\"");
  for (const std::string& warning : scenario.warnings) print_message(warning);
  const std::filesystem::path folder = std::filesystem::path(options.scenario).parent_path();
  if (!scenario.start.file.empty())
    require_outputs(options, {(folder / scenario.start.file).string()});
  return scenario;
}

/// Where the fall starts. Nothing if the mechanism cannot be there, which is then told.
std::optional<JointStart> start_of(const ScenarioBinder& binder, const Mechanism& mechanism,
                                   const ScenarioStart& start) {
  std::variant<JointStart, Finding> found;
  try {
    found = binder.start(mechanism);
  } catch (const MechanismError& error) {
    if (error.part != MechanismError::Part::loops && error.part != MechanismError::Part::couplings)
      throw InputError(start.motion ? start.motion->where : start.where, error.what());
    print_message(error.what());  // caused by the settings: the model itself closes
    return std::nullopt;
  }
  if (const Finding* finding = std::get_if<Finding>(&found)) {
    print_message("the fall cannot begin: " + describe(*finding, mechanism));
    return std::nullopt;
  }
  return std::get<JointStart>(found);
}

/// Both files, or neither if one of them cannot be created.
void write_outputs(const ForwardArguments& options, const Fall& fall, const Mechanism& mechanism,
                   const Scenario& scenario) {
  std::optional<AtomicFile> states, events;
  if (!options.output.empty()) states.emplace(options.output);
  if (!options.events.empty()) events.emplace(options.events);
  if (states) states->write(to_csv(table_of(fall.columns)));
  if (events) events->write(to_csv(events_table(fall, mechanism, scenario)));
  if (states) states->commit();
  if (events) events->commit();
}

void print_notes(const Fall& fall) {
  const auto lowered =
      std::find_if(fall.events.begin(), fall.events.end(),
                   [](const FallEvent& event) { return event.restitution_lowered; });
  if (lowered != fall.events.end())
    print_message(
        fmt::format("note: contacts of one instant have different restitutions, and the "
                    "smallest was taken, first at t={:.6g} s",
                    lowered->time));
}

int let_go(const ForwardArguments& options) {
  require_outputs(options, {options.model, options.scenario});
  const Model model = read_model(options.model, read_text_file);
  examine_model(model);
  const ParametricScenario parametric = scenario_for(model, options);
  const std::vector<ParameterSetting> settings =
      with_settings(parametric.settings, options.settings, model);
  const Location set{.file = options.settings.empty() ? options.scenario : "--set"};
  ModelBinder model_binder(model);
  if (const auto reason = model_binder.bind(settings)) throw InputError(set, *reason);
  ScenarioBinder binder(parametric);
  if (const auto reason = binder.bind(model_binder.values())) throw InputError(set, *reason);

  const Mechanism& mechanism = model_binder.mechanism();
  const Scenario& scenario = binder.scenario();
  const auto start = start_of(binder, mechanism, parametric.start);
  if (!start) return exit_infeasible;
  const auto result = simulate_fall(mechanism, scenario, *start, FallOptions{});
  if (const FallStop* stop = std::get_if<FallStop>(&result)) {
    print_message("the fall cannot begin: " + stop->words);
    return exit_infeasible;
  }
  const Fall& fall = std::get<Fall>(result);
  write_outputs(options, fall, mechanism, scenario);
  if (options.json)
    print_data(json_text(summary_json(fall, mechanism, scenario)) + '\n');
  else if (options.output.empty())
    print_text(summary_text(fall, mechanism, scenario, terminal_width()));
  print_notes(fall);
  if (!fall.stopped) return exit_done;
  print_message(fmt::format("the fall ends at t={:.6g} s, before its time: {}", fall.stopped->time,
                            fall.stopped->words));
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
  command.flag("--json", options->json, "print the summary as JSON, also with --output");
  command.action([options] { return let_go(*options); });
}

}  // namespace counterpoise
