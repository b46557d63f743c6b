#pragma once

#include <string>
#include <vector>

#include "engine/math/vector.hpp"
#include "engine/mechanism/mechanism.hpp"

namespace counterpoise {

/// A surface that points may not pass. Of a plane `direction` is the normal, and the points are on
/// its side; of a cylinder it is the axis. Points are inside or outside a sphere or cylinder.
struct Surface {
  enum class Kind { plane, sphere, cylinder };
  Kind kind = Kind::plane;
  bool inside = false;
  BodyIndex body = world_body;       // body that carries the surface
  Vec3d point = Vec3d::Zero();       // of the plane, centre, or on the axis; in body axes  [m]
  Vec3d direction = Vec3d::UnitZ();  // unit vector, in body axes
  double radius = 0.0;               // [m]
};

/// Points of the mechanism that one surface stops.
struct Contact {
  std::string name;
  std::vector<PointIndex> points;
  Surface surface;
  double restitution = 0.0;  // 0 to 1
};

/// Ends of the travel of an actuator, a joint, or the length of a spring.
struct Stop {
  enum class Of { actuator, joint, spring };
  std::string name;
  Of of = Of::actuator;
  int element = -1;        // index of the actuator, of the joint's body, or of the spring
  double min = -no_limit;  // [rad or m]
  double max = no_limit;
  double restitution = 0.0;  // 0 to 1
};

}  // namespace counterpoise
