#pragma once

#include "formulations/parallel/manipulator.hpp"

namespace counterpoise::test {

/// In which order the platform's corners go around: against the base's, as in the golden numbers,
/// or along with them, which is singular in every pose.
enum class Corners { mirrored, aligned };

/// The 2UPS+2UPU manipulator of paper 004 with the numbers of its table 1 and the assumptions of
/// the golden numbers; limbs 1 and 4 are UPU.
parallel::Manipulator schoenflies(Corners corners);

/// Its motion (section 4) at time t.
parallel::PlatformMotion schoenflies_motion(double t);

}  // namespace counterpoise::test
