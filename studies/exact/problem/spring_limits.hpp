#pragma once

#include "studies/exact/problem/sizing_problem.hpp"

namespace counterpoise {

/// What holds for the sized springs of one motion, as limits of a convex problem whose first
/// unknowns are those of `unknowns`: least and largest length over the motion, largest tension.
/// Throws InputError at a variable where a limit depends on it in no linear way.
void limit_springs(const Study& study, const SpringRoles& roles, const SpringUnknowns& unknowns,
                   const MotionLoads& motion, const std::vector<AffineSpring>& springs,
                   std::size_t motion_index, WrittenProblem& out);

/// The bounds of free lengths that stand for products: low * rate <= product <= high * rate.
void bound_products(const Study& study, const SpringRoles& roles, const SpringUnknowns& unknowns,
                    WrittenProblem& out);

/// Of each free length that goes with a sized rate: the range that its variable, min_length and
/// max_length allow whatever the rate, and its own value in the model, or the nearest allowed, for
/// a rate of zero. `conflict` names two limits that leave no range, if there are; else it is empty.
std::vector<IdleLength> idle_lengths(const Study& study, const SpringRoles& roles,
                                     const SpringUnknowns& unknowns,
                                     const std::vector<MotionLoads>& motions,
                                     const std::vector<std::vector<AffineSpring>>& springs,
                                     std::string& conflict);

}  // namespace counterpoise
