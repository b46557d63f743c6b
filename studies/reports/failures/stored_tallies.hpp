#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "results/results_file.hpp"
#include "studies/reports/failures/failure_report.hpp"

namespace counterpoise {

/// What a results file says of why its cases failed: one name for each limit and reason that
/// occurs. Reads that beside the cases, one at a time, so the memory does not grow with them.
class StoredTallies {
 public:
  /// All three must outlive this object.
  StoredTallies(const ResultsFile& results, const Study& study, const StatedLimits& stated);

  /// Takes the cases by ascending id. Throws StoreError (unusable) where the file contradicts
  /// itself, as finish() does.
  void see(const CaseRow& row);
  /// Takes what all cases come to instead, of a file that keeps some only.
  void see(const Totals& totals);
  /// Returns the tallies; nothing of a file of earlier versions.
  std::vector<FailureReport::Tally> finish();

 private:
  void count(const CaseRow& row);
  void add(std::int64_t kind, std::int64_t element, std::int64_t count);
  void add_in_words(const std::string& words, std::int64_t count);

  const ResultsFile* results_;
  const StatedLimits* stated_;
  ResultsFile::FailureCursor cursor_;
  FailureRow next_;
  bool more_ = false;
  std::set<std::pair<std::int64_t, std::int64_t>> possible_;  // kinds and elements
  std::map<std::pair<FailureKind, int>, FailureReport::Tally> known_;
  std::map<std::string, FailureReport::Tally> in_words_;
};

}  // namespace counterpoise
