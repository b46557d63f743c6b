#pragma once

#include <span>
#include <string>
#include <vector>

#include "studies/explanation/compared_motion.hpp"

namespace counterpoise {

/// A case as it was evaluated again.
struct ExplainedCase {
  std::span<const double> point;       // of the study
  std::span<const double> parameters;  // of the model
  const CaseOutcome* outcome = nullptr;
  const Baselines::Pair* baselines = nullptr;
};

/// A limit of a spring, an actuator, a constraint or the range of a variable that a case reaches or
/// breaks.
struct BindingLimit {
  static constexpr double near = 1e-6;  // relative: this close is binding

  std::string name;  // "min_length of lean_spring in motion reach"
  double value = 0.0;
  double bound = 0.0;
  std::string unit;     // SI; empty: none
  bool broken = false;  // beyond 1e-9 of its size
  std::string beyond;   // why there is nothing to loosen, in words; see PossibleEnds
};

/// In the order springs, actuators, constraints, variables.
std::vector<BindingLimit> binding_limits(const Study& study,
                                         const std::vector<ComparedMotion>& motions,
                                         const ExplainedCase& of);

/// "lift_rate at its upper bound 20000 N/m".
std::string bound_name(const Study& study, const Variable& variable, bool upper, double bound);

/// Units of what a study's numbers are; empty where they have none.
std::string unit_of(const Study& study, const Variable& variable);
std::string unit_of(const Study& study, const Objective& objective);
std::string load_unit(const Mechanism& mechanism, const Actuator& actuator);

}  // namespace counterpoise
