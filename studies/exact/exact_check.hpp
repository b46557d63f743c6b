#pragma once

#include "input/definition/study.hpp"
#include "optimizer/interruption.hpp"

namespace counterpoise {

/// Throws InputError, with the place, where a study with "method": "exact-springs" asks for
/// something that an exact search cannot handle (see find_spring_roles(), SpringLaws and
/// ProblemWriter), and std::invalid_argument where an algorithm for its geometry is not available.
/// Throws Interrupted.
void check_exact(const Study& study, const Interruption& interrupted);

}  // namespace counterpoise
