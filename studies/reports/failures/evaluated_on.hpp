#pragma once

#include <future>

#include "optimizer/sampling/random_bits.hpp"
#include "studies/reports/failures/broken_limits.hpp"
#include "studies/running/run_options.hpp"

namespace counterpoise {

/// Which failed cases are evaluated on, and how.
struct EvaluateOnOptions {
  std::size_t most_evaluated = 10'000;
  std::size_t most_falling = 64;                 // the same of a study that runs scenarios
  std::uint64_t seed = 1;                        // chooses them if there are more
  int threads = 0;                               // 0: all processors
  std::shared_ptr<const Baselines> baselines{};  // the study's; evaluated if absent
  Interruption interrupted = {};
};

/// Failed cases that are evaluated on: all, or so many of them that each is as likely.
class FailedSample {
 public:
  FailedSample(const Study& study, const EvaluateOnOptions& options);

  /// `point` may be empty, where it follows from the id.
  void offer(std::int64_t id, const std::vector<double>& point);
  /// Puts them in the order of their ids, in which neighbours have most in common, and finds the
  /// points that were not given.
  void finish(const Study& study);

  std::vector<std::int64_t> ids;
  std::vector<std::vector<double>> points;

 private:
  std::size_t most_;
  std::int64_t offered_ = 0;
  Draws draws_;
};

/// Failed cases and everything that is against them.
struct EvaluatedOn {
  std::vector<std::int64_t> ids;
  std::vector<BrokenLimits> broken;
  double seconds = 0.0;  // CPU time of all threads that this took
};

/// Throws Interrupted.
EvaluatedOn evaluate_on(const Study& study, FailedSample sample, const EvaluateOnOptions& options);

/// Begins to evaluate failed cases of a run that has just evaluated its last one, while that is
/// still storing rows; with one thread it does so only when it is asked for the result. Returns an
/// invalid future where results have to be read first, unless the run is a whole sampling that
/// keeps all cases, and where no thread is to be had. The study has to outlive the result.
std::shared_future<EvaluatedOn> begin_to_evaluate_on(const Study& study, const FailedCases& failed,
                                                     const EvaluateOnOptions& options);

}  // namespace counterpoise
