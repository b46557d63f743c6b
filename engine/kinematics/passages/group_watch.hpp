#pragma once

#include <optional>

#include "engine/kinematics/closure/group_solver.hpp"

namespace counterpoise {

/// Watches a group of equations over consecutive samples for singular poses that it passes between
/// two of them, although none of the samples is singular. Let J be the equations' slopes by the
/// joints that they determine, Q an orthonormal basis of its columns and J = Q R. The group passes
/// a singular pose where det R changes its sign. Of as many equations as joints that is the sign of
/// det J. With redundant equations the basis turns as the mechanism moves, so that J is compared
/// with the basis B of a pose nearby: det(B^T J) has the sign of det R as long as Q has turned by
/// less than a right angle from B.
class GroupWatch {
 public:
  GroupWatch(const GroupSolver& group, int bodies);

  /// The next sample is the first of a motion.
  void begin() { started_ = false; }

  /// The next sample, `step` seconds after `before`, q and v of all joints at both. `group` is
  /// linearised at `now` and not singular there; as it is again afterwards. Where a singular pose
  /// was passed between them, as a share of the interval and to within a hundredth of it, by cubics
  /// through both samples; nothing if none was. Of the first sample `before` is not read. Cost:
  /// less than a factorisation; 64 of them where a pose was passed or the basis turned by 60
  /// degrees.
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
  Eigen::MatrixXd basis_;  // of a pose near the sample before; empty: as many equations as joints
  double sign_ = 1.0;      // of det R at the sample before, by that basis
  Eigen::MatrixXd product_;
  Eigen::PartialPivLU<Eigen::MatrixXd> factor_;
  SampleState between_;
  std::vector<double> no_drive_;  // zeros: only slopes are asked for
};

}  // namespace counterpoise
