#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#include <thread>

#include "cases/provenance.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/commands/batch_scripts.hpp"
#include "cli/output/host.hpp"
#include "cli/output/streams.hpp"
#include "input/reading/read.hpp"
#include "results/results_file.hpp"
#include "results/sqlite/output_file.hpp"
#include "results/text/printable.hpp"
#include "studies/plans/run_plan.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

struct SubmitArguments {
  std::string study, output, partition, time, memory;
  std::vector<std::string> options;
  int tasks = 0, cpus = 1, copy_every = 300;
  bool print = false, force = false;
};

/// What a command prints; throws InputError if it fails.
std::string output_of(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c): words are quoted
  if (pipe == nullptr) throw InputError({.file = command}, "cannot be started");
  std::string output;
  std::array<char, 256> block{};
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), pipe))
    output.append(block.data(), count);
  if (pclose(pipe) != 0)
    throw InputError({.file = command},
                     "failed: see what it said above, and whether this machine "
                     "is one that submits to Slurm");
  while (!output.empty() && output.back() == '\n') output.pop_back();
  return output;
}

TaskPlan plan_of(const SubmitArguments& asked, const Study& study) {
  TaskPlan plan;
  plan.study = fs::absolute(asked.study).lexically_normal();
  plan.output =
      fs::absolute(asked.output.empty() ? study.name + ".db" : asked.output).lexically_normal();
  plan.cases = study.case_count();
  plan.made_from = identity_of(provenance_of(study, {}));
  plan.tasks = asked.tasks;
  plan.cpus = asked.cpus;
  plan.copy_every = asked.copy_every;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) plan.options.push_back(fmt::format("--{}={}", name, value));
  };
  add("partition", asked.partition);
  add("time", asked.time);
  add("mem", asked.memory);
  plan.options.insert(plan.options.end(), asked.options.begin(), asked.options.end());
  for (const std::string& option : plan.options)
    if (option.find_first_of("\r\n") != std::string::npos || !option.starts_with("-"))
      throw InputError({.file = "--option " + option},
                       "expected one option of sbatch, --name=value");
  return plan;
}

/// What is left of a plan that was submitted before: tasks, counted from 1.
std::vector<int> unfinished(const TaskPlan& plan) {
  std::vector<int> tasks;
  for (int task = 1; task <= plan.tasks; ++task) {
    if (const std::string wrong = remove_unless_usable(plan, task); !wrong.empty())
      print_message(fmt::format("task {} is evaluated again, because its part was of no use: {}",
                                task, wrong));
    if (task_state(plan, task).kind != TaskState::Kind::done) tasks.push_back(task);
  }
  return tasks;
}

/// The array jobs that were submitted before.
std::vector<std::string> jobs_before(const fs::path& jobs) {
  std::vector<std::string> ids;
  std::error_code ignored;
  if (!fs::exists(jobs, ignored)) return ids;
  std::istringstream words(input_files()(jobs));
  for (std::string id; words >> id;) ids.push_back(id);
  return ids;
}

/// What waits or runs of the jobs that were submitted before.
struct Queued {
  std::set<int> tasks;
  std::vector<std::string> jobs;
};

Queued in_queue(const fs::path& jobs) {
  Queued queued;
  for (const std::string& id : jobs_before(jobs)) {
    // a job that Slurm has forgotten is an error of squeue; one that joins has no index
    std::istringstream indices(output_of("squeue --noheader --array --format=%K --jobs=" +
                                         shell_word(id) + " 2> /dev/null || true"));
    for (std::string index; indices >> index;) {
      if (queued.jobs.empty() || queued.jobs.back() != id) queued.jobs.push_back(id);
      int task = 0;
      const char* const end = index.data() + index.size();
      if (std::from_chars(index.data(), end, task).ptr == end) queued.tasks.insert(task);
    }
  }
  return queued;
}

std::string estimate(const Study& study, const TaskPlan& plan) {
  const std::string share =
      fmt::format("{} cases, {} a task", plan.cases, plan.cases_of((plan.tasks + 1) / 2));
  if (study.search() != nullptr) return share + '\n';
  RunOptions options;
  options.threads = plan.cpus;
  options.shard = {1, plan.tasks};
  const RunPlan run = plan_run(study, options);
  return fmt::format(
      "{}; on this machine a task takes about {:.2g} s, {:.2g} MB of memory and {:.2g} MB "
      "of disk\n",
      share, run.seconds, run.resident_bytes / 1e6, run.file_bytes / 1e6);
}

