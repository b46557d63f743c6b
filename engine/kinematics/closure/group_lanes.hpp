#pragma once

#include <span>
#include <vector>

#include "engine/kinematics/closure/equation_system.hpp"
#include "engine/math/orthogonal_decomposition.hpp"
#include "engine/math/pack.hpp"

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

  /// In which lanes every row is met, by the measure of EquationSystem::misfit.
  [[nodiscard]] PackMask met(double tolerance) const;
  /// In which lanes the pose is so far from singular that no rounding can hide it.
  [[nodiscard]] PackMask regular();
  [[nodiscard]] const PackDecomposition& factor() const { return factor_; }
  [[nodiscard]] const Equations<Pack>& equations() const { return equations_; }
  [[nodiscard]] const std::vector<BodyIndex>& unknowns() const { return unknowns_; }

 private:
  void set_unknowns(const JointColumn<Pack>& values);

  Equations<Pack> equations_;
  std::vector<BodyIndex> unknowns_;
  PackDecomposition factor_;
  std::vector<Pack> right_, solution_;
};

/// Tells when a block of samples is one in which GroupWatch cannot find that a singular pose was
/// passed. Between two samples with Jacobians J and K of the unknowns, det(J' K) is the product of
/// the volumes that their columns span and of the cosine between the two spans, with the sign that
/// det R (see GroupWatch) changes by. With as many equations as unknowns the sign of det K is
/// enough.
class WatchLanes {
 public:
  WatchLanes(const GroupLanes& group, int bodies, std::size_t driven_values);

  /// Starts from the sample in the first lane of the group's pose.
  void begin(const GroupLanes& group) { keep(group, 0); }
  /// Starts from one sample, and leaves the group linearised there in every lane.
  void begin(const DesignGeometry& geometry, GroupLanes& group, const JointView<double>& sample);
  /// Whether the columns' span turned so little between all consecutive samples, from the last one
  /// known to lane `used` - 1, that GroupWatch, too, sees nothing. Then that lane becomes the last
  /// one known. Cost: with redundant equations that of another decomposition, otherwise nothing.
  bool quiet(const GroupLanes& group, int used);

 private:
  void keep(const GroupLanes& group, int lane_kept);

  PackDecomposition product_;
  std::vector<double> columns_;  // of the last sample; empty if as many equations as unknowns
  double determinant_ = 0.0;     // of the last sample
  JointMotion<Pack> at_;         // one block; only the joints in the equations are used
  std::vector<Pack> no_drive_;   // zeros, as only the Jacobian is needed
};

}  // namespace counterpoise
