#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <csignal>
#include <exception>

#include "cli/command.hpp"
#include "cli/output/out_of_memory.hpp"
#include "cli/output/streams.hpp"
#include "cli/run_command.hpp"
#include "results/rows/store_error.hpp"
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
std::string command_line(const std::vector<std::string>& words) {
  std::string line = "counterpoise";
  for (const std::string& word : words) line += " " + word;
  return line;
}

/// Returns what `work` returns once everything it printed has been written, or the exit code of its
/// exception. Throws std::bad_alloc if there is no memory left to say what the exception is.
int exit_code_of(const Action& work) {
  try {
    const int code = work();
    finish_output();
    return code;
  } catch (const InputError& error) {
    for (const std::string& line : lines_of(error)) print_message(line);
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
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    print_message(fmt::format("internal error: {}", error.what()));
    return exit_error;
  }
}

}  // namespace
}  // namespace counterpoise

int main(int argc, char** argv) {
  using namespace counterpoise;
  if (!hold_standard_streams()) return exit_error;
  keep_freed_memory();
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is a failed write, not a death
  try {
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    return exit_code_of(
        [&] { return in_memory_for(command_line(words), [&] { return run_command(words); }); });
  } catch (const std::bad_alloc&) {
    draw("not enough memory, not even to say for what\n");
    return exit_error;
  }
}