/// Cancels what was submitted before, and waits until nothing of it runs or copies any more.
void cancel(const fs::path& jobs) {
  for (const std::string& id : jobs_before(jobs))
    output_of("scancel " + shell_word(id) + " 2> /dev/null || true");
  while (!in_queue(jobs).jobs.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

int submit(const SubmitArguments& asked) {
  const Study study = read_study(asked.study, input_files());
  for (const std::string& warning : study.warnings) print_message(warning);
  const TaskPlan plan = plan_of(asked, study);
  const BuildInfo build = build_info();
  const fs::path program = fs::read_symlink("/proc/self/exe");
  const char* const variant =
      std::getenv("COUNTERPOISE_ISA");  // NOLINT(concurrency-mt-unsafe): set before any thread is
  const std::string tasks =
                        task_script(plan, program, build.instruction_set, variant ? variant : ""),
                    merging = merge_script(plan, program);
  const fs::path task_file = plan.folder() / "task.sh", merge_file = plan.folder() / "merge.sh",
                 jobs = plan.folder() / "jobs";
  if (asked.print) {
    print_text(
        fmt::format("# {}\n{}\n# {}\n{}", task_file.string(), tasks, merge_file.string(), merging));
    return exit_done;
  }
  std::error_code ignored;
  const bool again = fs::exists(plan.file(), ignored) && !asked.force;
  if (again && read_task_plan(plan.file()) != plan)
    throw InputError({.file = plan.file().string()},
                     "was submitted with another study, program, number of tasks or options; "
                     "submit the same again, or begin afresh with --force");
  const bool there = fs::exists(fs::symlink_status(plan.output, ignored));
  const bool whole = is_whole(plan);  // refuses an output that is no results file
  if (again && whole) {
    print_text(
        fmt::format("{} is whole: nothing is left to do\n", printable(plan.output.string())));
    return exit_done;
  }
  if (there && !again && !asked.force)
    throw InputError({.file = plan.output.string()},
                     "exists already and is not overwritten; replace it with --force");
  if (fs::exists(plan.folder(), ignored) && !fs::exists(plan.file(), ignored))
    throw InputError({.file = plan.folder().string()},
                     "is in the way, and nothing that submit has written; move it away, or name "
                     "another output");
  output_of("sbatch --version");
  print_text(estimate(study, plan));
  if (!again) {
    const std::string plan_text = to_json_text(plan);
    if (asked.force) {
      cancel(jobs);
      fs::remove_all(plan.folder(), ignored);
    }
    if (!fs::create_directory(plan.folder(), ignored))
      throw InputError({.file = plan.folder().string()}, "cannot be created");
    write_file(task_file, tasks);
    write_file(merge_file, merging);
    write_file(plan.file(), plan_text);
  }

  const Queued queued = in_queue(jobs);
  std::string array;
  std::size_t count = 0;
  for (const int task : unfinished(plan)) {
    if (queued.tasks.contains(task)) continue;
    if (count++ > 0) array += ',';
    array += std::to_string(task);
  }
  std::vector<std::string> ids = jobs_before(jobs), before = queued.jobs;
  const auto submit_job = [&](const std::string& arguments) {
    std::string said;
    try {
      said = output_of("sbatch --parsable " + arguments);
    } catch (const InputError&) {
      if (ids.empty()) fs::remove_all(plan.folder(), ignored);  // nothing was submitted
      throw;
    }
    ids.push_back(said.substr(0, said.find(';')));
    write_file(jobs, fmt::format("{}\n", fmt::join(ids, "\n")));
    return ids.back();
  };
  if (!array.empty()) {
    if (count == static_cast<std::size_t>(plan.tasks)) array = fmt::format("1-{}", plan.tasks);
    before.push_back(
        submit_job(fmt::format("--array={} {}", array, shell_word(task_file.string()))));
  }
  const std::string dependency =
      before.empty() ? "" : fmt::format("--dependency=afterany:{} ", fmt::join(before, ":"));
  const std::string merge_id = submit_job(dependency + shell_word(merge_file.string()));
  print_text(fmt::format(
      "{} of {} tasks submitted, {} in the queue before, {} finished; job {} joins them into {}\n"
      "`counterpoise progress {}` says how far they are\n",
      count, plan.tasks, queued.tasks.size(),
      static_cast<std::size_t>(plan.tasks) - count - queued.tasks.size(), merge_id,
      printable(plan.output.string()), printable(plan.output.string())));
  return exit_done;
}

}  // namespace

void add_submit(Program& program) {
  const auto options = std::make_shared<SubmitArguments>();
  const Command command = program.add("submit", "Share a study among the tasks of a Slurm cluster");
  command.option("study", options->study, "study file, on a file system that all nodes share")
      .required();
  command.option("--tasks", options->tasks, "number of array tasks", Range{1, 100000}).required();
  command.option("-o,--output", options->output,
                 "results file; default: <study name>.db in this folder");
  command.option("--partition", options->partition, "partition of the cluster");
  command.option("--time", options->time, "time limit of a task, as sbatch takes it");
  command.option("--memory", options->memory, "memory of a task, as sbatch takes it");
  command.option("--cpus", options->cpus, "processors of a task", Range{1, 1024});
  command.option("--copy-every", options->copy_every,
                 "seconds between copies from a node's disk to the shared folder", Range{1, 86400});
  command.repeated("--option", options->options, "another option of sbatch: --option=--account=me");
  command.flag("--force", options->force,
               "cancel and forget what was submitted, and replace results");
  command.flag("--print", options->print, "only print the scripts");
  command.action([options] { return submit(*options); });
}

}  // namespace counterpoise
