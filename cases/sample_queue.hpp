#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "cases/clock.hpp"
#include "cases/run_options.hpp"

namespace counterpoise {

/// The number of cases of a window whose rows fit into their share of memory; at most as many as
/// wanted.
std::int64_t largest_window(const StoreLayout& layout, std::int64_t wanted);

/// Cases on their way: to the workers window by window, and from them to the store, which has a
/// thread of its own. Rows of a window are stored by rising id when it is complete; if a window
/// takes long, its finished rows are stored about every quarter of a second. At most a few windows
/// are in progress: a worker waits when the store does not keep up.
class SampleQueue {
 public:
  explicit SampleQueue(const RunState& state);
  SampleQueue(const SampleQueue&) = delete;
  SampleQueue& operator=(const SampleQueue&) = delete;
  /// Discards cases that are not stored.
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

  /// Takes the next run. Returns false when there is nothing left to do. May wait for the store.
  bool take(Run& run);
  /// Returns a run from take() after its last case; `seconds` is the time it took.
  void give_back(Run& run, double seconds);
  /// Makes sure that no thread begins anything new.
  void stop();

  /// Adds one worker's counts when it ends, the time that it worked, and what failed.
  void note(const EvaluationCounts& counts, const WorkTime& time, FailedCases& failed);
  /// What failed, when the last worker has ended.
  const FailedCases& failed();
  /// Stores finished cases and ends the thread. Throws the exception of the store, if there was
  /// one.
  RunSummary finish();

 private:
  bool open_window();
  [[nodiscard]] bool store_is_behind() const;
  [[nodiscard]] std::size_t next_size(const Window& window) const;
  bool collect();
  void let_go();
  void write_until_end();

  const RunState& state_;
  const IdRange range_;
  const IdSet done_;
  CaseOrder order_;
  const std::int64_t at_once_;  // windows
  std::int64_t next_;

  std::mutex mutex_;
  std::condition_variable for_workers_, for_writer_;
  std::deque<std::unique_ptr<Window>> windows_;
  std::vector<RowBatch> batches_;  // being stored
  double case_seconds_;            // of one case, lately
  int working_ = 0;                // runs that were taken and not returned
  bool stopped_ = false, interrupted_ = false, closing_ = false;
  std::exception_ptr failure_;
  Progress progress_;
  EvaluationCounts counts_;
  FailedCases failed_;
  double worker_seconds_ = 0.0, writer_seconds_ = 0.0;  // CPU time
  Clock::time_point last_write_ = Clock::now();
  std::jthread writer_;
};

}  // namespace counterpoise
