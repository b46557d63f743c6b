#pragma once

#include "studies/exact/mounts/simplex_bound.hpp"

namespace counterpoise {

/// A geometry and a choice of springs: the values of SpringRoles::outer and the levels of
/// SpringRoles::held.
struct MountPlace {
  std::vector<double> outer;
  std::vector<int> held;
};

/// What is known at one geometry of a part: multipliers, and the best springs.
struct MountCorner {
  std::optional<InstantMultipliers> optimal;       // none where there is no such design
  std::optional<InstantMultipliers> conflict;      // where no springs meet the limits
  MountWeights optimal_weights, conflict_weights;  // of these
  double value = no_limit;  // of the part's best springs; infinite where none meet all limits
  std::vector<double> x;    // of these springs, or others to begin at
};

/// Solves the problems of single geometries, for their multipliers. One per thread.
class CornerSolver {
 public:
  /// `geometry` has the values of all outer variables, of which those of the part are replaced, and
  /// the levels of all held ones. All must outlive it.
  CornerSolver(const MountProblem& problem, const SpringRoles& roles, SpringSizer& sizer,
               const SizingGoal& goal, MountPlace geometry, Interruption interrupted);

  /// Solves the problem at a point of the part's unit box. `start` are springs to begin at, or
  /// empty. The same arguments give the same result.
  [[nodiscard]] MountCorner solve(std::span<const double> at, const std::vector<double>& start);

 private:
  void solve_conflict(const MountProblem::Share& share, const ConvexSolution& none,
                      MountCorner& out);
  void note(const Certificate& certificate, const MountProblem::Share& share,
            std::optional<InstantMultipliers>& out, MountWeights& weights) const;

  const MountProblem& problem_;
  const SpringRoles& roles_;
  SpringSizer& sizer_;
  SizingGoal goal_;
  MountPlace geometry_;
  ConvexOptions options_;
};

}  // namespace counterpoise
