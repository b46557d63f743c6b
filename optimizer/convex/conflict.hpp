#pragma once

#include "optimizer/convex/problem/solution.hpp"

namespace counterpoise {

/// A smallest set of limits and bounds that cannot be met together: without any one of them the
/// rest can be met.
struct Conflict {
  struct Bound {
    int variable = -1;
    bool upper = false;
  };
  std::vector<int> limits;  // indices of ConvexProblem::limits
  std::vector<Bound> bounds;
  Certificate certificate;  // proves the conflict for the problem with these alone
};

/// Finds such a set for a problem that solve() found infeasible. Cost: one solve() per limit and
/// bound.
Conflict smallest_conflict(const ConvexProblem& problem, const ConvexOptions& options = {});

}  // namespace counterpoise
