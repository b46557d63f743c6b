#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <csignal>
#include <exception>

#include "cli/command.hpp"
#include "cli/output/out_of_memory.hpp"
#include "cli/output/streams.hpp"
#include "results/rows/store_error.hpp"
#include "studies/stored/build_info.hpp"
#include "studies/text/input_error.hpp"

namespace counterpoise {
namespace {

/// Lets the allocator keep memory that a solver frees: the solver asks for the same megabytes again
/// within microseconds, and returning them to the system in between costs a tenth of an exact
/// search. Longer pieces, as motions need, are returned at once.
void keep_freed_memory() {
  constexpr int long_piece = 1 << 20, most_kept = 16 << 20;  // bytes
  mallopt(M_MMAP_THRESHOLD, long_piece);
  mallopt(M_TRIM_THRESHOLD, most_kept);
}

/// The command line as text.
std::string command_line(int argc, char** argv) {
  std::string line = "counterpoise";
  for (int i = 1; i < argc; ++i) line += std::string(" ") + argv[i];
  return line;
}

/// Returns what `work` returns once everything it printed has been written, or the exit code of its
/// exception.
int exit_code_of(const Action& work) {
  try {
    const int code = work();
    finish_output();
    return code;
  } catch (const InputError& error) {
    constexpr std::size_t most = 20;
    print_message(error.what());
    const std::size_t shown = std::min(error.others().size(), most - 1);
    for (std::size_t i = 0; i < shown; ++i) print_message(error.others()[i]);
    if (shown < error.others().size())
      print_message(fmt::format("and {} more mistakes", error.others().size() - shown));
    return exit_bad_input;
  } catch (const StoreError& error) {
    print_message(error.what());
    return error.kind() == StoreError::Kind::unusable ? exit_bad_input : exit_error;
  } catch (const OutputError& error) {
    print_message(error.what());
    return exit_error;
  } catch (const OutOfMemory& error) {
    print_message(error.what());
    return exit_error;
  } catch (const std::exception& error) {
    print_message(fmt::format("internal error: {}", error.what()));
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
  Program program("counterpoise",
                  "Static balancing of robot mechanisms: which springs, mounted where.",
                  fmt::format("counterpoise {}", build_info().version));
  for (const auto add :
       {add_new,     add_import, add_convert, add_check,       add_schema, add_simulate,
        add_forward, add_view,   add_run,     add_sensitivity, add_rank,   add_robustness,
        add_show,    add_why,    add_verify,  add_report,      add_apply,  add_merge,
        add_export,  add_submit, add_progress})
    add(program);
  if (const std::string message = unknown_command(program, argc, argv); !message.empty()) {
    print_message(message);
    return exit_bad_input;
  }
  if (const std::optional<ExitCode> ended = program.parse(argc, argv)) return *ended;
  return program.action()();
}

}  // namespace
}  // namespace counterpoise

int main(int argc, char** argv) {
  using namespace counterpoise;
  if (!hold_standard_streams()) return exit_error;
  keep_freed_memory();
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is a failed write, not a death
  return exit_code_of([&] {
    return in_memory_for(command_line(argc, argv), [&] { return run_program(argc, argv); });
  });
}
