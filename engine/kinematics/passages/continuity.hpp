#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/kinematics/chains/joint_motion.hpp"
#include "engine/motion/stretch.hpp"

namespace counterpoise {

inline constexpr double full_turn = 2.0 * std::numbers::pi;

/// Makes the positions of a joint that a closed form left between -pi and pi continuous, and
/// notices where the closed form stayed on its branch although the mechanism passed a singular pose
/// between two samples.
class Continuity {
 public:
  /// Starts at the first sample of a motion. The first position will be the one nearest to `start`.
  void begin(double start) {
    *this = {};
    q_ = start;
  }

  /// Goes on through the samples of a stretch; only if `angle` full turns do not matter. Returns
  /// the first sample so far at which the velocity turned since the sample before as in no smooth
  /// motion, or -1 if there is none. Whole blocks are continued at once where nothing changes in
  /// them.
  template <class S>
  int follow(JointMotion<S>& motion, BodyIndex body, bool angle, double step,
             const Stretch& stretch) {
    const auto b = static_cast<std::size_t>(body);
    for (int k = 0; k < motion.blocks() * lanes<S>; ++k) {
      const SamplePlace<S> place(k);
      const JointState<S> state = motion.block(place.block);
      const bool first = stretch.starts() && k == 0;
      if (place.lane == 0 && !first && k + lanes<S> <= motion.samples() &&
          continue_block(state, b, angle, step)) {
        constexpr int last = lanes<S> - 1;
        q_ = lane(state.q[b], last);
        v_ = lane(state.v[b], last);
        a_ = lane(state.a[b], last);
        k += last;
        continue;
      }
      double q = lane(state.q[b], place.lane);
      const double v = lane(state.v[b], place.lane);
      const double a = lane(state.a[b], place.lane);
      const double h = first || k >= motion.samples() ? 0.0 : step;
      if (angle) {
        const double near = q_ + h * (v_ + v) / 2.0;
        turns_ = std::abs(q - near) <= std::numbers::pi ? 0.0 : std::round((q - near) / full_turn);
        q -= full_turn * turns_;
        set_lane(state.q[b], place.lane, q);
      }
      const double turn = std::abs(v - v_ - h * (a_ + a) / 2.0);
      const double smooth = share_of_speed * std::max(std::abs(v), std::abs(v_)) +
                            share_of_step * h * std::max(std::abs(a), std::abs(a_));
      if (kink_ < 0 && h > 0.0 && turn > smooth + turn_of_rounding) kink_ = stretch.first + k;
      q_ = q;
      v_ = v;
      a_ = a;
    }
    return kink_;
  }

 private:
  // For a smooth motion the trapezoid's error is far below: (omega h)^3 / 12 of its speed.
  static constexpr double share_of_speed = 0.5;
  static constexpr double share_of_step = 0.6;  // of the speed that one step's acceleration gives
  static constexpr double turn_of_rounding = 1e-9;

  /// Tries to continue a block of samples at once, whose angles are continuous if all are less by
  /// as many full turns as before. Returns whether they are, and the velocity turned at none; else
  /// does nothing.
  template <class S>
  bool continue_block(const JointState<S>& state, std::size_t b, bool angle, double step) const {
    const S v = state.v[b], a = state.a[b];
    const S v_before = shifted(v, v_), a_before = shifted(a, a_);
    const S turn = abs(S(v - v_before - (a_before + a) * (step / 2.0)));
    const S smooth = larger(abs(v), abs(v_before)) * share_of_speed +
                     larger(abs(a), abs(a_before)) * (share_of_step * step);
    if (!holds(turn <= smooth + S(turn_of_rounding), lanes<S>)) return false;
    if (!angle) return true;
    const S q = state.q[b] - S(full_turn * turns_);
    const S off = q - shifted(q, q_) - (v_before + v) * (step / 2.0);
    if (!holds(abs(off) <= S(std::numbers::pi), lanes<S>)) return false;
    state.q[b] = q;
    return true;
  }

  double q_ = 0.0, v_ = 0.0, a_ = 0.0;  // of the last sample
  double turns_ = 0.0;                  // taken off there
  int kink_ = -1;
};

}  // namespace counterpoise
