#pragma once

#include "formulations/parallel/manipulator.hpp"
#include "tests/support/random.hpp"

namespace counterpoise::test {

/// A manipulator with this many limbs, 6 - limbs of them UPU, and a motion of its platform.
struct ParallelCase {
  parallel::Manipulator manipulator;
  parallel::PlatformMotion motion;
};

/// Random points, axes, masses, centres of mass, inertias, gravity, pose, velocities and
/// accelerations; no limb is near its own axes and the platform is held well (see `conditioning`).
/// The platform moves as the torques of its UPU limbs allow, so that they do no work.
ParallelCase random_parallel_case(Random& random, int limbs);

/// Smallest over largest singular value of the unit wrenches that limbs can apply to the platform.
double conditioning(const ParallelCase& mechanism);

/// In which order the platform's corners go around: against the base's, as in the golden numbers,
/// or along with them, which is singular in every pose.
enum class Corners { mirrored, aligned };

/// The 2UPS+2UPU manipulator of paper 004 with the numbers of its table 1 and the assumptions of
/// the golden numbers; limbs 1 and 4 are UPU.
parallel::Manipulator schoenflies(Corners corners);

/// Its motion (section 4) at time t.
parallel::PlatformMotion schoenflies_motion(double t);

}  // namespace counterpoise::test
