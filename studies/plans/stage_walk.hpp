#pragma once

#include <memory>
#include <span>

#include "engine/mechanism/stage.hpp"
#include "input/definition/study.hpp"

namespace counterpoise {

/// Counts how often each stage would run on one worker for cases in the order of their evaluation.
/// It binds every case and compares its numbers, as the stages do with what they remember, and
/// evaluates nothing: an infeasible case, which some stages never see, counts like a feasible one.
/// Numbers are told apart by 64-bit hashes.
class StageWalk {
 public:
  /// Throws InputError, like CaseEvaluator.
  explicit StageWalk(const Study& study);
  ~StageWalk();

  /// Counts what CaseEvaluator runs before any case: the baseline, then without springs, for every
  /// motion that has a pair.
  void see_baselines();
  /// Forgets everything remembered so far.
  void forget();
  /// Counts the next case. Cost: about a microsecond.
  void see(std::span<const double> point);

  /// The counts so far. Their seconds are 0.
  [[nodiscard]] StageCounts counts() const;
  /// The counts for so many workers and `factor` times the cases seen: each worker computes for
  /// itself what did not change after the first case.
  [[nodiscard]] StageCounts forecast(double factor, int workers) const;

  /// The memory taken by the results that the evaluators of one worker remember [bytes].
  [[nodiscard]] double remembered_bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace counterpoise
