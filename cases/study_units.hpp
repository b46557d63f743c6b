#pragma once

#include <string>

#include "input/definition/mechanism_units.hpp"

namespace counterpoise {

/// Whether a parameter gets a variable's number unchanged.
bool sets_directly(const Variable& variable, const VariableTarget& target);

/// The SI unit of a number of a study; empty if it has none. The unit of a variable is that of a
/// parameter which gets its number unchanged.
std::string unit_of(const Study& study, const Variable& variable);
std::string unit_of(const Study& study, const Objective& objective);

/// The largest size of a variable's numbers, in SI: a value that is tiny beside it is 0 but for
/// rounding. Returns 0 for texts, and for a range that leaves out 0, where no value is 0.
double largest_number(const Variable& variable);

/// The name of a bound for messages: "lift_rate at its upper bound 20000 N/m".
std::string bound_name(const Study& study, const Variable& variable, bool upper, double bound);

/// A sensible small change of a number in this unit (empty: none) and of this size (0: not known).
double small_step(const std::string& unit, double size);

/// A number counts as being at a limit if it is this close to it, relative to the limit's size.
inline constexpr double binding_closeness = 1e-6;

/// How far a continuous variable or unknown may lie from an end of its range and still be at it:
/// 1e-6 of the end's own size, or of a sensible small step where that is zero; never a fraction of
/// the range, which may be so wide that it says nothing about the number. `unit` is as in
/// small_step().
double near_end(const std::string& unit, double low, double high, double end);

}  // namespace counterpoise
