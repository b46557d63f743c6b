#pragma once

#include <cstdint>
#include <vector>

#include "engine/reuse/stage.hpp"
#include "input/definition/study.hpp"

namespace counterpoise {

/// Counts and times measured by evaluating some of a study's cases.
struct Rehearsed {
  std::int64_t cases = 0, feasible = 0;
  StageCounts counts{};   // of these cases
  StageCounts at_most{};  // what StageWalk counts for these cases
  StageCounts first{};    // of the baselines evaluated before, whose runs also allocate all memory
  StageCount falls;       // of these cases
  double setup_seconds = 0.0;  // time before the first case: for an evaluator and the baselines
  double other_seconds = 0.0;  // time of all these cases outside the stages
  double stored_bytes = 0.0;   // size of their rows in a file
  double reason_bytes = 0.0;   // size of their reasons
};

/// Cases that follow each other in the order of evaluation: their points, one after the other.
using RunStretch = std::vector<double>;

/// Evaluates stretches of cases, one case at least, until all are done or `most_seconds` have
/// passed. The order is such that the evaluated ones are spread over all stretches whenever it
/// ends. Stores nothing. Throws what CaseEvaluator does.
Rehearsed rehearse(const Study& study, const std::vector<RunStretch>& stretches,
                   double most_seconds);

}  // namespace counterpoise
