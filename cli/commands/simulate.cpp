#include <fmt/format.h>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/json.hpp"
#include "cli/text/simulation_table.hpp"
#include "engine/evaluation/simulation.hpp"
#include "results/files/atomic_file.hpp"
#include "results/text/table_format.hpp"
#include "studies/definition/parametric_motion.hpp"
#include "studies/reading/read.hpp"
#include "studies/reports/warnings/spring_senses.hpp"

namespace counterpoise {
namespace {

struct SimulateArguments {
  std::string model, motion, output;
  std::vector<std::string> settings;
  bool without_springs = false;
  bool reactions = false;
  bool json = false;
};

Mechanism design_of(const Model& model, const SimulateArguments& options, ModelBinder& binder) {
  const std::vector<ParameterSetting> settings = with_settings({}, options.settings, model);
  if (const auto reason = binder.bind(settings))
    throw InputError({.file = settings.empty() ? options.model : "--set"}, *reason);
  return binder.mechanism();
}

std::string as_json(const Simulation& simulation) {
  Json object = Json::object();
  for (const Series& series : simulation.columns) object[series.name] = series.values;
  return json_text(object) + '\n';
}

int simulate_model(const SimulateArguments& options) {
  require_other_output(options.output, {options.model, options.motion});
  const Model model = read_model(options.model, read_text_file);
  examine_model(model);
  const ParametricMotion parametric = read_motion(options.motion, model, read_text_file);
  ModelBinder binder(model);
  const Mechanism mechanism = design_of(model, options, binder);
  MotionBinder motion_binder(parametric);
  if (const auto reason = motion_binder.bind(binder.values()))
    throw InputError(parametric.where, *reason);

  const Motion& motion = motion_binder.motion();
  std::variant<Simulation, Finding> result;
  try {
    result = simulate(mechanism, motion, {!options.without_springs, options.reactions});
  } catch (const MechanismError& error) {
    if (error.part == MechanismError::Part::loops ||
        error.part == MechanismError::Part::couplings) {
      print_message(error.what());  // caused by the settings: the model itself closes
      return exit_infeasible;
    }
    const bool of_model = error.part == MechanismError::Part::sharing;
    throw InputError(of_model ? model.location(pointer_to(error)) : parametric.where, error.what());
  }
  if (const Finding* finding = std::get_if<Finding>(&result)) {
    print_message(describe(*finding, mechanism));
    return exit_infeasible;
  }
  const Simulation& simulation = std::get<Simulation>(result);
  for (const Finding& finding : simulation.broken_limits)
    print_message("note: " + describe(finding, mechanism));
  for (const Finding& finding : simulation.wrong_senses)
    print_message(wrong_sense(model, mechanism, finding, "").warning);
  if (simulation.open_reactions > 0)
    print_message(
        fmt::format("note: equilibrium leaves {} numbers of the reactions of {} open and no rule "
                    "in \"reactions\" settles them: shared by the least sum of squares",
                    simulation.open_reactions, fmt::join(simulation.open_joints, ", ")));

  const std::string text =
      options.json ? as_json(simulation) : to_csv(table_of(simulation.columns));
  if (options.output.empty())
    print_data(text);
  else
    write_file(options.output, text);
  return exit_done;
}

}  // namespace

void add_simulate(Program& program) {
  const auto options = std::make_shared<SimulateArguments>();
  const Command command = program.add("simulate", "Run one inverse-dynamics simulation");
  command.option("model", options->model, "model file").required();
  command.option("--motion", options->motion, "motion file").required();
  command.option("-o,--output", options->output, "CSV file; default: standard output");
  command.repeated("--set", options->settings,
                   "parameter=value, in SI or with a unit (60mm); may be repeated");
  command.flag("--without-springs", options->without_springs, "leave out all springs");
  command.flag("--reactions", options->reactions,
               "add the wrenches through all joints and loop closures");
  command.flag("--json", options->json, "JSON, an array per column, instead of CSV");
  command.action([options] { return simulate_model(*options); });
}

}  // namespace counterpoise
