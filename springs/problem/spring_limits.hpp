#pragma once

#include "springs/problem/sizing_problem.hpp"

namespace counterpoise {

/// Adds the limits of the sized springs in one motion to a convex problem whose first unknowns are
/// those of `unknowns`: least and largest length over the motion, largest tension, and what springs
/// keep that only pull or only push. Throws InputError at a variable on which a limit does not
/// depend linearly.
void limit_springs(const Study& study, const SpringRoles& roles, const SpringUnknowns& unknowns,
                   const MotionLoads& motion, const std::vector<AffineSpring>& springs,
                   std::size_t motion_index, WrittenProblem& out);

/// Adds the bounds of free lengths whose unknowns are products: low * rate <= product <= high *
/// rate.
void bound_products(const Study& study, const SpringRoles& roles, const SpringUnknowns& unknowns,
                    WrittenProblem& out);

/// For each free length that goes with a sized rate, the range that its variable, min_length,
/// max_length and the sense in which the spring acts allow whatever the rate, and for a rate of
/// zero its own value in the model or the nearest allowed. `conflict` names two limits that leave
/// no range, if there are such; else it is empty.
std::vector<IdleLength> idle_lengths(const Study& study, const SpringRoles& roles,
                                     const SpringUnknowns& unknowns,
                                     const std::vector<MotionLoads>& motions,
                                     const std::vector<std::vector<AffineSpring>>& springs,
                                     std::string& conflict);

}  // namespace counterpoise
