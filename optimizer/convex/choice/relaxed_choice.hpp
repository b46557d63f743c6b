#pragma once

#include "optimizer/convex/choice/choose.hpp"

namespace counterpoise {

/// The convex problem in which the first groups have the options of `prefix` and every other may
/// take any values in the convex hull of its options (for more than two unknowns: within their
/// ranges). The limits of the hulls come after the problem's own.
ConvexProblem relaxed_choice(const ChoiceProblem& problem, const std::vector<int>& prefix);

}  // namespace counterpoise
