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
  [[nodiscard]] double seconds() const;
};

/// The same counts with each time multiplied by a factor: by CPU time over time on the wall of the
/// thread that counted, as readings of the wall in between are all that the stages can afford.
EvaluationCounts scaled(EvaluationCounts counts, double factor);

/// Adds one evaluator's counts to a sum.
void add(const EvaluationCounts& counts, EvaluationCounts& sum);

}  // namespace counterpoise
