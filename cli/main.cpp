#include <fmt/format.h>

#include <csignal>
#include <exception>

#include "cli/command.hpp"
#include "results/store_error.hpp"
#include "studies/io/input_error.hpp"
#include "studies/provenance.hpp"

namespace counterpoise {
namespace {

int run_action(const Action& action) {
  try {
    return action();
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

int run_program(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is a failed write, not a death
  CLI::App program("Static balancing of robot mechanisms: which springs, mounted where.",
                   "counterpoise");
  program.set_version_flag("--version", fmt::format("counterpoise {}", tool_version));
  program.require_subcommand(1);
  Action action;
  for (const auto add :
       {add_check, add_schema, add_simulate, add_run, add_rank, add_show, add_merge, add_export})
    add(program, action);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? exit_done : exit_bad_input;
  }
  return run_action(action);
}

}  // namespace
}  // namespace counterpoise

int main(int argc, char** argv) {
  return counterpoise::run_program(argc, argv);
}
