#pragma once

#include "optimizer/interruption.hpp"
#include "studies/definition/study.hpp"

namespace counterpoise {

/// Throws InputError, located, at what a study with "method": "exact-springs" asks for and an exact
/// search cannot take: see find_spring_roles(), SpringLaws and ProblemWriter; and
/// std::invalid_argument where an algorithm is not to be had for its geometry. Throws Interrupted.
void check_exact(const Study& study, const Interruption& interrupted);

}  // namespace counterpoise
