#pragma once

#include <vector>

#include "engine/kinematics/chains/joint_motion.hpp"
#include "engine/kinematics/closure/mobility.hpp"
#include "engine/motion/motion.hpp"
#include "engine/reuse/stale_units.hpp"

namespace counterpoise {

/// The coordinates that a motion gives. If the motion's own coordinates determine the mechanism
/// these are all; otherwise every actuator that it does not name is held where it is in the zero
/// configuration. Throws MechanismError naming what is too few or too many.
struct DriveSelection {
  DriveSelection(const Mechanism& mechanism, const Mobility& mobility, const Motion& motion);
  std::vector<Coordinate> coordinates;  // the motion's drives in order, then the held actuators
  std::size_t driven = 0;               // number of coordinates that are the motion's own
};

/// Position, velocity and acceleration of each coordinate over the samples, stored coordinate by
/// coordinate: first the motion's own, then those that are held. A coordinate is sampled anew only
/// when its own numbers change.
template <class S>
class DriveSamples {
 public:
  DriveSamples(std::size_t driven, std::size_t held) : driven_(driven), held_(held) {}

  /// Sets another motion with as many drives. Touches the drives that changed, and everything if
  /// the number or the times of the samples did. Allocates when the number of samples grows.
  void set_motion(const Motion& motion, StaleUnits& stale);
  /// Sets the positions of the held coordinates and touches those that changed.
  void hold(std::span<const double> held, StaleUnits& stale);

  [[nodiscard]] int samples() const { return samples_; }

  [[nodiscard]] const S& position(std::size_t coordinate, int block) const {
    return position_[index(coordinate, block)];
  }
  [[nodiscard]] const S& velocity(std::size_t coordinate, int block) const {
    return velocity_[index(coordinate, block)];
  }
  [[nodiscard]] const S& acceleration(std::size_t coordinate, int block) const {
    return acceleration_[index(coordinate, block)];
  }
  /// Sine and cosine of the position, for coordinates that are joint angles.
  [[nodiscard]] const S& sine(std::size_t coordinate, int block) const {
    return sine_[index(coordinate, block)];
  }
  [[nodiscard]] const S& cosine(std::size_t coordinate, int block) const {
    return cosine_[index(coordinate, block)];
  }

 private:
  [[nodiscard]] std::size_t index(std::size_t coordinate, int block) const {
    return coordinate * static_cast<std::size_t>(blocks_) + static_cast<std::size_t>(block);
  }
  void sample(std::size_t coordinate, const Motion& motion);
  void set_angles(std::size_t coordinate);

  std::size_t driven_;
  std::vector<double> held_;
  Motion motion_;
  int samples_ = 0;
  int blocks_ = 0;
  std::vector<S> position_, velocity_, acceleration_, sine_, cosine_;
};

}  // namespace counterpoise
