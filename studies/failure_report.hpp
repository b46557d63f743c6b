#pragma once

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "cases/case_outcome.hpp"
#include "cases/run_options.hpp"
#include "input/definition/study.hpp"
#include "optimizer/interruption.hpp"
#include "results/results_file.hpp"

namespace counterpoise {

/// What the numbers of kinds mean that a results file stores. Files of other versions count kinds
/// in another way, but all say what theirs mean.
class StoredKinds {
 public:
  StoredKinds(const ResultsFile& results, const Study& study);
  /// The kind that the file calls by this number, of this element; nothing for a number that the
  /// file does not explain.
  [[nodiscard]] std::optional<FailureKind> kind(std::int64_t number, std::int64_t of) const;

 private:
  std::map<std::pair<std::int64_t, std::int64_t>, FailureKind> kinds_;  // by number and element
};

/// Which reasons against a case are looked for: all, or, of a case that two are against without any
/// fall, only those.
enum class Reasons { all, up_to_two };

/// Evaluates points of a study (as PointSource gives them) whatever limits they break, also with
/// parameters beyond their bounds, on the threads of this arena. The result is the same for any
/// number of them; what did not fall is not whole. `baselines`: the study's, which are evaluated if
/// they are not given. Adds the CPU time of threads other than this one to `others` [s]. Throws
/// Interrupted.
std::vector<BrokenLimits> broken_limits(const Study& study,
                                        std::span<const std::vector<double>> points,
                                        Reasons reasons,
                                        std::shared_ptr<const Baselines> baselines = nullptr,
                                        const Interruption& interrupted = {},
                                        double* others = nullptr);

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

/// Failed cases that are evaluated on: all, or a sample as FailedChoice says.
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

/// Failed cases and every limit that each breaks.
struct EvaluatedOn {
  std::vector<std::int64_t> ids;
  std::vector<BrokenLimits> broken;
  double seconds = 0.0;  // CPU time of all threads that this took
};

/// Throws Interrupted.
EvaluatedOn evaluate_on(const Study& study, FailedSample sample, Reasons reasons,
                        const EvaluateOnOptions& options);

/// Begins to evaluate on the failed cases that a run did not evaluate on at once. The run has just
/// evaluated its last one and is still storing rows; with one thread it does so only when it is
/// asked for the result. Returns an invalid future where results have to be read first, unless the
/// run is a whole sampling that keeps all cases, and where no thread is to be had. The study has to
/// outlive the result.
std::shared_future<EvaluatedOn> begin_to_evaluate_on(const Study& study, const FailedCases& failed,
                                                     const EvaluateOnOptions& options);

struct FailureOptions {
  EvaluateOnOptions on{};
  bool by_variable = true;  // if false, FailureReport::variables stays empty, and cases of a
                            // sampling cost a fraction to read
  const FailedCases* failed = nullptr;  // of the run that wrote the results, if it has just ended
  std::shared_future<EvaluatedOn> begun{};  // what begin_to_evaluate_on() gave for it
};

/// Why cases of a study failed. A run stops at the first thing that is against a case, and that is
/// what is counted. Failed cases, or at most so many drawn from them, are evaluated on to find
/// every limit that they break: only then is it known what loosening one limit would open.
struct FailureReport {
  /// For how many cases this was the first reason found.
  struct Tally {
    FailureName name;
    std::int64_t count = 0;
  };
  /// What loosening one limit alone would open.
  struct Opening {
    FailureName name;
    std::int64_t count = 0;  // of the cases evaluated on, those that break nothing else
    double half = 0.0;  // loosened by so much, half of these become feasible [unit of the name]
    double all = 0.0;   // and all of them
    std::int64_t nearest = 0;       // the case among them that misses by the least
    double nearest_excess = 0.0;    // by how much
    double nearest_relative = 0.0;  // the same, relative to the size of the limit
    bool acts = false;  // some of them are so short or long that their spring would act the other
                        // way than the model says, which has to be allowed too
  };
  /// How cases fail along the range of one variable.
  struct Share {
    std::string label;         // a level, or the two ends of a part of the range, in SI
    std::vector<double> ends;  // the same as numbers; empty where levels are names
    std::int64_t cases = 0, failed = 0;
  };
  struct OfVariable {
    std::string variable;
    std::string unit;  // SI, of the parts; empty if they have none
    std::vector<Share> shares;
  };
  /// Limits and reasons such that every case evaluated on breaks at least one of them.
  struct Excluding {
    std::vector<FailureName> names;
    bool smallest = false;  // there is no smaller set; else none of these can be left out
    bool known = false;     // all that is against each case is known; else neither is
  };

  std::int64_t cases = 0, feasible = 0, failed = 0;  // failed: infeasible or failed
  std::int64_t evaluated = 0;                        // of the failed cases
  bool sampled = false;  // the file keeps some cases only: `variables` describe its sample, and
                         // what is evaluated on is from it
  bool typed = true;     // the file knows why; else `tallies` count the cases evaluated on
  double seconds = 0.0;  // CPU time of all threads that this report took
  bool exact_springs = false;     // an exact search proved the reasons; nothing is evaluated on
  std::vector<Tally> tallies;     // most first
  std::vector<Opening> openings;  // those that open most first
  std::vector<OfVariable> variables;
  std::optional<Excluding> excluding;  // where nothing is feasible

  /// Whether the openings count all failed cases.
  [[nodiscard]] bool complete() const { return evaluated == failed; }
};

/// Cost: two passes over the cases, and an evaluation of each case that is evaluated on. Throws
/// StoreError (unusable) for damaged results, and Interrupted.
FailureReport failures_of(const ResultsFile& results, const Study& study,
                          const FailureOptions& options = {});

/// The tally of one failed case: everything that is against it. Of a case for which an exact search
/// found no springs it is what that search says, as its numbers are no design.
std::vector<Failure> failures_of_case(const ResultsFile& results, const Study& study,
                                      const CaseRow& row);

}  // namespace counterpoise
