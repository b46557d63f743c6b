#include "cli/launched_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>
#include <vector>

#include "cli/output/streams.hpp"
#include "input/text/input_error.hpp"
#include "results/results_file.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets any
  return text == nullptr ? "" : text;
}

/// Variables by which a launcher tells a process its rank, counted from 0, and the number of
/// processes. A launcher that was started by another one comes first.
struct Launcher {
  const char *rank, *count;
  std::array<const char*, 2> id;
};
constexpr std::array<Launcher, 3> launchers = {
    Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", {"PMIX_NAMESPACE", "SLURM_JOB_ID"}},
    Launcher{"PMI_RANK", "PMI_SIZE", {"PMI_JOBID", "PMI_PORT"}},
    // the number of tasks of a step, which a batch script that srun has not started lacks
    Launcher{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", {"SLURM_JOB_ID", "SLURM_STEP_ID"}}};

int number_in(const char* name) {
  const std::string text = environment(name);
  int number = -1;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || last != end || number < 0)
    throw InputError({.file = "--shard auto"},
                     fmt::format("found {} in {}, expected a whole number from a launcher",
                                 in_quotes(text), name));
  return number;
}

}  // namespace

Launch launch_from_environment() {
  for (const Launcher& launcher : launchers) {
    if (environment(launcher.rank).empty() || environment(launcher.count).empty()) continue;
    const int rank = number_in(launcher.rank), count = number_in(launcher.count);
    if (rank >= count)
      throw InputError({.file = "--shard auto"},
                       fmt::format("found rank {} in {} of {} processes in {}", rank, launcher.rank,
                                   count, launcher.count));
    return {{rank + 1, count}, environment(launcher.id[0]) + '.' + environment(launcher.id[1])};
  }
  throw InputError({.file = "--shard auto"},
                   "no launcher has left rank and count in the environment; start it by srun or "
                   "mpirun, or name a part: --shard i/n");
}

LaunchedRun::LaunchedRun(Launch launch, fs::path output, fs::path asked)
    : launch_(std::move(launch)), output_(std::move(output)), asked_(std::move(asked)) {}

void LaunchedRun::begin() const {
  std::error_code ignored;
  for (const fs::path& of : {output_, asked_}) fs::remove(word(of, launch_.shard.index), ignored);
}

fs::path LaunchedRun::part(int index) const {
  return output_.string() + fmt::format(".{}-of-{}", index, launch_.shard.count);
}

fs::path LaunchedRun::word(const fs::path& of, int index) const {
  return of.string() + fmt::format(".{}-of-{}.ended", index, launch_.shard.count);
}

bool LaunchedRun::require_output(bool resume, bool force) const {
  std::error_code ignored;
  if (force || !fs::exists(fs::symlink_status(output_, ignored))) return false;
  if (resume && ResultsFile(output_).extent().complete()) return true;
  if (resume)
    throw StoreError(StoreError::Kind::unusable,
                     output_.string() +
                         ": holds a run that is not finished and that was not "
                         "shared so: continue it without --shard auto, or replace "
                         "it with --force");
  throw StoreError(StoreError::Kind::unusable,
                   output_.string() +
                       ": exists already and is not overwritten; replace it with "
                       "--force");
}

void LaunchedRun::tell(const std::string& why) const {
  std::ofstream(word(output_, launch_.shard.index)) << launch_.id << '\n' << why << '\n';
}

std::string LaunchedRun::told(int index) const {
  for (const fs::path& of : {output_, asked_}) {
    std::ifstream file(word(of, index));
    std::string id, why;
    if (!std::getline(file, id) || id != launch_.id) continue;
    std::getline(file, why);
    return why;
  }
  return "";
}

bool LaunchedRun::is_finished(int index, bool allow_mixed) const {
  try {
    const ResultsFile own(part()), other(part(index));
    // an earlier launch may have left a part that its process has not replaced yet
    return other.value("finished") == "1" &&
           differences(own.study(), other.study(), allow_mixed).empty();
  } catch (const StoreError&) {
    return false;  // not there yet, or being replaced
  }
}

std::optional<MergeSummary> LaunchedRun::join(bool allow_mixed,
                                              const Interruption& interrupted) const {
  using namespace std::chrono_literals;
  std::vector<int> missing(static_cast<std::size_t>(launch_.shard.count));
  for (std::size_t i = 0; i < missing.size(); ++i) missing[i] = static_cast<int>(i) + 1;
  // a word that names no launch may be of one before, whose process takes it back when it starts
  const int patience = launch_.id == "." ? 10 : 0;
  std::map<int, int> heard;
  bool waiting = false;
  for (auto pause = 50ms;; pause = std::min(2 * pause, 2000ms)) {
    std::erase_if(missing, [&](int index) { return is_finished(index, allow_mixed); });
    if (missing.empty()) break;
    for (const int index : missing)
      if (const std::string why = told(index); !why.empty() && ++heard[index] > patience)
        throw StoreError(StoreError::Kind::unusable,
                         fmt::format("{}: part {} of {} has ended: {}; the same command with "
                                     "--resume goes on",
                                     output_.string(), index, launch_.shard.count, why));
    if (interrupted.asked()) return std::nullopt;
    if (!waiting)
      print_message(fmt::format("waiting for {} of {} parts", missing.size(), launch_.shard.count));
    waiting = true;
    std::this_thread::sleep_for(pause);
  }
  std::vector<fs::path> parts;
  for (int i = 1; i <= launch_.shard.count; ++i) parts.push_back(part(i));
  const MergeSummary summary = merge(parts, output_, Existing::replace, allow_mixed);
  for (const fs::path& joined : parts) {
    std::error_code ignored;
    fs::remove(joined, ignored);
  }
  return summary;
}

}  // namespace counterpoise
