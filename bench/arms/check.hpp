#pragma once

#include "bench/arms/arm.hpp"

namespace counterpoise::bench {

/// Ends the program unless the tip's position is that of multiplied transformations, its velocity
/// and acceleration are differences of that, and the torques' power is the change of energy.
template <class S>
void require_right_answers(Arm<S>& arm);

}  // namespace counterpoise::bench
