#pragma once

#include <array>

#include "studies/run.hpp"

namespace counterpoise {

/// What is expected of one stage in a run, of all workers together.
struct StageForecast {
  Stage stage = Stage::coordinates;
  std::int64_t runs = 0;         // at most, in the stage's own units (see StageCount)
  std::int64_t of = 0;           // with those that what is remembered saves
  double seconds_per_run = 0.0;  // 0: none was seen
  double seconds = 0.0;
};

/// What a run would take.
struct RunPlan {
  bool search = false;
  std::int64_t cases = 0;   // of a search at most
  std::int64_t walked = 0;  // of them, to count runs; all: the runs are those of one worker exactly
  int threads = 1;
  std::array<StageForecast, stage_count> stages;

  std::int64_t rehearsed = 0;   // cases that were evaluated to predict times
  double feasible_share = 0.0;  // of them
  double other_seconds = 0.0;   // of all workers, outside the stages
  double store_seconds = 0.0;   // of the thread that writes
  double seconds = 0.0;         // the whole run, by the clock
  double file_bytes = 0.0;
  double resident_bytes = 0.0;  // at the peak, to within 30 %

  [[nodiscard]] bool exact() const { return !search && walked == cases; }
};

/// Plans the run that run_study with these options would do afresh: counts the runs of every stage
/// by walking its cases, the baselines' included, and times a rehearsal of some. Writes nothing and
/// looks at no results file. The rehearsal ends after `longest_rehearsal` [s]; all takes about half
/// a second at most, once an evaluator is made. Throws InputError as run_study would, and for an
/// exact search, whose sizing of springs it cannot time.
RunPlan plan_run(const Study& study, const RunOptions& options, double longest_rehearsal = 0.25);

}  // namespace counterpoise
