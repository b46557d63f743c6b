#pragma once

#include "engine/kinematics/closure/continuation.hpp"
#include "engine/kinematics/drive_samples.hpp"
#include "engine/kinematics/passages/group_watch.hpp"
#include "engine/kinematics/zero_configuration.hpp"

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
/// plan remembers its result: it runs again only when the joints, points or coordinates that it
/// reads changed, so a linkage that hangs on the tree never makes the tree's motion run again.
template <class S>
class Coordinates {
 public:
  /// `plan` for the motion's coordinates, the first `driven` of which have profiles.
  Coordinates(const Mechanism& mechanism, const Paths& paths, const Plan& plan, std::size_t driven);

  /// The motion of the designs that follow: as many drives as the plan's.
  void set_motion(const Motion& motion);

  /// Joint motion of one design, starting on the branch connected to `zero`. `revisions` has seen
  /// the design, `out` is the same in all calls and keeps what did not change. Returns the first
  /// finding of the first step that has one; `out` is unspecified then.
  std::optional<Finding> solve(const Mechanism& mechanism, std::span<const JointFrame> frames,
                               const Revisions& revisions, const ZeroConfiguration& zero,
                               JointMotion<S>& out);
  void forget();

  /// When the motion of a joint last changed.
  [[nodiscard]] Stamp changed(int body) const { return changed_[static_cast<std::size_t>(body)]; }
  /// When that of any joint did.
  [[nodiscard]] Stamp latest() const { return latest_; }
  /// Steps that ran, and that did not have to, since construction.
  [[nodiscard]] std::int64_t runs() const { return runs_; }
  [[nodiscard]] std::int64_t reused() const { return reused_; }

 private:
  /// What a step left when it last ran.
  struct Memory {
    Stamp ran = 0;
    std::optional<Finding> finding;
  };
  struct Scratch {
    std::array<Trace<S>, 2> ends;
    std::array<Trace<double>, 2> plane_ends;
    Line<S> line;
    std::optional<GroupSolver> group;
    std::optional<GroupWatch> group_watch;
  };
  struct Call {
    const Mechanism& mechanism;
    std::span<const JointFrame> frames;
    double step;
    const SampleState& zero;
    JointMotion<S>& out;
  };

  void hold(const Mechanism& mechanism, std::span<const JointFrame> frames,
            const Revisions& revisions, const ZeroConfiguration& zero);
  [[nodiscard]] Stamp latest_input(const std::vector<Equation>& equations, const Step* step,
                                   const Mechanism& mechanism, const Revisions& revisions,
                                   const ZeroConfiguration& zero) const;
  std::optional<Finding> run(const Call& call, const Step& step, Scratch& scratch);
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
  Stamp held_at_ = 0, solved_at_ = 0, latest_ = 0;
  std::optional<Finding> finding_;  // of the last solve
  std::size_t steps_run_ = 0;       // in the last solve
  double step_ = 0.0;               // of the motion's samples [s]
  std::vector<Memory> memory_;      // per step, and of the redundant loops
  std::vector<Stamp> changed_;      // per body
  std::int64_t runs_ = 0, reused_ = 0;
  std::vector<Scratch> scratch_;  // per step
  std::optional<EquationSystem> redundant_;
  // of groups that need Newton
  Continuation continuation_;
  GroupSample before_, now_;
  Line<double> zero_line_;
};

}  // namespace counterpoise
