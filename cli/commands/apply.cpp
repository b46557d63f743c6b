#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cases/case_rows.hpp"
#include "cases/provenance.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/text_style.hpp"
#include "results/sqlite/output_file.hpp"
#include "studies/applied_model.hpp"

namespace counterpoise {
namespace {

struct ApplyArguments {
  std::string results, id, output, motion;
};

int apply(const ApplyArguments& options) {
  require_other_output(options.output, {options.results});
  const ResultsFile results = opened(options.results);
  noted_extent(results);
  const Study study = stored_study(results);
  const CaseRow row = case_of(results, options.id);
  const int motion = motion_of(study, options.motion);
  const AppliedModel applied = applied_model(study, point_of(study, row), row.id, motion);
  const MovedModel moved = moved_model(applied.text, study, options.output);
  write_file(options.output, moved.text);
  if (!moved.missing.empty())
    print_message(fmt::format(
        "note: these files that the model names are not found from {}: {}; put them there, "
        "or apply from the folder in which the study was run",
        options.output, fmt::join(moved.missing, ", ")));
  if (row.status != Status::feasible)
    print_message(fmt::format("note: case {} is not feasible: {}", row.id,
                              units_for(study, {}).sentence(row.reason)));
  if (motion < 0 && !applied.own_settings.empty())
    print_message(
        fmt::format("note: parameters that hold for one motion alone are not applied: "
                    "{}; --motion NAME applies those of one",
                    fmt::join(applied.own_settings, ", ")));
  if (!applied.drives.empty())
    print_message(
        fmt::format("note: what its drives weigh is added, each a body of its own: {}; take "
                    "\"mounted_on\" out of a study of this model, or leave these bodies out",
                    fmt::join(applied.drives, ", ")));
  print_text(fmt::format("{}: {} with {} parameters of case {}: {}\n", options.output,
                         study.model->name, applied.changed.size(), row.id,
                         fmt::join(applied.changed, ", ")));
  return exit_done;
}

}  // namespace

void add_apply(Program& program) {
  const auto options = std::make_shared<ApplyArguments>();
  const Command command =
      program.add("apply", "Write the model with the values of one case, ready to be used");
  command.option("results", options->results, "results file").required();
  command.option("case", options->id, "case id, or best").required();
  command.option("-o,--output", options->output, "model file to write").required();
  command.option("--motion", options->motion,
                 "apply the parameters that hold for this motion alone too");
  command.action([options] { return apply(*options); });
}

}  // namespace counterpoise
