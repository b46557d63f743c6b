#include "cli/commands/batch_scripts.hpp"

#include <fmt/format.h>

#include <sstream>

namespace counterpoise {
namespace {

/// A path as sbatch takes it, which replaces %j and others in names of logs.
std::string log_name(const std::filesystem::path& path, const char* pattern) {
  std::string name;
  for (const char letter : path.string()) name += letter == '%' ? "%%" : std::string(1, letter);
  return name + pattern;
}

std::string sbatch_lines(const TaskPlan& plan) {
  std::string lines;
  for (const std::string& option : plan.options) lines += "#SBATCH " + option + '\n';
  return lines;
}

/// Keeps the program of a package from another choice on a node that has another processor.
std::string variant_line(const std::string& variant) {
  return variant.empty() ? "" : "export COUNTERPOISE_ISA=" + shell_word(variant) + '\n';
}

}  // namespace

std::vector<std::string> processor_flags(std::string_view instruction_set) {
  std::istringstream words{std::string(instruction_set)};
  std::vector<std::string> flags;
  std::string word;
  words >> word;  // the family
  if (word != "x86-64") return flags;
  while (words >> word) {
    std::erase(word, '.');
    flags.push_back(word == "sse3" ? "pni" : word == "bmi" ? "bmi1" : word);
  }
  return flags;
}

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char letter : text) {
    if (letter == '\'')
      word += "'\\''";
    else
      word += letter;
  }
  return word + '\'';
}

std::string task_script(const TaskPlan& plan, const std::filesystem::path& program,
                        std::string_view instruction_set, const std::string& variant) {
  constexpr std::string_view script = R"(#!/bin/bash
# Array task i evaluates part i of {tasks} of a study. Written by `counterpoise submit`, which submits
# again what is not finished; it may be edited, and submitted by hand: sbatch --array=1-{tasks} task.sh
#SBATCH --job-name=counterpoise
#SBATCH --array=1-{tasks}
#SBATCH --cpus-per-task={cpus}
#SBATCH --output="{log}"
#SBATCH --open-mode=append
# after the failure of a node, the task is queued again
#SBATCH --requeue
# a minute before the time limit, Slurm sends this signal to the script
#SBATCH --signal=B:USR1@60
{options}
{variant}program={program}
study={study}
folder={folder}
task=$SLURM_ARRAY_TASK_ID
part="$folder/part.$task.db"  # on a file system that all nodes share

# What happened when and where, for `counterpoise progress`.
note() {{ echo "$(date +%s) $1 $2" >> "$folder/task.$task.state"; }}

# The program was compiled for a processor that has all of these.
for flag in {flags}; do
  tr -d _ < /proc/cpuinfo | grep -qw -- "$flag" && continue
  echo "the processor of $(hostname) lacks $flag, which this program was compiled for" >&2
  note ended 1
  exit 1
done

# The results grow on the node's own disk. Every {copy_every} s a copy goes to the folder; a task that
# begins again begins from there.
scratch=$(mktemp -d "${{TMPDIR:-/tmp}}/counterpoise.XXXXXXXX") || {{ note ended 1; exit 1; }}
trap 'rm -rf "$scratch"' EXIT

at_limit=
trap 'at_limit=yes; kill -TERM "$run" 2> /dev/null' USR1
trap 'kill -TERM "$run" 2> /dev/null' TERM

note started "${{SLURMD_NODENAME:-$(hostname)}}"
"$program" run "$study" --shard "$task/{tasks}" -o "$scratch/part.db" --resume \
  --threads "${{SLURM_CPUS_PER_TASK:-1}}" --copy-to "$part" --copy-every {copy_every} > /dev/null &
run=$!
wait "$run"
code=$?
while kill -0 "$run" 2> /dev/null; do  # a signal ends `wait` before the program has ended
  wait "$run"
  code=$?
done

case $code in
  0 | 3) note ended 0 && exit 0 ;;  # 3: no design of this part is feasible
esac
if [ -n "$at_limit" ]; then
  echo "stopped before the time limit, and queued again" >&2
  note stopped "$code"
  for try in 1 2 3 4 5; do  # requeuing ends this script
    scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_$task" && sleep 60
    sleep 5
  done
fi
note ended "$code"
exit "$code"
)";
  return fmt::format(script, fmt::arg("tasks", plan.tasks), fmt::arg("cpus", plan.cpus),
                     fmt::arg("log", log_name(plan.folder(), "/task.%a.log")),
                     fmt::arg("options", sbatch_lines(plan)),
                     fmt::arg("variant", variant_line(variant)),
                     fmt::arg("program", shell_word(program.string())),
                     fmt::arg("study", shell_word(plan.study.string())),
                     fmt::arg("folder", shell_word(plan.folder().string())),
                     fmt::arg("flags", fmt::join(processor_flags(instruction_set), " ")),
                     fmt::arg("copy_every", plan.copy_every));
}

std::string merge_script(const TaskPlan& plan, const std::filesystem::path& program) {
  constexpr std::string_view script = R"(#!/bin/bash
# Joins the parts of a study once all tasks have ended. Written by `counterpoise submit`. The output
# appears whole or not at all, so this can be submitted again at any time.
#SBATCH --job-name=counterpoise-merge
#SBATCH --output="{log}"
#SBATCH --open-mode=append
#SBATCH --requeue
{options}
program={program}
folder={folder}
output={output}
"$program" merge "$folder"/part.*.db -o "$output" --whole --force && rm -f "$folder"/part.*.db
)";
  return fmt::format(script, fmt::arg("log", log_name(plan.folder(), "/merge.log")),
                     fmt::arg("options", sbatch_lines(plan)),
                     fmt::arg("program", shell_word(program.string())),
                     fmt::arg("folder", shell_word(plan.folder().string())),
                     fmt::arg("output", shell_word(plan.output.string())));
}

}  // namespace counterpoise
