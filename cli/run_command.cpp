#include "cli/run_command.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <memory>
#include <new>
#include <optional>

#include "cases/provenance.hpp"
#include "cli/command.hpp"
#include "cli/output/out_of_memory.hpp"
#include "cli/output/streams.hpp"
#include "optimizer/interruption.hpp"
#include "results/rows/rows.hpp"
#include "results/sqlite/schema.hpp"

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

/// Lets the allocator keep memory that a solver frees: the solver asks for the same megabytes again
/// within microseconds, and returning them to the system in between costs a tenth of an exact
/// search. Longer pieces, as motions need, are returned at once.
void keep_freed_memory() {
  constexpr int long_piece = 1 << 20, most_kept = 16 << 20;  // bytes
  mallopt(M_MMAP_THRESHOLD, long_piece);
  mallopt(M_TRIM_THRESHOLD, most_kept);
}

/// Frees memory kept in reserve when there is no more, before the exception: destructors of JSON
/// values allocate, and an exception that they throw ends the process.
std::unique_ptr<char[]> reserve;

void use_reserve() {
  reserve.reset();
  throw std::bad_alloc();
}

void keep_reserve() {
  constexpr std::size_t size = 256 << 10;  // bytes; less than a long piece, so it stays in the heap
  reserve = std::make_unique<char[]>(size);
  std::set_new_handler(use_reserve);
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
  } catch (const Interrupted&) {
    print_message("interrupted");
    return exit_interrupted;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    print_message(fmt::format("internal error: {}", error.what()));
    return exit_error;
  }
}

}  // namespace

int run_program(int argc, char** argv) {
  if (!hold_standard_streams()) return exit_error;
  keep_freed_memory();
  lay_out_cache();
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is a failed write, not a death
  try {
    keep_reserve();
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    return run_to_end(words);
  } catch (const std::bad_alloc&) {
    print_raw_message("not enough memory, not even to say for what\n");
    return exit_error;
  }
}

int run_to_end(const std::vector<std::string>& words) {
  return exit_code_of(
      [&] { return in_memory_for(command_line(words), [&] { return run_command(words); }); });
}

int run_command(const std::vector<std::string>& words) {
  Program program("counterpoise",
                  "Static balancing of robot mechanisms: which springs, mounted where.",
                  fmt::format("counterpoise {}", build_info().version));
  for (const auto add :
       {add_new,         add_import,   add_convert, add_check,      add_schema, add_motion,
        add_cam,         add_simulate, add_forward, add_view,       add_studio, add_run,
        add_sensitivity, add_rank,     add_compare, add_robustness, add_show,   add_why,
        add_verify,      add_report,   add_sheet,   add_apply,      add_merge,  add_export,
        add_submit,      add_progress})
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
