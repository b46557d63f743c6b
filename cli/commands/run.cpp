#include "studies/run.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/commands/compare.hpp"
#include "cli/launched_run.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/host.hpp"
#include "cli/output/out_of_memory.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/ended_run.hpp"
#include "cli/text/run_times.hpp"
#include "input/reading/read.hpp"
#include "studies/warnings.hpp"

namespace counterpoise {
namespace {

struct RunArguments {
  std::string study, output, shard;
  int threads = 0;
  bool resume = false, force = false, allow_mixed = false, json = false, plan = false;
  bool timing = false;
  std::vector<std::string> display;
};

Shard parse_shard(const std::string& text) {
  Shard shard;
  if (text.empty()) return shard;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  const bool slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const auto second = slash ? std::from_chars(first.ptr + 1, end, shard.count) : first;
  if (!slash || second.ec != std::errc() || second.ptr != end || shard.index < 1 ||
      shard.index > shard.count)
    throw InputError({.file = "--shard " + text}, "expected i/n with i = 1..n, or auto");
  return shard;
}

/// Evaluates what `run` asks for, or ends by an exception; `begun` is called as soon as the run has
/// begun, and now and then while it goes on.
RunSummary evaluate(const Study& study, RunOptions run, const std::function<void()>& begun) {
  ProgressLine progress;
  Host* const hosting = host();
  run.progress = [&](const Progress& at) {
    const Hosted here(hosting);  // it is called from threads of the run
    begun();
    progress.show(at);
  };
  RunSummary summary =
      in_memory_for(fmt::format("the cases of study {}; fewer --threads take less", study.name),
                    [&] { return run_study(study, run); });
  begun();
  if (summary.had_lost_cases)
    print_message(
        fmt::format("{} was marked as finished, but cases were missing; they were evaluated again",
                    run.output.string()));
  return summary;
}

/// As one of several processes: the part of this one, and by the first all joined. Returns nothing
/// where there is nothing to report.
std::optional<RunSummary> evaluate_part(const Study& study, const LaunchedRun& launched,
                                        RunOptions& run, const std::function<void()>& begun) {
  const std::filesystem::path output = std::exchange(run.output, launched.part());
  RunSummary summary = evaluate(study, run, begun);
  if (summary.interrupted) {
    launched.tell("interrupted");
    return summary;
  }
  if (!launched.joins()) return std::nullopt;
  summary.interrupted = !launched.join(run.allow_mixed, run.interrupted);
  if (!summary.interrupted) run.output = output;
  return summary;
}

template <class Read>
auto in_memory_for_study(const RunArguments& options, const Read& read) {
  return in_memory_for(options.study + " and the files that it names",
                       [&] { return read(options.study, input_files()); });
}

/// Runs a study, or one process's part of it. The JSON goes into `collected` if that is given.
int run_as(std::optional<LaunchedRun> launched, const Study& study, const RunArguments& options,
           Json* collected = nullptr) {
  RunOptions run;
  run.threads = options.threads;
  run.output = options.output.empty() ? study.name + ".db" : options.output;
  if (launched)
    run.shard = launched->shard();
  else if (options.shard != "auto")
    run.shard = parse_shard(options.shard);
  // what is true of all processes is said once
  const bool speaks = !launched || launched->joins();
  if (speaks)
    for (const std::string& warning : study.warnings) print_message(warning);
  if (options.plan) {
    const RunPlan plan = plan_run(study, run);
    if (collected != nullptr && options.json)
      *collected = json_of(study, plan);
    else
      print_answer(
          options.json, [&] { return json_text(json_of(study, plan)) + '\n'; },
          [&] { return to_text(study, plan); });
    return exit_done;
  }
  std::vector<std::string> inputs;
  for (const SourceText& source : study.sources) inputs.push_back(source.path);
  require_other_output(run.output.string(), inputs);
  run.resume = options.resume;
  run.force = options.force;
  run.allow_mixed = options.allow_mixed;
  run.interrupted = asked_to_stop();
  // a study that is refused has nothing but its mistake said
  std::vector<std::string> idle = speaks ? idle_parts(study) : std::vector<std::string>();
  const auto warn = [&] {
    for (const std::string& warning : idle) print_message(warning);
    idle.clear();
  };

  const auto start = std::chrono::steady_clock::now();
  EndedRun ended;
  const RunReportOptions asked{.json = options.json,
                               .timing = options.timing,
                               .joined = options.shard == "auto",
                               .threads = run.threads,
                               .style = style_for(study, options.display),
                               .collected = collected};
  if (!launched) run.evaluate_on = choice_of(study, reasons(asked));
  if (!launched && !options.json)
    run.evaluated = [&](const FailedCases& failed, const auto& baselines) {
      ended.evaluated_on = begin_to_evaluate_on(study, failed, reasons(asked, baselines));
    };
  try {
    if (launched) {
      const std::optional<RunSummary> reported = evaluate_part(study, *launched, run, warn);
      if (!reported) return exit_done;
      ended.summary = *reported;
    } else {
      ended.summary = evaluate(study, run, warn);
    }
  } catch (const Interrupted&) {
    if (launched) launched->tell("interrupted before anything was stored");
    print_message(run.resume && Store::can_open(run.output)
                      ? "interrupted; --resume continues"
                      : "interrupted before anything was stored");
    return exit_interrupted;
  }
  ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ended.output = run.output;
  return report_run(study, ended, asked);
}

/// As one of several processes that a launcher has started together.
int run_launched(const LaunchedRun& launched, bool whole, const Study& study,
                 const RunArguments& options, Json* collected = nullptr) {
  if (options.plan) return run_as(launched, study, options, collected);
  if (whole) return launched.joins() ? run_as(std::nullopt, study, options, collected) : exit_done;
  launched.begin();
  try {
    return run_as(launched, study, options, collected);
  } catch (const std::exception& error) {
    if (!launched.joins()) launched.tell(error.what());
    throw;
  }
}

/// Where the results of each variant go: a folder, made by the first that is written.
std::filesystem::path folder_of(const std::vector<Study>& variants, const RunArguments& options) {
  const std::filesystem::path folder =
      options.output.empty() ? name_of_all(variants.front()) : options.output;
  if (std::filesystem::exists(folder) && !std::filesystem::is_directory(folder))
    throw InputError({.file = folder.string()},
                     "is a file, expected a folder for the results of each variant");
  if (folder.extension() == ".db")
    throw InputError({.file = "-o " + folder.string()},
                     "expected the name of a folder, in which each variant has a results file; one "
                     "variant is run as " +
                         options.study + "#" + variants.front().variant);
  return folder;
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw StoreError(StoreError::Kind::unusable, fmt::format("{}: cannot be made a folder: {}",
                                                             folder.string(), error.message()));
}

/// Runs all variants of a study, one after the other, and compares them; with a launch its part of
/// each.
int run_variants(const std::vector<Study>& variants, const RunArguments& options,
                 const std::optional<Launch>& launch) {
  const std::filesystem::path folder = folder_of(variants, options);
  const bool speaks = !launch || launch->shard.index == 1;
  std::vector<std::string> outputs;
  std::vector<bool> whole;  // in a launch that continues
  for (const Study& study : variants) {
    check_search(study);
    outputs.push_back((folder / (study.variant + ".db")).string());
    whole.push_back(
        launch && !options.plan &&
        LaunchedRun(*launch, outputs.back(), folder).require_output(options.resume, options.force));
    if (!launch && !options.plan && !options.resume && !options.force &&
        holds_results(outputs.back()))
      throw StoreError(StoreError::Kind::unusable,
                       outputs.back() + ": holds results; --resume continues, --force replaces");
  }
  if (!options.plan) make_folder(folder);
  Json all = Json::object();
  int code = exit_infeasible;
  for (std::size_t v = 0; v < variants.size() && code != exit_interrupted; ++v) {
    RunArguments own = options;
    own.output = outputs[v];
    if (!options.json && speaks)
      print_text(fmt::format("{}variant {}\n", v > 0 ? "\n" : "", variants[v].variant));
    Json* const collected = &all[variants[v].variant];
    const int ended = launch ? run_launched(LaunchedRun(*launch, outputs[v], folder), whole[v],
                                            variants[v], own, collected)
                             : run_as(std::nullopt, variants[v], own, collected);
    if (ended != exit_infeasible) code = ended;
  }
  if (!speaks) return code;
  ComparedResults compared;
  if (!options.plan && code != exit_interrupted)
    compared = compare_results(open_results(outputs), {}, options.display);
  if (options.json)
    print_data(json_text({{"output", folder.string()},
                          {"variants", std::move(all)},
                          {"comparison", std::move(compared.json)}}) +
               '\n');
  else if (!compared.text.empty())
    print_text("\n" + compared.text);
  return code;
}

int run(const RunArguments& options) {
  if (options.shard != "auto") {
    const std::vector<Study> studies = in_memory_for_study(options, read_studies);
    return names_variants(studies, options.study) ? run_variants(studies, options, std::nullopt)
                                                  : run_as(std::nullopt, studies.front(), options);
  }
  const Launch launch = launch_from_environment();
  if (options.output.empty())
    throw InputError({.file = "--shard auto"}, "needs -o: a file that all processes can see");
  const LaunchedRun launched(launch, options.output, options.output);
  if (!options.plan) launched.begin();
  std::vector<Study> studies;
  try {
    studies = in_memory_for_study(options, read_studies);
  } catch (const std::exception& error) {
    if (!options.plan && !launched.joins()) launched.tell(error.what());
    throw;
  }
  if (names_variants(studies, options.study)) return run_variants(studies, options, launch);
  const bool whole = !options.plan && launched.require_output(options.resume, options.force);
  return run_launched(launched, whole, studies.front(), options);
}

}  // namespace

void add_run(Program& program) {
  const auto options = std::make_shared<RunArguments>();
  const Command command = program.add("run", "Evaluate or optimise a study");
  command.option("study", options->study, "study file").required();
  command.option("-o,--output", options->output,
                 "results file; default: <study name>.db in this folder");
  command.option("--threads", options->threads, "worker threads; default: all processors",
                 Range{1, 1024});
  command.flag("--resume", options->resume, "continue an interrupted run");
  command.flag("--force", options->force, "replace results that exist").excludes("--resume");
  command.flag("--allow-mixed", options->allow_mixed,
               "resume results of another program (version, commit, compiler, flags, "
               "instruction set, vector width)");
  command.option("--shard", options->shard,
                 "evaluate part i of n only: i/n; or auto: share the study among the processes "
                 "that srun or mpirun has started");
  command.flag("--plan", options->plan,
               "only say how long the run will take, how sure that is, and how large its file");
  command.flag("--timing", options->timing, "print how often each stage ran, and its time");
  add_display(command, options->display);
  command.flag("--json", options->json, "print the summary and the ranking's head as JSON");
  command.action([options] { return run(*options); });
}

}  // namespace counterpoise
