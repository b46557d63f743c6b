#include <fmt/format.h>

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
  std::string file, output, base = "fixed";
  std::vector<std::string> packages, actuate, springs;
  bool massless = false, no_meshes = false, strict = false, json = false;
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

ImportOptions import_options(const ImportArguments& given) {
  require_utf8("-o", given.output);
  for (const std::string& package : given.packages) require_utf8("--package", package);
  ImportOptions options;
  options.base = given.base == "floating" ? Base::floating : Base::fixed;
  options.massless = given.massless;
  options.meshes = !given.no_meshes;
  options.output = given.output;
  options.actuate = given.actuate;
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
  root["actuators"] = model.actuators;
  if (!suggested.empty()) root["suggested"] = {{"study", suggested[0]}, {"motion", suggested[1]}};
  root["remarks"] = std::move(remarks);
  return json_text(root) + "\n";
}

std::string as_text(const ImportArguments& given, const ImportedModel& model,
                    const std::vector<std::string>& suggested) {
  std::string text =
      fmt::format("{}: {} bodies, {} actuators, {} couplings; {} left out or changed\n",
                  given.output, model.bodies, model.actuators, model.couplings,
                  model.remarks.empty() ? "nothing" : std::to_string(model.remarks.size()));
  if (!suggested.empty())
    text += fmt::format("{}: a study of {} suggested spring{}, and {}, its motion\n", suggested[0],
                        given.springs.size(), given.springs.size() == 1 ? "" : "s", suggested[1]);
  return text;
}

/// Writes the model and, where springs are suggested, a study and its motion beside it. Returns the
/// names of these two.
std::vector<std::string> write_files(const ImportArguments& given, const ImportedModel& model) {
  if (given.springs.empty()) {
    write_file(given.output, model.text);
    return {};
  }
  const std::filesystem::path output = given.output;
  const auto beside = [&](const char* what) {
    return output.parent_path() / fmt::format("{}_{}.json", output.stem().string(), what);
  };
  const std::filesystem::path study = beside("study"), motion = beside("motion");
  for (const std::filesystem::path& file : {study, motion})  // which may have been edited since
    if (std::error_code error; std::filesystem::exists(file, error))
      throw InputError({.file = file.string()},
                       "exists and would be replaced; move it away or name another output");
  const SuggestedStudy suggested =
      suggest_springs(model, given.springs, output, motion.filename().string());
  try {  // none is left where another cannot be written
    write_file(motion, suggested.motion);
    write_file(study, suggested.study);
    write_file(output, suggested.model);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(motion, ignored);
    std::filesystem::remove(study, ignored);
    throw;
  }
  return {study.string(), motion.string()};
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
  if (!given.json)
    for (const Remark& remark : model.remarks)
      print_message(located(remark.where, "note: " + remark.text));
  print_answer(
      given.json, [&] { return as_json(given, model, suggested); },
      [&] { return as_text(given, model, suggested); });
  return exit_done;
}

struct ConvertArguments {
  std::string model, output, format;
  std::vector<std::string> settings;
  bool json = false;
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
  const WrittenRobot robot = given.format == "urdf" ? write_urdf(model, binder.mechanism())
                                                    : write_mjcf(model, binder.mechanism());
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
                           given.format == "urdf" ? "URDF" : "MJCF");
      });
  return exit_done;
}

}  // namespace

void add_import(Program& program) {
  const auto given = std::make_shared<ImportArguments>();
  const Command command =
      program.add("import", "Make a model of a robot that is described as URDF or MJCF");
  command.option("file", given->file, "URDF or MJCF file").required();
  command.option("-o,--output", given->output, "model file to write").required();
  command.choice(
      "--base", given->base, {"fixed", "floating"},
      "whether the root link and links on planar or floating joints stand still or move");
  command.repeated("--package", given->packages, "name=folder: where package://name/ of meshes is");
  command.list("--actuate", given->actuate,
               "joints of MJCF that have actuators, where loops leave a choice");
  command.repeated(
      "--suggest-springs", given->springs,
      "BODY,BODY: add a spring between the two, and write a study of its size and mounts");
  command.flag("--massless", given->massless, "accept joints that move links without mass");
  command.flag("--no-meshes", given->no_meshes, "leave out what links look like");
  command.flag("--strict", given->strict, "make what is left out or changed an error");
  command.flag("--json", given->json, "print JSON");
  command.action([given] { return import(*given); });
}

void add_convert(Program& program) {
  const auto given = std::make_shared<ConvertArguments>();
  const Command command =
      program.add("convert", "Write a design of a model as MJCF or URDF, for other simulators");
  command.option("model", given->model, "model file").required();
  command.choice("--to", given->format, {"mjcf", "urdf"}, "format to write").required();
  command.option("-o,--output", given->output, "file to write").required();
  command.repeated("--set", given->settings, "parameter=value, in SI or with a unit");
  command.flag("--json", given->json, "print JSON");
  command.action([given] { return convert(*given); });
}

}  // namespace counterpoise
