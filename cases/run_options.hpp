#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "cases/case_outcome.hpp"
#include "cases/case_points.hpp"
#include "cases/clock.hpp"
#include "cases/provenance.hpp"
#include "optimizer/interruption.hpp"
#include "results/rows/totals.hpp"
#include "results/store.hpp"

namespace counterpoise {

/// A random sample of the failed cases: those with the `most` lowest ranks. A case's evaluation
/// ends at the first limit that it breaks; the sampled ones are "evaluated on", to the end, to find
/// every limit that they break. A rank depends on the seed and the id alone, so the sample does not
/// depend on the order in which cases fail.
struct FailedChoice {
  std::size_t most = 0;
  std::uint64_t seed = 1;

  [[nodiscard]] std::uint64_t rank(std::int64_t id) const;
  /// Failed cases below this rank are evaluated on at once, while their stages are remembered,
  /// which costs less than later. If four fifths of `cases` fail, about `most` failed cases are
  /// below it.
  [[nodiscard]] std::uint64_t highest(std::int64_t cases) const;
};

/// The cases that failed in a run, so that they need not be read again.
struct FailedCases {
  static constexpr std::size_t most = 1'000'000;  // ids that are remembered
  struct EvaluatedOn {
    std::int64_t id = 0;
    BrokenLimits broken;
  };

  // whether the run evaluated all cases of its file; else counts and ids are meaningless
  bool all = true;
  Totals counts{StoreLayout()};  // of all cases; without metrics and objectives
  std::vector<std::int64_t> ids{};
  std::vector<EvaluatedOn> evaluated_on{};  // at once; cases of the sample may be missing
  double seconds = 0.0;                     // CPU time that it took to evaluate them on

  void take(const RowBatch& rows);
  void take(FailedCases& other);
};

struct Progress {
  std::int64_t done = 0;  // cases of this run that are stored, now or before
  std::int64_t total = 0;
  std::int64_t fresh = 0;  // cases among `done` that were evaluated now
  std::string words;       // how far the run has come, where cases do not say it
};

struct RunOptions {
  std::filesystem::path output;
  int threads = 0;  // 0 for as many as the machine has
  bool resume = false;
  bool force = false;
  bool allow_mixed = false;
  Shard shard;
  Interruption interrupted;                       // cases finished when it asks to stop are stored
  std::function<void(const Progress&)> progress;  // called from one thread at a time
  // called when the last case of a sampled study is evaluated, while rows are still being stored
  std::function<void(const FailedCases&, const std::shared_ptr<const Baselines>&)> evaluated;
  // failed cases of a sampled study that are evaluated on at once, while their stages are
  // remembered
  FailedChoice evaluate_on;
  // for tests and benchmarks; rows do not depend on these
  Reuse reuse = Reuse::remember;
  std::int64_t window = 262'144;  // cases of a sampled study that are put in order together
};

struct RunSummary {
  std::int64_t evaluated = 0;  // now
  bool was_finished = false;   // whether there was nothing left to do
  bool had_lost_cases =
      false;  // whether the file was marked as finished although cases were missing
  bool interrupted = false;
  std::filesystem::path beside;  // where an interrupted run's results are, if they are to replace
                                 // others; else empty
  bool sizes_springs = false;    // whether workers also size springs, which `counts` leave out
  std::shared_ptr<const Baselines> baselines{};  // of the study
  FailedCases failed{};                          // in the order of ids
  // in CPU time of threads, the baselines' included:
  EvaluationCounts counts;      // of all workers
  double worker_seconds = 0.0;  // of all workers, on cases, counted above or not
  double writer_seconds = 0.0;  // on storing rows
};

/// How many samples of its motions each of so many threads holds: those of every motion that all
/// threads together can plan to hold in 1 GiB, the shortest first, and motions of up to 65,536
/// samples in any case. Planned are 96 bytes for each sample and body, loop, actuator and spring.
/// Where the mechanism carries drives, which need several evaluators for each motion, no more than
/// 65,536 are held.
[[nodiscard]] Holding planned_holding(const Study& study, int threads);

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
  /// How workers evaluate the cases: sampled ones only as far as their first reason.
  [[nodiscard]] EvaluationOptions evaluation() const {
    return {options.reuse, study.search() == nullptr, false, false,
            planned_holding(study, threads)};
  }
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
