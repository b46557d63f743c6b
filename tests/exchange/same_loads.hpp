#pragma once

#include "engine/evaluation/simulation.hpp"
#include "engine/mechanism/mechanism.hpp"

namespace counterpoise::test {

/// Requires that the actuators of two mechanisms have the same loads: `given` moves the first one.
/// `motion`, which names its actuators and joints too, moves those of the same names of `again`.
void require_same_loads(const Mechanism& mechanism, const Motion& given, const Mechanism& again,
                        Motion motion);

}  // namespace counterpoise::test
