#include "results/merge.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "cli/command.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/streams.hpp"
#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

struct MergeArguments {
  std::vector<std::string> parts;
  std::string output;
  bool force = false, allow_mixed = false, whole = false, json = false;
};

int merge_parts(const MergeArguments& options) {
  const std::vector<std::filesystem::path> parts(options.parts.begin(), options.parts.end());
  const MergeSummary summary =
      merge(parts, options.output, options.force ? Existing::replace : Existing::refuse,
            options.allow_mixed, options.whole ? Wanted::whole : Wanted::what_is_there,
            [interrupted = asked_by_host()] { interrupted.poll(); });
  if (summary.after > 0)
    print_message(fmt::format("goes on after case {}, where a merge of these files was interrupted",
                              summary.after));
  for (const std::string& part : summary.not_finished)
    print_message(fmt::format("{} is not finished", part));
  if (!summary.missing.empty())
    print_message(fmt::format("shards {} are missing", fmt::join(summary.missing, ", ")));
  print_answer(
      options.json,
      [&] {
        return json_text({{"output", options.output},
                          {"cases", summary.cases},
                          {"repeated", summary.repeated}}) +
               '\n';
      },
      [&] {
        return fmt::format("{}: {} cases from {} files, {} of them{} in more than one\n",
                           printable(options.output), summary.cases, parts.size(), summary.repeated,
                           summary.after > 0 ? fmt::format(" after case {}", summary.after) : "");
      });
  return exit_done;
}

}  // namespace

void add_merge(Program& program) {
  const auto options = std::make_shared<MergeArguments>();
  const Command command = program.add("merge", "Join the shards of one study");
  command.several("parts", options->parts, "results files").required();
  command.option("-o,--output", options->output, "results file").required();
  command.flag("--force", options->force, "replace results that exist");
  command.flag("--allow-mixed", options->allow_mixed,
               "join results of different programs (version, commit, compiler, flags, "
               "instruction set, vector width)");
  command.flag("--whole", options->whole, "join nothing unless the files are the whole study");
  command.flag("--json", options->json, "print the summary as JSON");
  command.action([options] { return merge_parts(*options); });
}

}  // namespace counterpoise
