#pragma once

#include <optional>

#include "engine/kinematics/closure/group_solver.hpp"

namespace counterpoise {

/// Watches a group of equations over consecutive samples for singular poses that it passes between
/// two of them, although none of the samples is singular. Let J be the Jacobian of the equations
/// with respect to the joints that they determine, Q an orthonormal basis of its columns, and let J
/// = Q R hold. The group passes a singular pose where det R changes its sign. With as many
/// equations as joints this is the sign of det J. With redundant equations the basis turns as the
/// mechanism moves, so that J is compared with the basis B of a pose nearby: det(B^T J) has the
/// sign of det R as long as Q has turned by less than a right angle from B.
class GroupWatch {
 public:
  GroupWatch(const GroupSolver& group, int bodies);

  /// Starts over: the next sample is the first of a motion.
  void begin() { started_ = false; }

  /// Takes the next sample `now`, `step` seconds after `before`; both hold q and v of all joints.
  /// `group` must be linearised at `now` and not singular there, and is left so. Returns where a
  /// singular pose was passed between the two, as a share of the interval and to within a hundredth
  /// of it, on cubics through both samples; nothing if none was. At the first sample `before` is
  /// not read. Cost: less than a factorisation; 64 of them where a pose was passed or the basis
  /// turned by 60 degrees.
  std::optional<double> see(const DesignGeometry& geometry, GroupSolver& group,
                            const JointView<double>& before, const JointView<double>& now,
                            double step);

 private:
  [[nodiscard]] double turn(const GroupSolver& group);
  void refer_to(GroupSolver& group);
  std::optional<double> search(const DesignGeometry& geometry, GroupSolver& group,
                               const JointView<double>& before, const JointView<double>& now,
                               double step);

  bool started_ = false;
  Eigen::MatrixXd basis_;  // basis near the last sample; empty if as many equations as joints
  double sign_ = 1.0;      // sign of det R at the last sample, by that basis
  Eigen::MatrixXd product_;
  Eigen::PartialPivLU<Eigen::MatrixXd> factor_;
  SampleState between_;
  std::vector<double> no_drive_;  // zeros, as only the Jacobian is needed
};

}  // namespace counterpoise
