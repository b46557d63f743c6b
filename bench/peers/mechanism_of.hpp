#pragma once

#include "bench/models/states.hpp"
#include "engine/kinematics/closure/joint_motion.hpp"
#include "engine/mechanism/mechanism.hpp"

namespace counterpoise::bench {

/// The tree as the engine takes it: one body per link, in the same order.
Mechanism mechanism_of(const Tree& tree);

/// The states as the engine keeps them; sines and cosines are not set.
template <class S>
JointMotion<S> motion_of(const States& states);

}  // namespace counterpoise::bench
