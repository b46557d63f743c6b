#pragma once

#include "engine/kinematics/closure/closure_columns.hpp"
#include "engine/kinematics/closure/continuation.hpp"
#include "engine/kinematics/closure/passages.hpp"
#include "engine/kinematics/closure/plan.hpp"
#include "engine/kinematics/drive_samples.hpp"
#include "engine/mechanism/stale_units.hpp"

namespace counterpoise {

/// Sets the position of joint `b` and, if it is revolute, its sine and cosine.
template <class S>
void set_position(const JointFrame& frame, const JointState<S>& state, std::size_t b, const S& q) {
  state.q[b] = q;
  if (frame.type != JointType::revolute) return;
  sincos(q, state.sine[b], state.cosine[b]);
}
/// Sets the position of joint `b`, whose sine and cosine are known.
template <class S>
void set_position(const JointState<S>& state, std::size_t b, const Angle<S>& angle) {
  state.q[b] = angle.q;
  state.sine[b] = angle.sine;
  state.cosine[b] = angle.cosine;
}

/// The angle equal to `q` modulo full turns that lies nearest to `near`.
inline double unwrapped(double q, double near) {
  const double off = q - near;
  return std::abs(off) <= std::numbers::pi ? q : q - full_turn * std::round(off / full_turn);
}

/// The stage from prescribed coordinates to the motion of every joint. Lanes are samples. A group
/// that needs Newton's method is solved in lanes, too, where BlockContinuation takes the block, and
/// otherwise in double, each sample from the previous one. Each step of the plan is a unit that
/// remembers its result, so that a change of a linkage on the tree never makes the tree's motion
/// run again. A long motion is solved stretch by stretch, and only the last one is held. Unit i of
/// the evaluation is step i; the check of redundant loops follows the steps.
template <class S>
class Coordinates {
 public:
  /// `plan` is for the motion's coordinates; the first `driven` ones have profiles.
  Coordinates(const Mechanism& mechanism, const Paths& paths, const Plan& plan, std::size_t driven,
              const Holding& holding);

  /// Sets the motion of the designs that follow; it must have as many drives as the plan.
  void set_motion(const Motion& motion, StaleUnits& stale);
  /// Goes to the stretch that begins with sample `first`. Stretches have to be solved in order, all
  /// steps of each; a motion starts anew with the first.
  void go_to(int first) { drives_.go_to(first); }
  [[nodiscard]] const Stretch& stretch() const { return drives_.stretch(); }

  /// Holds the coordinates that the motion does not move at their positions in the zero
  /// configuration.
  void hold(const DesignGeometry& geometry, const SampleState& zero, StaleUnits& stale);
  /// Computes the joint motion of one design in the stretch, starting on the branch connected to
  /// `zero`, by running the steps that are stale. `out` and `closures` must be the same in all
  /// calls and keep what did not change; steps in closed form leave the columns of their closure.
  /// Returns the first finding so far of the first step that has one, and then leaves `out` and
  /// `closures` unspecified; after the last stretch that is the motion's.
  std::optional<Finding> solve(const DesignGeometry& geometry, const SampleState& zero,
                               StaleUnits& stale, JointMotion<S>& out,
                               ClosureJacobian<S>& closures);

  /// Of a motion that leaves out poses, per sample of the stretch whether it is left out; empty if
  /// none is. The joints there are unspecified until leave_out() was called.
  [[nodiscard]] std::span<const char> left_out() const { return left_out_; }
  /// Leaves out one more sample, for this reason.
  void leave_out(int k, const Finding& reason);
  /// Why the first sample of the motion that could not be reached at once could not be.
  [[nodiscard]] const std::optional<Finding>& reason() const { return reason_; }

  /// How many steps ran, and how many did not have to, since construction.
  [[nodiscard]] std::int64_t runs() const { return runs_; }
  [[nodiscard]] std::int64_t reused() const { return reused_; }

