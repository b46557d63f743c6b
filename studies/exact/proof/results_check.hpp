#pragma once

#include "studies/cases/case_outcome.hpp"
#include "studies/exact/laws/spring_roles.hpp"
#include "studies/exact/proof/stored_goals.hpp"

namespace counterpoise {

/// Compares numbers that were stored with those evaluated again, to 1e-9 of their size; of one that
/// is nearly zero, of that without springs.
class StoredNumbers {
 public:
  /// `baselines` evaluated again; both must outlive it.
  StoredNumbers(const Study& study, const Baselines& baselines);

  /// What differs between two rows' numbers, in words; empty if nothing does.
  [[nodiscard]] std::string difference(std::span<const double> stored_objectives,
                                       std::span<const double> objectives,
                                       std::span<const double> stored_metrics,
                                       std::span<const double> metrics) const;

 private:
  const Study& study_;
  std::vector<double> objective_sizes_, metric_sizes_;
};

/// What results as a whole lack of being a proof, in words; empty if nothing. The baselines must be
/// those of the study, and every case that was the best of its start so far has its certificate:
/// the only one of a point of a trade-off without geometry.
std::string fault_of_results(const ResultsFile& results, const Study& study,
                             const SpringRoles& roles, const Baselines& baselines,
                             StoredGoals& goals);

}  // namespace counterpoise
