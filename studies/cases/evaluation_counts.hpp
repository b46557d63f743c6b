#pragma once

#include <array>

#include "engine/reuse/stage.hpp"

namespace counterpoise {

/// What a CaseEvaluator does besides the engine's stages and the falls of scenarios.
enum class CaseWork {
  binding,  // parameters, mechanism and motion of a design
  judging,  // metrics of all motions together, objectives, constraints, reasons
};
inline constexpr std::size_t case_work_count = 2;

/// How often the stages and the falls of scenarios ran, and how long that and the rest took.
struct EvaluationCounts {
  StageCounts stages{};
  StageCount falls;
  std::array<double, case_work_count> work{};  // [s]

  /// The time of everything that is counted here [s].
  [[nodiscard]] double seconds() const {
    double sum = falls.seconds;
    for (const StageCount& stage : stages) sum += stage.seconds;
    for (const double time : work) sum += time;
    return sum;
  }
};

/// Adds one evaluator's counts to a sum.
inline void add(const EvaluationCounts& counts, EvaluationCounts& sum) {
  const auto add_one = [](const StageCount& count, StageCount& total) {
    total.runs += count.runs;
    total.reused += count.reused;
    total.seconds += count.seconds;
  };
  for (std::size_t stage = 0; stage < stage_count; ++stage)
    add_one(counts.stages[stage], sum.stages[stage]);
  add_one(counts.falls, sum.falls);
  for (std::size_t i = 0; i < case_work_count; ++i) sum.work[i] += counts.work[i];
}

/// The same counts with each time multiplied by a factor: by CPU time over time on the wall of the
/// thread that counted, as readings of the wall in between are all that the stages can afford.
inline EvaluationCounts scaled(EvaluationCounts counts, double factor) {
  counts.falls.seconds *= factor;
  for (StageCount& stage : counts.stages) stage.seconds *= factor;
  for (double& time : counts.work) time *= factor;
  return counts;
}

}  // namespace counterpoise
