#pragma once

#include <string>
#include <vector>

#include "engine/motion/profile.hpp"

namespace counterpoise {

/// A prescribed coordinate: the position of an actuator, or of a joint.
struct Drive {
  int actuator = -1;  // index into Mechanism::actuators, or -1
  int joint = -1;     // body index, or -1
  Profile profile;
  bool operator==(const Drive&) const = default;
};

/// What the mechanism does. Samples are t_k = k * step, k = 0 .. sample_count() - 1.
struct Motion {
  std::string name;
  double duration = 0.0;      // [s]
  double step = 0.0;          // [s]; duration / step is a whole number to 1e-9
  bool inertia = true;        // false: gravity and springs only, pose by pose
  std::vector<Drive> drives;  // coordinates that are not driven are held (DriveSelection)

  [[nodiscard]] int sample_count() const;
};

}  // namespace counterpoise
