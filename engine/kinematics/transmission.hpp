#pragma once

#include "engine/kinematics/chains/joint_motion.hpp"
#include "engine/kinematics/closure/closure_columns.hpp"
#include "engine/kinematics/closure/group_solver.hpp"
#include "engine/kinematics/closure/plan.hpp"
#include "engine/kinematics/lanes/watch_lanes.hpp"
#include "engine/kinematics/passages/group_watch.hpp"
#include "engine/kinematics/passages/sign_watch.hpp"
#include "engine/mechanism/finding.hpp"

namespace counterpoise {

/// How a force on one joint reaches the actuators, in any pose.
struct Route {
  std::vector<std::size_t> steps;  // steps of the actuators' plan, in the order they are walked
  std::vector<BodyIndex> joints;   // joints that the force reaches, its own included
  std::vector<ActuatorIndex> actuators;  // actuators that the force can load, in order
};
Route find_route(const Mechanism& mechanism, const Paths& paths, const Plan& actuator_plan,
                 BodyIndex joint);

/// Carries forces on the joints over to loads of the actuators by virtual work: with s the
/// actuators' positions and W = dq/ds, load = W^T tau. W is never formed: the plan that leads from
/// s to q is walked backwards, and each step hands the forces of its joints on to the joints it
/// depends on and to the actuator that drives it. This is exact for over-constrained mechanisms
/// too, as the forces that their redundant closures share do no work (paper 003, eqs. 13-15, in
/// transposed form).
template <class S>
class Transmission {
 public:
  /// `plan` is the plan of all actuators, in their order.
  Transmission(const Mechanism& mechanism, const Paths& paths, const Plan& plan);

  /// Must be called once per design and motion, before any block, with the zero configuration, the
  /// joint motion and the time between samples [s]. Computes those columns of `closures` that are
  /// not current; they must stay until the last block.
  void begin(const DesignGeometry& geometry, const JointView<double>& zero,
             const JointMotion<S>& joints, double time_step, ClosureJacobian<S>& closures);

  /// Prepares the next block. A pose in which the actuators do not determine the forces is a
  /// finding, with its lane in place of the time. So is such a pose between two samples, of this
  /// block or the last one, if the divisor of the forces changed its sign there.
  std::optional<Finding> prepare(const DesignGeometry& geometry, const JointMotion<S>& joints,
                                 int block);

  /// Carries generalised joint forces `x` (one entry per body; overwritten) over to actuator loads
  /// along the route. Forces on other joints than the route's first must be zero, and loads of
  /// actuators that are not on the route are left alone.
  void apply(const Route& route, std::span<S> x, std::span<S> loads);

 private:
  struct StepState {
    const ClosureColumns<S>* columns = nullptr;  // columns of a line or a dyad
    std::array<Trace<double>, 2> plane_ends;
    std::optional<DyadPlane> plane;  // of a dyad in this design; none: solved as a group
    S a00, a01, a10, a11, det;
    SignWatch watch;                        // watches a line's slope or a dyad's determinant
    std::optional<GroupWatch> group_watch;  // set where `lanes` are used
    std::vector<GroupSolver> lanes;   // one per lane, only where the step needs Newton's matrices
    std::optional<GroupLanes> group;  // all lanes at once, where there are several
    std::optional<WatchLanes> lanes_watch;  // set where `group` is
    bool in_lanes = false;                  // whether `group` was taken for the last block
  };

  void apply_line(const Step& step, const StepState& at, std::span<S> x, std::span<S> loads) const;
  void apply_dyad(const Step& step, const StepState& at, std::span<S> x) const;
  void apply_group(StepState& at, std::span<S> x, std::span<S> loads);
  bool prepare_lanes(const DesignGeometry& geometry, const JointView<S>& state, StepState& at);
  std::optional<Finding> prepare_group(const DesignGeometry& geometry, const JointView<S>& state,
                                       StepState& at);

  const Paths* paths_;
  const Plan* plan_;
  std::vector<Coupling::Solved> couplings_;  // one per step, solved for this design
  std::vector<StepState> states_;
  SampleState sample_, sample_before_;
  SampleState last_;  // last sample of the block before
  std::vector<double> sample_forces_;
  std::vector<double> no_drive_;  // zeros, as only the Jacobian is needed
  std::vector<S> no_drives_;      // the same in lanes
  double time_step_ = 0.0;
  int block_ = 0;  // the block prepared last
  int used_lanes_ = 0;
};

}  // namespace counterpoise
