#pragma once

#include <string>
#include <vector>

#include "exchange/mjcf/pose.hpp"

namespace counterpoise {

/// A mass with its principal axes: their frame lies at the centre of mass.
struct MjcfMass {
  double mass = 0.0;
  MjcfPose pose;
  Vec3d moments = Vec3d::Zero();
};

/// A primitive shape of MJCF: its half sizes, radius first.
struct MjcfShape {
  std::string type;
  Vec3d size = Vec3d::Zero();
  bool shell = false;  // the mass lies on the surface

  /// The volume, or the surface of a shell.
  [[nodiscard]] double volume() const;
  /// Moments of inertia about the centre, along the axes of the shape.
  [[nodiscard]] Vec3d moments(double mass) const;
};

/// All these masses as one.
MjcfMass mjcf_sum(const std::vector<MjcfMass>& masses);

}  // namespace counterpoise
