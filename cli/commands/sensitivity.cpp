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

/// Analyses one study. The JSON goes into `collected` if that is given.
int analyse(const Study& study, const SensitivityArguments& options, Json* collected) {
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
  if (collected != nullptr && options.json)
    *collected = json_of(study, plan, result);
  else
    print_answer(
        options.json, [&] { return json_text(json_of(study, plan, result)) + '\n'; },
        [&] { return to_text(study, plan, result, style); });
  return any_usable(result) ? exit_done : exit_infeasible;
}

int analyse_all(const SensitivityArguments& options) {
  const std::vector<Study> studies =
      in_memory_for(options.study + " and the files that it names",
                    [&] { return read_studies(options.study, input_files()); });
  if (!names_variants(studies, options.study)) return analyse(studies.front(), options, nullptr);
  Json all = Json::object();
  int code = exit_infeasible;
  for (std::size_t v = 0; v < studies.size() && code != exit_interrupted; ++v) {
    if (!options.json)
      print_text(fmt::format("{}variant {}\n", v > 0 ? "\n" : "", studies[v].variant));
    const int ended = analyse(studies[v], options, &all[studies[v].variant]);
    if (ended != exit_infeasible) code = ended;
  }
  if (options.json && code != exit_interrupted)
    print_data(json_text({{"variants", std::move(all)}}) + '\n');
  return code;
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
  command.action([options] { return analyse_all(*options); });
}

}  // namespace counterpoise
