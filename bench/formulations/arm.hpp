#pragma once

#include <array>
#include <numbers>
#include <numeric>

#include "bench/peers/mechanism_of.hpp"
#include "engine/dynamics/inverse_dynamics.hpp"
#include "engine/evaluation/kinematics.hpp"

namespace counterpoise::bench {

inline constexpr int arm_samples = 1000;
inline const Vec3d arm_tip = {0.0, 0.0, 0.3};  // in the last link's axes  [m]

/// An arm of this many joints with a motor in each.
inline Mechanism motorised_arm(int joints) {
  Mechanism mechanism = mechanism_of(make_arm(joints));
  for (int b = 0; b < joints; ++b) {
    Actuator motor;
    motor.name = "m" + std::to_string(b);
    motor.joint = b;
    mechanism.actuators.push_back(motor);
  }
  return mechanism;
}

/// The motion of paper 000, section 6: every joint starts at an angle of its own and accelerates
/// with pi/9 rad/s^2 for the first half, with -pi/9 rad/s^2 for the second.
inline Motion arm_motion(int joints, double start) {
  Motion motion;
  motion.step = 0.005;
  motion.duration = motion.step * (arm_samples - 1);
  for (int b = 0; b < joints; ++b)
    motion.drives.push_back({{b, -1}, BangBang{start + 0.4 * b, std::numbers::pi / 9.0}});
  return motion;
}

/// One arm with all that its kinematics and dynamics need.
template <class S>
class Arm {
 public:
  explicit Arm(int joints)
      : motions_{arm_motion(joints, 0.3), arm_motion(joints, 0.301)},
        plan_(motorised_arm(joints), motions_[0], Closure::closed_form),
        stale_(plan_.stage_units, plan_.nominal, plan_.drives.coordinates.size(),
               plan_.drives.driven),
        kinematics_(plan_),
        chain_(static_cast<std::size_t>(joints)),
        tau_(static_cast<std::size_t>(joints)) {
    std::iota(chain_.begin(), chain_.end(), BodyIndex(0));
    trace_.resize(chain_.size());
    tree_.prepare(plan_.nominal);
    scratch_.resize(chain_.size());
  }

  /// Takes the two motions in turn, and computes positions, velocities, accelerations, sines and
  /// cosines of all joints at all samples.
  void move() {
    turn_ = 1 - turn_;
    revisions_.see(plan_.nominal, stale_);
    kinematics_.set_motion(motions_[turn_], stale_);
    kinematics_.follow(plan_.nominal, stale_);
  }
  /// From base to tip: where each link is, and how the tip moves.
  EndState<S> place(int block) {
    const JointView<S> state = kinematics_.joints().block(block);
    trace_positions<S>(kinematics_.frames(), chain_, arm_tip, state, trace_);
    return trace_motion<S>(kinematics_.frames(), chain_, state, trace_);
  }
  /// Joint torques, by the recursive Newton-Euler algorithm.
  std::span<const S> forces(int block) {
    inverse_dynamics<S>(tree_, kinematics_.joints().block(block), scratch_, tau_);
    return tau_;
  }

  [[nodiscard]] int blocks() const { return kinematics_.joints().blocks(); }
  [[nodiscard]] const Motion& motion() const { return motions_[turn_]; }
  [[nodiscard]] const Mechanism& mechanism() const { return plan_.nominal; }

 private:
  std::array<Motion, 2> motions_;
  std::size_t turn_ = 0;
  EvaluationPlan plan_;
  Revisions revisions_{all_elements(plan_.nominal)};
  StaleUnits stale_;
  Kinematics<S> kinematics_;
  std::vector<BodyIndex> chain_;
  Trace<S> trace_;
  TreeModel tree_;
  InverseDynamicsScratch<S> scratch_;
  std::vector<S> tau_;
};

}  // namespace counterpoise::bench
