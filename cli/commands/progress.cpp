#include <fmt/format.h>

#include <array>
#include <ctime>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/commands/task_plan.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/output/streams.hpp"
#include "input/text/input_error.hpp"
#include "results/results_file.hpp"
#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

struct ProgressArguments {
  std::string place;
  bool json = false;
};

struct Tally {
  std::array<int, 4> tasks{};  // by TaskState::Kind
  std::int64_t cases = 0, seconds = 0;
  std::vector<std::pair<int, TaskState>> failed, silent;

  [[nodiscard]] int count(TaskState::Kind kind) const {
    return tasks[static_cast<std::size_t>(kind)];
  }
  /// Cases a second of one task, in all its runs so far; 0 if nothing is known.
  [[nodiscard]] double rate_of_task() const {
    return seconds > 0 ? static_cast<double>(cases) / static_cast<double>(seconds) : 0.0;
  }
};

Tally tally_of(const TaskPlan& plan) {
  Tally tally;
  const std::int64_t now = std::time(nullptr);
  for (int task = 1; task <= plan.tasks; ++task) {
    TaskState state = task_state(plan, task);
    ++tally.tasks[static_cast<std::size_t>(state.kind)];
    tally.cases += state.cases;
    tally.seconds += state.seconds;
    const bool quiet = now - state.heard > 3 * std::int64_t{plan.copy_every};
    if (state.kind == TaskState::Kind::failed)
      tally.failed.emplace_back(task, std::move(state));
    else if (state.kind == TaskState::Kind::running && quiet)
      tally.silent.emplace_back(task, std::move(state));
  }
  return tally;
}

/// The folder of an output, or the folder itself.
fs::path plan_file(const std::string& place) {
  const fs::path beside = place + ".tasks/plan.json", within = fs::path(place) / "plan.json";
  std::error_code ignored;
  if (fs::exists(beside, ignored)) return beside;
  if (fs::exists(within, ignored)) return within;
  throw InputError({.file = place},
                   "nothing was submitted for it: expected the output that "
                   "`counterpoise submit` was told, or the folder beside it");
}

int show_progress(const ProgressArguments& asked) {
  using enum TaskState::Kind;
  const TaskPlan plan = read_task_plan(plan_file(asked.place));
  const bool whole = is_whole(plan);
  Tally tally;
  if (whole) {
    tally.tasks[static_cast<std::size_t>(done)] = plan.tasks;
    tally.cases = ResultsFile(plan.output).count();
  } else {
    tally = tally_of(plan);
  }
  const double rate = tally.rate_of_task() * tally.count(running);
  const double left = rate > 0.0 ? static_cast<double>(plan.cases - tally.cases) / rate : 0.0;
  if (asked.json) {
    Json problems = Json::array();
    const auto add = [&](const char* what, const std::pair<int, TaskState>& of) {
      problems.push_back({{"task", of.first},
                          {"is", what},
                          {"node", text_or_null(of.second.node)},
                          {"heard", if_known(of.second.heard > 0, of.second.heard)},
                          {"why", text_or_null(of.second.why)}});
    };
    for (const auto& of : tally.failed) add("failed", of);
    for (const auto& of : tally.silent) add("silent", of);
    print_data(json_text({{"output", plan.output.string()},
                          {"whole", whole},
                          {"tasks", plan.tasks},
                          {"done", tally.count(done)},
                          {"running", tally.count(running)},
                          {"waiting", tally.count(waiting)},
                          {"failed", tally.count(failed)},
                          {"cases", {{"done", tally.cases}, {"of", plan.cases}}},
                          {"cases_per_second", if_known(rate > 0.0, rate)},
                          {"seconds_left", if_known(rate > 0.0, left)},
                          {"problems", problems}}) +
               '\n');
    return exit_done;
  }
  std::string text =
      fmt::format("{} tasks: {} done, {} running, {} waiting, {} failed\n{} of {} cases",
                  plan.tasks, tally.count(done), tally.count(running), tally.count(waiting),
                  tally.count(failed), tally.cases, plan.cases);
  if (rate > 0.0) text += fmt::format(", {:.3g} a second, about {} left", rate, time_text(left));
  text += '\n';
  for (const auto& [task, state] : tally.failed)
    text += fmt::format("task {} failed on {}: {}\n", task, printable(state.node),
                        printable(state.why));
  for (const auto& [task, state] : tally.silent)
    text += fmt::format("task {} on {} has not been heard of for {}\n", task, printable(state.node),
                        time_text(static_cast<double>(std::time(nullptr) - state.heard)));
  if (tally.count(waiting) > 0 && tally.count(running) == 0)
    text += "waiting tasks that are not in the queue any more are submitted by the same `submit`\n";
  if (whole)
    text += fmt::format("{} is whole\n", printable(plan.output.string()));
  else if (tally.count(done) == plan.tasks)
    text += fmt::format("all parts are there, and not joined yet: see {}\n",
                        printable((plan.folder() / "merge.log").string()));
  else if (!tally.failed.empty() || !tally.silent.empty())
    text += "the same `counterpoise submit` again submits what is not finished\n";
  print_text(text);
  return exit_done;
}

}  // namespace

void add_progress(Program& program) {
  const auto options = std::make_shared<ProgressArguments>();
  const Command command = program.add("progress", "Say how far the tasks of a submitted study are");
  command.option("place", options->place, "the output of submit, or the folder beside it")
      .required();
  command.flag("--json", options->json, "print JSON");
  command.action([options] { return show_progress(*options); });
}

}  // namespace counterpoise
