#pragma once

#include "springs/problem/sizing_problem.hpp"

namespace counterpoise {

/// Adds the limits of the sized springs in one motion to a convex problem whose first unknowns are
/// `unknowns`: least and largest length over the motion, largest tension, the sign of tensions of
/// springs that only pull or only push, and no tension where the ends of a spring meet. Throws
/// InputError at a variable on which a limit does not depend linearly.
void limit_springs(const Study& study, const SpringRoles& roles, const SpringUnknowns& unknowns,
                   const MotionLoads& motion, const std::vector<AffineSpring>& springs,
                   std::size_t motion_index, WrittenProblem& out);

/// A bound of a parameter of the model that sized variables change: beyond <= 0.
struct ParameterBound {
  LimitWords words;             // its unit, and whether it is a least value
  AffineNumber beyond;          // how far the parameter is beyond the bound, in the sized variables
  double bound = 0.0;           // the bound itself, where nothing changes it; else 0
  bool kept_by_ranges = false;  // no value of the sized variables within their ranges is beyond it
};

/// Adds the bounds of parameters to a convex problem. Returns the names of bounds that are not
/// linear in the unknowns: only the evaluation of a design tells whether it keeps them.
std::vector<std::string> bound_parameters(const std::vector<ParameterBound>& bounds,
                                          const SpringUnknowns& unknowns, WrittenProblem& out);

/// Adds the bounds of free lengths whose unknowns are products: low * rate <= product <= high *
/// rate.
void bound_products(const Study& study, const SpringRoles& roles, const SpringUnknowns& unknowns,
                    WrittenProblem& out);

/// For each free length that goes with a sized rate, the range that its variable, min_length,
/// max_length, bounds of parameters and the sense in which the spring acts allow whatever the rate,
/// and for a rate of zero its own value in the model or the nearest allowed. `conflict` names two
/// limits that leave no range, if there are such; else it is empty.
std::vector<IdleLength> idle_lengths(const Study& study, const SpringRoles& roles,
                                     const SpringUnknowns& unknowns,
                                     const std::vector<MotionLoads>& motions,
                                     const std::vector<std::vector<AffineSpring>>& springs,
                                     const std::vector<ParameterBound>& bounds,
                                     std::string& conflict);

}  // namespace counterpoise
