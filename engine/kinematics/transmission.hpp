#pragma once

#include "engine/kinematics/closure/closure_columns.hpp"
#include "engine/kinematics/closure/group_lanes.hpp"
#include "engine/kinematics/closure/group_solver.hpp"
#include "engine/kinematics/closure/joint_motion.hpp"
#include "engine/kinematics/closure/passages.hpp"
#include "engine/kinematics/closure/plan.hpp"
#include "engine/mechanism/finding.hpp"
#include "engine/mechanism/motion.hpp"

namespace counterpoise {

/// How a force on one joint loads one actuator.
struct ForceShare {
  ActuatorIndex actuator;
  int series;  // index in Transmission; -1: it drives the joint, so that force is its load
};

/// For each body the actuators, in order, whose positions its joint depends on: a force on the
/// joint can load these. A fixed joint has none. The series of all shares are numbered through all
/// bodies.
std::vector<std::vector<ForceShare>> find_force_shares(const Mechanism& mechanism,
                                                       const Paths& paths,
                                                       const Plan& actuator_plan);

/// The loads of the actuators by forces on the joints, by virtual work: with s the actuators'
/// positions and W = dq/ds, load = W^T tau. The plan from s to q is evaluated as for velocities:
/// each step gives the rates of its joints by the rates of the joints it depends on, for a unit
/// rate of each actuator. This is exact for over-constrained mechanisms too, as the forces that
/// their redundant closures share do no work (paper 003, eqs. 13-15, whose forces are these rates
/// in transposed form). Each step runs over all blocks by itself and leaves a series of every
/// slope, so that a change of a linkage makes only those steps run again that read it.
template <class S>
class Transmission {
 public:
  /// `plan` is for the actuators, in their order, and `motion_plan` the one that poses the joints.
  /// `shares` must stay in place.
  Transmission(const Mechanism& mechanism, const Paths& paths, const Plan& plan,
               const Plan& motion_plan, const std::vector<std::vector<ForceShare>>& shares);

  /// A design and the joint motion in one stretch of its motion.
  struct Call {
    const DesignGeometry& geometry;
    const JointMotion<S>& joints;
    const Stretch& stretch;
    double time_step;  // between samples [s]
    ClosureJacobian<S>& closures;
  };

  /// Computes the slopes of one step's joints in all blocks, and those columns of its closure that
  /// are not current. Steps must run in the plan's order. In a stretch in which the motion does not
  /// start, singular poses are looked for from the last block.
  void run(std::size_t step, const Call& call);

  /// A pose in which the actuators do not determine the forces, or one between two samples if the
  /// divisor of the forces changed its sign there: the one in the first block of the motion so far,
  /// and the first step if several have one there. Slopes are then unspecified.
  [[nodiscard]] std::optional<Finding> finding() const;

  /// The slope dq/ds of a joint by an actuator that a force on it can load, in all blocks: the load
  /// of the actuator per unit force on the joint. The share must have a series.
  [[nodiscard]] std::span<const S> series(const ForceShare& share) const {
    const auto i = static_cast<std::size_t>(share.series);
    return std::span<const S>(slopes_).subspan(i * blocks_, blocks_);
  }

 private:
  /// A joint in a step's equations, other than its unknowns, that an actuator moves.
  struct Known {
    PathJoint joint;  // of a line or a dyad with its place on the path
    int series;       // of its slope; -1: the actuator drives it
  };
  struct Mover {
    ActuatorIndex actuator;
    std::vector<Known> known;  // joints that it moves
    std::vector<int> unknown;  // series of the step's unknowns, in their order
  };
  struct StepState {
    std::vector<Mover> movers;  // actuators that the step's unknowns depend on
    bool posed = false;         // whether a step of the motion's plan poses its closure
    std::array<Trace<double>, 2> plane_ends;
    SignWatch watch;  // watches a line's slope or a dyad's determinant
    // of groups, and of dyads where no plane was found once, in single samples and in all lanes:
    std::optional<GroupSolver> solver;
    std::optional<GroupWatch> group_watch;
    std::optional<GroupLanes> group;
    std::optional<WatchLanes> lanes_watch;
    std::optional<SampleState> last;  // last sample of the block before
    bool in_lanes = false;            // whether `group` was taken for the last block
    std::optional<Finding> finding;
    int found_in = 0;  // block of the motion
  };

  void make_group(const Step& step, const Mechanism& mechanism, StepState& at) const;
  void add_known(const Step& step, const Mechanism& mechanism,
                 const std::vector<std::vector<ForceShare>>& shares, StepState& at);
  [[nodiscard]] S* slope(int series, int block) {
    return &slopes_[static_cast<std::size_t>(series) * blocks_ + static_cast<std::size_t>(block)];
  }
  [[nodiscard]] S slope(const Known& known, int block) {
    return known.series < 0 ? S(1.0) : *slope(known.series, block);
  }
  const ClosureColumns<S>& columns_of(const Step& step, const StepState& at, const Call& call);
  template <class Follow>
  void each_block(const Call& call, StepState& at, const Follow& follow);
  void follow_coupling(const Step& step, const Call& call, StepState& at);
  void follow_line(const Step& step, const Call& call, StepState& at);
  void follow_dyad(const Step& step, const PlaneAxes& plane, const Call& call, StepState& at);
  std::optional<Finding> watch(StepState& at, const S& lever, const S& squares, const S& others,
                               int loop, int element);
  void follow_group(const Call& call, StepState& at);
  std::optional<Finding> follow_samples(const Call& call, StepState& at, int block);
  bool follow_lanes(const Call& call, StepState& at, int block);
  void solve_sample(StepState& at, int block, int k);

  const Paths* paths_;
  const Plan* plan_;
  std::vector<StepState> states_;
  std::size_t series_ = 0, blocks_ = 0;
  std::vector<S> slopes_;  // series by series
  SampleState at_zero_;    // all joints at zero
  SampleState sample_, sample_before_;
  // rates of all joints and of the actuators for a unit rate of one actuator
  SampleState sample_rates_;
  JointMotion<S> rates_;                    // one block
  std::vector<double> no_drive_, a_drive_;  // zeros, as only the Jacobian is needed; unit rate
  std::vector<S> no_drives_, a_drives_;     // the same in lanes
  int used_lanes_ = 0;                      // of the block that is followed
  int found_ = 0;                           // how many steps have a finding
};

}  // namespace counterpoise
