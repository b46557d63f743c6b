#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/kinematics/passages/sign_watch.hpp"
#include "engine/math/scalar.hpp"
#include "engine/mechanism/finding.hpp"

namespace counterpoise {

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

}  // namespace counterpoise
