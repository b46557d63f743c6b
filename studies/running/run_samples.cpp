#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <atomic>

#include "studies/cases/clock.hpp"
#include "studies/running/point_source.hpp"
#include "studies/running/run_cases.hpp"
#include "studies/running/sample_queue.hpp"
#include "studies/running/threads.hpp"
#include "studies/stored/case_rows.hpp"

namespace counterpoise {
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
            evaluate_on_.highest(range_of(state.options.shard, state.study.case_count()).size())) {
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
      if (outcome_.status != CaseStatus::feasible && evaluate_on_.rank(id) < highest_) {
        evaluator_.evaluate_on(outcome_);
        failed.evaluated_on.push_back({id, broken_limits_of(outcome_)});
      }
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
  Worker worker(state, first ? std::move(state.first)
                             : CaseEvaluator(state.study, {state.options.reuse, true}));
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
