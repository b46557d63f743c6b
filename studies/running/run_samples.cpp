#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_pipeline.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>

#include "studies/case_rows.hpp"
#include "studies/running/handed_over.hpp"
#include "studies/running/run_cases.hpp"
#include "studies/sampling.hpp"

namespace counterpoise {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double chunk_seconds = 0.05;
constexpr std::int64_t longest_chunk = 256;
constexpr double batch_seconds = 0.25;
constexpr std::size_t longest_batch = 8192;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Consecutive cases on their way from the source over a worker to the store. The mutex is held by
/// whoever works on the chunk, so that each sees what the one before left.
struct Chunk {
  std::mutex mutex;
  std::vector<std::int64_t> ids;
  std::vector<CaseRow> rows;
};

/// One worker's own tools.
struct Worker {
  explicit Worker(const RunState& state)
      : points(state.study), evaluator(state.study), point(state.study.variables.size()) {
    evaluator.set_baselines(state.baselines);
  }

  void work(const RunState& state, Chunk& chunk) {
    chunk.rows.clear();
    for (const std::int64_t id : chunk.ids) {
      points.point(id, point);
      evaluator.evaluate(point, outcome);
      chunk.rows.push_back(row_of(state.study, id, point, outcome));
    }
  }

  PointSource points;
  CaseEvaluator evaluator;
  std::vector<double> point;
  CaseOutcome outcome;
};

/// Gathers rows and writes them in batches worth a disk synchronisation.
class BatchWriter {
 public:
  explicit BatchWriter(Store& store) : store_(store) {}

  bool add(std::vector<CaseRow>& rows) {
    std::move(rows.begin(), rows.end(), std::back_inserter(rows_));
    if (rows_.size() < longest_batch && seconds_since(last_) < batch_seconds) return false;
    flush();
    return true;
  }

  void flush() {
    if (!rows_.empty()) store_.append(rows_);
    rows_.clear();
    last_ = Clock::now();
  }

 private:
  Store& store_;
  std::vector<CaseRow> rows_;
  Clock::time_point last_ = Clock::now();
};

/// The three stages of a run. TBB gives source and keep to one thread at a time; their mutexes hand
/// on what each call leaves.
class SampleRun {
 public:
  explicit SampleRun(const RunState& state)
      : state_(state),
        range_(range_of(state.options.shard, state.study.case_count())),
        done_(state.store.done_ids()),
        next_(range_.first),
        chunks_(2 * static_cast<std::size_t>(state.threads) + 2),
        workers_([&state] { return Worker(state); }),
        writer_(state.store) {
    progress_.done = static_cast<std::int64_t>(done_.size());
    progress_.total = range_.last - range_.first + 1;
    state.report(progress_);
  }

  /// Chunks that may be under way; they end in the order they began, so that the slot of chunk k is
  /// free when chunk k + tokens begins.
  [[nodiscard]] std::size_t tokens() const { return chunks_.size(); }

  Chunk* source(tbb::flow_control& control) {
    const std::scoped_lock source_lock(source_mutex_);
    Chunk& chunk = chunks_[slot_++ % chunks_.size()];
    const std::scoped_lock lock(chunk.mutex);
    chunk.ids.clear();
    const auto fitting =
        static_cast<std::int64_t>(chunk_seconds / std::max(case_seconds_.load(), 1e-9));
    const auto size = std::clamp<std::int64_t>(fitting, 1, longest_chunk);
    for (; next_ <= range_.last && static_cast<std::int64_t>(chunk.ids.size()) < size; ++next_)
      if (!done_.contains(next_)) chunk.ids.push_back(next_);
    interrupted_ = interrupted_ || state_.interrupted();
    if (chunk.ids.empty() || interrupted_) control.stop();
    return &chunk;
  }

  Chunk* work(Chunk* chunk) {
    const std::scoped_lock lock(chunk->mutex);
    const Clock::time_point start = Clock::now();
    workers_.local().work(state_, *chunk);
    case_seconds_ = seconds_since(start) / static_cast<double>(chunk->ids.size());
    return chunk;
  }

  void keep(Chunk* chunk) {
    const std::scoped_lock keep_lock(keep_mutex_);
    const std::scoped_lock lock(chunk->mutex);
    const auto count = static_cast<std::int64_t>(chunk->ids.size());
    progress_.done += count;
    progress_.fresh += count;
    if (writer_.add(chunk->rows)) state_.report(progress_);
  }

  RunSummary finish() {
    const std::scoped_lock lock(source_mutex_, keep_mutex_);
    writer_.flush();
    state_.report(progress_);
    RunSummary summary;
    summary.evaluated = progress_.fresh;
    summary.interrupted = interrupted_;
    return summary;
  }

 private:
  const RunState& state_;
  const IdRange range_;
  const IdSet done_;

  std::mutex source_mutex_;
  std::int64_t next_;
  std::size_t slot_ = 0;
  bool interrupted_ = false;

  std::vector<Chunk> chunks_;
  std::atomic<double> case_seconds_{chunk_seconds};  // of one case, lately; at first one a chunk
  tbb::enumerable_thread_specific<Worker> workers_;

  std::mutex keep_mutex_;
  BatchWriter writer_;
  Progress progress_;
};

}  // namespace

IdRange range_of(const Shard& shard, std::int64_t count) {
  const auto end = [&](std::int64_t index) {
    const std::int64_t whole = count / shard.count, rest = count % shard.count;
    return index * whole + std::min(index, rest);
  };
  return {end(shard.index - 1) + 1, end(shard.index)};
}

RunSummary run_samples(const RunState& state) {
  SampleRun run(state);
  const HandedOver<SampleRun> shared(&run);
  tbb::parallel_pipeline(
      run.tokens(),
      tbb::make_filter<void, Chunk*>(
          tbb::filter_mode::serial_in_order,
          [shared](tbb::flow_control& control) { return shared->source(control); }) &
          tbb::make_filter<Chunk*, Chunk*>(tbb::filter_mode::parallel,
                                           [shared](Chunk* chunk) { return shared->work(chunk); }) &
          tbb::make_filter<Chunk*, void>(tbb::filter_mode::serial_in_order,
                                         [shared](Chunk* chunk) { shared->keep(chunk); }));
  return run.finish();
}

}  // namespace counterpoise
