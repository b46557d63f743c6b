#include "cli/run_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/command.hpp"
#include "cli/output/streams.hpp"
#include "studies/stored/build_info.hpp"

namespace counterpoise {
namespace {

/// A first word that is neither an option nor a command, or nothing.
std::string unknown_command(const Program& program, const std::vector<std::string>& words) {
  if (words.empty() || words.front().starts_with('-')) return "";
  const std::vector<std::string> names = program.commands();
  if (std::find(names.begin(), names.end(), words.front()) != names.end()) return "";
  return fmt::format("{} is no command{}; counterpoise --help lists them", in_quotes(words.front()),
                     did_you_mean(words.front(), names));
}

}  // namespace

int run_command(const std::vector<std::string>& words) {
  Program program("counterpoise",
                  "Static balancing of robot mechanisms: which springs, mounted where.",
                  fmt::format("counterpoise {}", build_info().version));
  for (const auto add :
       {add_new,     add_import, add_convert, add_check,       add_schema, add_simulate,
        add_forward, add_view,   add_run,     add_sensitivity, add_rank,   add_robustness,
        add_show,    add_why,    add_verify,  add_report,      add_apply,  add_merge,
        add_export,  add_submit, add_progress})
    add(program);
  if (const std::string message = unknown_command(program, words); !message.empty()) {
    print_message(message);
    return exit_bad_input;
  }
  std::vector<const char*> arguments = {"counterpoise"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  if (const std::optional<ExitCode> ended =
          program.parse(static_cast<int>(arguments.size()), arguments.data()))
    return *ended;
  return program.action()();
}

std::vector<std::string> lines_of(const InputError& error) {
  constexpr std::size_t most = 20;
  std::vector<std::string> lines = {error.what()};
  const std::size_t shown = std::min(error.others().size(), most - 1);
  lines.insert(lines.end(), error.others().begin(),
               error.others().begin() + static_cast<std::ptrdiff_t>(shown));
  if (shown < error.others().size())
    lines.push_back(fmt::format("and {} more mistakes", error.others().size() - shown));
  return lines;
}

}  // namespace counterpoise
