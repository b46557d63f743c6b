#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "studies/running/clock.hpp"
#include "studies/running/run_cases.hpp"

namespace counterpoise {

/// Windows that may be under way at the same time.
inline constexpr std::size_t most_windows = 3;

/// Cases of a window whose rows fit into the memory that is theirs; at most as many as wanted.
std::int64_t largest_window(const StoreLayout& layout, std::int64_t wanted);

/// Cases on their way: to the workers window by window, and from them to the store, which has a
/// thread of its own. Rows of a window are stored by rising id when it is complete; of one that
/// takes long, what there is about every quarter of a second. Never more than a few windows are
/// under way: a worker waits when the store does not keep up.
class SampleQueue {
 public:
  explicit SampleQueue(const RunState& state);
  SampleQueue(const SampleQueue&) = delete;
  SampleQueue& operator=(const SampleQueue&) = delete;
  /// Gives up what is not stored.
  ~SampleQueue();

  struct Window;
  /// Cases in a row of one window's order, for one worker.
  struct Run {
    explicit Run(const StoreLayout& layout) : rows(layout) {}

    Window* window = nullptr;
    std::int64_t window_first = 1;
    std::span<const std::uint32_t> offsets;  // of ids from window_first
    std::span<const double> points;          // of all of them, or empty
    RowBatch rows;                           // empty, to be filled with theirs
  };

  /// False when there is nothing left to do. May wait for the store.
  bool take(Run& run);
  /// After the last case of the run that `take` gave; `seconds` is what it took.
  void give_back(Run& run, double seconds);
  /// Nothing new is begun, in any thread.
  void stop();

  /// One worker's counts, at its end.
  void note(const StageCounts& counts);
  /// Stores what is finished and ends the thread. Throws what went wrong with the store.
  RunSummary finish();

 private:
  bool open_window();
  [[nodiscard]] std::size_t next_size(const Window& window) const;
  bool collect();
  void let_go();
  void write_until_end();

  const RunState& state_;
  const IdRange range_;
  const IdSet done_;
  CaseOrder order_;
  std::int64_t next_;

  std::mutex mutex_;
  std::condition_variable for_workers_, for_writer_;
  std::deque<std::unique_ptr<Window>> windows_;
  std::vector<RowBatch> batches_;  // being stored
  double case_seconds_;            // of one case, lately
  bool stopped_ = false, interrupted_ = false, closing_ = false;
  std::exception_ptr failure_;
  Progress progress_;
  StageCounts stages_{};
  double worker_seconds_ = 0.0;
  Clock::time_point last_write_ = Clock::now();
  std::jthread writer_;
};

}  // namespace counterpoise
