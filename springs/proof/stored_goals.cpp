#include "springs/proof/stored_goals.hpp"

#include <string>

#include "results/rows/rows.hpp"

namespace counterpoise {

StoredGoals::StoredGoals(const ResultsFile& results, const Study& study)
    : results_(results), study_(study), goals_(study) {}

SizingGoal StoredGoals::of_case(std::int64_t id) {
  if (goals_.count() == 1) return goals_.corner_goal(0);
  const std::int64_t tasks_before = start_of(id) / study_.search()->starts;
  if (tasks_before >= goals_.count())
    throw damaged(results_.path(),
                  "case " + std::to_string(id) + " belongs to none of the study's searches");
  const int task = static_cast<int>(tasks_before);
  if (goals_.is_corner(task)) return goals_.corner_goal(task);
  if (!reached_) reached_ = goals_.reached_at_corners(results_);
  return goals_.goal(task, *reached_);
}

std::int64_t StoredGoals::start_of(std::int64_t id) const {
  // without geometry all cases kept near the best belong to one start
  if (goals_.count() == 1 && !study_.search()->geometry) return 0;
  return (id - 1) / study_.search()->max_evaluations;
}

std::optional<CertificateRow> proof_of(const Study& study, const ResultsFile& results,
                                       std::int64_t id) {
  std::optional<CertificateRow> own = results.certificate(id);
  const Search* search = study.search();
  const bool kept_beside_best = search != nullptr && search->within > 0.0 && !search->geometry;
  if (own || !kept_beside_best) return own;
  return results.certificate(1);
}

}  // namespace counterpoise
