#pragma once

#include <string>

#include "studies/definition/study.hpp"

namespace counterpoise {

/// Whether a parameter gets a variable's number as it is.
bool sets_directly(const Variable& variable, const VariableTarget& target);

/// Units of what a study's numbers are, in SI; empty where they have none. Of a variable it is that
/// of a parameter which gets its number as it is.
std::string unit_of(const Study& study, const Variable& variable);
std::string unit_of(const Study& study, const Objective& objective);
std::string load_unit(const Mechanism& mechanism, const Actuator& actuator);

/// "lift_rate at its upper bound 20000 N/m".
std::string bound_name(const Study& study, const Variable& variable, bool upper, double bound);

/// A sensible small change of a number in this unit (empty: none) and of this size (0: not known).
double small_step(const std::string& unit, double size);

/// Relative: a number this close to a limit is at it.
inline constexpr double binding_closeness = 1e-6;

/// How far a continuous variable or unknown may lie from an end of its range and still be at it:
/// 1e-6 of the end's own size, or of a sensible small step where that is zero; never of a range so
/// wide that it says nothing of the number. `unit` as of small_step().
double near_end(const std::string& unit, double low, double high, double end);

}  // namespace counterpoise
