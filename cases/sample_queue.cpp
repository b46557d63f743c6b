#include "cases/sample_queue.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "cases/case_points.hpp"
#include "cases/case_rows.hpp"
#include "cases/clock.hpp"
#include "cases/run_options.hpp"
#include "cases/threads.hpp"

namespace counterpoise {
namespace {

constexpr double longest_run = 0.05;       // [s]; how long an interrupt may wait
constexpr std::int64_t shortest_run = 32;  // cases, where they are quick
constexpr auto store_time = std::chrono::milliseconds(250);
constexpr auto look_time = std::chrono::milliseconds(50);  // between looks at a slow window
constexpr double soon_complete = 0.5;          // [s]; a window that far from its end is waited for
constexpr std::size_t rows_in_piece = 16'384;  // that a kill may undo
constexpr std::size_t window_bytes = 32u << 20;
// rows that wait for the store before a worker waits for it, in the middle of a run and at its end
constexpr std::int64_t most_waiting = 8192, least_waiting = 2048;

double seconds_between(Clock::time_point a, Clock::time_point b) {
  return std::chrono::duration<double>(b - a).count();
}

/// The most windows that may be in progress at the same time, if the largest has so many cases and
/// largest_window() so many are allowed: more of small ones.
std::int64_t most_windows(std::int64_t largest, std::int64_t allowed) {
  constexpr std::int64_t enough = 3, most_cases = 32'768;
  const std::int64_t cases = std::min(most_cases, enough * allowed);
  return std::max(enough, cases / std::max<std::int64_t>(largest, 1));
}

}  // namespace

std::int64_t largest_window(const StoreLayout& layout, std::int64_t wanted) {
  const std::size_t fitting = window_bytes / RowBatch::bytes_of_row(layout);
  return std::min(wanted, static_cast<std::int64_t>(fitting));
}

struct SampleQueue::Window {
  std::int64_t base = 1;  // the id that offsets count from
  std::vector<std::uint32_t> offsets;
  std::vector<double> points;
  std::size_t handed_out = 0, finished = 0;  // cases
  std::vector<RowBatch> rows;                // finished, not on their way into the store
  Clock::time_point begun = Clock::now();
};

SampleQueue::SampleQueue(const RunState& state)
    : state_(state),
      range_(range_of(state.options.shard, state.study.case_count())),
      done_(state.store.done_ids()),
      order_(state.study, largest_window(state.store.layout(), state.options.window)),
      at_once_(most_windows(order_.largest(),
                            largest_window(state.store.layout(), state.options.window))),
      next_(range_.first),
      case_seconds_(longest_run) {
  progress_.done = static_cast<std::int64_t>(done_.size());
  progress_.total = range_.size();
  state.report(progress_);
  writer_ = std::jthread([this] { write_until_end(); });
}

SampleQueue::~SampleQueue() {
  {
    const std::scoped_lock lock(mutex_);
    stopped_ = closing_ = true;
    windows_.clear();
  }
  for_writer_.notify_all();
}

/// Finds the next window with something to do; false if there is none.
bool SampleQueue::open_window() {
  while (next_ <= range_.last) {
    auto window = std::make_unique<Window>();
    const IdRange places = order_.window(next_, range_.last);
    next_ = places.last + 1;
    window->base = order_.arrange(places, window->offsets, window->points);
    if (done_.size() > 0) {
      // points are by place in the order, so that none may be left out where they are kept
      const auto stored = [&](std::uint32_t offset) {
        return done_.contains(window->base + offset);
      };
      if (!window->points.empty()) {
        const std::size_t width = state_.study.variables.size();
        std::vector<double> left;
        for (std::size_t i = 0; i < window->offsets.size(); ++i) {
          const auto point = std::span(window->points).subspan(i * width, width);
          if (!stored(window->offsets[i])) left.insert(left.end(), point.begin(), point.end());
        }
        window->points = std::move(left);
      }
      std::erase_if(window->offsets, stored);
    }
    if (window->offsets.empty()) continue;
    windows_.push_back(std::move(window));
    return true;
  }
  return false;
}

/// The number of cases of the next run: a share of the remaining ones, in whole stretches of the
/// order where they fit.
std::size_t SampleQueue::next_size(const Window& window) const {
  const auto left = static_cast<std::int64_t>(window.offsets.size() - window.handed_out);
  const auto fitting = static_cast<std::int64_t>(longest_run / std::max(case_seconds_, 1e-9));
  std::int64_t size = std::max(left / (4 * state_.threads), shortest_run);
  const std::int64_t stretch = order_.run_length();
  if (size > stretch / 2) size = (size + stretch - 1) / stretch * stretch;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(std::min(size, fitting), 1, left));
}

