#include "studies/cases/case_outcome.hpp"

namespace counterpoise {

std::string_view status_name(CaseStatus status) {
  switch (status) {
    case CaseStatus::feasible:
      return "feasible";
    case CaseStatus::infeasible:
      return "infeasible";
    case CaseStatus::failed:
      return "failed";
  }
  return "failed";
}

void CaseOutcome::begin() {
  status = CaseStatus::feasible;
  reason.clear();
  failures.clear();
  computable = false;
  violation = 0.0;
}

void CaseOutcome::refuse(const Failure& failure, std::string why) {
  if (status == CaseStatus::feasible) {
    status = CaseStatus::infeasible;
    reason = std::move(why);
  }
  failures.push_back(failure);
  violation += failure.violation;
}

void CaseOutcome::refuse(std::string why, double excess) {
  Failure failure;
  failure.violation = excess;
  refuse(failure, std::move(why));
}

}  // namespace counterpoise
