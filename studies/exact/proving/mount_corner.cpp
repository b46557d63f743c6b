#include "studies/exact/proving/mount_corner.hpp"

#include <algorithm>

#include "optimizer/convex/problem/allowed_gap.hpp"
#include "optimizer/convex/solve.hpp"

namespace counterpoise {
namespace {

/// The sum of two certificates' multipliers, the second times a factor, which hold for the same
/// problem, but for limits that the first one leaves out.
Certificate added(Certificate to, const Certificate& more, double factor) {
  to.limits.resize(more.limits.size(), 0.0);
  for (std::size_t l = 0; l < more.limits.size(); ++l) to.limits[l] += factor * more.limits[l];
  for (Certificate::Witness witness : more.witnesses) {
    witness.weight *= factor;
    to.witnesses.push_back(witness);
  }
  return to;
}

}  // namespace

CornerSolver::CornerSolver(const MountProblem& problem, const SpringRoles& roles,
                           SpringSizer& sizer, const SizingGoal& goal, MountPlace geometry,
                           Interruption interrupted)
    : problem_(problem),
      roles_(roles),
      sizer_(sizer),
      goal_(goal),
      geometry_(std::move(geometry)),
      options_{.interruption = std::move(interrupted)} {
  goal_.then.clear();
}

void CornerSolver::note(const Certificate& certificate, const MountProblem::Share& share,
                        std::optional<InstantMultipliers>& out, MountWeights& weights) const {
  InstantMultipliers found = problem_.by_instant(certificate, share, sizer_);
  if (!problem_.fault_of(found).empty()) return;
  weights = problem_.weights_of(found);
  out = std::move(found);
}

/// Where limits exclude each other: their multipliers, and those of the problem without limits plus
/// so much of these that the bound is far above.
void CornerSolver::solve_conflict(const MountProblem::Share& share, const ConvexSolution& none,
                                  MountCorner& out) {
  note(none.certificate, share, out.conflict, out.conflict_weights);
  ConvexProblem free = share.problem;
  free.limits.clear();
  const ConvexSolution relaxed = counterpoise::solve(free, options_);
  const double size = std::max(std::abs(relaxed.value), size_without_springs(free));
  const double factor = none.certificate.bound > 0.0 ? 2.0 * size / none.certificate.bound : 0.0;
  note(added(relaxed.certificate, none.certificate, factor), share, out.optimal,
       out.optimal_weights);
  out.x = relaxed.x;
}

MountCorner CornerSolver::solve(std::span<const double> at, const std::vector<double>& start) {
  MountCorner out;
  const MountPart& part = problem_.part();
  for (std::size_t i = 0; i < part.variables.size(); ++i) {
    const auto place = std::find(roles_.outer.begin(), roles_.outer.end(), part.variables[i]);
    geometry_.outer[static_cast<std::size_t>(place - roles_.outer.begin())] =
        problem_.functions().value_at(static_cast<int>(i), at[i]);
  }
  CaseOutcome outcome;
  sizer_.hold(geometry_.held);
  if (!sizer_.write(geometry_.outer, goal_, outcome)) return out;
  const MountProblem::Share share = problem_.share_of(sizer_.written());
  options_.start = start;
  const ConvexSolution solution = counterpoise::solve(share.problem, options_);
  if (solution.status == ConvexSolution::Status::infeasible) {
    options_.start.clear();
    solve_conflict(share, solution, out);
    return out;
  }
  note(solution.certificate, share, out.optimal, out.optimal_weights);
  out.x = solution.x;
  if (problem_.keeps_lengths(sizer_.written(), sizer_.loads())) out.value = solution.value;
  return out;
}

}  // namespace counterpoise
