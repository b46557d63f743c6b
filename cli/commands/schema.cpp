#include "cli/command.hpp"
#include "cli/output/streams.hpp"
#include "schemas/schemas.hpp"

namespace counterpoise {

void add_schema(Program& program) {
  const auto kind = std::make_shared<std::string>();
  const Command command = program.add("schema", "Print the JSON Schema of a kind of file");
  command
      .choice("kind", *kind, {"model", "motion", "study", "scenario"},
              "model, motion, study or scenario")
      .required();
  command.action([kind] {
    print_data(schema_text(*kind));
    return exit_done;
  });
}

}  // namespace counterpoise
