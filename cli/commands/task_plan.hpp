#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "results/rows/rows.hpp"

namespace counterpoise {

/// A study shared among the tasks of a Slurm array job, as `submit` keeps it in the folder
/// "all.db.tasks" beside the output "all.db".
struct TaskPlan {
  std::filesystem::path study, output;  // absolute
  std::int64_t cases = 0;               // of the study; of a search at most
  int tasks = 1;
  int cpus = 1;                       // of a task
  int copy_every = 300;               // [s]
  std::vector<StudyEntry> made_from;  // hashes of all inputs, and what program
  std::vector<std::string> options;   // of sbatch, for all jobs: "--partition=work"

  [[nodiscard]] std::filesystem::path folder() const { return output.string() + ".tasks"; }
  [[nodiscard]] std::filesystem::path file() const { return folder() / "plan.json"; }
  [[nodiscard]] std::filesystem::path part(int task) const;
  [[nodiscard]] std::filesystem::path state(int task) const;
  [[nodiscard]] std::filesystem::path log(int task) const;
  /// Cases of a task, counted from 1.
  [[nodiscard]] std::int64_t cases_of(int task) const;

  bool operator==(const TaskPlan&) const = default;
};

/// The plan as the text of its file, and read again. Throws InputError.
std::string to_json_text(const TaskPlan& plan);
TaskPlan read_task_plan(const std::filesystem::path& file);

/// The entries of a study table that must be the same in results that belong together.
std::vector<StudyEntry> identity_of(const std::vector<StudyEntry>& entries);

/// Whether the output is there, whole, and made from what the plan says. Throws StoreError if it is
/// there and no results file.
bool is_whole(const TaskPlan& plan);

/// Removes a part that is not what the task would make: damaged, of another study or program, or of
/// another task. Reads all of a finished part. Returns what was wrong; empty if nothing was.
std::string remove_unless_usable(const TaskPlan& plan, int task);

/// What a task has left in the folder, from files alone.
struct TaskState {
  enum class Kind { waiting, running, done, failed };

  Kind kind = Kind::waiting;
  std::int64_t cases = 0;    // that are finished in its copy
  std::int64_t seconds = 0;  // that its runs have lasted so far
  std::int64_t heard = 0;    // of its last sign of life [s since 1970]; 0 without any
  std::string node;          // the last it ran on
  std::string why;           // it failed
};

/// Reads the state of a task, counted from 1. A part that cannot be read is as good as none.
TaskState task_state(const TaskPlan& plan, int task);

}  // namespace counterpoise
