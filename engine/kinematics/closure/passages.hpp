#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "engine/kinematics/closure/group_solver.hpp"
#include "engine/kinematics/closure/joint_motion.hpp"
#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/math/scalar.hpp"
#include "engine/mechanism/finding.hpp"
#include "engine/mechanism/motion.hpp"

namespace counterpoise {

/// Watches a group of equations over consecutive samples for singular poses that it passes between
/// two of them, although none of the samples is singular. Let J be the Jacobian of the equations
/// with respect to the joints that they determine, Q an orthonormal basis of its columns, and let J
/// = Q R hold. The group passes a singular pose where det R changes its sign. With as many
/// equations as joints this is the sign of det J. With redundant equations the basis turns as the
/// mechanism moves, so that J is compared with the basis B of a pose nearby: det(B^T J) has the
/// sign of det R as long as Q has turned by less than a right angle from B.
class GroupWatch {
 public:
  GroupWatch(const GroupSolver& group, int bodies);

  /// Starts over: the next sample is the first of a motion.
  void begin() { started_ = false; }

  /// Takes the next sample `now`, `step` seconds after `before`; both hold q and v of all joints.
  /// `group` must be linearised at `now` and not singular there, and is left so. Returns where a
  /// singular pose was passed between the two, as a share of the interval and to within a hundredth
  /// of it, on cubics through both samples; nothing if none was. At the first sample `before` is
  /// not read. Cost: less than a factorisation; 64 of them where a pose was passed or the basis
  /// turned by 60 degrees.
  std::optional<double> see(const DesignGeometry& geometry, GroupSolver& group,
                            const JointView<double>& before, const JointView<double>& now,
                            double step);

 private:
  [[nodiscard]] double turn(const GroupSolver& group);
  void refer_to(GroupSolver& group);
  std::optional<double> search(const DesignGeometry& geometry, GroupSolver& group,
                               const JointView<double>& before, const JointView<double>& now,
                               double step);

  bool started_ = false;
  Eigen::MatrixXd basis_;  // basis near the last sample; empty if as many equations as joints
  double sign_ = 1.0;      // sign of det R at the last sample, by that basis
  Eigen::MatrixXd product_;
  Eigen::PartialPivLU<Eigen::MatrixXd> factor_;
  SampleState between_;
  std::vector<double> no_drive_;  // zeros, as only the Jacobian is needed
};

/// Watches a signed number over consecutive samples that is zero in singular poses and continuous
/// between them, such as an actuator's lever: where it changes its sign, a singular pose was
/// passed.
class SignWatch {
 public:
  /// Starts over: the next sample is the first of a motion.
  void begin() { before_ = 0.0; }

  /// Takes the number at the next sample. Returns where it vanished since the last sample, as a
  /// share of the interval by linear interpolation; nothing if it kept its sign.
  std::optional<double> see(double number) {
    const double before = std::exchange(before_, number);
    const bool passed = (before < 0.0 && number > 0.0) || (before > 0.0 && number < 0.0);
    return passed ? std::optional(before / (before - number)) : std::nullopt;
  }

  /// The number at the last sample; 0 before the first.
  [[nodiscard]] double last() const { return before_; }

 private:
  double before_ = 0.0;
};

/// Watches the samples of a closed-form step and keeps the first finding and the worst gap.
class StepWatch {
 public:
  struct Kinds {
    FindingKind open, singular, passed;
  };
  StepWatch() = default;
  /// Starts at the first sample of a motion with samples `step` seconds apart.
  StepWatch(Kinds kinds, int element, double step)
      : kinds_(kinds), element_(element), step_(step) {}

  /// Takes sample `k`. `sine` is that of the angle that vanishes in singular poses; `lever` is the
  /// smallest singular value of the Jacobian, with the sign of its determinant.
  void see(double gap, double size, double sine, double lever, int k) {
    const auto passed = signs_.see(lever);
    if (gap > closed_tolerance * size) {
      worst_ = std::max(worst_, gap / size);
      if (!finding_) finding_ = {kinds_.open, element_, k * step_, gap, 0.0, 0.0};
    } else if (sine < singular_sine && !finding_) {
      finding_ = {kinds_.singular, element_, k * step_, std::abs(lever), 0.0, 0.0};
    } else if (passed && !finding_) {
      finding_ = {kinds_.passed, element_, (k - 1 + *passed) * step_, 0.0, 0.0, 0.0};
    }
  }

  /// Takes the block that begins with sample `first`: all at once where nothing is to be found in
  /// it. `size` and the norm by which `lever` is to be divided come as squares, whose roots are
  /// then taken in one lane only.
  template <class S>
  void see_block(const S& gap, const S& size_squared, const S& sine, const S& lever,
                 const S& norm_squared, int first) {
    constexpr double tolerance = closed_tolerance * closed_tolerance;
    const S before = shifted(lever, signs_.last());
    const auto sound = (gap * abs(gap) <= size_squared * tolerance) & (sine >= S(singular_sine)) &
                       (lever * before > S(0.0));
    const auto lever_at = [&](int i) {
      return lane(lever, i) / std::max(std::sqrt(lane(norm_squared, i)), tiny);
    };
    if (holds(sound, lanes<S>)) {
      signs_.see(lever_at(lanes<S> - 1));
      return;
    }
    for (int i = 0; i < lanes<S>; ++i)
      see(lane(gap, i), std::sqrt(lane(size_squared, i)), lane(sine, i), lever_at(i), first + i);
  }

  /// The first finding, with the worst gap of all samples seen.
  std::optional<Finding> result() {
    if (finding_) finding_->violation = worst_;
    return finding_;
  }

 private:
  Kinds kinds_{};
  int element_ = -1;
  double step_ = 0.0;
  SignWatch signs_;
  double worst_ = 0.0;
  std::optional<Finding> finding_;
};

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
