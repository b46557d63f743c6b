#pragma once

#include <array>

#include "studies/run.hpp"

namespace counterpoise {

/// The forecast for one stage in a run, for all workers together.
struct StageForecast {
  Stage stage = Stage::coordinates;
  std::int64_t runs = 0;         // upper bound, in the stage's own units (see StageCount)
  std::int64_t of = 0;           // runs if nothing were remembered
  double seconds_per_run = 0.0;  // 0 if no run was measured
  double seconds = 0.0;
};

/// The time and memory that a run would take.
struct RunPlan {
  bool search = false;
  std::int64_t cases = 0;  // of a search at most
  std::int64_t walked =
      0;  // cases gone through to count runs; if all, the runs are exactly those of one worker
  int threads = 1;
  std::array<StageForecast, stage_count> stages;
  StageCount falls;  // of scenarios: runs and seconds, as often as in the cases that were tried

  std::int64_t rehearsed = 0;   // cases that were evaluated to predict times
  double feasible_share = 0.0;  // of them
  double other_seconds = 0.0;   // of all workers, outside the stages
  double store_seconds = 0.0;   // of the thread that writes
  double seconds = 0.0;         // the whole run, by the clock
  std::int64_t kept = 0;  // cases that the file keeps, without its front where it keeps some only
  double file_bytes = 0.0;
  double resident_bytes = 0.0;  // memory at the peak, to within 30 %

  [[nodiscard]] bool exact() const { return !search && walked == cases; }
};

/// Plans the run that run_study with these options would do without earlier results. Counts the
/// runs of every stage by going through the cases, the baselines included, and measures the times
/// of some cases. Writes nothing and reads no results file. The rehearsal ends after
/// `longest_rehearsal` [s]; the whole plan takes about half a second at most, once an evaluator is
/// made. Throws InputError as run_study would. An exact search spends its time in sizing springs:
/// see plan_exact().
RunPlan plan_run(const Study& study, const RunOptions& options, double longest_rehearsal = 0.25);

}  // namespace counterpoise
