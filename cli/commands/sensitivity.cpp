#include "studies/sensitivity.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/host.hpp"
#include "cli/output/out_of_memory.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/sensitivity_text.hpp"
#include "input/reading/read.hpp"

namespace counterpoise {
namespace {

struct SensitivityArguments {
  std::string study;
  std::vector<std::string> objectives, display;
  std::int64_t samples = SensitivityOptions().samples;
  std::uint64_t seed = SensitivityOptions().seed;
  int threads = 0;
  bool json = false;
};

/// Whether some motion has enough designs for results.
bool any_usable(const Sensitivity& result) {
  return std::any_of(result.motions.begin(), result.motions.end(), [](const auto& motion) {
    return motion.objectives.front().sobol.none != NoIndices::too_few;
  });
}

int analyse(const SensitivityArguments& options) {
  const Study study = in_memory_for(options.study + " and the files that it names",
                                    [&] { return read_study(options.study, input_files()); });
  const TextStyle style = style_for(study, options.display);
  SensitivityOptions wanted;
  wanted.samples = options.samples;
  wanted.seed = options.seed;
  wanted.objectives = options.objectives;
  wanted.threads = options.threads;
  wanted.interrupted = asked_to_stop();
  const SensitivityPlan plan = plan_sensitivity(study, wanted);
  print_messages(cost_text(study, plan, options.samples));
  ProgressLine progress;
  wanted.progress = [&](const Progress& at) { progress.show(at); };
  const Sensitivity result = in_memory_for(
      fmt::format("{} designs; fewer --samples or --threads take less", plan.evaluations()),
      [&] { return analyse_sensitivity(study, plan, wanted); });
  if (result.interrupted) {
    print_message("interrupted; nothing is kept");
    return exit_interrupted;
  }
  print_answer(
      options.json, [&] { return json_text(json_of(study, plan, result)) + '\n'; },
      [&] { return to_text(study, plan, result, style); });
  return any_usable(result) ? exit_done : exit_infeasible;
}

}  // namespace

void add_sensitivity(Program& program) {
  const auto options = std::make_shared<SensitivityArguments>();
  const Command command =
      program.add("sensitivity", "Say which variables of a study its objectives depend on");
  command.option("study", options->study, "study file; its sampling or search is ignored")
      .required();
  command.option("--samples", options->samples,
                 "base samples, a power of two; each costs as many evaluations as there are "
                 "variables, and two",
                 Range{fewest_samples, most_samples});
  command.option("--seed", options->seed, "seed of all samples",
                 Range{std::uint64_t{0}, std::uint64_t{1} << 53});
  command.several("--objective", options->objectives,
                  "only this objective; may be given several times");
  command.option("--threads", options->threads, "worker threads; default: all processors",
                 Range{1, 1024});
  add_display(command, options->display);
  command.flag("--json", options->json, "print one JSON object");
  command.action([options] { return analyse(*options); });
}

}  // namespace counterpoise
