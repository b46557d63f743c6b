#pragma once

#include <optional>
#include <vector>

#include "optimizer/convex/certificate.hpp"

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

/// How limits and bounds are grouped and named in a conflict.
struct ConflictMembers {
  /// Limits that go by one name, and are left out or kept together; empty: each alone.
  std::vector<std::vector<int>> groups;
  /// Limits that hold whatever else is left out, and are not named.
  std::vector<int> always;
  /// Variables whose bounds follow from limits and are not listed as bounds.
  std::vector<int> unbounded;
};

/// Finds such a set for a problem that solve() found infeasible. Cost: one solve() per group of
/// limits and per bound.
Conflict smallest_conflict(const ConvexProblem& problem, const ConvexOptions& options = {},
                           const ConflictMembers& members = {});

/// The scale by which a violation of each limit is measured: the size of its terms at the point
/// within the bounds that is nearest to 0.
std::vector<double> limit_scales(const ConvexProblem& problem);

/// The problem without limits that minimises the largest violation of the limits in `chosen`, each
/// divided by its scale.
ConvexProblem elastic(const ConvexProblem& problem, const std::vector<double>& scales,
                      const std::vector<int>& chosen);

/// The multipliers of an elastic problem as a proof that the limits cannot be met.
Certificate conflict_proof(const ConvexProblem& problem, const std::vector<double>& scales,
                           const std::vector<int>& chosen, const Certificate& of_elastic);

/// The indices of all limits: 0 to one less than their number.
std::vector<int> all_limits(const ConvexProblem& problem);

}  // namespace counterpoise
