#pragma once

#include <vector>

#include "engine/kinematics/chains/joint_motion.hpp"
#include "engine/kinematics/closure/freedom.hpp"
#include "engine/mechanism/revisions.hpp"
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
/// coordinate: first the motion's own, then those that are held. Each is sampled anew only when its
/// own numbers change.
template <class S>
class DriveSamples {
 public:
  DriveSamples(std::size_t driven, std::size_t held) : driven_(driven), held_(held) {
    changed_.assign(driven + held, 0);
  }

  /// Another motion with as many drives. Allocates when the number of samples grows.
  void set_motion(const Motion& motion);
  /// Positions of the coordinates behind the motion's own, and the stamp of everything new.
  void hold(std::span<const double> held, Stamp now);

  /// Whether a motion was set that `hold` has not stamped yet.
  [[nodiscard]] bool is_new() const { return is_new_; }
  [[nodiscard]] int samples() const { return samples_; }
  /// When a coordinate last changed.
  [[nodiscard]] Stamp changed(std::size_t coordinate) const { return changed_[coordinate]; }
  /// When the number or the times of the samples last changed.
  [[nodiscard]] Stamp times_changed() const { return times_changed_; }

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
  static constexpr Stamp not_stamped = ~Stamp{0};

  [[nodiscard]] std::size_t index(std::size_t coordinate, int block) const {
    return coordinate * static_cast<std::size_t>(blocks_) + static_cast<std::size_t>(block);
  }
  void sample(std::size_t coordinate, const Motion& motion);
  void set_angles(std::size_t coordinate);

  std::size_t driven_;
  std::vector<double> held_;
  Motion motion_;
  bool is_new_ = false;
  int samples_ = 0;
  int blocks_ = 0;
  std::vector<Stamp> changed_;
  Stamp times_changed_ = 0;
  std::vector<S> position_, velocity_, acceleration_, sine_, cosine_;
};

}  // namespace counterpoise
