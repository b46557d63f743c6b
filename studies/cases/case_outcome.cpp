#include "studies/cases/case_outcome.hpp"

#include <cmath>
#include <map>
#include <utility>

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

BrokenLimits broken_limits_of(const CaseOutcome& outcome) {
  std::map<std::pair<FailureKind, int>, Failure> worst;
  for (const Failure& failure : outcome.failures) {
    const auto [at, fresh] = worst.try_emplace({failure.kind, failure.of}, failure);
    if (!fresh && excess_of(failure) > excess_of(at->second)) at->second = failure;
  }
  BrokenLimits broken;
  broken.whole = outcome.computable;
  for (const auto& [key, failure] : worst) broken.failures.push_back(failure);
  return broken;
}

Failure failure_of(const ModelBinder::Fault& fault, int motion) {
  using Kind = ModelBinder::Fault::Kind;
  Failure failure;
  failure.kind = fault.kind == Kind::not_finite  ? FailureKind::parameter_not_finite
                 : fault.kind == Kind::below_min ? FailureKind::parameter_below_min
                                                 : FailureKind::parameter_above_max;
  failure.of = fault.parameter;
  failure.motion = motion;
  failure.value = fault.value;
  failure.bound = fault.bound;
  if (fault.kind != Kind::not_finite)
    failure.violation =
        std::abs(fault.value - fault.bound) / (fault.bound == 0.0 ? 1.0 : std::abs(fault.bound));
  return failure;
}

}  // namespace counterpoise
