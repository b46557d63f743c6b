#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/json.hpp"
#include "studies/exchange/imported_model.hpp"
#include "results/files/atomic_file.hpp"

namespace counterpoise {
namespace {

struct ImportArguments {
  std::string file, output, base = "fixed";
  std::vector<std::string> packages;
  bool massless = false, no_meshes = false, strict = false, json = false;
};

ImportOptions import_options(const ImportArguments& given) {
  ImportOptions options;
  options.base = given.base == "floating" ? Base::floating : Base::fixed;
  options.massless = given.massless;
  options.meshes = !given.no_meshes;
  options.output = given.output;
  for (const std::string& package : given.packages) {
    const std::size_t equals = package.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == package.size())
      throw InputError({.file = "--package " + package}, "expected name=folder");
    options.packages[package.substr(0, equals)] = package.substr(equals + 1);
  }
  return options;
}

void print_json(const ImportArguments& given, const ImportedModel& model) {
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
  root["remarks"] = std::move(remarks);
  print_text(json_text(root) + "\n");
}

int import(const ImportArguments& given) {
  require_other_output(given.output, {given.file});
  const ImportedModel model = import_urdf(given.file, read_text_file, import_options(given));
  if (given.strict && !model.remarks.empty()) {
    Mistakes mistakes;
    for (const Remark& remark : model.remarks)
      mistakes.attempt([&] { throw InputError(remark.where, remark.text + " (--strict)"); });
    mistakes.raise();
  }
  write_file(given.output, model.text);
  if (given.json) {
    print_json(given, model);
    return exit_done;
  }
  for (const Remark& remark : model.remarks)
    print_message(located(remark.where, "note: " + remark.text));
  print_text(fmt::format("{}: {} bodies, {} actuators, {} couplings; {} left out or changed\n",
                         given.output, model.bodies, model.actuators, model.couplings,
                         model.remarks.empty() ? "nothing" : std::to_string(model.remarks.size())));
  return exit_done;
}

}  // namespace

void add_import(Program& program) {
  const auto given = std::make_shared<ImportArguments>();
  const Command command =
      program.add("import", "Make a model of a robot that is described as URDF");
  command.option("file", given->file, "URDF file").required();
  command.option("-o,--output", given->output, "model file to write").required();
  command.choice(
      "--base", given->base, {"fixed", "floating"},
      "whether the root link and links on planar or floating joints stand still or move");
  command.repeated("--package", given->packages, "name=folder: where package://name/ of meshes is");
  command.flag("--massless", given->massless, "accept joints that move links without mass");
  command.flag("--no-meshes", given->no_meshes, "leave out what links look like");
  command.flag("--strict", given->strict, "make what is left out or changed an error");
  command.flag("--json", given->json, "print JSON");
  command.action([given] { return import(*given); });
}

}  // namespace counterpoise
