#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cases/provenance.hpp"
#include "optimizer/interruption.hpp"
#include "results/merge.hpp"

namespace counterpoise {

/// A process among those that a launcher has started together.
struct Launch {
  Shard shard;     // its rank, counted from 1, and how many there are
  std::string id;  // of all that were started together; empty where the launcher names none
};

/// Reads rank and count from the environment that Open MPI's mpirun, a launcher that speaks PMI
/// (MPICH, Intel MPI), or Slurm's srun leaves. Throws InputError if they are missing or
/// not as these launchers write them.
Launch launch_from_environment();

/// One study shared among the processes of a launch. Each writes a part beside the output; the
/// first joins them when all are finished. Processes see each other by these files only.
class LaunchedRun {
 public:
  /// `asked` is what the user named as output: the folder of the outputs of a study's variants, or
  /// the output itself. Words are left for it by processes that could not read the study.
  LaunchedRun(Launch launch, std::filesystem::path output, std::filesystem::path asked);

  [[nodiscard]] const Shard& shard() const { return launch_.shard; }
  [[nodiscard]] bool joins() const { return launch_.shard.index == 1; }
  /// The file of this process's part: "all.db.2-of-3".
  [[nodiscard]] std::filesystem::path part() const { return part(launch_.shard.index); }

  /// Whether the output is to be continued and is whole already. Throws StoreError (unusable) if it
  /// exists and is neither to be replaced nor continued.
  [[nodiscard]] bool require_output(bool resume, bool force) const;
  /// Takes back the word that this process has left in an earlier launch.
  void begin() const;
  /// Leaves word for the first process that this one has ended and has not finished its part.
  void tell(const std::string& why) const;
  /// Waits until all parts are finished, joins them into the output and removes them. Nothing if it
  /// was interrupted. Throws StoreError if a process has left word that it ended.
  [[nodiscard]] std::optional<MergeSummary> join(bool allow_mixed,
                                                 const Interruption& interrupted) const;

 private:
  [[nodiscard]] std::filesystem::path part(int index) const;
  /// Where a process leaves word of its part of an output.
  [[nodiscard]] std::filesystem::path word(const std::filesystem::path& of, int index) const;
  [[nodiscard]] bool is_finished(int index, bool allow_mixed) const;
  /// What the process of this part has left word of in this launch; empty if nothing.
  [[nodiscard]] std::string told(int index) const;

  Launch launch_;
  std::filesystem::path output_, asked_;
};

}  // namespace counterpoise
