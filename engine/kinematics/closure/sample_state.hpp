#pragma once

#include <cmath>

#include "engine/kinematics/closure/joint_frame.hpp"
#include "engine/kinematics/closure/joint_motion.hpp"

namespace counterpoise {

/// The state of all joints at one sample, in double, with which the sequential solvers work.
class SampleState {
 public:
  explicit SampleState(int bodies = 0) { motion_.resize(bodies, 1); }

  [[nodiscard]] JointState<double> view() { return motion_.block(0); }
  [[nodiscard]] JointView<double> view() const { return motion_.block(0); }

  /// Sets the position of a joint and, if it is revolute, its sine and cosine.
  void set_position(std::span<const JointFrame> frames, BodyIndex body, double q) {
    const auto b = static_cast<std::size_t>(body);
    const JointState<double> state = view();
    state.q[b] = q;
    if (frames[b].type == JointType::revolute) {
      state.sine[b] = std::sin(q);
      state.cosine[b] = std::cos(q);
    }
  }

  /// Sets every joint to its guess.
  void set_guess(const DesignGeometry& geometry) {
    for (BodyIndex b = 0; b < geometry.mechanism.body_count(); ++b)
      set_position(geometry.frames, b, geometry.mechanism.bodies[b].joint.guess);
  }

  /// Sets the velocities and accelerations of all joints to zero.
  void stop() {
    fill(view().v, 0.0);
    fill(view().a, 0.0);
  }

  /// Reads sample `k` of a motion.
  template <class S>
  void read(const JointMotion<S>& motion, int k) {
    const SamplePlace<S> place(k);
    read_lane<S>(motion.block(place.block), place.lane);
  }
  /// Reads lane `k` of a block.
  template <class S>
  void read_lane(const JointView<S>& from, int k) {
    const JointState<double> to = view();
    for (std::size_t b = 0; b < to.q.size(); ++b) {
      to.q[b] = lane(from.q[b], k);
      to.v[b] = lane(from.v[b], k);
      to.a[b] = lane(from.a[b], k);
      to.sine[b] = lane(from.sine[b], k);
      to.cosine[b] = lane(from.cosine[b], k);
    }
  }

 private:
  JointMotion<double> motion_;
};

/// How far the joint of `body` is moved from its guess in the given trial, to leave a configuration
/// that happens to be special: fixed numbers without a pattern, up to 0.15 rad or 1.5 cm, and none
/// in trial 0.
inline double nudge(int trial, BodyIndex body, JointType type) {
  const double wave = std::sin(12.9898 * (body + 1) + 78.233 * trial);
  return trial == 0 ? 0.0 : wave * (type == JointType::revolute ? 0.15 : 0.015);
}

}  // namespace counterpoise
