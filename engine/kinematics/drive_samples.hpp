#pragma once

#include <vector>

#include "engine/kinematics/chains/joint_motion.hpp"
#include "engine/kinematics/closure/mobility.hpp"
#include "engine/motion/motion.hpp"
#include "engine/reuse/stale_units.hpp"

namespace counterpoise {

/// Which coordinates a motion gives: if the motion's own coordinates determine
/// the mechanism, those; otherwise also every actuator it does not name, held where it is in the
/// zero configuration. Throws MechanismError naming what is too few or too many.
struct DriveSelection {
  DriveSelection(const Mechanism& mechanism, const Mobility& mobility, const Motion& motion);
  std::vector<Coordinate> coordinates;  // the motion's drives in order, then the held actuators
  std::size_t driven = 0;               // how many of them are the motion's own
};

/// Position, velocity and acceleration of each coordinate over the samples, coordinate by
/// coordinate: first the motion's own, then those that are held. Each is sampled anew only when its
/// own numbers change.
template <class S>
class DriveSamples {
 public:
  DriveSamples(std::size_t driven, std::size_t held) : driven_(driven), held_(held) {}

  /// Another motion with as many drives: touches those that changed, and everything if the number
  /// or the times of the samples did. Allocates when the number of samples grows.
  void set_motion(const Motion& motion, StaleUnits& stale);
  /// Positions of the coordinates behind the motion's own: touches those that changed.
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
