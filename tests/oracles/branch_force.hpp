#pragma once

#include <span>

#include "engine/mechanism/mechanism.hpp"

/// Newton's and Euler's laws in the world frame: every joint below a body adds its own share to the
/// angular velocity and acceleration of the body and to the motion of its centre of mass. No body
/// coordinates, no recursion over bodies.
namespace counterpoise::oracle {

/// A force and a moment about some place  [N], [N m].
struct Load {
  Vec3d force = Vec3d::Zero();
  Vec3d moment = Vec3d::Zero();
};

/// What moves a body and all that it carries against gravity at joint positions q, velocities v and
/// accelerations a: force, and moment about the body's origin, in world axes. Springs, actuators
/// and loops play no part. Cost: O(bodies^3).
Load branch_force(const Mechanism& mechanism, std::span<const double> q, std::span<const double> v,
                  std::span<const double> a, int body);

}  // namespace counterpoise::oracle
