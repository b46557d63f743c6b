#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "cases/case_rows.hpp"
#include "cases/provenance.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/host.hpp"
#include "cli/output/page.hpp"
#include "cli/output/streams.hpp"
#include "cli/studio/server.hpp"
#include "cli/studio/what_if.hpp"
#include "input/reading/read.hpp"

namespace counterpoise {
namespace {

struct StudioArguments {
  std::string file, id = "best";
  bool no_browser = false;
};

/// What the studio begins with: the study of a file, or of results with one of their designs.
std::unique_ptr<WhatIf> beginning(const StudioArguments& options) {
  const std::filesystem::path path = options.file;
  if (path.extension() == ".json") return std::make_unique<WhatIf>(read_study(path, input_files()));
  const ResultsFile results = opened(options.file);
  Study study = stored_study(results);
  std::vector<double> point = point_of(study, case_of(results, options.id));
  return std::make_unique<WhatIf>(std::move(study), std::move(point));
}

/// Opens the address in the user's browser, if there is a desktop.
void open_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  std::string program = "xdg-open", argument = address;
  char* const words[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  static_cast<void>(posix_spawnp(&child, words[0], nullptr, nullptr, words, environ));
}

int studio(const StudioArguments& options) {
  require_pages("studio");
  const std::unique_ptr<WhatIf> what_if = beginning(options);
  StudioServer server(
      page_with("studio", what_if->page_data(), ""),
      {{"design", [&](const Json& request) { return what_if->design(request); }},
       {"baseline", [&](const Json& request) { return what_if->baseline(request); }}});
  print_text(
      fmt::format("{}\nThe studio is at this address until you press Ctrl-C.\n", server.address()));
  finish_output();
  if (!options.no_browser) open_browser(server.address());
  const Interruption asked = asked_to_stop();
  server.serve([&] { return asked.asked(); });
  return exit_done;
}

}  // namespace

void add_studio(Program& program) {
  const auto options = std::make_shared<StudioArguments>();
  const Command command = program.add(
      "studio", "Open a page on which designs of a study change while you move a slider");
  command.option("file", options->file, "study file (.json), or results file").required();
  command.option("--case", options->id, "the design of the results to begin with; default: best");
  command.flag("--no-browser", options->no_browser, "print the address only");
  command.action([options] { return studio(*options); });
}

}  // namespace counterpoise
