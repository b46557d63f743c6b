#include "studies/run.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include <chrono>

#include "optimizer/algorithm.hpp"
#include "results/merge.hpp"
#include "studies/cases/case_rows.hpp"
#include "studies/running/run_cases.hpp"

namespace counterpoise {
namespace {

/// A shard has to be named again when it is continued.
std::string shard_of(const std::vector<StudyEntry>& entries) {
  for (const StudyEntry& entry : entries)
    if (entry.key == "shard") return entry.value;
  return "1/1";
}

Store continued(const RunOptions& options, const Birth& birth) {
  Store store = Store::open(options.output);
  const std::vector<StudyEntry> stored = store.study();
  std::string changed;
  for (const std::string& key : differing_keys(stored, birth.study, options.allow_mixed))
    changed += (changed.empty() ? "" : ", ") + key;
  if (changed.empty() && shard_of(stored) != shard_of(birth.study)) changed = "shard";
  if (changed.empty() && !(store.layout() == birth.layout)) changed = "columns";
  if (!changed.empty())
    throw StoreError(StoreError::Kind::unusable,
                     fmt::format("{}: belongs to another run; what differs: {}; name another "
                                 "output, or start afresh with --force",
                                 options.output.string(), changed));
  return store;
}

}  // namespace

void check_search(const Study& study) {
  const Search* search = study.search();
  if (search == nullptr) return;
  for (const std::string& algorithm : search->algorithms) try {
      check_algorithm(algorithm, study.variables.size());
    } catch (const std::invalid_argument& error) {
      throw InputError(search->where, error.what());
    }
}

RunSummary run_study(const Study& study, const RunOptions& options) {
  check_search(study);
  CaseEvaluator first(study, {options.reuse, study.search() == nullptr});
  const auto start = std::chrono::steady_clock::now();
  const auto baselines = std::make_shared<const Baselines>(first.evaluate_baselines());
  const std::chrono::duration<double> baseline_time = std::chrono::steady_clock::now() - start;
  const Birth birth = birth_of(study, *baselines, options.shard);

  const bool resuming = options.resume && holds_results(options.output);
  Store store = resuming ? continued(options, birth)
                         : Store::create(options.output, birth,
                                         options.force ? Existing::replace : Existing::refuse);
  RunSummary summary;
  if (store.finished()) {
    summary.was_finished = true;
    return summary;
  }
  const int threads = options.threads > 0 ? options.threads : tbb::info::default_concurrency();
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  RunState state{study, options, baselines, store, threads, first};
  arena.execute(
      [&] { summary = study.search() != nullptr ? run_searches(state) : run_samples(state); });
  summary.worker_seconds += baseline_time.count();
  if (!summary.interrupted) store.finish();
  return summary;
}

}  // namespace counterpoise
