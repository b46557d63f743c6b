#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace counterpoise {

/// Metrics of one actuator over the samples of a motion; integrals are by the trapezoid rule on the
/// stated integrand.
struct ActuatorMetrics {
  double max = 0.0;         // largest |load|                          [N or N m]
  double mean = 0.0;        // (1/T) integral of |load|                [N or N m]
  double rms = 0.0;         // sqrt((1/T) integral of load^2)          [N or N m]
  double energy = 0.0;      // integral of |load * velocity|           [J]
  double peak_power = 0.0;  // largest |load * velocity|               [W]
  double holds = 1.0;       // share of the samples with |load| <= Actuator::holding_load, which
                            // weigh as in the mean
};

struct SpringMetrics {
  double min_length = 0.0;  // [m]; torsion: smallest joint angle [rad]
  double max_length = 0.0;
  double max_tension = 0.0;  // largest |tension| [N]; torsion: |torque| [N m]
  double min_tension = 0.0;  // smallest tension with its sign: below 0 where the spring pushes
  // least distance of its surface from those of the obstacles that it keeps clear of, below 0
  // minus the depth; 0 where there is none [m]
  double clearance = 0.0;
};

struct Metrics {
  std::vector<ActuatorMetrics> actuators;  // one per Mechanism::actuators
  std::vector<SpringMetrics> springs;      // one per Mechanism::springs
  std::int64_t left_out = 0;               // poses that are left out (see Motion::skips)
};

/// The metrics of one motion, with the numbers that determine its share in the combined metrics.
struct MotionMetrics {
  const Metrics* metrics = nullptr;
  double duration = 0.0;  // [s]; see Motion::extent()
  double weight = 1.0;
};

/// The share of each motion in means over several: duration * weight over the sum of all, scaled so
/// that the sum neither overflows nor underflows.
class MotionShares {
 public:
  explicit MotionShares(std::span<const MotionMetrics> motions);
  [[nodiscard]] double of(const MotionMetrics& motion) const {
    return (motion.duration / duration_) * (motion.weight / weight_) / total_;
  }

 private:
  double total_ = 0.0;
  double duration_ = 1.0, weight_ = 1.0;  // units of both, 1 unless the sum needs others
};

/// Whether the sum of nonnegative numbers, or a square in it, has overflowed or underflowed, so
/// that it must be computed again with scaling. `largest` is the largest of the numbers.
bool lost_in_sum(double sum, double largest);
/// The power of two that brings the largest of some nonnegative numbers to about 1.
double scale_of(double largest);

/// Combines the metrics of several motions: the extreme for max, peak_power and spring lengths,
/// tension and clearance; the mean weighted by duration * weight for mean, holds and, squared, for
/// rms; the sum for energy. `motions` must not be empty. Allocates only when `out` does not have
/// the right size.
void combine(std::span<const MotionMetrics> motions, Metrics& out);

}  // namespace counterpoise
