#pragma once

#include <span>
#include <vector>

#include "engine/evaluation/pipeline.hpp"

namespace counterpoise {

/// What the coordinate of an actuator asks of its motor at one sample.
struct MotorState {
  double load = 0.0;  // with friction between motor and coordinate
  double velocity = 0.0, acceleration = 0.0;
};

/// What a motion asks of the motor of one actuator, sample by sample. Poses, and motions without
/// inertia, are at rest.
struct MotorSamples {
  std::vector<double> load;  // [N or N m]
  std::vector<double> play;  // by how much dry friction of joints and springs at rest may change
                             // it, to either side; empty if none has any
  std::vector<double> down;  // by how much it may lower it, where `play` is by how much it may only
                             // raise it, as friction grows with reactions; else empty
  std::vector<double> velocity, acceleration;  // of the actuator's coordinate
  std::vector<double> weight;                  // in means over the samples

  /// The state at sample k with this friction between motor and coordinate. What dry friction may
  /// carry at rest makes the load as large as it can be, or as small.
  [[nodiscard]] MotorState at(std::size_t k, const Friction& friction, bool favourable) const;
  /// The load that the motor carries where the mechanism stands still with the load of sample k.
  [[nodiscard]] double held_at(std::size_t k, const Friction& friction, bool favourable) const;

 private:
  /// A load of sample k at the end of its range, of which dry friction of gears is `more`.
  [[nodiscard]] double at_end(double load, std::size_t k, double more, bool favourable) const;
};

/// Appends the samples that the pipeline holds of one actuator, in the design last judged; where
/// the motion starts, in place of what `samples` had. Cost: a copy of each number.
template <class S>
void take_motor_samples(const Mechanism& mechanism, Pipeline<S>& pipeline, std::size_t actuator,
                        MotorSamples& samples);
/// The same without loads, of the design whose tree forces are known; `springs`: whether friction
/// of springs at rest counts, which needs their directions.
template <class S>
void take_motor_motion(const Mechanism& mechanism, Pipeline<S>& pipeline, std::size_t actuator,
                       MotorSamples& samples, bool springs);

}  // namespace counterpoise
