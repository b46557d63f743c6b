#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "cases/case_outcome.hpp"
#include "results/results_file.hpp"
#include "studies/reports/failures/evaluated_on.hpp"

namespace counterpoise {

struct FailureOptions {
  EvaluateOnOptions on{};
  bool by_variable = true;  // if false, FailureReport::variables stays empty, and cases of a
                            // sampling cost a fraction to read
  const FailedCases* failed = nullptr;  // of the run that wrote the results, if it has just ended
  std::shared_future<EvaluatedOn> begun{};  // what begin_to_evaluate_on() gave for it
};

/// Why cases of a study failed. A run stops at the first thing that is against a case, and that is
/// what is counted. Failed cases, or at most so many drawn from them, are evaluated on to find
/// everything that is against them: only that tells what loosening one limit would open.
struct FailureReport {
  /// How many cases one thing was the first to speak against.
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
  };
  /// How cases fail along the range of one variable.
  struct Share {
    std::string label;  // a level, or the two ends of a part of the range
    std::int64_t cases = 0, failed = 0;
  };
  struct OfVariable {
    std::string variable;
    std::string unit;  // SI, of the parts; empty if they have none
    std::vector<Share> shares;
  };
  /// Limits and reasons of which every case evaluated on breaks at least one.
  struct Excluding {
    std::vector<FailureName> names;
    bool smallest = false;  // there is no smaller set; else none of these can be left out
  };

  std::int64_t cases = 0, feasible = 0, failed = 0;  // failed: infeasible or failed
  std::int64_t evaluated = 0;                        // of the failed cases
  bool sampled = false;        // the file keeps some cases only: `variables` are of its sample, and
                               // what is evaluated on is from it
  bool typed = true;           // the file knows why; else `tallies` are of the cases evaluated on
  double seconds = 0.0;        // CPU time of all threads that this report took
  bool exact_springs = false;  // reasons are told by an exact search; nothing is evaluated on
  std::vector<Tally> tallies;  // most first
  std::vector<Opening> openings;  // those that open most first
  std::vector<OfVariable> variables;
  std::optional<Excluding> excluding;  // where nothing is feasible

  /// Whether the openings are of all failed cases.
  [[nodiscard]] bool complete() const { return evaluated == failed; }
};

/// Cost: two passes over the cases, and an evaluation of each case that is evaluated on. Throws
/// StoreError (unusable) for damaged results, and Interrupted.
FailureReport failures_of(const ResultsFile& results, const Study& study,
                          const FailureOptions& options = {});

/// The tally of one failed case: everything that is against it.
std::vector<Failure> failures_of_case(const Study& study, const CaseRow& row);

}  // namespace counterpoise
