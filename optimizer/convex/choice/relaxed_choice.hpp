#pragma once

#include "optimizer/convex/choice/choose.hpp"

namespace counterpoise {

/// The convex problem in which the first groups have the options of `prefix` and every other may be
/// anything in the convex hull of its options (of two unknowns; within their ranges, of more).
/// Limits of the hulls stand behind the problem's own.
ConvexProblem relaxed_choice(const ChoiceProblem& problem, const std::vector<int>& prefix);

}  // namespace counterpoise
