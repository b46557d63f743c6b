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

/// For each body the actuators, in order, that a force on its joint can load in any pose: those
/// whose positions the joint depends on. A fixed joint has none.
std::vector<std::vector<ActuatorIndex>> loaded_actuators(const Mechanism& mechanism,
                                                         const Paths& paths,
                                                         const Plan& actuator_plan);

/// The loads of the actuators by forces on the joints, by virtual work: with s the actuators'
/// positions and W = dq/ds, load = W^T tau. The plan that leads from s to q is walked once for each
/// block, as velocities are: each step gives the rates of its joints by those of the joints it
/// depends on, for a unit rate of each actuator. This is exact for over-constrained mechanisms too,
/// as the forces that their redundant closures share do no work (paper 003, eqs. 13-15, whose
/// forces are these rates in transposed form).
template <class S>
class Transmission {
 public:
  /// `plan` is the plan of all actuators, in their order.
  Transmission(const Mechanism& mechanism, const Paths& paths, const Plan& plan);

  /// Must be called once per design and stretch of the motion, before any block, with the zero
  /// configuration, the joint motion and the time between samples [s]. Computes those columns of
  /// `closures` that are not current; they must stay until the last block. In a stretch in which
  /// the motion does not start, singular poses are looked for from the last block followed.
  void begin(const DesignGeometry& geometry, const JointView<double>& zero,
             const JointMotion<S>& joints, double time_step, bool starts,
             ClosureJacobian<S>& closures);

  /// Computes the slopes in the next block of the stretch. A pose in which the actuators do not
  /// determine the forces is a finding, with its lane in place of the time. So is such a pose
  /// between two samples, of this block or the last one, if the divisor of the forces changed its
  /// sign there.
  std::optional<Finding> follow(const DesignGeometry& geometry, const JointMotion<S>& joints,
                                int block);

  /// The slope dq/ds of a joint by an actuator that a force on it can load, in the block followed
  /// last: the load of the actuator per unit force on the joint.
  [[nodiscard]] const S& slope(BodyIndex joint, ActuatorIndex actuator) const {
    return slopes_[index(joint, actuator)];
  }

 private:
  struct StepState {
    std::vector<ActuatorIndex> actuators;  // that the step's unknowns depend on
    std::vector<PathJoint> known;  // other joints in the equations that they move; for a line or a
                                   // dyad with their places on the path
    const ClosureColumns<S>* columns = nullptr;  // columns of a line or a dyad
    std::array<Trace<double>, 2> plane_ends;
    std::optional<PlaneAxes> plane;  // of a dyad in this design; none: solved as a group
    SignWatch watch;                 // watches a line's slope or a dyad's determinant
    // only where the step needs Newton's matrices, in single samples and in all lanes at once:
    std::optional<GroupSolver> solver;
    std::optional<GroupWatch> group_watch;
    std::optional<GroupLanes> group;
    std::optional<WatchLanes> lanes_watch;
    bool in_lanes = false;  // whether `group` was taken for the last block
  };

  [[nodiscard]] std::size_t index(BodyIndex joint, ActuatorIndex actuator) const {
    return static_cast<std::size_t>(actuator) * bodies_ + static_cast<std::size_t>(joint);
  }
  S& slope_of(BodyIndex joint, ActuatorIndex actuator) { return slopes_[index(joint, actuator)]; }

  void follow_coupling(const Step& step, const StepState& at, const Coupling::Solved& known);
  std::optional<Finding> follow_line(const Step& step, StepState& at);
  std::optional<Finding> follow_dyad(const Step& step, StepState& at);
  std::optional<Finding> watch(StepState& at, const S& lever, const S& squares, const S& others,
                               int loop, int element);
  std::optional<Finding> follow_group(const DesignGeometry& geometry, const JointView<S>& state,
                                      StepState& at);
  bool follow_lanes(const DesignGeometry& geometry, const JointView<S>& state, StepState& at);
  void solve_sample(StepState& at, int k);

  const Paths* paths_;
  const Plan* plan_;
  std::size_t bodies_;
  std::vector<Coupling::Solved> couplings_;  // one per step, solved for this design
  std::vector<StepState> states_;
  std::vector<S> slopes_;  // actuator by actuator, one entry per body
  SampleState sample_, sample_before_;
  SampleState last_;  // last sample of the block before
  // rates of all joints and of the actuators for a unit rate of one actuator
  SampleState sample_rates_;
  JointMotion<S> rates_;                    // one block
  std::vector<double> no_drive_, a_drive_;  // zeros, as only the Jacobian is needed; unit rate
  std::vector<S> no_drives_, a_drives_;     // the same in lanes
  double time_step_ = 0.0;
  bool starts_ = true;  // whether the motion starts in the stretch
  int block_ = 0;       // the block followed last
  int used_lanes_ = 0;
};

}  // namespace counterpoise
