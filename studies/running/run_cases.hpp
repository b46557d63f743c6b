#pragma once

#include "results/store.hpp"
#include "studies/case_evaluator.hpp"
#include "studies/run.hpp"

namespace counterpoise {

/// What a run in progress works with.
struct RunState {
  const Study& study;
  const RunOptions& options;
  std::shared_ptr<const Baselines> baselines;
  Store& store;
  int threads = 1;

  [[nodiscard]] bool interrupted() const {
    return options.interrupted != nullptr && options.interrupted->load();
  }
  void report(const Progress& progress) const {
    if (options.progress) options.progress(progress);
  }
};

/// Ids first .. last that a shard of `count` things works on; empty if last < first.
struct IdRange {
  std::int64_t first = 1;
  std::int64_t last = 0;
};
IdRange range_of(const Shard& shard, std::int64_t count);

/// The cases of a sampled study that are not stored yet, in chunks over the arena's threads, stored
/// in the order of their ids.
RunSummary run_samples(const RunState& state);

/// The starts of a search that are not finished yet, one thread each.
RunSummary run_searches(const RunState& state);

}  // namespace counterpoise
