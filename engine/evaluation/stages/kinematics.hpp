#pragma once

#include "engine/evaluation/stages/plan.hpp"
#include "engine/kinematics/coordinates.hpp"

namespace counterpoise {

/// The stage from a design and a motion to the motion of all joints: frames, zero configuration,
/// coordinates; each again only when what it reads changed.
template <class S>
class Kinematics {
 public:
  explicit Kinematics(const EvaluationPlan& plan)
      : zero_(plan.nominal, plan.paths, plan.actuator_plan),
        coordinates_(plan.nominal, plan.paths, plan.motion_plan, plan.drives.driven) {}

  void set_motion(const Motion& motion) {
    coordinates_.set_motion(motion);
    step_ = motion.step;
  }
  void forget() {
    framed_at_ = 0;
    zero_.forget();
    coordinates_.forget();
  }

  std::optional<Finding> follow(const Mechanism& mechanism, const Revisions& revisions) {
    if (framed_at_ < revisions.kinematics()) {
      prepare_frames(mechanism, frames_);
      framed_at_ = revisions.now();
    }
    if (const auto finding = zero_.follow(mechanism, frames_, revisions)) return finding;
    return coordinates_.solve(mechanism, frames_, revisions, zero_, joints_);
  }

  [[nodiscard]] std::span<const JointFrame> frames() const { return frames_; }
  [[nodiscard]] JointState<double> zero() const { return zero_.state().view(); }
  [[nodiscard]] const Coordinates<S>& coordinates() const { return coordinates_; }
  [[nodiscard]] JointMotion<S>& joints() { return joints_; }
  [[nodiscard]] const JointMotion<S>& joints() const { return joints_; }
  /// Time between samples [s].
  [[nodiscard]] double step() const { return step_; }

 private:
  double step_ = 0.0;
  Stamp framed_at_ = 0;
  std::vector<JointFrame> frames_;
  ZeroConfiguration zero_;
  Coordinates<S> coordinates_;
  JointMotion<S> joints_;
};

}  // namespace counterpoise
