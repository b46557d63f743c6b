#pragma once

#include <string>
#include <vector>

#include "tests/support/random.hpp"

namespace counterpoise::test {

/// A joint of a random robot that moves.
struct UrdfJoint {
  std::string name, child;
  bool turns = false;
  std::string mimics;  // the joint that it follows, or empty
  double multiplier = 1.0, offset = 0.0;
};

/// A random robot as URDF text: fixed, revolute, continuous and prismatic joints along any axes,
/// inertials in frames of their own that are moved and rotated, some links without inertial on
/// fixed joints, branches, links and joints in any order of the file.
struct RandomUrdf {
  std::string text;
  std::vector<UrdfJoint> joints;  // that move
};
RandomUrdf random_urdf(Random& random, bool mimics);

}  // namespace counterpoise::test
