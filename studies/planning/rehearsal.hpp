#pragma once

#include <cstdint>
#include <vector>

#include "engine/reuse/stage.hpp"
#include "studies/definition/study.hpp"

namespace counterpoise {

/// What evaluating some of a study's cases showed.
struct Rehearsed {
  std::int64_t cases = 0, feasible = 0;
  StageCounts counts{};   // of these cases
  StageCounts at_most{};  // what StageWalk says of them
  StageCounts first{};    // of the baselines before, whose runs also find memory for everything
  double setup_seconds = 0.0;  // until the first case: an evaluator, the baselines
  double other_seconds = 0.0;  // of all these cases, outside the stages
  double stored_bytes = 0.0;   // of their rows in a file
  double reason_bytes = 0.0;   // of their reasons
};

/// Cases that follow each other in the order of evaluation: their points, one after the other.
using Stretch = std::vector<double>;

/// Evaluates stretches of cases, one case at least, until all are done or `most_seconds` have
/// passed, in an order that is spread over them wherever it ends. Stores nothing. Throws what
/// CaseEvaluator does.
Rehearsed rehearse(const Study& study, const std::vector<Stretch>& stretches, double most_seconds);

}  // namespace counterpoise
