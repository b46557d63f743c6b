#pragma once

#include <vector>

#include "engine/kinematics/closure/joint_motion.hpp"
#include "engine/kinematics/closure/mobility.hpp"
#include "engine/mechanism/motion.hpp"
#include "engine/mechanism/stale_units.hpp"

namespace counterpoise {

/// The actuators that are held where they are in the zero configuration because a motion does not
/// name them, provided that its own coordinates do not determine the mechanism. Of a motion of
/// points these are those alone that cannot move the points.
std::vector<ActuatorIndex> held_actuators(const Mechanism& mechanism, const Paths& paths,
                                          const Motion& motion);

/// The coordinates that a motion gives. If the motion's own coordinates determine the mechanism
/// these are all; otherwise held_actuators follow. Throws MechanismError naming what is too few or
/// too many.
struct DriveSelection {
  DriveSelection(const Mechanism& mechanism, const Paths& paths, const Mobility& mobility,
                 const Motion& motion);
  std::vector<Coordinate> coordinates;  // the motion's drives in order, then the held actuators
  std::vector<char> implied;            // see Mobility; of the motion's drives
  std::size_t driven = 0;               // number of coordinates that are the motion's own
};

/// Position, velocity and acceleration of each coordinate over the samples of a stretch, stored
/// coordinate by coordinate: first the motion's own, then the held ones. In a motion that is one
/// stretch a coordinate is sampled anew only when its own numbers change.
template <class S>
class DriveSamples {
 public:
  DriveSamples(std::size_t driven, std::size_t held, const Holding& holding)
      : driven_(driven), holding_(holding), held_(held) {}

  /// Sets another motion with as many drives. Touches the drives that changed, and everything if
  /// the number or the times of the samples did, which also starts with the first stretch.
  /// Allocates when the number of samples grows.
  void set_motion(const Motion& motion, StaleUnits& stale);
  /// Sets the positions of the held coordinates and touches the changed ones.
  void hold(std::span<const double> held, StaleUnits& stale);

  /// Samples all coordinates in the stretch that begins with sample `first`.
  void go_to(int first);

  [[nodiscard]] const Stretch& stretch() const { return stretch_; }
  [[nodiscard]] const Motion& motion() const { return motion_; }

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
  void set_stretch(int first, int total);
  void sample(std::size_t coordinate, const Motion& motion);
  void set_held(std::size_t i);
  void set_angles(std::size_t coordinate);

  std::size_t driven_;
  Holding holding_;
  std::vector<double> held_;
  Motion motion_;
  Stretch stretch_;
  int blocks_ = 0;
  std::vector<S> position_, velocity_, acceleration_, sine_, cosine_;
};

}  // namespace counterpoise
