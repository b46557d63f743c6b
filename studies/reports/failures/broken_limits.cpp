#include "studies/reports/failures/broken_limits.hpp"

#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "cases/case_evaluator.hpp"
#include "cases/clock.hpp"
#include "cases/threads.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t points_per_task = 256, falling_points_per_task = 4;

}  // namespace

std::vector<BrokenLimits> broken_limits(const Study& study,
                                        std::span<const std::vector<double>> points,
                                        std::shared_ptr<const Baselines> baselines,
                                        const Interruption& interrupted, double* others) {
  std::vector<BrokenLimits> found(points.size());
  const EvaluationOptions options = EvaluationOptions().with_all_reasons();
  if (!baselines)
    baselines = std::make_shared<const Baselines>(CaseEvaluator(study).evaluate_baselines());
  const std::vector<bool> falling = study.scenarios_read();
  const bool falls = std::find(falling.begin(), falling.end(), true) != falling.end();
  const std::size_t size = falls ? falling_points_per_task : points_per_task;
  // an evaluator takes as long to make as hundreds of cases, so there is one a thread
  std::atomic<std::size_t> next{0};
  const std::size_t tasks = (points.size() + size - 1) / size;
  const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  const std::thread::id here = std::this_thread::get_id();
  std::mutex mutex;
  double elsewhere = 0.0;
  parallel_each(std::min(tasks, threads), [&](std::size_t) {
    const WorkMeter meter;
    CaseEvaluator evaluator(study, options);
    evaluator.set_baselines(baselines);
    CaseOutcome outcome;
    for (std::size_t first = next.fetch_add(size); first < points.size();
         first = next.fetch_add(size))
      for (std::size_t i = first; i < std::min(first + size, points.size()); ++i) {
        interrupted.poll();
        evaluator.evaluate(points[i], outcome);
        found[i] = broken_limits_of(outcome);
      }
    if (std::this_thread::get_id() == here) return;
    const std::scoped_lock lock(mutex);
    elsewhere += meter.passed().cpu;
  });
  if (others != nullptr) *others += elsewhere;
  return found;
}

}  // namespace counterpoise
