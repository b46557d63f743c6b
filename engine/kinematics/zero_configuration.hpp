#pragma once

#include <optional>

#include "engine/kinematics/closure/group_solver.hpp"
#include "engine/kinematics/closure/plan.hpp"
#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/mechanism/finding.hpp"
#include "engine/mechanism/stale_units.hpp"

namespace counterpoise {

/// The zero configuration of a design: every joint at its guess, then closed by moving only the
/// joints that loops and couplings determine while the actuators' joints stay. Closed forms take
/// the branch nearest to the guess. Made once per structure from the plan of the actuators;
/// allocates only then, and where Newton's method finds no solution from the guess and must start
/// from others.
class ZeroConfiguration {
 public:
  ZeroConfiguration(const Mechanism& mechanism, const Paths& paths, const Plan& actuator_plan);

  /// Solves for this design; `state` holds the result. A loop that cannot close is a finding at
  /// t = 0.
  std::optional<Finding> solve(const DesignGeometry& geometry);
  /// Solves for this design as `solve` does, and touches the positions that differ from the last
  /// design.
  std::optional<Finding> follow(const DesignGeometry& geometry, StaleUnits& stale);

  [[nodiscard]] const SampleState& state() const { return state_; }

 private:
  std::optional<Finding> close_dyad(const DesignGeometry& geometry, std::size_t index);
  std::optional<Finding> close_group(const DesignGeometry& geometry, std::size_t index);

  const Paths* paths_;
  const Plan* plan_;
  std::vector<std::optional<GroupSolver>> solvers_;  // one per step; loops and couplings only
  std::vector<std::optional<GroupSolver>> coupled_;  // couplings only, of steps with both
  std::optional<EquationSystem> redundant_;
  std::array<Trace<double>, 2> ends_;
  PlanarLoop loop_;
  DyadEnds<double> planar_ends_;
  SampleState state_, at_zero_;
  std::vector<double> before_;  // positions of the last design
};

}  // namespace counterpoise
