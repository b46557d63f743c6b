#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace counterpoise {

/// Exit codes, see FORMATS.
enum ExitCode {
  exit_done = 0,
  exit_error = 1,
  exit_bad_input = 2,
  exit_infeasible = 3,
  exit_interrupted = 130
};

/// A command adds itself to the program; when chosen it puts what to do into `action`, which
/// returns the exit code.
using Action = std::function<int()>;

/// Throws InputError when `output` is one of the files that are read: it would destroy its own
/// source.
void require_other_output(const std::string& output, const std::vector<std::string>& inputs);

void add_check(CLI::App& program, Action& action);
void add_schema(CLI::App& program, Action& action);
void add_simulate(CLI::App& program, Action& action);
void add_run(CLI::App& program, Action& action);
void add_sensitivity(CLI::App& program, Action& action);
void add_rank(CLI::App& program, Action& action);
void add_robustness(CLI::App& program, Action& action);
void add_show(CLI::App& program, Action& action);
void add_merge(CLI::App& program, Action& action);
void add_verify(CLI::App& program, Action& action);
void add_export(CLI::App& program, Action& action);

}  // namespace counterpoise