 private:
  /// How a group's blocks were followed so far.
  struct Progress {
    bool in_lanes = false;  // whether the last block was solved in lanes
    int retry = 0;          // the block of the motion at which lanes are tried again
    int pause = 0;          // how many blocks are left out if they fail there
  };
  struct Scratch {
    DyadEnds<S> ends;
    std::array<Trace<double>, 2> plane_ends;
    PlanarLoop loop;
    Line<S> line;
    // of groups, and of dyads where no plane was found once:
    std::optional<GroupSolver> group;
    std::optional<GroupWatch> group_watch;
    std::optional<BlockContinuation> blocks;  // of a group, where lanes are several samples
    // how far the motion was followed, for the stretch that comes next
    double branch = 1.0;
    StepWatch watch;
    std::array<Continuity, 2> continuity;
    std::optional<GroupSample> before;  // the last sample of a group
    Progress progress;
    std::optional<Finding> stop;  // why a group cannot be followed farther
    Continuation::Result result = Continuation::Result::arrived;  // of the pose tried last
    int reached = -1;  // the pose of the motion that `before` is; -1: the zero configuration
  };
  struct Call {
    const DesignGeometry& geometry;
    double step;
    const Stretch& stretch;
    JointView<double> zero;
    JointMotion<S>& out;
    ClosureJacobian<S>& closures;
  };

  void make_group(const Mechanism& mechanism, const Step& step, Scratch& scratch);
  std::optional<Finding> run(const Call& call, const Step& step, Scratch& scratch);
  void forget_columns(const Call& call, const std::vector<Equation>& equations);
  void follow_joint(const Call& call, const Step& step);
  void follow_coupling(const Call& call, const Step& step);
  std::optional<Finding> follow_line(const Call& call, const Step& step, Scratch& scratch);
  std::optional<Finding> follow_dyad(const Call& call, const Step& step, Scratch& scratch);
  std::optional<Finding> follow_group(const Call& call, Scratch& scratch);
  std::optional<Finding> start_group(const Call& call, Scratch& scratch);
  std::optional<Finding> follow_blocks(const Call& call, Scratch& scratch);
  std::optional<Finding> follow_samples(const Call& call, Scratch& scratch, int block);
  bool follow_block(const Call& call, Scratch& scratch, int block);
  void set_before_to_zero(const Call& call, Scratch& scratch);
  void read_now(const Call& call, int k);
  void take_now(const Call& call, Scratch& scratch, int k);
  void read_before(const Call& call, Scratch& scratch, int k);
  void watch_from_before(const Call& call, Scratch& scratch);
  void resume(const Call& call, Scratch& scratch);
  std::optional<Finding> check_redundant(const Call& call);
  void reach_poses(const Call& call, Scratch& scratch);
  bool reach_block(const Call& call, Scratch& scratch, int block);
  void reach_or_leave_out(const Call& call, Scratch& scratch, int k);
  bool reach_pose(const Call& call, Scratch& scratch, int k);
  void reach_neighbours(const Call& call, Scratch& scratch, const std::vector<char>& before);

  const Paths* paths_;
  const Plan* plan_;
  std::size_t driven_;
  DriveSamples<S> drives_;
  std::vector<double> held_;
  double step_ = 0.0;                             // time between samples of the motion [s]
  std::vector<std::optional<Finding>> findings_;  // one per step, then one of the redundant loops
  std::int64_t runs_ = 0, reused_ = 0;
  std::vector<char> left_out_;         // per sample of the stretch; empty: none
  std::vector<char> left_out_before_;  // by the steps before the one that runs
  std::optional<Finding> reason_;      // of the first one of the motion
  std::vector<Scratch> scratch_;       // per step
  std::optional<EquationSystem> redundant_;
  // state of the groups that need Newton's method
  Continuation continuation_;
  GroupSample now_;
  GroupSample last_;  // the last pose that was reached, while others are tried
  Line<double> zero_line_;
  SampleState at_zero_;  // all joints at zero
};

}  // namespace counterpoise
