#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/host.hpp"
#include "cli/output/streams.hpp"
#include "exchange/imported_model.hpp"
#include "exchange/suggested_study.hpp"
#include "exchange/written_robot.hpp"
#include "input/reading/read.hpp"
#include "results/sqlite/output_file.hpp"
#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

struct ImportArguments {
  std::string file, output, base = "fixed", inertia, masses, total_mass, density;
  std::vector<std::string> packages, actuate, springs;
  bool massless = false, open_loops = false, no_meshes = false, ignore_gravcomp = false,
       strict = false, verbose = false, json = false;
};

/// Files name each other in JSON, which holds UTF-8 only.
void require_utf8(const std::string& option, const std::string& path) {
  for (std::string_view rest = path; !rest.empty();) {
    const Character next = first_character(rest);
    if (!next.valid)
      throw InputError({.file = option + " " + printable(path)}, "expected a path in UTF-8");
    rest.remove_prefix(next.size);
  }
}

/// The number above 0 that an option gives, or 0 where it is not given.
double positive(const std::string& option, const std::string& text, const Unit& unit) {
  if (text.empty()) return 0.0;
  const double number = read_quantity(text, unit, option, {.file = option});
  if (!(number > 0.0))
    throw InputError({.file = option + " " + printable(text)}, "expected a number above 0");
  return number;
}

ImportOptions import_options(const ImportArguments& given) {
  require_utf8("-o", given.output);
  for (const std::string& package : given.packages) require_utf8("--package", package);
  ImportOptions options;
  options.base = given.base == "floating" ? Base::floating : Base::fixed;
  options.inertia = given.inertia == "as-is"     ? InertiaRule::as_is
                    : given.inertia == "nearest" ? InertiaRule::nearest
                    : given.inertia == "refuse"  ? InertiaRule::refuse
                                                 : InertiaRule::safe;
  options.masses = given.masses;
  options.total_mass = positive("--total-mass", given.total_mass, *find_unit("kg"));
  options.density = positive("--density", given.density, *find_unit("1"));
  options.open_loops = given.open_loops;
  options.massless = given.massless;
  options.meshes = !given.no_meshes;
  options.output = given.output;
  options.actuate = given.actuate;
  options.ignore_gravcomp = given.ignore_gravcomp;
  for (const std::string& package : given.packages) {
    const std::size_t equals = package.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == package.size())
      throw InputError({.file = "--package " + package}, "expected name=folder");
    const std::string name = package.substr(0, equals), folder = package.substr(equals + 1);
    if (!options.packages.emplace(name, folder).second)
      throw InputError({.file = "--package " + package},
                       fmt::format("names {} a second time", in_quotes(name)));
  }
  return options;
}

std::string as_json(const ImportArguments& given, const ImportedModel& model,
                    const std::vector<std::string>& suggested) {
  Json remarks = Json::array();
  for (const Remark& remark : model.remarks)
    remarks.push_back({{"line", remark.where.line},
                       {"column", remark.where.column},
                       {"element", remark.where.pointer},
                       {"text", remark.text}});
  Json root;
  root["model"] = given.output;
  root["bodies"] = model.bodies;
  root["couplings"] = model.couplings;
  root["loops"] = model.loops;
  root["springs"] = model.springs;
  root["actuators"] = model.actuators;
  if (!suggested.empty()) root["suggested"] = {{"study", suggested[0]}, {"motion", suggested[1]}};
  root["remarks"] = std::move(remarks);
  root["xacro"] = model.macro.has_value();
  return json_text(root) + "\n";
}