/// Whether the store has so much to do that a worker should leave its processor to it: it would end
/// long after them else.
bool SampleQueue::store_is_behind() const {
  std::int64_t waiting = 0, left = range_.last - next_ + 1;
  for (const auto& window : windows_) {
    const std::size_t count = window->offsets.size();
    left += static_cast<std::int64_t>(count - window->handed_out);
    if (window->finished == count && !window->rows.empty())
      waiting += static_cast<std::int64_t>(count);
  }
  return waiting > std::clamp(left / 4, least_waiting, most_waiting);
}

bool SampleQueue::take(Run& run) {
  std::unique_lock lock(mutex_);
  while (true) {
    interrupted_ = interrupted_ || state_.interrupted();
    if (interrupted_ || stopped_) return false;
    if (working_ >= std::max(1, state_.threads - 1) && store_is_behind()) {
      for_workers_.wait(lock);
      continue;
    }
    for (const auto& window : windows_) {
      if (window->handed_out == window->offsets.size()) continue;
      const std::size_t size = next_size(*window), width = state_.study.variables.size();
      run.window = window.get();
      run.window_first = window->base;
      run.offsets = std::span(window->offsets).subspan(window->handed_out, size);
      run.points = {};
      if (!window->points.empty())
        run.points = std::span(window->points).subspan(window->handed_out * width, size * width);
      window->handed_out += size;
      ++working_;
      return true;
    }
    if (std::cmp_less(windows_.size(), at_once_)) {
      if (!open_window()) return false;
    } else {
      for_workers_.wait(lock);
    }
  }
}

void SampleQueue::give_back(Run& run, double seconds) {
  const std::scoped_lock lock(mutex_);
  --working_;
  Window& window = *run.window;
  window.finished += run.offsets.size();
  case_seconds_ = seconds / static_cast<double>(run.offsets.size());
  window.rows.push_back(std::move(run.rows));
  run.rows = RowBatch(state_.store.layout());
  if (window.finished == window.offsets.size()) for_writer_.notify_one();
}

void SampleQueue::stop() {
  const std::scoped_lock lock(mutex_);
  stopped_ = true;
  for_workers_.notify_all();
}

void SampleQueue::note(const EvaluationCounts& counts, const WorkTime& time, FailedCases& failed) {
  const std::scoped_lock lock(mutex_);
  add(scaled(counts, time.cpu_share()), counts_);
  worker_seconds_ += time.cpu;
  failed_.take(failed);
}

/// Moves rows that are to be stored now to the batches; returns whether there are any. They are a
/// piece and no more than the last window makes it, so that workers find room for the next windows
/// before all that is complete has been stored.
bool SampleQueue::collect() {
  const Clock::time_point now = Clock::now();
  const bool time = now - last_write_ >= store_time;
  std::size_t rows = 0;
  for (const auto& window : windows_) {
    const std::size_t count = window->offsets.size(), done = window->finished;
    const auto completes_soon = [&] {
      const double so_far = seconds_between(window->begun, now);
      return so_far * static_cast<double>(count - done) < soon_complete * static_cast<double>(done);
    };
    if (done < count && !closing_ && !(time && (order_.rising() || !completes_soon()))) continue;
    if (rows >= rows_in_piece) break;
    for (const RowBatch& batch : window->rows) rows += batch.size();
    std::move(window->rows.begin(), window->rows.end(), std::back_inserter(batches_));
    window->rows.clear();
  }
  return !batches_.empty();
}

/// After the batches have been stored: their memory and the complete windows are free again.
void SampleQueue::let_go() {
  for (const RowBatch& rows : batches_) {
    progress_.done += static_cast<std::int64_t>(rows.size());
    progress_.fresh += static_cast<std::int64_t>(rows.size());
  }
  batches_.clear();
  std::erase_if(windows_, [](const auto& window) {
    return window->finished == window->offsets.size() && window->rows.empty();
  });
  last_write_ = Clock::now();
  for_workers_.notify_all();
}

void SampleQueue::write_until_end() {
  std::unique_lock lock(mutex_);
  try {
    while (true) {
      if (!collect()) {
        writer_seconds_ = thread_seconds();  // of a thread that does nothing else
        if (closing_) return;
        for_writer_.wait_until(lock, std::max(last_write_ + store_time, Clock::now() + look_time));
        continue;
      }
      lock.unlock();
      state_.store.append_in_pieces(batches_, rows_in_piece);
      lock.lock();
      let_go();
      const Progress progress = progress_;
      lock.unlock();
      state_.report(progress);
      lock.lock();
    }
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    failure_ = std::current_exception();
    stopped_ = true;
    for_workers_.notify_all();
  }
}

