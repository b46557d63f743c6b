#include <fmt/format.h>

#include "cli/command.hpp"
#include "schemas/schemas.hpp"

namespace counterpoise {

void add_schema(CLI::App& program, Action& action) {
  const auto kind = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand("schema", "Print the JSON Schema of a kind of file");
  command->add_option("kind", *kind, "model, motion or study")
      ->required()
      ->check(CLI::IsMember({"model", "motion", "study"}));
  command->callback([kind, &action] {
    action = [kind] {
      fmt::print("{}", schema_text(*kind));
      return exit_done;
    };
  });
}

}  // namespace counterpoise
