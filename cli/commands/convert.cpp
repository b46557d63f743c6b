#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/json.hpp"
#include "results/files/atomic_file.hpp"
#include "studies/exchange/written_robot.hpp"
#include "studies/reading/read.hpp"

namespace counterpoise {
namespace {

struct ConvertArguments {
  std::string model, output, format;
  std::vector<std::string> settings;
  bool json = false;
};

int convert(const ConvertArguments& given) {
  require_other_output(given.output, {given.model});
  const Model model = read_model(given.model, read_text_file);
  examine_model(model);
  ModelBinder binder(model);
  const std::vector<ParameterSetting> settings = with_settings({}, given.settings, model);
  if (const auto reason = binder.bind(settings))
    throw InputError({.file = settings.empty() ? given.model : "--set"}, *reason);
  const WrittenRobot robot = given.format == "urdf" ? write_urdf(model, binder.mechanism())
                                                    : write_mjcf(model, binder.mechanism());
  write_file(given.output, robot.text);
  if (given.json) {
    Json root;
    root["output"] = given.output;
    root["format"] = given.format;
    root["remarks"] = robot.remarks;
    print_text(json_text(root) + "\n");
    return exit_done;
  }
  for (const std::string& remark : robot.remarks) print_message("note: " + remark);
  print_text(fmt::format("{}: {} as {}\n", given.output, model.name,
                         given.format == "urdf" ? "URDF" : "MJCF"));
  return exit_done;
}

}  // namespace

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
