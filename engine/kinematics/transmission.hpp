#pragma once

#include "engine/kinematics/chains/joint_motion.hpp"
#include "engine/kinematics/closure/closure_columns.hpp"
#include "engine/kinematics/closure/group_solver.hpp"
#include "engine/kinematics/closure/plan.hpp"
#include "engine/kinematics/passages/group_watch.hpp"
#include "engine/kinematics/passages/sign_watch.hpp"
#include "engine/mechanism/finding.hpp"

namespace counterpoise {

/// The way that a force on one joint takes to the actuators, whatever the pose.
struct Route {
  std::vector<std::size_t> steps;        // of the actuators' plan, in the order they are walked
  std::vector<BodyIndex> joints;         // that it touches, itself included
  std::vector<ActuatorIndex> actuators;  // that it can load, in order
};
Route find_route(const Mechanism& mechanism, const Paths& paths, const Plan& actuator_plan,
                 BodyIndex joint);

/// How forces on the joints become loads of the actuators, by virtual work: with s the actuators'
/// positions and W = dq/ds, load = W^T tau. W is never formed: the plan that would lead from s to q
/// is walked backwards, each step handing its joints' forces on to the joints it depends on and
/// their share to the actuator that drives it. Exact for over-constrained mechanisms too, whose
/// redundant closures share forces in some way that does no work (paper 003, eqs. 13-15, in
/// transposed form).
template <class S>
class Transmission {
 public:
  /// `plan`: of all actuators, in their order.
  Transmission(const Mechanism& mechanism, const Paths& paths, const Plan& plan);

  /// To be called once per design and motion, with its zero configuration, joint motion and the
  /// time between samples [s], before any block. Columns of `closures` that are not current are
  /// computed; they must stay until the last block.
  void begin(const DesignGeometry& geometry, const JointView<double>& zero,
             const JointMotion<S>& joints, double time_step, ClosureJacobian<S>& closures);

  /// Prepares the next block. A lane whose pose does not let
  /// the actuators determine the forces is a finding, with the lane in place of the time; and so is
  /// such a pose between two samples, of this block or the last one, if what the forces are divided
  /// by has changed its sign there.
  std::optional<Finding> prepare(const DesignGeometry& geometry, const JointMotion<S>& joints,
                                 int block);

  /// Takes generalised joint forces `x` (one entry per body; overwritten) to actuator loads, as far
  /// as the route leads: forces on other joints than its first must be zero, loads of other
  /// actuators are left alone.
  void apply(const Route& route, std::span<S> x, std::span<S> loads);

 private:
  struct StepState {
    const ClosureColumns<S>* columns = nullptr;  // of a line or a dyad
    std::array<Trace<double>, 2> plane_ends;
    std::optional<DyadPlane> plane;  // of this design; none: the step goes as a group
    S a00, a01, a10, a11, det;
    SignWatch watch;                        // of a line's slope or a dyad's determinant
    std::optional<GroupWatch> group_watch;  // where `lanes` are
    std::vector<GroupSolver> lanes;  // one per lane, only where the step needs Newton's matrices
  };

  void apply_line(const Step& step, const StepState& at, std::span<S> x, std::span<S> loads) const;
  void apply_dyad(const Step& step, const StepState& at, std::span<S> x) const;
  void apply_group(StepState& at, std::span<S> x, std::span<S> loads);
  std::optional<Finding> prepare_group(const DesignGeometry& geometry, const JointView<S>& state,
                                       StepState& at);

  const Paths* paths_;
  const Plan* plan_;
  std::vector<Coupling::Solved> couplings_;  // per step, for this design
  std::vector<StepState> states_;
  SampleState sample_, sample_before_;
  SampleState last_;  // sample of the block before
  std::vector<double> sample_forces_;
  std::vector<double> no_drive_;  // zeros: only slopes are asked for
  double time_step_ = 0.0;
  int block_ = 0;  // the one prepared last
  int used_lanes_ = 0;
};

}  // namespace counterpoise
