#pragma once

#include <cstddef>
#include <vector>

#include "engine/dynamics/shaft.hpp"

namespace counterpoise {

/// What motions ask of one actuator, sample by sample; all of one length. Velocities of what is at
/// rest are exactly 0.
struct ShaftSamples {
  std::vector<double> load;          // u, along the actuator's coordinate        [N m or N]
  std::vector<double> velocity;      // v                                         [rad/s or m/s]
  std::vector<double> acceleration;  // a
  std::vector<double> weight;        // w, the time that the sample stands for    [s]

  [[nodiscard]] std::size_t size() const { return load.size(); }
  void clear() {
    for (std::vector<double>* numbers : {&load, &velocity, &acceleration, &weight})
      numbers->clear();
  }
};

/// What a motor has to do over all samples.
struct ShaftLoad {
  double torque = 0.0;         // largest |tau|                            [N m]
  double rms = 0.0;            // sqrt(sum of w tau^2 / sum of w)          [N m]
  double speed = 0.0;          // largest |n|, n = i v                     [rad/s]
  double power = 0.0;          // largest |tau n|                          [W]
  double energy = 0.0;         // sum of w P, P = tau n + heat; of negative P a share  [J]
  double holding_power = 0.0;  // largest heat at samples where v = 0 and a = 0; 0: none is  [W]
};

/// What else decides whether a drive suffices.
struct DriveLoad : ShaftLoad {
  double load = 0.0, load_rms = 0.0;  // largest |u| and its mean, as of the torque    [N m or N]
  // largest |n| + droop * |tau| where the motor drives, the speed without load that its voltage has
  // to allow; and the same with torques times the margin                       [rad/s]
  double voltage_speed = 0.0, voltage_speed_with_margin = 0.0;
};

/// How a drive is looked at: `droop` is the speed that the motor loses per torque [rad/s per N m],
/// and `recuperated` the share of power that comes back.
struct DriveView {
  double droop = 0.0;
  double margin = 1.0;
  double recuperated = 0.0;
};

/// Computes what the motor of a shaft has to do. Without samples all is 0. Cost: one pass, about 40
/// operations a sample, a Pack of samples at a time.
DriveLoad load_of(const Shaft& shaft, const DriveView& view, const ShaftSamples& samples);
inline ShaftLoad load_of(const Shaft& shaft, const ShaftSamples& samples, double recuperated) {
  return load_of(shaft, {.recuperated = recuperated}, samples);
}

/// What samples ask of every motor alike.
struct SampleSums {
  /// Sums of w u^2 and w u a.
  struct OfState {
    double square = 0.0, product = 0.0;
  };
  OfState ahead, back, still;  // where the motor drives, where it is driven, and at rest
  double inertia_square = 0.0, weights = 0.0;                       // sums of w a^2, w
  double load = 0.0, speed = 0.0, power = 0.0, acceleration = 0.0;  // largest |u|, |v|, |u v|, |a|
};
SampleSums sums_of(const ShaftSamples& samples);
/// Sum of w (i tau)^2 of a pair that multiplies loads by `forward` and `backward` and turns the
/// inertia `reflected`; less what rounding may add.
double least_square(const SampleSums& sums, double forward, double backward, double reflected);
/// The share of such sums that rounding may add.
inline constexpr double sum_rounding = 1e-13;

}  // namespace counterpoise
