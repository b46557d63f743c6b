#include "studies/reports/failures/broken_limits.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "studies/cases/case_evaluator.hpp"
#include "studies/running/threads.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t points_per_task = 256, falling_points_per_task = 4;

BrokenLimits merged(const CaseOutcome& outcome) {
  std::map<std::pair<FailureKind, int>, Failure> worst;
  for (const Failure& failure : outcome.failures) {
    const auto [at, fresh] = worst.try_emplace({failure.kind, failure.of}, failure);
    if (!fresh && excess_of(failure) > excess_of(at->second)) at->second = failure;
  }
  BrokenLimits broken;
  broken.whole = outcome.computable;
  for (const auto& [key, failure] : worst) broken.failures.push_back(failure);
  return broken;
}

}  // namespace

std::vector<BrokenLimits> broken_limits(const Study& study,
                                        std::span<const std::vector<double>> points) {
  std::vector<BrokenLimits> found(points.size());
  const EvaluationOptions options{
      .first_reason_only = false, .beyond_bounds = true, .every_fall = true};
  const auto baselines =
      std::make_shared<const Baselines>(CaseEvaluator(study).evaluate_baselines());
  const std::vector<bool> falling = study.scenarios_read();
  const bool falls = std::find(falling.begin(), falling.end(), true) != falling.end();
  const std::size_t size = falls ? falling_points_per_task : points_per_task;
  const std::size_t tasks = (points.size() + size - 1) / size;
  parallel_each(tasks, [&](std::size_t task) {
    CaseEvaluator evaluator(study, options);
    evaluator.set_baselines(baselines);
    CaseOutcome outcome;
    const std::size_t end = std::min((task + 1) * size, points.size());
    for (std::size_t i = task * size; i < end; ++i) {
      evaluator.evaluate(points[i], outcome);
      found[i] = merged(outcome);
    }
  });
  return found;
}

}  // namespace counterpoise
