#pragma once

#include <vector>

#include "engine/kinematics/closure/freedom.hpp"
#include "engine/kinematics/joint_motion.hpp"
#include "engine/motion/motion.hpp"

namespace counterpoise {

/// Which coordinates a motion gives, in FORMATS' words: if the motion's own coordinates determine
/// the mechanism, those; otherwise also every actuator it does not name, held where it is in the
/// zero configuration. Throws MechanismError naming what is too few or too many.
struct DriveSelection {
  DriveSelection(const Mechanism& mechanism, const Freedom& freedom, const Motion& motion);
  std::vector<Coordinate> coordinates;  // the motion's drives in order, then the held actuators
  std::size_t driven = 0;               // how many of them are the motion's own
};

/// Position, velocity and acceleration of each coordinate over the samples, coordinate by
/// coordinate. Profiles are sampled anew only when the motion's numbers change.
template <class S>
class DriveSamples {
 public:
  /// `held`: positions of the coordinates behind the motion's own.
  void sample(const Motion& motion, std::span<const double> held);

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
  void fill(std::size_t coordinate, int block, int lane_index, const ProfileValue& value);

  Motion sampled_;
  std::vector<double> held_;
  int blocks_ = 0;
  std::vector<S> position_, velocity_, acceleration_, sine_, cosine_;
};

}  // namespace counterpoise
