#pragma once

#include "engine/falls/fall.hpp"
#include "tests/support/random.hpp"

namespace counterpoise::test {

/// A mechanism, where it is let go, and what it may hit on its way.
struct RandomFall {
  Mechanism mechanism;
  Scenario scenario;
  JointStart start;
};

/// Trees, and with every third trial a linkage with loops and couplings; springs; actuators that
/// are free, loaded, held or followed; points against planes, spheres and cylinders of the world
/// and of bodies, and stops of joints, actuators and springs. All points start on their side. With
/// the trial the restitutions go round: all 1, all 0, one for all, each its own.
RandomFall random_fall(Random& random, int trial);

}  // namespace counterpoise::test
