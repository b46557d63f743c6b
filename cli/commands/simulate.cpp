#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/commands/mechanics.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/host.hpp"
#include "cli/output/streams.hpp"
#include "input/reading/read.hpp"
#include "results/sqlite/output_file.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {
namespace {

struct SimulateArguments {
  std::string model, motion, output;
  std::vector<std::string> settings;
  bool without_springs = false;
  bool reactions = false;
  bool json = false;
};

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
  std::optional<OutputFile> file_;
};

/// Writes a line per sample, a stretch of the samples at a time.
void write_csv(MotionRun& run, Destination& destination) {
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
      if (columns.size() > 1 && std::isnan(columns[1].values[k])) continue;  // it is left out
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
void write_json(MotionRun& run, int samples, Destination& destination) {
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
  const Model model = read_model(options.model, input_files());
  examine_model(model);
  const ParametricMotion parametric = read_motion(options.motion, model, input_files());
  MotionRun run(model, options.model, parametric,
                {options.settings, !options.without_springs, options.reactions});
  if (const auto reason = run.follow([](std::span<const Series>, int) {})) {
    print_message(*reason);
    return exit_infeasible;
  }
  for (const std::string& note : run.notes()) print_message(note);

  Destination destination(options.output);
  if (options.json)
    write_json(run, run.motion().sample_count(), destination);
  else
    write_csv(run, destination);
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
