#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <sstream>

#include "cli/command.hpp"
#include "cli/output/streams.hpp"
#include "cli/templates/templates.hpp"
#include "input/text/input_error.hpp"
#include "results/sqlite/output_file.hpp"
#include "results/text/printable.hpp"
#include "schemas/schemas.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

struct NewArguments {
  std::string kind, folder;
};

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const TemplateFile& file : template_files())
    if (names.empty() || names.back() != file.kind) names.emplace_back(file.kind);
  return names;
}

/// How to begin, as the README of the template does: its files are checked, then its first command
/// runs.
std::string first_commands(const std::string& kind) {
  std::string check = "  counterpoise check", first;
  for (const TemplateFile& file : template_files()) {
    if (file.kind != kind) continue;
    if (file.name.ends_with(".json")) check += fmt::format(" {}", file.name);
    if (file.name != "README.md") continue;
    std::istringstream lines{std::string(file.text)};
    for (std::string line; first.empty() && std::getline(lines, line);)
      if (line.starts_with("$ ") && !line.starts_with("$ counterpoise check"))
        first = "  " + line.substr(2) + '\n';
  }
  return check + '\n' + first;
}

int make_project(const NewArguments& options) {
  const fs::path folder = options.folder;
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_empty(folder, error))
    throw InputError({.file = options.folder}, "exists and is not empty; name another folder");
  const fs::path schemas = folder / "schemas";
  fs::create_directories(schemas, error);
  if (error) throw InputError({.file = options.folder}, "cannot be made: " + error.message());
  for (const TemplateFile& file : template_files())
    if (file.kind == options.kind) write_file(folder / file.name, std::string(file.text));
  // in a folder of their own: `check FOLDER/*.json` takes what describes a project only
  for (const char* schema : {"model", "motion", "study", "scenario"})
    write_file(schemas / fmt::format("{}.schema.json", schema), std::string(schema_text(schema)));
  print_text(
      fmt::format("{0}: a project to begin with; {0}/README.md says what it is\n"
                  "  cd {0}\n"
                  "{1}"
                  "  counterpoise studio\n",
                  printable(options.folder), first_commands(options.kind)));
  return exit_done;
}

}  // namespace

void add_new(Program& program) {
  const auto options = std::make_shared<NewArguments>();
  const Command command = program.add("new", "Write a small commented project to begin with");
  command.choice("kind", options->kind, kinds(), fmt::format("{}", fmt::join(kinds(), ", ")))
      .required();
  command.option("folder", options->folder, "folder to make").required();
  command.action([options] { return make_project(*options); });
}

}  // namespace counterpoise