/// "1 loop", "2 loops".
std::string counted(int count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string as_text(const ImportArguments& given, const ImportedModel& model,
                    const std::vector<std::string>& suggested) {
  std::string text = fmt::format("{}: {} bodies, {} actuators, {} couplings", given.output,
                                 model.bodies, model.actuators, model.couplings);
  if (model.loops > 0) text += ", " + counted(model.loops, "loop");
  if (model.springs > 0) text += ", " + counted(model.springs, "spring");
  if (!model.meshes.empty())
    text += fmt::format(
        ", {} in {}",
        model.meshes.size() == 1 ? "1 mesh" : fmt::format("{} meshes", model.meshes.size()),
        model.meshes.front().first.parent_path().string());
  text += fmt::format("; {} left out or changed\n",
                      model.remarks.empty() ? "nothing" : std::to_string(model.remarks.size()));
  if (!suggested.empty())
    text += fmt::format("{}: a study of {} suggested spring{}, and {}, its motion\n", suggested[0],
                        given.springs.size(), given.springs.size() == 1 ? "" : "s", suggested[1]);
  return text;
}

/// Remarks on what loads depend on, each once at its first place, and behind them one line that
/// counts the others; with --verbose all of them, at every place.
void print_remarks(const ImportArguments& given, const std::vector<Remark>& remarks) {
  std::map<std::string_view, int> things, texts;
  for (const Remark& remark : remarks)
    ++(remark.thing.empty() || given.verbose ? texts[remark.text] : things[remark.thing]);
  for (const Remark& remark : remarks) {
    if (!remark.thing.empty() && !given.verbose) continue;
    const int times = given.verbose ? 1 : std::exchange(texts[remark.text], 0);
    if (times == 0) continue;  // told already
    const std::string more = times > 1 ? fmt::format(" (and at {} more places)", times - 1) : "";
    print_message(located(remark.where, "note: " + remark.text + more));
  }
  std::string text;
  for (const auto& [thing, times] : things)
    text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", times, thing);
  if (!text.empty())
    print_message(
        fmt::format("{}: note: left out too (--verbose says where): {}", given.file, text));
}

/// Writes files together: none that is new is left where another cannot be written.
void write_together(const std::vector<std::pair<std::filesystem::path, std::string>>& files) {
  std::vector<std::filesystem::path> made;
  try {
    for (const auto& [file, text] : files) {
      std::error_code error;
      const bool is_new = !std::filesystem::exists(file, error);
      write_file(file, text);
      if (is_new) made.push_back(file);
    }
  } catch (...) {
    std::error_code ignored;
    for (const std::filesystem::path& file : made) std::filesystem::remove(file, ignored);
    throw;
  }
}

/// Writes the model with its meshes and, where springs are suggested, a study and its motion beside
/// it. Returns the names of these two.
std::vector<std::string> write_files(const ImportArguments& given, const ImportedModel& model) {
  std::vector<std::pair<std::filesystem::path, std::string>> files = model.meshes;
  const std::filesystem::path output = given.output;
  std::vector<std::string> names;
  std::string text = model.text;
  if (!given.springs.empty()) {
    const auto beside = [&](const char* what) {
      return output.parent_path() / fmt::format("{}_{}.json", output.stem().string(), what);
    };
    const std::filesystem::path study = beside("study"), motion = beside("motion");
    for (const std::filesystem::path& file : {study, motion})  // which may have been edited since
      if (std::error_code error; std::filesystem::exists(file, error))
        throw InputError({.file = file.string()},
                         "exists and would be replaced; move it away or name another output");
    SuggestedStudy suggested =
        suggest_springs(model, given.springs, output, motion.filename().string());
    files.emplace_back(motion, std::move(suggested.motion));
    files.emplace_back(study, std::move(suggested.study));
    text = std::move(suggested.model);
    names = {study.string(), motion.string()};
  }
  files.emplace_back(output, std::move(text));
  if (!model.meshes.empty()) {
    std::error_code error;
    std::filesystem::create_directories(model.meshes.front().first.parent_path(), error);
  }
  write_together(files);
  return names;
}

int import(const ImportArguments& given) {
  require_other_output(given.output, {given.file});
  const ImportedModel model = import_robot(given.file, input_files(), import_options(given));
  require_other_output(given.output, {model.files.begin(), model.files.end()});
  if (given.strict && !model.remarks.empty()) {
    Mistakes mistakes;
    for (const Remark& remark : model.remarks)
      mistakes.attempt([&] { throw InputError(remark.where, remark.text + " (--strict)"); });
    mistakes.raise();
  }
  const std::vector<std::string> suggested = write_files(given, model);
  if (!given.json && model.macro)
    print_message(located(*model.macro,
                          "note: xacro was run, which evaluates the Python expressions that are "
                          "in the file and in the files that it includes"));
  if (!given.json) print_remarks(given, model.remarks);
  print_answer(
      given.json, [&] { return as_json(given, model, suggested); },
      [&] { return as_text(given, model, suggested); });
  return exit_done;
}

struct ConvertArguments {
  std::string model, output, format;
  std::vector<std::string> settings;
  bool without_springs = false, json = false;
};

int convert(const ConvertArguments& given) {
  require_other_output(given.output, {given.model});
  const Model model = read_model(given.model, input_files());
  examine_model(model);
  std::vector<std::string> meshes;
  for (const auto& visual : model.visuals) meshes.push_back(visual.file.string());
  require_other_output(given.output, meshes);
  ModelBinder binder(model);
  const std::vector<ParameterSetting> settings = with_settings({}, given.settings, model);
  if (const auto reason = binder.bind(settings))
    throw InputError({.file = settings.empty() ? given.model : "--set"}, *reason);
  if (given.without_springs && given.format == "mjcf")
    throw InputError({.file = "--without-springs"},
                     "expected --to urdf or --to sdf: MJCF holds springs");
  const Mechanism& design = binder.mechanism();
  const bool springs = !given.without_springs;
  const WrittenRobot robot = given.format == "urdf"  ? write_urdf(model, design, springs)
                             : given.format == "sdf" ? write_sdf(model, design, springs)
                                                     : write_mjcf(model, design);
  write_file(given.output, robot.text);
  if (!given.json)
    for (const std::string& remark : robot.remarks) print_message("note: " + remark);
  print_answer(
      given.json,
      [&] {
        Json root;
        root["output"] = given.output;
        root["format"] = given.format;
        root["remarks"] = robot.remarks;
        return json_text(root) + "\n";
      },
      [&] {
        return fmt::format("{}: {} as {}\n", given.output, model.name,
                           given.format == "urdf"  ? "URDF"
                           : given.format == "sdf" ? "SDF"
                                                   : "MJCF");
      });
  return exit_done;
}

}  // namespace

