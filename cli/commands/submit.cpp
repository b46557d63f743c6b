#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "cli/command.hpp"
#include "cli/output/answer.hpp"
#include "cli/text/text_style.hpp"
#include "input/reading/read.hpp"
#include "results/results_file.hpp"
#include "results/sqlite/output_file.hpp"
#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view array_line = "#SBATCH --array=1-";

struct SubmitArguments {
  std::string study, output, partition, time, memory;
  std::vector<std::string> options;
  int tasks = 0, cpus = 1;
  bool print = false;
};

/// The folder with the script that makes an output; its tasks leave their parts and logs there.
fs::path folder_of(const fs::path& output) {
  return output.string() + ".tasks";
}

/// The command that joins the parts.
std::string merge_line(const fs::path& output) {
  return printable(fmt::format("counterpoise merge {}/part.*.db -o {} --whole",
                               shell_word(folder_of(output).string()),
                               shell_word(output.string())));
}

/// `named` is the study, or one of its variants.
std::string script_text(const SubmitArguments& asked, const std::string& named,
                        const fs::path& output) {
  std::vector<std::string> lines = asked.options;
  for (const auto& [name, value] : {std::pair("--partition=", asked.partition),
                                    {"--time=", asked.time},
                                    {"--mem=", asked.memory}})
    if (!value.empty()) lines.push_back(name + value);
  for (std::string& line : lines) {
    if (line.find_first_of("\r\n") != std::string::npos || !line.starts_with("-"))
      throw InputError({.file = "--option " + line}, "expected one option of sbatch, --name=value");
    line = "#SBATCH " + line + '\n';
  }
  // a packaged program has to use the same processor instructions on all nodes
  const char* const variant =
      std::getenv("COUNTERPOISE_ISA");  // NOLINT(concurrency-mt-unsafe): set before any thread is
  if (variant != nullptr) lines.push_back("export COUNTERPOISE_ISA=" + shell_word(variant) + '\n');
  return fmt::format(
      R"(#!/bin/bash
# Array task i evaluates part i of {tasks}; a task that is queued again goes on where it was.
{array}{tasks}
#SBATCH --job-name=counterpoise
#SBATCH --cpus-per-task={cpus}
#SBATCH --chdir="{folder}"
#SBATCH --output=task.%a.log
#SBATCH --open-mode=append
#SBATCH --requeue
{lines}{program} run {study} --shard "$SLURM_ARRAY_TASK_ID/{tasks}" \
  -o "part.$SLURM_ARRAY_TASK_ID.db" --resume --threads "${{SLURM_CPUS_PER_TASK:-1}}" > /dev/null
code=$?
[ $code = 3 ] || exit $code  # 3: no design of this part is feasible
)",
      fmt::arg("tasks", asked.tasks), fmt::arg("array", array_line), fmt::arg("cpus", asked.cpus),
      fmt::arg("folder", folder_of(output).string()), fmt::arg("lines", fmt::join(lines, "")),
      fmt::arg("program", shell_word(fs::read_symlink("/proc/self/exe").string())),
      fmt::arg("study", shell_word(fs::absolute(named).lexically_normal().string())));
}

/// A study, or a variant of one, whose tasks are to be submitted.
struct Submission {
  std::int64_t cases = 0;
  std::string named;  // the output as the user knows it
  fs::path output;
  std::string script;
};

void require_new(const Submission& one) {
  std::error_code failed;
  for (const fs::path& there : {one.output, folder_of(one.output)})
    if (fs::exists(fs::symlink_status(there, failed)))
      throw InputError({.file = there.string()},
                       "exists already: `counterpoise progress` says how far a study is that was "
                       "submitted before; remove it, or name another output");
}

void submit(const SubmitArguments& asked, const Submission& one) {
  const fs::path folder = folder_of(one.output), script = folder / "task.sh";
  std::error_code failed;
  if (!fs::create_directory(folder, failed))
    throw InputError({.file = folder.string()}, "cannot be created");
  write_file(script, one.script);
  const std::string command = "sbatch " + shell_word(script.string());
  if (std::system(command.c_str()) != 0) {  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
    fs::remove_all(folder, failed);
    throw InputError({.file = command},
                     "failed: see what it said above, and whether this machine is one that "
                     "submits to Slurm");
  }
  print_text(fmt::format(
      "{} cases in {} tasks: `counterpoise progress {}` says how far they are, and when they have "
      "finished\n{}\njoins their parts\n",
      one.cases, asked.tasks, printable(shell_word(one.named)), merge_line(one.named)));
}

/// Submits a study, or all variants of one, each with an array of tasks and an output of its own in
/// one folder.
int submit_all(const SubmitArguments& asked) {
  const std::vector<Study> studies = read_studies(asked.study, input_files());
  const bool all = names_variants(studies, asked.study);
  std::vector<Submission> submissions;
  for (const Study& study : studies) {
    for (const std::string& warning : study.warnings) print_message(warning);
    Submission& one = submissions.emplace_back();
    one.cases = study.case_count();
    one.named = asked.output.empty() ? study.name + ".db" : asked.output;
    if (all)
      one.named = fmt::format("{}/{}.db", asked.output.empty() ? name_of_all(study) : asked.output,
                              study.variant);
    one.output = fs::absolute(one.named).lexically_normal();
    one.script =
        script_text(asked, all ? asked.study + '#' + study.variant : asked.study, one.output);
  }
  if (asked.print) {
    for (const Submission& one : submissions) print_data(one.script);
    return exit_done;
  }
  for (const Submission& one : submissions) require_new(one);
  std::error_code failed;
  const fs::path folder = submissions.front().output.parent_path();
  if (all && !fs::is_directory(folder) && !fs::create_directories(folder, failed))
    throw InputError({.file = folder.string()}, "cannot be made a folder");
  for (std::size_t i = 0; i < submissions.size(); ++i) {
    if (all) print_text(fmt::format("{}variant {}\n", i > 0 ? "\n" : "", studies[i].variant));
    try {
      submit(asked, submissions[i]);
    } catch (const InputError&) {
      if (i > 0)
        print_message(
            fmt::format("the variants before {0} were submitted; submit the others by "
                        "their names: {1}#{0} -o {2}",
                        studies[i].variant, asked.study, submissions[i].named));
      throw;
    }
  }
  if (all)
    print_text(fmt::format(
        "\n`counterpoise compare {}` ranks all variants then\n",
        printable(shell_word(fs::path(submissions.front().named).parent_path().string()))));
  return exit_done;
}

