#pragma once

#include <future>
#include <optional>

#include "cases/run_options.hpp"
#include "studies/reports/failures/broken_limits.hpp"

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

/// The choice that these options make among failed cases of the study.
FailedChoice choice_of(const Study& study, const EvaluateOnOptions& options);

/// A failed case that is evaluated on.
struct FailedCase {
  std::int64_t id = 0;
  std::vector<double> point{};           // may be empty, where it follows from the id
  std::optional<BrokenLimits> broken{};  // where it was evaluated on already
};

/// Failed cases that are evaluated on: all, or those of a FailedChoice.
class FailedSample {
 public:
  FailedSample(const Study& study, const EvaluateOnOptions& options)
      : choice_(choice_of(study, options)) {}

  /// Offers cases, in any order.
  void offer(std::int64_t id, const std::vector<double>& point);
  /// Takes over what is known of cases that were offered, and how long it took.
  void take_known(const FailedCases& failed);
  /// Whether no case is left to be evaluated on.
  [[nodiscard]] bool is_known() const;
  /// Returns the cases in the order of their ids, in which neighbours have most in common, and
  /// finds the points that were not given and that are needed.
  std::vector<FailedCase> finish(const Study& study);

  double seconds = 0.0;  // CPU time that was taken for those that are known

 private:
  struct Ranked {
    std::uint64_t rank;
    FailedCase failed;

    friend bool operator<(const Ranked& a, const Ranked& b) { return a.rank < b.rank; }
  };
  FailedChoice choice_;
  std::vector<Ranked> chosen_;  // a heap, with the highest rank first
};

/// Failed cases and everything that is against them.
struct EvaluatedOn {
  std::vector<std::int64_t> ids;
  std::vector<BrokenLimits> broken;
  double seconds = 0.0;  // CPU time of all threads that this took
};

/// Throws Interrupted.
EvaluatedOn evaluate_on(const Study& study, FailedSample sample, const EvaluateOnOptions& options);

/// Begins to evaluate those failed cases on that a run did not evaluate on at once. The run has
/// just evaluated its last one and is still storing rows; with one thread it does so only when it
/// is asked for the result. Returns an invalid future where results have to be read first, unless
/// the run is a whole sampling that keeps all cases, and where no thread is to be had. The study
/// has to outlive the result.
std::shared_future<EvaluatedOn> begin_to_evaluate_on(const Study& study, const FailedCases& failed,
                                                     const EvaluateOnOptions& options);

}  // namespace counterpoise
