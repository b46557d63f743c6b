#pragma once

#include <optional>

#include "engine/kinematics/closure/group_solver.hpp"

namespace counterpoise {

/// Watches a group of equations over consecutive samples for singular poses that it passes between
/// two of them, although none of the samples is singular. Let J be the equations' slopes by the
/// joints that they determine, Q an orthonormal basis of its columns and J = Q R. The group passes
/// a singular pose where det R changes its sign. Of as many equations as joints that is the sign of
/// det J. With redundant equations the basis turns as the mechanism moves, so bases of two poses
/// are compared by det(Q_1^T Q_2), which needs poses near enough to each other.
class GroupWatch {
 public:
  GroupWatch(const GroupSolver& group, int bodies);

  /// The next sample is the first of a motion.
  void begin() { started_ = false; }

  /// The next sample, `step` seconds after the one before: q and v of all joints at `now`, where
  /// `group` is linearised and not singular, as it is again afterwards. Where a singular pose was
  /// passed since the sample before, as a share of the interval and to within a hundredth of it, by
  /// cubics through both samples; nothing if none was. Cost: about one factorisation; 64 of them
  /// where a pose was passed or the basis turned by more than 60 degrees.
  std::optional<double> see(const Mechanism& mechanism, std::span<const JointFrame> frames,
                            GroupSolver& group, const JointState<double>& now, double step);

 private:
  [[nodiscard]] double turn(const GroupSolver::Orientation& from,
                            const GroupSolver::Orientation& to);
  std::optional<double> search(const Mechanism& mechanism, std::span<const JointFrame> frames,
                               GroupSolver& group, const JointState<double>& now, double step);

  bool started_ = false;
  GroupSolver::Orientation before_, now_, from_, to_;
  Eigen::MatrixXd product_;
  Eigen::PartialPivLU<Eigen::MatrixXd> factor_;
  SampleState pose_before_, between_;
  std::vector<double> no_drive_;  // zeros: only slopes are asked for
};

}  // namespace counterpoise