void add_import(Program& program) {
  const auto given = std::make_shared<ImportArguments>();
  const Command command =
      program.add("import", "Make a model of a robot that is described as URDF, SDF or MJCF");
  command.option("file", given->file, "URDF, SDF or MJCF file").required();
  command.option("-o,--output", given->output, "model file to write").required();
  command.choice(
      "--base", given->base, {"fixed", "floating"},
      "whether the root link and links on planar or floating joints stand still or move");
  command.repeated("--package", given->packages, "name=folder: where package://name/ of meshes is");
  command.list("--actuate", given->actuate,
               "joints that have actuators, where loops leave a choice");
  command.repeated(
      "--suggest-springs", given->springs,
      "BODY,BODY: add a spring between the two, and write a study of its size and mounts");
  command.choice(
      "--inertia", given->inertia, {"as-is", "nearest", "refuse"},
      "what becomes of inertias that no real body has; without it they are kept where no "
      "motion then has a negative kinetic energy");
  command.option("--masses", given->masses,
                 "CSV table of links' masses: link, mass, and com_x ..., ixx ... where known");
  command.option("--total-mass", given->total_mass,
                 "mass of the robot in kg or with a unit, shared by the "
                 "volumes of links without mass");
  command.option("--density", given->density, "density of links without mass in kg/m^3")
      .excludes("--total-mass");
  command.flag("--massless", given->massless, "accept a robot without mass on what moves");
  command.flag("--open-loops", given->open_loops,
               "leave out what closes loops in URDF and SDF, and take the tree");
  command.flag("--no-meshes", given->no_meshes, "leave out what links look like");
  command.flag("--ignore-gravcomp", given->ignore_gravcomp,
               "let actuators carry weights that MJCF takes from them by gravcomp");
  command.flag("--verbose", given->verbose, "list each of what is only counted else");
  command.flag("--strict", given->strict, "make what is left out or changed an error");
  command.flag("--json", given->json, "print JSON");
  command.action([given] { return import(*given); });
}

void add_convert(Program& program) {
  const auto given = std::make_shared<ConvertArguments>();
  const Command command = program.add(
      "convert", "Write a design of a model as MJCF, SDF or URDF, for other simulators");
  command.option("model", given->model, "model file").required();
  command.choice("--to", given->format, {"mjcf", "sdf", "urdf"}, "format to write").required();
  command.option("-o,--output", given->output, "file to write").required();
  command.repeated("--set", given->settings, "parameter=value, in SI or with a unit");
  command.flag("--without-springs", given->without_springs,
               "leave out springs that URDF and SDF do not hold");
  command.flag("--json", given->json, "print JSON");
  command.action([given] { return convert(*given); });
}

}  // namespace counterpoise
