#pragma once

#include "engine/kinematics/closure/continuation.hpp"
#include "engine/kinematics/drive_samples.hpp"
#include "engine/kinematics/zero_configuration.hpp"

namespace counterpoise {

/// Sets the position of joint `b` and, of a revolute joint, its sine and cosine.
template <class S>
void set_position(const JointFrame& frame, const JointState<S>& state, std::size_t b, const S& q) {
  state.q[b] = q;
  if (frame.type != JointType::revolute) return;
  state.sine[b] = sin(q);
  state.cosine[b] = cos(q);
}

/// The stage from prescribed coordinates to the motion of every joint. Lanes are samples; a group
/// that needs Newton goes sample by sample from the previous solution, in double.
template <class S>
class Coordinates {
 public:
  /// `plan` for the motion's coordinates, the first `driven` of which have profiles.
  Coordinates(const Mechanism& mechanism, const Paths& paths, const Plan& plan, std::size_t driven);

  /// Joint motion of one design over one motion, starting on the branch connected to `zero`.
  /// Returns the first finding of the first step that has one; `out` is unspecified then.
  std::optional<Finding> solve(const Mechanism& mechanism, std::span<const JointFrame> frames,
                               const Motion& motion, const SampleState& zero, JointMotion<S>& out);

 private:
  struct Scratch {
    std::array<Trace<S>, 2> ends;
    std::array<Trace<double>, 2> plane_ends;
    Line<S> line;
    std::optional<GroupSolver> group;
  };
  struct Call {
    const Mechanism& mechanism;
    std::span<const JointFrame> frames;
    const Motion& motion;
    const SampleState& zero;
    JointMotion<S>& out;
  };

  void follow_joint(const Call& call, const Step& step);
  void follow_coupling(const Call& call, const Step& step);
  std::optional<Finding> follow_line(const Call& call, const Step& step, Scratch& scratch);
  std::optional<Finding> follow_dyad(const Call& call, const Step& step, Scratch& scratch);
  std::optional<Finding> follow_group(const Call& call, GroupSolver& group);
  void set_before_to_zero(const Call& call, const GroupSolver& group);
  void read_now(const Call& call, int k);
  std::optional<Finding> check_redundant(const Call& call);

  const Paths* paths_;
  const Plan* plan_;
  std::size_t driven_;
  DriveSamples<S> drives_;
  std::vector<double> held_;
  std::vector<Scratch> scratch_;  // per step
  std::optional<EquationSystem> redundant_;
  // of groups that need Newton
  Continuation continuation_;
  GroupSample before_, now_;
  Line<double> zero_line_;
};

}  // namespace counterpoise
