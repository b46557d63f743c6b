#pragma once

#include "engine/kinematics/lanes/equation_lanes.hpp"
#include "engine/math/pack_decomposition.hpp"

namespace counterpoise {

/// The linear systems of a group of equations at as many samples at once as a Pack has lanes: what
/// GroupSolver solves at one, where the unknowns are determined and the pose is far from singular.
/// Redundant equations are met in the least-squares sense, too. Allocates only when made.
class GroupLanes {
 public:
  GroupLanes(std::vector<Equation> equations, std::vector<BodyIndex> unknowns,
             const Mechanism& mechanism, const Paths& paths);

  /// Evaluates and decomposes the equations at the state's positions, for the calls below.
  void linearise(const DesignGeometry& geometry, const JointView<Pack>& state,
                 std::span<const Pack> driven);
  /// Returns the step of Newton's method, to be taken off the positions of the unknowns, in their
  /// order.
  std::span<const Pack> newton_step();
  /// Sets the unknowns' v from the v of all other joints and the velocities of the driven values.
  void solve_velocities(const JointState<Pack>& state, std::span<const Pack> driven_velocity);
  /// Sets the unknowns' a from all velocities and all other accelerations.
  void solve_accelerations(const DesignGeometry& geometry, const JointState<Pack>& state,
                           std::span<const Pack> driven_acceleration);

  /// In which lanes the pose is so far from singular that no rounding can hide it.
  [[nodiscard]] PackMask regular();
  [[nodiscard]] const PackDecomposition& factor() const { return factor_; }
  [[nodiscard]] const EquationLanes& equations() const { return equations_; }
  [[nodiscard]] const std::vector<BodyIndex>& unknowns() const { return unknowns_; }

 private:
  void set_unknowns(const JointColumn<Pack>& values);

  EquationLanes equations_;
  std::vector<BodyIndex> unknowns_;
  PackDecomposition factor_;
  std::vector<Pack> right_, solution_;
};

}  // namespace counterpoise
