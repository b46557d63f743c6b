#pragma once

#include <span>
#include <string>
#include <vector>

#include "studies/reports/explanation/compared_motion.hpp"

namespace counterpoise {

/// A limit of a spring, an actuator, a constraint or the range of a variable that a case reaches or
/// breaks.
struct BindingLimit {
  std::string name;  // "min_length of lean_spring in motion reach"
  double value = 0.0;
  double bound = 0.0;
  std::string unit;     // SI; empty: none
  bool broken = false;  // whether it is broken by more than 1e-9 of its size
  std::string beyond;   // why it cannot be loosened, in words; see PossibleEnds
};

/// The limits that bind, in the order springs, actuators, constraints, variables.
std::vector<BindingLimit> binding_limits(const Study& study,
                                         const std::vector<ComparedMotion>& motions,
                                         const ExplainedCase& of);

}  // namespace counterpoise
