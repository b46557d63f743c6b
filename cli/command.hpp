#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the name is CLI11's
class App;
class Option;
}  // namespace CLI

namespace counterpoise {

/// Exit codes, as the README lists them.
enum ExitCode {
  exit_done = 0,
  exit_error = 1,
  exit_bad_input = 2,
  exit_infeasible = 3,
  exit_interrupted = 130
};

/// What a command does; returns the exit code.
using Action = std::function<int()>;

/// The range of numbers that an option accepts, both ends included. The type of the ends
/// decides which kind of number the help names.
template <class Bound>
struct Range {
  Bound least, most;
};
template <class Bound>
Range(Bound, Bound) -> Range<Bound>;

/// An argument of a command: an option, a flag or a positional. A handle.
class Argument {
 public:
  explicit Argument(CLI::Option& option) : option_(&option) {}

  Argument required() const;
  /// `other`, declared before, has to be given too.
  Argument needs(const std::string& other) const;
  /// `other`, declared before, may not be given too.
  Argument excludes(const std::string& other) const;

 private:
  CLI::Option* option_;
};

/// A command and its arguments. A handle; the program owns the command.
///
/// A name is `--long`, `-s,--long`, or a bare word for a positional. `value` holds the default and
/// takes what the user gives; it has to live as long as the program, which it does when the action
/// shares it. The help shows the default only if the user could give it too: if it is among the
/// choices or in the range.
class Command {
 public:
  Command(CLI::App& command, Action& chosen) : command_(&command), chosen_(&chosen) {}

  Argument flag(const std::string& name, bool& value, const std::string& help) const;
  /// A text, which may not be empty where it is given.
  Argument option(const std::string& name, std::string& value, const std::string& help) const;
  Argument option(const std::string& name, std::int64_t& value, const std::string& help) const;
  /// A number in a range; command.cpp names the pairs of types there are.
  template <class Number, class Bound>
  Argument option(const std::string& name, Number& value, const std::string& help,
                  Range<Bound> range) const;
  /// A part of a whole, from 0 to 1.
  Argument fraction(const std::string& name, double& value, const std::string& help) const;
  /// One of a few words.
  Argument choice(const std::string& name, std::string& value,
                  const std::vector<std::string>& choices, const std::string& help) const;

  /// Any number of values; an option takes all up to the next option, and may be repeated.
  Argument several(const std::string& name, std::vector<std::string>& values,
                   const std::string& help) const;
  /// Any number of values as in several(), which may also be separated by commas.
  Argument list(const std::string& name, std::vector<std::string>& values,
                const std::string& help) const;
  /// One value each time the option is given.
  Argument repeated(const std::string& name, std::vector<std::string>& values,
                    const std::string& help) const;

  /// Sets what is done when this command is chosen.
  void action(Action action) const;

 private:
  CLI::App* command_;
  Action* chosen_;
};

/// Adds the option --display, the units in which a command's text for people shows numbers.
void add_display(const Command& command, std::vector<std::string>& display);

/// The command line: one command of several, with its arguments.
class Program {
 public:
  /// `version` is what --version prints.
  Program(const std::string& name, const std::string& description, const std::string& version);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  Command add(const std::string& name, const std::string& description);
  /// The commands' names, in the order they were added.
  std::vector<std::string> commands() const;

  /// Reads the command line. Returns nothing if a command is to run; otherwise the exit code, after
  /// printing the help, the version or what is wrong.
  std::optional<ExitCode> parse(int argc, const char* const* argv);
  /// The action of the chosen command; valid after parse() returned nothing.
  const Action& action() const { return action_; }

 private:
  std::unique_ptr<CLI::App> app_;
  Action action_;
};

void add_apply(Program& program);
void add_cam(Program& program);
void add_check(Program& program);
void add_compare(Program& program);
void add_convert(Program& program);
void add_forward(Program& program);
void add_import(Program& program);
void add_motion(Program& program);
void add_new(Program& program);
void add_schema(Program& program);
void add_simulate(Program& program);
void add_studio(Program& program);
void add_run(Program& program);
void add_sensitivity(Program& program);
void add_sheet(Program& program);
void add_progress(Program& program);
void add_rank(Program& program);
void add_report(Program& program);
void add_robustness(Program& program);
void add_show(Program& program);
void add_merge(Program& program);
void add_submit(Program& program);
void add_verify(Program& program);
void add_view(Program& program);
void add_why(Program& program);
void add_export(Program& program);

}  // namespace counterpoise
