#pragma once

#include <cmath>

#include "engine/kinematics/chains/joint_frame.hpp"
#include "engine/kinematics/chains/joint_motion.hpp"

namespace counterpoise {

/// All joints at one sample, in double: where the sequential solvers work.
class SampleState {
 public:
  explicit SampleState(int bodies = 0) { motion_.resize(bodies, 1); }

  [[nodiscard]] JointState<double> view() const { return motion_.block(0); }

  /// Sets the position and, of a revolute joint, its sine and cosine.
  void set_position(std::span<const JointFrame> frames, int body, double q) {
    const auto b = static_cast<std::size_t>(body);
    const JointState<double> state = view();
    state.q[b] = q;
    if (frames[b].type == JointType::revolute) {
      state.sine[b] = std::sin(q);
      state.cosine[b] = std::cos(q);
    }
  }

  /// Every joint at its guess.
  void set_guess(const Mechanism& mechanism, std::span<const JointFrame> frames) {
    for (int b = 0; b < mechanism.body_count(); ++b)
      set_position(frames, b, mechanism.bodies[static_cast<std::size_t>(b)].joint.guess);
  }

 private:
  mutable JointMotion<double> motion_;
};

}  // namespace counterpoise
