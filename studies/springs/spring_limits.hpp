#pragma once

#include "studies/springs/sizing_problem.hpp"

namespace counterpoise {

/// What holds for the sized springs of one motion, as limits of a convex problem whose first
/// unknowns are those of `unknowns`: least and largest length over the motion, largest tension.
/// Throws InputError at a variable where a limit depends on it in no linear way.
void limit_springs(const Study& study, const SpringRoles& roles, const Unknowns& unknowns,
                   const MotionLoads& motion, const std::vector<AffineSpring>& springs,
                   const std::string& motion_name, ConvexProblem& problem);

/// The bounds of free lengths that stand for products: low * rate <= product <= high * rate.
void bound_products(const Study& study, const SpringRoles& roles, const Unknowns& unknowns,
                    ConvexProblem& problem);

/// Values for free lengths whose rate comes out as zero: their own value in the model, or the
/// nearest that min_length and max_length allow. Where none is allowed, the rate's lower bound in
/// `problem` is lifted from zero, so that limits exclude each other there as they do for any other
/// rate.
std::vector<double> idle_lengths(const Study& study, const SpringRoles& roles,
                                 const Unknowns& unknowns, const std::vector<MotionLoads>& motions,
                                 const std::vector<std::vector<AffineSpring>>& springs,
                                 ConvexProblem& problem);

}  // namespace counterpoise