const FailedCases& SampleQueue::failed() {
  const std::scoped_lock lock(mutex_);
  failed_.all = failed_.all && failed_.counts.cases() == range_.size();
  std::sort(failed_.ids.begin(), failed_.ids.end());
  return failed_;
}

RunSummary SampleQueue::finish() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  for_writer_.notify_all();
  writer_.join();
  const std::scoped_lock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  RunSummary summary;
  summary.evaluated = progress_.fresh;
  summary.interrupted = interrupted_;
  summary.failed = std::move(failed_);
  summary.counts = counts_;
  summary.worker_seconds = worker_seconds_;
  summary.writer_seconds = writer_seconds_;
  return summary;
}

namespace {

/// One worker's own tools.
class Worker {
 public:
  Worker(const RunState& state, CaseEvaluator evaluator)
      : points_(state.study),
        evaluator_(std::move(evaluator)),
        rows_(state.study),
        point_(state.study.variables.size()),
        evaluate_on_(state.options.evaluate_on),
        highest_(
            evaluate_on_.highest(range_of(state.options.shard, state.study.case_count()).size())),
        falls_(state.study.runs_scenarios()) {
    evaluator_.set_baselines(state.baselines);
  }

  void work(SampleQueue::Run& run, FailedCases& failed) {
    run.rows.reserve(run.offsets.size());
    for (std::size_t i = 0; i < run.offsets.size(); ++i) {
      const std::int64_t id = run.window_first + run.offsets[i];
      if (run.points.empty())
        points_.point(id, point_);
      else
        std::copy_n(run.points.begin() + static_cast<std::ptrdiff_t>(i * point_.size()),
                    point_.size(), point_.begin());
      evaluator_.evaluate(point_, outcome_);
      rows_.add(id, point_, outcome_, run.rows);
      if (outcome_.status == CaseStatus::feasible || evaluate_on_.rank(id) >= highest_) continue;
      if (!outcome_.computable && falls_) continue;
      if (!outcome_.computable) evaluator_.evaluate_on(outcome_);
      failed.evaluated_on.push_back({id, broken_limits_of(outcome_)});
    }
    failed.take(run.rows);
  }

  [[nodiscard]] EvaluationCounts counts() const { return evaluator_.counts(); }
  [[nodiscard]] double seconds_of_evaluating_on() const {
    return evaluator_.counts(true).seconds();
  }

 private:
  PointSource points_;
  CaseEvaluator evaluator_;
  RowMaker rows_;
  std::vector<double> point_;
  CaseOutcome outcome_;
  FailedChoice evaluate_on_;
  std::uint64_t highest_;  // the rank below which failed cases are evaluated on
  bool falls_;             // then few are, once it is known whether any case is feasible
};

/// What the workers share.
struct SharedSamples {
  const RunState& state;
  SampleQueue& queue;
  std::atomic<bool> first_taken{false};
};

void work(SharedSamples& shared) {
  const RunState& state = shared.state;
  SampleQueue& queue = shared.queue;
  SampleQueue::Run run(state.store.layout());
  if (!queue.take(run)) return;
  const bool first = !shared.first_taken.exchange(true);
  Worker worker(state,
                first ? std::move(state.first) : CaseEvaluator(state.study, state.evaluation()));
  WorkTime all = first ? state.baseline_time : WorkTime();
  FailedCases failed;
  do {
    const WorkMeter meter;
    worker.work(run, failed);
    const WorkTime time = meter.passed();
    all += time;
    queue.give_back(run, time.wall);
  } while (queue.take(run));
  failed.seconds = worker.seconds_of_evaluating_on() * all.cpu_share();
  queue.note(worker.counts(), all, failed);
}

}  // namespace

IdRange range_of(const Shard& shard, std::int64_t count) {
  const auto end = [&](std::int64_t index) {
    const std::int64_t whole = count / shard.count, rest = count % shard.count;
    return index * whole + std::min(index, rest);
  };
  return {end(shard.index - 1) + 1, end(shard.index)};
}

RunSummary run_samples(const RunState& state) {
  SampleQueue queue(state);
  SharedSamples all{state, queue};
  parallel_each(static_cast<std::size_t>(state.threads), [&](std::size_t) {
    try {
      work(all);
    } catch (...) {
      all.queue.stop();
      throw;
    }
  });
  const FailedCases& failed = queue.failed();
  if (state.options.evaluated) state.options.evaluated(failed, state.baselines);
  return queue.finish();
}

}  // namespace counterpoise
