#pragma once

#include <functional>

#include "optimizer/interruption.hpp"
#include "studies/cases/case_evaluator.hpp"
#include "studies/running/failed_cases.hpp"
#include "studies/stored/provenance.hpp"

namespace counterpoise {

struct Progress {
  std::int64_t done = 0;  // cases of this run that are stored now or were before
  std::int64_t total = 0;
  std::int64_t fresh = 0;  // cases of those that were evaluated now
  std::string words;       // how far the run has come, where cases do not say it
};

struct RunOptions {
  std::filesystem::path output;
  int threads = 0;  // 0 for as many as the machine has
  bool resume = false;
  bool force = false;
  bool allow_mixed = false;
  Shard shard;
  Interruption interrupted;                       // cases finished when it asks to stop are stored
  std::function<void(const Progress&)> progress;  // called from one thread at a time
  // called when the last case of a sampled study is evaluated, while rows are still being stored
  std::function<void(const FailedCases&, const std::shared_ptr<const Baselines>&)> evaluated;
  // failed cases of a sampled study that are evaluated on at once, while their stages are
  // remembered
  FailedChoice evaluate_on;
  // for tests and benchmarks; rows do not depend on these
  Reuse reuse = Reuse::remember;
  std::int64_t window = 262'144;  // cases of a sampled study that are put in order together
};

struct RunSummary {
  std::int64_t evaluated = 0;  // now
  bool was_finished = false;   // whether there was nothing left to do
  bool had_lost_cases =
      false;  // whether the file was marked as finished although cases were missing
  std::int64_t damaged_blocks = 0;  // of cases, evaluated again because they were not as written
  bool interrupted = false;
  std::filesystem::path beside;  // where an interrupted run's results are, if they are to replace
                                 // others; else empty
  bool sizes_springs = false;    // whether workers size springs besides what is counted
  std::shared_ptr<const Baselines> baselines{};  // of the study
  FailedCases failed{};                          // by rising id
  // in CPU time of threads, the baselines' included:
  EvaluationCounts counts;      // of all workers
  double worker_seconds = 0.0;  // of all workers, on cases, counted above or not
  double writer_seconds = 0.0;  // on storing rows
};

}  // namespace counterpoise
