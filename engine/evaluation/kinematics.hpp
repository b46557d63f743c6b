#pragma once

#include "engine/evaluation/plan.hpp"
#include "engine/kinematics/coordinates.hpp"
#include "engine/kinematics/zero_configuration.hpp"

namespace counterpoise {

/// The stage from a design and a motion to the motion of all joints: frames, zero configuration,
/// coordinates, and the Jacobian columns of closures. Each runs again only when what it reads
/// changed.
template <class S>
class Kinematics {
 public:
  explicit Kinematics(const EvaluationPlan& plan, const Holding& holding = {})
      : zero_index_(plan.stage_units.zero_index()),
        held_index_(plan.stage_units.held_index()),
        zero_(plan.nominal, plan.paths, plan.actuator_plan),
        coordinates_(plan.nominal, plan.paths, plan.motion_plan, plan.drives.driven, holding),
        closures_(plan.paths) {}

  void set_motion(const Motion& motion, StaleUnits& stale) {
    coordinates_.set_motion(motion, stale);
    step_ = motion.step;
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
    return coordinates_.solve(geometry(mechanism), zero_.state(), stale, joints_, closures_);
  }

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
  std::size_t zero_index_, held_index_;  // indices of units
  double step_ = 0.0;
  std::vector<JointFrame> frames_;
  ZeroConfiguration zero_;
  std::optional<Finding> zero_finding_;
  Coordinates<S> coordinates_;
  JointMotion<S> joints_;
  ClosureJacobian<S> closures_;
};

}  // namespace counterpoise
