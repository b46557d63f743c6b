#pragma once

#include <string>

#include "engine/dynamics/inverse_dynamics.hpp"
#include "engine/dynamics/leg_forces.hpp"
#include "engine/dynamics/reactions/wrench_map.hpp"

namespace counterpoise {

/// The force and moment at one place, in one body's axes (see WrenchComponent)  [N], [N m].
struct Wrench {
  Vec3d force = Vec3d::Zero();
  Vec3d moment = Vec3d::Zero();
};

/// The wrenches through the joints alone, as the preceding body applies them, and through the loop
/// closures: constraint forces plus the load of an actuator on that joint. Springs and two-point
/// actuators act on their own and are not part of them.
///
/// Where several joints hold a body, equilibrium leaves some components open. The mechanism's
/// sharing rules settle them (paper 000, section 5.2; paper 001, section 4); what the rules leave
/// open is shared so that the sum of squares of all components in the loops is smallest, with
/// moments divided by the reach of the loops.
class Reactions {
 public:
  explicit Reactions(const Mechanism& mechanism);

  /// Computes the wrenches at one sample. `loads` are those of all actuators and `tensions` those
  /// of all springs (empty: no springs act), both signed as in Actuator and Spring. `state` has v
  /// and a as they enter the dynamics. Throws MechanismError if the sharing rules contradict the
  /// equilibrium of the bodies. Allocates; cost: some small factorisations.
  void compute(const DesignGeometry& geometry, const TreeModel& tree,
               const JointView<double>& state, std::span<const double> loads,
               std::span<const double> tensions);

  [[nodiscard]] Wrench of_body(BodyIndex body) const { return at(6 * body); }
  [[nodiscard]] Wrench of_loop(LoopIndex loop) const {
    return at(map_.row_of_loop(static_cast<std::size_t>(loop)));
  }

  /// How many components neither equilibrium nor a rule settled at the last sample, and the joints
  /// and closures that they concern.
  [[nodiscard]] int open_numbers() const { return open_numbers_; }
  [[nodiscard]] const std::vector<std::string>& open_joints() const { return open_joints_; }

 private:
  void add_known_forces(const DesignGeometry& geometry, const JointView<double>& state,
                        std::span<const double> loads, std::span<const double> tensions);
  void apply_pull(const Mechanism& mechanism, const std::array<PointIndex, 2>& points, double pull);
  [[nodiscard]] Vec3d place_of(const Mechanism& mechanism, PointIndex point) const;
  void solve(const DesignGeometry& geometry, std::span<const double> loads);
  void find_open_joints(const Mechanism& mechanism, const Eigen::MatrixXd& moves);
  [[nodiscard]] Wrench at(Eigen::Index row) const {
    return {components_.segment<3>(row), components_.segment<3>(row + 3)};
  }

  std::vector<BodyIndex> balanced_;    // bodies whose joints lie in loops or couplings and move
  std::vector<Eigen::Index> weighed_;  // rows of components that loops share
  std::vector<Pose> poses_;
  InverseDynamicsScratch<double> scratch_;
  std::vector<double> tau_;
  LegForces<double> legs_;
  WrenchMap map_;
  Eigen::VectorXd components_;
  int open_numbers_ = 0;
  std::vector<std::string> open_joints_;
};

}  // namespace counterpoise
