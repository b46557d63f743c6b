#include <fmt/format.h>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/json.hpp"
#include "engine/evaluation/simulation.hpp"
#include "results/files/atomic_file.hpp"
#include "results/text/cells.hpp"
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

/// Where the text of a simulation goes, piece by piece: a file, whole or not at all, or standard
/// output.
class Destination {
 public:
  explicit Destination(const std::string& path) {
    if (!path.empty()) file_.emplace(path);
  }

  void write(std::string_view text) {
    if (file_)
      file_->write(text);
    else
      print_data(text);
  }
  void finish() {
    if (file_) file_->commit();
  }

 private:
  std::optional<AtomicFile> file_;
};

/// Writes a line per sample, a stretch of the samples at a time.
void write_csv(SimulationRun& run, Destination& destination) {
  run.read([&](std::span<const Series> columns, int first) {
    constexpr std::size_t enough = 1 << 16;  // letters to write at a time
    std::string text;
    if (first == 0) {
      std::vector<std::string> names;
      for (const Series& series : columns) names.push_back(series.name);
      append_csv_row(text, names);
    }
    std::vector<double> row(columns.size());
    for (std::size_t k = 0; k < columns.front().values.size(); ++k) {
      for (std::size_t c = 0; c < row.size(); ++c) row[c] = columns[c].values[k];
      append_csv_row(text, row);
      if (text.size() < enough) continue;
      destination.write(text);
      text.clear();
    }
    destination.write(text);
  });
}

/// Writes an array per column, for which all samples have to be held, each as a double.
void write_json(SimulationRun& run, int samples, Destination& destination) {
  std::vector<Series> all;
  run.read([&](std::span<const Series> columns, int) {
    all.resize(columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::vector<double>& values = columns[c].values;
      all[c].name = columns[c].name;
      all[c].values.reserve(static_cast<std::size_t>(samples));
      all[c].values.insert(all[c].values.end(), values.begin(), values.end());
    }
  });
  char before = '{';
  for (const Series& series : all) {
    std::string text(1, before);
    text += json_text(Json(series.name));
    text += ':';
    text += json_text(Json(series.values));
    destination.write(text);
    before = ',';
  }
  destination.write("}\n");
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
  std::optional<SimulationRun> run;
  std::variant<Simulation, Finding> result;
  try {
    run.emplace(mechanism, motion, SimulationOptions{!options.without_springs, options.reactions});
    result = run->check([](std::span<const Series>, int) {});
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

  Destination destination(options.output);
  if (options.json)
    write_json(*run, motion.sample_count(), destination);
  else
    write_csv(*run, destination);
  destination.finish();
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
