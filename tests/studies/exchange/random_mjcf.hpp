#pragma once

#include <string>

#include "tests/support/random.hpp"

namespace counterpoise::test {

/// A random robot as MJCF: nested bodies with several hinges and slides each, anchors and
/// references off zero, axes of any direction, positions by quaternion, Euler angles or axis and
/// angle, some inertias given in turned frames or as full matrices and some inferred from geoms,
/// defaults by class, springs of joints, and tendons with stiffness between two sites.
std::string random_mjcf(Random& random);

}  // namespace counterpoise::test