/// The number of tasks of the script that makes an output.
int tasks_of(const fs::path& output) {
  const fs::path script = folder_of(output) / "task.sh";
  std::ifstream file(script);
  if (!file)
    throw InputError({.file = output.string()},
                     "nothing was submitted for it: expected the output that `counterpoise submit` "
                     "was told");
  int tasks = 0;
  for (std::string line; tasks < 1 && std::getline(file, line);)
    if (line.starts_with(array_line))
      std::from_chars(line.data() + array_line.size(), line.data() + line.size(), tasks);
  if (tasks < 1)
    throw InputError({.file = script.string()},
                     fmt::format("found no number of tasks, expected a line {}N", array_line));
  return tasks;
}

std::string last_line(const fs::path& path) {
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line);)
    if (!line.empty()) last = line;
  return last;
}

/// How far a part has come. Empty if the part cannot be read; `why` then says why.
Extent extent_of(const fs::path& part, std::string& why) try {
  return ResultsFile(part).extent();
} catch (const StoreError& error) {
  why = error.what();
  return {};
}

/// Numbers of tasks as sbatch takes them: "3,5-8".
std::string ranges_of(const std::vector<int>& tasks) {
  std::string text;
  for (std::size_t i = 0, last = 0; i < tasks.size(); i = last + 1) {
    for (last = i; last + 1 < tasks.size() && tasks[last + 1] == tasks[last] + 1;) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", tasks[i]);
    if (last > i) text += fmt::format("-{}", tasks[last]);
  }
  return text;
}

int show_progress(const fs::path& output, bool json) {
  const int tasks = tasks_of(output);
  const fs::path folder = folder_of(output);
  Json parts = Json::array();
  std::vector<int> open, missing;
  std::int64_t cases = 0;
  std::optional<std::int64_t> of;  // known as soon as there is a part
  std::string begun;
  for (int task = 1; task <= tasks; ++task) {
    const fs::path part = folder / fmt::format("part.{}.db", task);
    std::string said = last_line(folder / fmt::format("task.{}.log", task));
    std::error_code ignored;
    const bool there = fs::exists(part, ignored);
    const Extent extent = there ? extent_of(part, said) : Extent();
    cases += extent.done;
    if (extent.of) of = extent.of;
    if (!extent.finished) open.push_back(task);
    if (!there) missing.push_back(task);
    parts.push_back({{"task", task},
                     {"finished", extent.finished},
                     {"cases", if_known(there, extent.done)},
                     {"said", if_known(!extent.finished && !said.empty(), said)}});
    if (!extent.finished && (there || !said.empty()))
      begun += fmt::format("task {}: {} cases; {}\n", task, extent.done, printable(said));
  }
  const std::size_t finished = parts.size() - open.size();
  print_answer(
      json,
      [&] {
        return json_text({{"output", output.string()},
                          {"tasks", tasks},
                          {"done", finished},
                          {"cases", {{"done", cases}, {"of", or_null(of)}}},
                          {"parts", parts},
                          {"missing", missing}}) +
               '\n';
      },
      [&] {
        return fmt::format(
            "{} tasks: {} finished, {} begun, {} without a part\n{}{} cases\n{}{}\n", tasks,
            finished, open.size() - missing.size(), missing.size(), cases,
            of ? fmt::format(" of {}", *of) : "", begun,
            open.empty() ? merge_line(output) + "\njoins their parts"
                         : fmt::format("sbatch --array={} {}\ngoes on with those that are not "
                                       "in the queue any more",
                                       ranges_of(open),
                                       printable(shell_word((folder / "task.sh").string()))));
      });
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
                 "results file, or folder of those of all variants; default: <study name>.db in "
                 "this folder, or <study name>");
  command.option("--partition", options->partition, "partition of the cluster");
  command.option("--time", options->time, "time limit of a task, as sbatch takes it");
  command.option("--memory", options->memory, "memory of a task, as sbatch takes it");
  command.option("--cpus", options->cpus, "processors of a task", Range{1, 1024});
  command.repeated("--option", options->options, "another option of sbatch: --option=--account=me");
  command.flag("--print", options->print, "only print the script");
  command.action([options] { return submit_all(*options); });
}

void add_progress(Program& program) {
  struct Arguments {
    std::string output;
    bool json = false;
  };
  const auto options = std::make_shared<Arguments>();
  const Command command = program.add("progress", "Say how far the tasks of a submitted study are");
  command.option("output", options->output, "the output of submit").required();
  command.flag("--json", options->json, "print JSON");
  command.action([options] { return show_progress(options->output, options->json); });
}

}  // namespace counterpoise
