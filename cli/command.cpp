// The only file that includes CLI11: its header costs several seconds in every file that does.
#include "cli/command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <utility>

#include "cli/output/streams.hpp"

namespace counterpoise {

Argument Argument::required() const {
  option_->required();
  return *this;
}

Argument Argument::needs(const std::string& other) const {
  option_->needs(other);
  return *this;
}

Argument Argument::excludes(const std::string& other) const {
  option_->excludes(other);
  return *this;
}

Argument Command::flag(const std::string& name, bool& value, const std::string& help) const {
  return Argument(*command_->add_flag(name, value, help));
}

Argument Command::option(const std::string& name, std::string& value,
                         const std::string& help) const {
  const auto not_empty = [](const std::string& given) {
    return given.empty() ? std::string("found nothing, expected a text") : std::string();
  };
  return Argument(*command_->add_option(name, value, help)->check(not_empty));
}

Argument Command::option(const std::string& name, std::int64_t& value,
                         const std::string& help) const {
  return Argument(*command_->add_option(name, value, help));
}

template <class Number, class Bound>
Argument Command::option(const std::string& name, Number& value, const std::string& help,
                         Range<Bound> range) const {
  CLI::Option* option = command_->add_option(name, value, help);
  if (std::in_range<Bound>(value) && static_cast<Bound>(value) >= range.least &&
      static_cast<Bound>(value) <= range.most)
    option->capture_default_str();
  return Argument(*option->check(CLI::Range(range.least, range.most)));
}

Argument Command::fraction(const std::string& name, double& value, const std::string& help) const {
  return Argument(*command_->add_option(name, value, help)->check(CLI::Range(0.0, 1.0)));
}

template Argument Command::option(const std::string&, int&, const std::string&, Range<int>) const;
template Argument Command::option(const std::string&, std::size_t&, const std::string&,
                                  Range<int>) const;
template Argument Command::option(const std::string&, std::int64_t&, const std::string&,
                                  Range<std::int64_t>) const;
template Argument Command::option(const std::string&, std::uint64_t&, const std::string&,
                                  Range<std::uint64_t>) const;

Argument Command::choice(const std::string& name, std::string& value,
                         const std::vector<std::string>& choices, const std::string& help) const {
  CLI::Option* option = command_->add_option(name, value, help);
  if (std::find(choices.begin(), choices.end(), value) != choices.end())
    option->capture_default_str();
  return Argument(*option->check(CLI::IsMember(choices)));
}

Argument Command::several(const std::string& name, std::vector<std::string>& values,
                          const std::string& help) const {
  return Argument(*command_->add_option(name, values, help));
}

Argument Command::list(const std::string& name, std::vector<std::string>& values,
                       const std::string& help) const {
  return Argument(*command_->add_option(name, values, help)->delimiter(','));
}

Argument Command::repeated(const std::string& name, std::vector<std::string>& values,
                           const std::string& help) const {
  return Argument(*command_->add_option(name, values, help)->allow_extra_args(false));
}

void Command::action(Action action) const {
  command_->callback([chosen = chosen_, action = std::move(action)] { *chosen = action; });
}

Program::Program(const std::string& name, const std::string& description,
                 const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
}

Program::~Program() = default;

Command Program::add(const std::string& name, const std::string& description) {
  return {*app_->add_subcommand(name, description), action_};
}

std::vector<std::string> Program::commands() const {
  std::vector<std::string> names;
  for (const CLI::App* command : std::as_const(*app_).get_subcommands({}))
    names.push_back(command->get_name());
  return names;
}

void add_display(const Command& command, std::vector<std::string>& display) {
  command.list("--display", display,
               "units of lengths and angles in text and tables, e.g. mm,deg; default: the "
               "study's, or SI");
}

std::optional<ExitCode> Program::parse(int argc, const char* const* argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream output, messages;
    const int code = app_->exit(error, output, messages);
    print_text(output.str());
    print_messages(messages.str());
    return code == 0 ? exit_done : exit_bad_input;
  }
  return std::nullopt;
}

}  // namespace counterpoise
