#pragma once

#include <string>
#include <vector>

#include "engine/mechanism/index.hpp"
#include "engine/motion/profile.hpp"

namespace counterpoise {

/// A prescribed coordinate: the position of an actuator, or of a joint.
struct Drive {
  ActuatorIndex actuator;  // none if a joint is prescribed
  BodyIndex joint;         // none if an actuator is prescribed
  Profile profile;
  bool operator==(const Drive&) const = default;
};

/// A prescribed motion of a mechanism. Samples are at t_k = k * step, k = 0 .. sample_count() - 1.
struct Motion {
  std::string name;
  double duration = 0.0;      // [s]
  double step = 0.0;          // [s]; duration / step is a whole number to 1e-9
  bool inertia = true;        // if false, only gravity and springs act, pose by pose
  std::vector<Drive> drives;  // coordinates that are not driven are held (DriveSelection)

  [[nodiscard]] int sample_count() const;
};

}  // namespace counterpoise
