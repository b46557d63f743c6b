#pragma once

#include <string>
#include <vector>

#include "tests/support/random.hpp"

namespace counterpoise::test {

enum class MjcfJoints {
  simple,  // hinges and slides
  any      // also free bodies, and ball joints between bodies
};

/// A random robot as MJCF: nested bodies with several hinges and slides each, anchors and
/// references off zero, axes of any direction, positions by quaternion, Euler angles or axis and
/// angle, some inertias given in turned frames or as full matrices and some inferred from geoms,
/// defaults by class, springs of joints, and tendons with stiffness between two sites.
std::string random_mjcf(Random& random, MjcfJoints joints = MjcfJoints::simple);

/// A random robot with constraints, and as many of its joints as have to be driven.
struct ClosedMjcf {
  std::string text;
  std::vector<std::string> driven;
};

/// Chains of hinges and slides in space that are connected to the world or to each other, or welded
/// to the world; to some of their joints others are geared. Joints have the names of their bodies.
ClosedMjcf random_closed_mjcf(Random& random);

}  // namespace counterpoise::test
