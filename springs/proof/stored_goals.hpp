#pragma once

#include "springs/problem/exact_goals.hpp"

namespace counterpoise {

/// The goal that a study has for each case of its results file.
class StoredGoals {
 public:
  /// Both arguments must outlive this object.
  StoredGoals(const ResultsFile& results, const Study& study);

  /// The goal for which the springs of this case were sized.
  [[nodiscard]] SizingGoal of_case(std::int64_t id);
  /// The start of the search that made this case; counted over all tasks.
  [[nodiscard]] std::int64_t start_of(std::int64_t id) const;

 private:
  const ResultsFile& results_;
  const Study& study_;
  const ExactGoals goals_;
  std::optional<ExactGoals::Reached> reached_;  // at the corners of a trade-off
};

/// The certificate that proves that nothing better exists at a case's geometry: its own, or, where
/// an exact search kept combinations near the best, the best one's. Nothing if the case has no such
/// certificate. Throws StoreError (unusable) if the certificate is damaged.
std::optional<CertificateRow> proof_of(const Study& study, const ResultsFile& results,
                                       std::int64_t id);

}  // namespace counterpoise
