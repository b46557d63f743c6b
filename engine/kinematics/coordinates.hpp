#pragma once

#include "engine/kinematics/closure/closure_columns.hpp"
#include "engine/kinematics/closure/continuation.hpp"
#include "engine/kinematics/closure/plan.hpp"
#include "engine/kinematics/drive_samples.hpp"
#include "engine/kinematics/passages/group_watch.hpp"
#include "engine/reuse/stale_units.hpp"

namespace counterpoise {

/// Sets the position of joint `b` and, of a revolute joint, its sine and cosine.
template <class S>
void set_position(const JointFrame& frame, const JointState<S>& state, std::size_t b, const S& q) {
  state.q[b] = q;
  if (frame.type != JointType::revolute) return;
  sincos(q, state.sine[b], state.cosine[b]);
}

/// The stage from prescribed coordinates to the motion of every joint. Lanes are samples; a group
/// that needs Newton goes sample by sample from the previous solution, in double. Each step of the
/// plan is a unit that remembers its result, so that a linkage that hangs on the tree never makes
/// the tree's motion run again; unit i of the evaluation is step i, and behind the steps comes the
/// check of redundant loops.
template <class S>
class Coordinates {
 public:
  /// `plan` for the motion's coordinates, the first `driven` of which have profiles.
  Coordinates(const Mechanism& mechanism, const Paths& paths, const Plan& plan, std::size_t driven);

  /// The motion of the designs that follow: as many drives as the plan's.
  void set_motion(const Motion& motion, StaleUnits& stale);

  /// Positions of the coordinates that the motion does not move: those of the zero configuration.
  void hold(const DesignGeometry& geometry, const SampleState& zero, StaleUnits& stale);
  /// Joint motion of one design, starting on the branch connected to `zero`: runs the steps that
  /// are stale. `out` and `closures` are the same in all calls and keep what did not change; steps
  /// in closed form leave the columns of their closure. Returns the first finding of the first step
  /// that has one; `out` and `closures` are unspecified then.
  std::optional<Finding> solve(const DesignGeometry& geometry, const SampleState& zero,
                               StaleUnits& stale, JointMotion<S>& out,
                               ClosureJacobian<S>& closures);

  /// Steps that ran, and that did not have to, since construction.
  [[nodiscard]] std::int64_t runs() const { return runs_; }
  [[nodiscard]] std::int64_t reused() const { return reused_; }

 private:
  struct Scratch {
    std::array<Trace<S>, 2> ends;
    std::array<Trace<double>, 2> plane_ends;
    Line<S> line;
    std::optional<GroupSolver> group;
    std::optional<GroupWatch> group_watch;
  };
  struct Call {
    const DesignGeometry& geometry;
    double step;
    JointView<double> zero;
    JointMotion<S>& out;
    ClosureJacobian<S>& closures;
  };

  std::optional<Finding> run(const Call& call, const Step& step, Scratch& scratch);
  void forget_columns(const Call& call, const std::vector<Equation>& equations);
  void follow_joint(const Call& call, const Step& step);
  void follow_coupling(const Call& call, const Step& step);
  std::optional<Finding> follow_line(const Call& call, const Step& step, Scratch& scratch);
  std::optional<Finding> follow_dyad(const Call& call, const Step& step, Scratch& scratch);
  std::optional<Finding> follow_group(const Call& call, Scratch& scratch);
  void set_before_to_zero(const Call& call, const GroupSolver& group);
  void read_now(const Call& call, int k);
  std::optional<Finding> check_redundant(const Call& call);

  const Paths* paths_;
  const Plan* plan_;
  std::size_t driven_;
  DriveSamples<S> drives_;
  std::vector<double> held_;
  double step_ = 0.0;                             // of the motion's samples [s]
  std::vector<std::optional<Finding>> findings_;  // per step, and of the redundant loops
  std::int64_t runs_ = 0, reused_ = 0;
  std::vector<Scratch> scratch_;  // per step
  std::optional<EquationSystem> redundant_;
  // of groups that need Newton
  Continuation continuation_;
  GroupSample before_, now_;
  Line<double> zero_line_;
};

}  // namespace counterpoise
