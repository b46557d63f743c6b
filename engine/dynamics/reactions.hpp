#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "engine/dynamics/inverse_dynamics.hpp"
#include "engine/dynamics/leg_forces.hpp"
#include "engine/kinematics/closure/cable.hpp"
#include "engine/kinematics/closure/joint_frame.hpp"
#include "engine/kinematics/closure/path.hpp"

namespace counterpoise {

/// The wrenches through all joints and loop closures as functions of what equilibrium alone does
/// not determine: the constraint forces and moments in the closures and the forces in the
/// couplings.
///
///   components = base + slopes * x
///
/// Six components per body (see WrenchComponent), then six per loop; x holds per loop the force in
/// the second body's axes (3) and the moments that it can carry (0 to 3), then one number per
/// coupling. `base` is what the joints of the open tree would carry.
class WrenchMap {
 public:
  explicit WrenchMap(const Mechanism& mechanism);

  /// Begins a sample with all closures open. The wrenches through the joints of the bare tree
  /// follow by `set_joint`, in body axes.
  void begin(std::span<const Pose> poses);
  void set_joint(BodyIndex body, const Vec3d& force, const Vec3d& moment);
  /// Applies a known force [N, world axes] at `place` on a body, which the joints from the body to
  /// the world carry no longer.
  void apply(BodyIndex body, const Vec3d& place, const Vec3d& force);
  /// The same of a known moment [N m, world axes].
  void apply_moment(BodyIndex body, const Vec3d& moment);
  /// Takes a known force or moment along the axis of a body's joint, in body axes, out of that
  /// joint.
  void apply_to_joint(BodyIndex body, JointType type, const Vec3d& along);
  /// Computes the slopes at the poses given to `begin`.
  void close(const Mechanism& mechanism);

  [[nodiscard]] Eigen::Index unknowns() const { return slopes.cols(); }
  [[nodiscard]] Eigen::Index row_of_loop(std::size_t loop) const {
    return static_cast<Eigen::Index>(6 * (bodies_ + loop));
  }
  /// The column of a coupling's force, which acts on the coupling's joint with slope 1.
  [[nodiscard]] Eigen::Index column_of_coupling(std::size_t coupling) const {
    return first_coupling_ + static_cast<Eigen::Index>(coupling);
  }
  /// The length of the lever arms [m]: the largest distance between two joints or closures of a
  /// loop.
  [[nodiscard]] double reach() const { return reach_; }

  Eigen::VectorXd base;
  Eigen::MatrixXd slopes;

 private:
  void close_loop(const Mechanism& mechanism, std::size_t loop);
  /// Adds a unit wrench at `place` between the bodies of a loop, in world axes, as column `x`.
  void add_column(std::size_t loop, Eigen::Index x, const Vec3d& place, const Vec3d& force,
                  const Vec3d& moment);
  [[nodiscard]] const Pose& pose(BodyIndex body) const;

  std::vector<BodyIndex> parents_;
  std::vector<Path> loops_;
  std::vector<BodyIndex> second_bodies_;  // second body of each loop
  std::vector<Eigen::Index> columns_;     // first column of each loop
  std::size_t bodies_ = 0;
  Eigen::Index first_coupling_ = 0;
  std::span<const Pose> poses_;
  double reach_ = 0.0;
};

/// The force and moment at one place, in one body's axes (see WrenchComponent)  [N], [N m].
struct Wrench {
  Vec3d force = Vec3d::Zero();
  Vec3d moment = Vec3d::Zero();
};

/// The wrenches through the joints alone, as the preceding body applies them, and through the loop
/// closures: constraint forces plus friction and the load of an actuator on that joint. Springs and
/// two-point actuators act on their own and are not part of them.
///
/// Where several joints hold a body, equilibrium leaves some components open. The mechanism's
/// sharing rules settle them (paper 000, section 5.2; paper 001, section 4); what the rules leave
/// open is shared so that the sum of squares of all components in the loops is smallest, with
/// moments divided by the reach of the loops.
class Reactions {
 public:
  explicit Reactions(const Mechanism& mechanism);

  /// Computes the wrenches at one sample. `loads` has one entry per actuator and `tensions` one per
  /// spring (empty: no springs act), signed as in Actuator and Spring; `factors` has one entry per
  /// force from outside, by which it is multiplied. `state` has v and a as they
  /// enter the dynamics. Throws MechanismError if the sharing rules contradict the equilibrium of
  /// the bodies. Allocates; cost: some small factorisations.
  void compute(const DesignGeometry& geometry, const TreeModel& tree,
               const JointView<double>& state, std::span<const double> loads,
               std::span<const double> tensions, std::span<const double> factors);

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
  void add_outside(const Mechanism& mechanism, std::span<const double> factors);
  void apply_pull(const Mechanism& mechanism, const std::array<PointIndex, 2>& points, double pull);
  void apply_cable(const Mechanism& mechanism, std::span<const PointIndex> points, double tension);
  [[nodiscard]] Vec3d place_of(const Mechanism& mechanism, PointIndex point) const;
  void solve(const DesignGeometry& geometry, const JointView<double>& state,
             std::span<const double> loads);
  void find_open_joints(const Mechanism& mechanism, const Eigen::MatrixXd& moves);
  [[nodiscard]] Wrench at(Eigen::Index row) const {
    return {components_.segment<3>(row), components_.segment<3>(row + 3)};
  }

  std::vector<BodyIndex> balanced_;    // bodies whose joints lie in loops or couplings and move
  std::vector<Eigen::Index> weighed_;  // rows of components that loops share
  std::vector<Pose> poses_;
  std::vector<std::vector<PointIndex>> cables_;  // of each spring, its points if it has a cable
  std::vector<CableStop> cable_stops_;
  CableCourse course_;
  InverseDynamicsScratch<double> scratch_;
  std::vector<double> tau_;
  LegForces<double> legs_;
  WrenchMap map_;
  Eigen::VectorXd components_;
  int open_numbers_ = 0;
  std::vector<std::string> open_joints_;
};

}  // namespace counterpoise
