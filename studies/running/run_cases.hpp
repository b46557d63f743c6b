#pragma once

#include "results/store.hpp"
#include "studies/cases/case_evaluator.hpp"
#include "studies/run.hpp"
#include "studies/running/case_order.hpp"

namespace counterpoise {

/// What a run in progress works with.
struct RunState {
  const Study& study;
  const RunOptions& options;
  std::shared_ptr<const Baselines> baselines;
  Store& store;
  int threads = 1;
  CaseEvaluator& first;  // one that is ready, for one of the workers

  [[nodiscard]] bool interrupted() const { return options.interrupted.asked(); }
  /// What `first` has counted; its memory, as much as a worker's, is free from here on.
  [[nodiscard]] StageCounts let_go_of_first() const {
    return CaseEvaluator(std::move(first)).counts();
  }
  void report(const Progress& progress) const {
    if (options.progress) options.progress(progress);
  }
};

/// The ids that a shard of `count` things works on.
IdRange range_of(const Shard& shard, std::int64_t count);

/// Whether the store is marked as finished and has every case that it is to have. Throws StoreError
/// (unusable) where it has others.
bool is_finished(const RunState& state);

/// The cases of a sampled study that are not stored yet, over the arena's threads.
RunSummary run_samples(const RunState& state);

/// The starts of a search that are not finished yet, one thread each.
RunSummary run_searches(const RunState& state);

/// Likewise of an exact search: springs sized exactly, inside a search over geometry or without
/// one.
RunSummary run_exact(const RunState& state);

}  // namespace counterpoise
