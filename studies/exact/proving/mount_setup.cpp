#include "studies/exact/proving/mount_setup.hpp"

#include <algorithm>

#include "optimizer/convex/problem/allowed_gap.hpp"
#include "studies/running/searches.hpp"

namespace counterpoise {

MountSetup::MountSetup(const Study& study, const SpringRoles& roles, const SizingGoal& goal,
                       const std::shared_ptr<const Baselines>& baselines, int threads,
                       const Interruption& interrupted)
    : roles_(roles), goal_(goal), interrupted_(interrupted) {
  for (int t = 0; t < threads; ++t) {
    sizers_.emplace_back(study, roles, Reuse::remember, interrupted);
    sizers_.back().set_baselines(baselines);
  }
  find_reference(study);
  SpringSizer& sizer = sizers_.front();
  for (const MountPart& part : mount_parts(study, roles, sizer))
    problems_.push_back(std::make_unique<MountProblem>(study, roles, sizer, sizer.point(), part));
  floor_ = agreement * size_without_springs(sizer.written().problem);
}

/// Writes the problem at the geometry of the model, or in the middle of all ranges.
void MountSetup::find_reference(const Study& study) {
  const SearchOptions options = search_options(study, roles_.outer, 0);
  SizingGoal first = goal_;
  first.then.clear();
  CaseOutcome outcome;
  for (const bool nominal : {true, false}) {
    reference_.clear();
    for (std::size_t i = 0; i < options.lower.size(); ++i) {
      const double low = options.lower[i], high = options.upper[i];
      reference_.push_back(nominal ? std::clamp(options.nominal[i], low, high)
                                   : low + (high - low) / 2.0);
    }
    if (sizers_.front().write(reference_, first, outcome)) return;
  }
  throw InputError(
      study.search()->where,
      "there is no design in the middle of the ranges, where a proof begins: " + outcome.reason);
}

std::vector<CornerSolver> MountSetup::solvers(const MountProblem& problem) {
  std::vector<CornerSolver> solvers;
  for (SpringSizer& sizer : sizers_)
    solvers.emplace_back(problem, roles_, sizer, goal_, reference_, interrupted_);
  return solvers;
}

void MountSetup::place(const MountProblem& problem, std::span<const double> at,
                       std::vector<double>& outer) const {
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto place =
        std::find(roles_.outer.begin(), roles_.outer.end(), problem.part().variables[i]);
    outer[static_cast<std::size_t>(place - roles_.outer.begin())] =
        problem.functions().value_at(static_cast<int>(i), at[i]);
  }
}

}  // namespace counterpoise
