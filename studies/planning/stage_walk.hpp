#pragma once

#include <memory>
#include <span>

#include "engine/reuse/stage.hpp"
#include "studies/definition/study.hpp"

namespace counterpoise {

/// Says of cases in the order of their evaluation how often each stage would run on one worker. It
/// binds every case and compares its numbers, as the stages do with what they remember, and
/// evaluates nothing: an infeasible case, which some stages never see, counts like a feasible one.
/// Numbers are told apart by 64-bit hashes.
class StageWalk {
 public:
  /// Throws InputError, like CaseEvaluator.
  explicit StageWalk(const Study& study);
  ~StageWalk();

  /// As CaseEvaluator does before any case: the baseline, then without springs, for every motion
  /// that has a pair.
  void see_baselines();
  /// Nothing is remembered from here on.
  void forget();
  /// The next case. Cost: about a microsecond.
  void see(std::span<const double> point);

  /// So far. Seconds are 0.
  [[nodiscard]] StageCounts counts() const;
  /// Of as many workers, with `factor` times the cases seen: each computes for itself what did not
  /// change after the first case.
  [[nodiscard]] StageCounts forecast(double factor, int workers) const;

  /// What the results that the evaluators of one worker remember take [bytes].
  [[nodiscard]] double remembered_bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace counterpoise
