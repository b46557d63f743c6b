#pragma once

#include "results/store.hpp"
#include "studies/cases/case_evaluator.hpp"
#include "studies/cases/clock.hpp"
#include "studies/running/case_order.hpp"
#include "studies/running/run_options.hpp"

namespace counterpoise {

/// The objects that a run in progress works with.
struct RunState {
  const Study& study;
  const RunOptions& options;
  std::shared_ptr<const Baselines> baselines;
  Store& store;
  int threads = 1;
  CaseEvaluator& first;    // one that is ready, for one of the workers
  WorkTime baseline_time;  // that it took for the baselines

  [[nodiscard]] bool interrupted() const { return options.interrupted.asked(); }
  /// Returns the counts of `first` and frees its memory, which is as much as a worker's.
  [[nodiscard]] EvaluationCounts let_go_of_first() const {
    return CaseEvaluator(std::move(first)).counts();
  }
  void report(const Progress& progress) const {
    if (options.progress) options.progress(progress);
  }
};

/// Evaluates the cases of a sampled study that are not stored yet on the arena's threads.
RunSummary run_samples(const RunState& state);

/// The ids that a shard works on, of `count` cases or starts in all.
IdRange range_of(const Shard& shard, std::int64_t count);

}  // namespace counterpoise
