#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_pipeline.h>

#include <algorithm>
#include <chrono>
#include <mutex>

#include "studies/case_rows.hpp"
#include "studies/run_cases.hpp"
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
    const std::scoped_lock lock(chunk.mutex);
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

}  // namespace

IdRange range_of(const Shard& shard, std::int64_t count) {
  const auto end = [&](std::int64_t index) {
    const std::int64_t whole = count / shard.count, rest = count % shard.count;
    return index * whole + std::min(index, rest);
  };
  return {end(shard.index - 1) + 1, end(shard.index)};
}

RunSummary run_samples(const RunState& state) {
  const IdRange range = range_of(state.options.shard, state.study.case_count());
  const IdSet done = state.store.done_ids();
  Progress progress{static_cast<std::int64_t>(done.size()), range.last - range.first + 1, 0};
  state.report(progress);

  RunSummary summary;
  std::atomic<double> case_seconds{chunk_seconds};  // of one case, lately; begins with one a chunk
  std::int64_t next = range.first;
  const auto tokens = 2 * static_cast<std::size_t>(state.threads) + 2;
  // At most `tokens` chunks are under way and they end in order, so slot k is free at k + tokens.
  std::vector<Chunk> chunks(tokens);
  std::size_t slot = 0;
  // TBB runs each serial filter by one thread at a time; the mutexes say so to the language too.
  std::mutex source_mutex, keep_mutex;

  const auto source = [&](tbb::flow_control& control) -> Chunk* {
    const std::scoped_lock source_lock(source_mutex);
    Chunk& chunk = chunks[slot++ % tokens];
    const std::scoped_lock lock(chunk.mutex);
    chunk.ids.clear();
    const auto size = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(chunk_seconds / std::max(case_seconds.load(), 1e-9)), 1,
        longest_chunk);
    for (; next <= range.last && static_cast<std::int64_t>(chunk.ids.size()) < size; ++next)
      if (!done.contains(next)) chunk.ids.push_back(next);
    summary.interrupted = summary.interrupted || state.interrupted();
    if (chunk.ids.empty() || summary.interrupted) control.stop();
    return &chunk;
  };

  tbb::enumerable_thread_specific<Worker> workers([&] { return Worker(state); });
  const auto work = [&](Chunk* chunk) {
    const Clock::time_point start = Clock::now();
    workers.local().work(state, *chunk);
    case_seconds = seconds_since(start) / static_cast<double>(chunk->ids.size());
    return chunk;
  };

  BatchWriter writer(state.store);
  const auto keep = [&](Chunk* chunk) {
    const std::scoped_lock lock(keep_mutex, chunk->mutex);
    const auto count = static_cast<std::int64_t>(chunk->ids.size());
    progress.done += count;
    progress.fresh += count;
    summary.evaluated += count;
    if (writer.add(chunk->rows)) state.report(progress);
  };

  tbb::parallel_pipeline(
      tokens, tbb::make_filter<void, Chunk*>(tbb::filter_mode::serial_in_order, source) &
                  tbb::make_filter<Chunk*, Chunk*>(tbb::filter_mode::parallel, work) &
                  tbb::make_filter<Chunk*, void>(tbb::filter_mode::serial_in_order, keep));
  const std::scoped_lock lock(source_mutex, keep_mutex);
  writer.flush();
  state.report(progress);
  return summary;
}

}  // namespace counterpoise
