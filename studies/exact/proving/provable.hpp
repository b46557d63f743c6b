#pragma once

#include "studies/exact/laws/spring_roles.hpp"

namespace counterpoise {

/// Throws InputError, with the place, where a study asks for a proof over geometry ("geometry":
/// "prove") that there is none for: no variable moves mounts, or more than six do; one that
/// require_mount() refuses; an objective that reads a length of a spring, or a constraint that
/// reads one beside loads; a trade-off.
void require_provable(const Study& study, const SpringRoles& roles);

}  // namespace counterpoise
