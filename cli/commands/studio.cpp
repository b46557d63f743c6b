#include "cli/studio/studio.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cases/provenance.hpp"
#include "cli/command.hpp"
#include "cli/output/host.hpp"
#include "cli/output/page.hpp"
#include "cli/output/streams.hpp"
#include "input/text/input_error.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

struct StudioArguments {
  std::string path = ".", id;
  bool no_browser = false;
};

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
  const fs::path path = options.path;
  const bool folder_alone = fs::is_directory(path);
  const StudioFolder folder(folder_alone ? path : path.parent_path());
  const std::string file = folder_alone ? folder.first() : path.filename().string();
  if (!options.id.empty() && path.extension() != ".db")
    throw InputError({.file = "--case " + options.id},
                     "goes with a results file, whose designs have numbers");
  Studio studio(folder);
  Json first = {{"file", file}};
  if (!options.id.empty()) first["case"] = options.id;
  // of a folder the page says what is wrong, where another file can be opened
  if (!folder_alone) static_cast<void>(studio.open(first));
  first["program"] = fmt::format("counterpoise {}", build_info().version);
  StudioServer server(page_with("studio", first, ""), studio.questions(),
                      [&](const std::string& job) { return studio.written_page(job); });
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
      "studio", "Open a page on which designs change while you move a slider, and studies are run");
  command.option("path", options->path,
                 "folder, model, study (.json) or results (.db); default: this folder");
  command.option("--case", options->id, "the design of the results to begin with; default: best");
  command.flag("--no-browser", options->no_browser, "print the address only");
  command.action([options] { return studio(*options); });
}

}  // namespace counterpoise
