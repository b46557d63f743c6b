#pragma once

#include "cases/case_outcome.hpp"
#include "studies/exact/laws/spring_roles.hpp"
#include "studies/exact/proof/stored_goals.hpp"

namespace counterpoise {

/// Compares stored numbers with those evaluated again, to 1e-9 of their size, or of the size
/// without springs for a number that is nearly zero.
class StoredNumbers {
 public:
  /// `baselines` are those evaluated again. Both arguments must outlive this object.
  StoredNumbers(const Study& study, const Baselines& baselines);

  /// Says in words what differs between two rows' numbers; empty if nothing does.
  [[nodiscard]] std::string difference(std::span<const double> stored_objectives,
                                       std::span<const double> objectives,
                                       std::span<const double> stored_metrics,
                                       std::span<const double> metrics) const;

 private:
  const Study& study_;
  std::vector<double> objective_sizes_, metric_sizes_;
};

/// Says in words why results as a whole are not a proof; empty if they are. The baselines must be
/// those of the study, and every case that was the best of its start so far must have its
/// certificate; at a point of a trade-off without geometry this is its only case.
std::string fault_of_results(const ResultsFile& results, const Study& study,
                             const SpringRoles& roles, const Baselines& baselines,
                             StoredGoals& goals);

}  // namespace counterpoise
