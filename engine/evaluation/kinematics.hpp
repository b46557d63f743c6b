#pragma once

#include <span>

#include "engine/evaluation/plan.hpp"
#include "engine/kinematics/coordinates.hpp"
#include "engine/kinematics/zero_configuration.hpp"

namespace counterpoise {

/// The stage from a design and a motion to the motion of all joints: frames, zero configuration,
/// coordinates, and the Jacobian columns of closures. Each runs again only when what it reads
/// changed.
///
/// Of a motion that leaves out poses, each of these has the joints of the first pose that is not
/// left out in its place, so that extremes over all samples are those over the others.
template <class S>
class Kinematics {
 public:
  explicit Kinematics(const EvaluationPlan& plan, const Holding& holding = {})
      : zero_index_(plan.stage_units.zero_index()),
        held_index_(plan.stage_units.held_index()),
        size_(farthest_coordinate(plan.nominal)),
        zero_(plan.nominal, plan.paths, plan.actuator_plan),
        coordinates_(plan.nominal, plan.paths, plan.motion_plan, plan.drives.driven, holding),
        closures_(plan.paths) {}

  void set_motion(const Motion& motion, StaleUnits& stale) {
    coordinates_.set_motion(motion, stale);
    step_ = motion.step;
    skips_ = motion.skips;
  }

  /// Goes to the stretch that begins with sample `first`; see Coordinates.
  void go_to(int first) { coordinates_.go_to(first); }
  [[nodiscard]] const Stretch& stretch() const { return coordinates_.stretch(); }

  std::optional<Finding> follow(const Mechanism& mechanism, StaleUnits& stale) {
    if (stale.stale(zero_index_)) {
      prepare_frames(mechanism, frames_);
      zero_finding_ = zero_.follow(geometry(mechanism), stale);
      stale.settle(zero_index_);
    }
    if (zero_finding_) return zero_finding_;
    if (stale.stale(held_index_)) {
      coordinates_.hold(geometry(mechanism), zero_.state(), stale);
      stale.settle(held_index_);
    }
    if (skips_) return follow_skipping(mechanism, stale);
    return coordinates_.solve(geometry(mechanism), zero_.state(), stale, joints_, closures_);
  }

  /// Per sample of the stretch whether it is left out; empty if none is.
  [[nodiscard]] std::span<const char> left_out() const { return coordinates_.left_out(); }

  [[nodiscard]] std::span<const JointFrame> frames() const { return frames_; }
  /// The geometry of the design last followed.
  [[nodiscard]] DesignGeometry geometry(const Mechanism& mechanism) const {
    return {mechanism, frames_};
  }
  [[nodiscard]] JointView<double> zero() const { return zero_.state().view(); }
  [[nodiscard]] const Coordinates<S>& coordinates() const { return coordinates_; }
  [[nodiscard]] const JointMotion<S>& joints() const { return joints_; }
  /// The Jacobian columns that the steps left; a stage that requires others may compute them here.
  [[nodiscard]] ClosureJacobian<S>& closures() { return closures_; }
  /// Time between samples [s].
  [[nodiscard]] double step() const { return step_; }

 private:
  bool note_limits(const Mechanism& mechanism);
  std::optional<Finding> follow_skipping(const Mechanism& mechanism, StaleUnits& stale);
  std::optional<Finding> solve_skipping(const Mechanism& mechanism, StaleUnits& stale);
  void leave_out_beyond_limits(const Mechanism& mechanism);
  void stand_in();

  std::size_t zero_index_, held_index_;  // indices of units
  double step_ = 0.0;
  double size_;  // of the nominal mechanism; see farthest_coordinate()
  std::vector<JointFrame> frames_;
  ZeroConfiguration zero_;
  std::optional<Finding> zero_finding_;
  Coordinates<S> coordinates_;
  JointMotion<S> joints_;
  ClosureJacobian<S> closures_;
  // of a motion that leaves out poses
  bool skips_ = false;
  bool has_stand_in_ = false;
  SampleState stand_in_;        // the first pose of the motion that is not left out
  std::vector<double> limits_;  // of the actuators' positions, in the last design
};

}  // namespace counterpoise
