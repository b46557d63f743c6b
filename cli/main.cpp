#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>

#include "cli/command.hpp"
#include "results/store_error.hpp"
#include "studies/io/input_error.hpp"
#include "studies/provenance.hpp"

namespace counterpoise {
namespace {

/// What is still on its way to standard output has to arrive: a full disk is a failed run.
int finished(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  fmt::print(stderr, "standard output cannot be written\n");
  return exit_error;
}

int run_action(const Action& action) {
  try {
    return finished(action());
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return exit_bad_input;
  } catch (const StoreError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return error.kind() == StoreError::Kind::unusable ? exit_bad_input : exit_error;
  } catch (const std::exception& error) {
    fmt::print(stderr, "internal error: {}\n", error.what());
    return exit_error;
  }
}

/// A first word that is neither an option nor a command, or nothing.
std::string unknown_command(const Program& program, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return "";
  const std::vector<std::string> names = program.commands();
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return "";
  return fmt::format("{} is no command{}; counterpoise --help lists them", in_quotes(argv[1]),
                     did_you_mean(argv[1], names));
}

int run_program(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is a failed write, not a death
  Program program("counterpoise",
                  "Static balancing of robot mechanisms: which springs, mounted where.",
                  fmt::format("counterpoise {}", tool_version));
  for (const auto add : {add_check, add_schema, add_simulate, add_run, add_sensitivity, add_rank,
                         add_robustness, add_show, add_verify, add_merge, add_export})
    add(program);
  if (const std::string message = unknown_command(program, argc, argv); !message.empty()) {
    fmt::print(stderr, "{}\n", message);
    return exit_bad_input;
  }
  if (const std::optional<ExitCode> ended = program.parse(argc, argv)) return *ended;
  return run_action(program.action());
}

}  // namespace
}  // namespace counterpoise

int main(int argc, char** argv) {
  return counterpoise::run_program(argc, argv);
}
