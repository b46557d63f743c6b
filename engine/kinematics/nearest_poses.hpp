#pragma once

#include <vector>

#include "engine/mechanism/mechanism.hpp"
#include "engine/mechanism/motion.hpp"

namespace counterpoise {

/// The zero configuration of a mechanism whose loops or couplings may not close there. Joints start
/// at their guess, and all but the actuators' joints move until the misfit of loops and couplings
/// is at a local minimum; saddle points are left. Returns one position per body; fixed joints hold
/// 0 [rad, m]
std::vector<double> nearest_zero_configuration(const Mechanism& mechanism);

/// The same for each sample of a motion, which begins at the one before. Joints that are driven
/// are where the motion has them. Lines of driven actuators and all loops miss by as little as
/// possible. Cost: one solution by Newton's method a sample.
std::vector<std::vector<double>> nearest_to_motion(const Mechanism& mechanism,
                                                   const Motion& motion);

}  // namespace counterpoise
