#pragma once

#include "springs/problem/cheapest_drives.hpp"

namespace counterpoise {

/// Finds the springs with the least objective among all for which some pairs suffice that cost no
/// more than the problem allows. `start` are springs within the limits, with their pairs if these
/// suffice: the answer is then no worse, and `start` itself if there is nothing better.
///
/// Method: branch and bound over pairs. The best springs for which some of the drives have their
/// pairs bound the objective of all combinations with these pairs. If the cheapest pairs that
/// suffice for these springs cost no more than is allowed, they are the best of these combinations;
/// else each pair of one more drive is looked at. At the root no drive has its pair. The demands of
/// pairs are cut out as cheapest_drives() does, and multipliers, of conflicts or of optima no
/// better than the best so far, are tried on other pairs first.
///
/// Demands and limits hold to 1e-9, and so does the bound: no springs are better that keep demands
/// with a share of 1e-9 to spare. Cost: some convex problems for each set of pairs that is not
/// excluded at once, and a pass over the samples for each other one.
DrivenSprings best_springs(const DriveProblem& problem, const DrivenSprings& start,
                           const ConvexOptions& options);

}  // namespace counterpoise
