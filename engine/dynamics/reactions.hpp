#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "engine/dynamics/inverse_dynamics.hpp"
#include "engine/dynamics/leg_forces.hpp"
#include "engine/dynamics/sparse_balance.hpp"
#include "engine/dynamics/spring_inertia.hpp"
#include "engine/dynamics/wrench_map.hpp"
#include "engine/kinematics/closure/cable.hpp"
#include "engine/kinematics/closure/joint_frame.hpp"

namespace counterpoise {

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
/// moments divided by the reach of the loops. Loops that share no body and no rule are solved
/// apart.
class Reactions {
 public:
  explicit Reactions(const Mechanism& mechanism);

  /// Computes the wrenches at one sample. `loads` has one entry per actuator and `tensions` one per
  /// spring (empty: no springs act), signed as in Actuator and Spring; `factors` has one entry per
  /// force from outside, by which it is multiplied. `state` has v and a as they
  /// enter the dynamics. `load_friction` has one entry per body: what overcomes the friction of its
  /// joint that grows with the reaction, along +axis, which `loads` contain (empty: none). Throws
  /// MechanismError if the sharing rules contradict the equilibrium of the bodies. Allocates; cost:
  /// some small factorisations for each group of loops.
  void compute(const DesignGeometry& geometry, const TreeModel& tree,
               const JointView<double>& state, std::span<const double> loads,
               std::span<const double> tensions, std::span<const double> factors,
               std::span<const double> load_friction = {});

  /// Replaces the wrenches at the sample last computed by what they change by per unit of force
  /// that overcomes friction of the joint of `body`. `loads`: how the loads of the actuators change
  /// by it. Cost: as compute() without the dynamics.
  void respond(const DesignGeometry& geometry, const JointView<double>& state, BodyIndex body,
               std::span<const double> loads);

  [[nodiscard]] Wrench of_body(BodyIndex body) const { return at(6 * body); }
  [[nodiscard]] Wrench of_loop(LoopIndex loop) const {
    return at(map_.row_of_loop(static_cast<std::size_t>(loop)));
  }

  /// How many components neither equilibrium nor a rule settled at the last sample, and the joints
  /// and closures that they concern.
  [[nodiscard]] int open_numbers() const { return open_numbers_; }
  [[nodiscard]] const std::vector<std::string>& open_joints() const { return open_joints_; }

 private:
  void add_springs(const DesignGeometry& geometry, const JointView<double>& state,
                   std::span<const double> tensions);
  void add_legs(const DesignGeometry& geometry, const JointView<double>& state,
                std::span<const double> loads, bool masses);
  void add_outside(const Mechanism& mechanism, std::span<const double> factors);
  void apply_pull(const Mechanism& mechanism, const std::array<PointIndex, 2>& points, double pull);
  void apply_cable(const Mechanism& mechanism, const Cable& cable, const JointView<double>& state,
                   double tension);
  [[nodiscard]] Vec3d place_of(const Mechanism& mechanism, PointIndex point) const;
  void solve(const DesignGeometry& geometry, std::span<const double> loads);
  /// Solves for the components of one group. Returns the first of its rules that cannot hold.
  std::optional<std::size_t> solve_group(std::size_t group, const DesignGeometry& geometry,
                                         std::span<const double> loads, double size);
  /// The same of a large group without couplings. Returns false where constraints contradict or
  /// nearly depend on each other.
  bool solve_sparsely(std::size_t group, const DesignGeometry& geometry,
                      std::span<const double> loads);
  /// What the actuators and the friction of the joint of a body, and what hangs on it, leave to the
  /// closures along its axis.
  [[nodiscard]] double carried_by(BodyIndex body, const JointFrame& frame,
                                  std::span<const double> loads) const;
  void find_open_owners(const WrenchGroup& group, const Eigen::MatrixXd& shifts);
  [[nodiscard]] Wrench at(Eigen::Index row) const {
    return {components_.segment<3>(row), components_.segment<3>(row + 3)};
  }

  std::vector<std::vector<std::size_t>> actuators_;  // of each joint
  std::vector<Pose> poses_;
  std::vector<Cable> cables_;  // of each spring
  std::vector<CableStop> cable_stops_;
  CableCourse course_;
  InverseDynamicsScratch<double> scratch_;
  std::vector<double> tau_;
  std::vector<double> friction_;  // per body, what overcomes it in its joint
  LegForces<double> legs_;
  SpringInertia<double> coils_;
  WrenchMap map_;
  std::vector<std::optional<SparseBalance>> sparse_;  // of each group that is large, once used
  Eigen::VectorXd components_;
  int open_numbers_ = 0;
  std::vector<Eigen::Index> open_owners_;  // as in WrenchGroup
  std::vector<std::string> open_joints_;
};

}  // namespace counterpoise
