#pragma once

#include "cases/run_options.hpp"
#include "springs/problem/spring_roles.hpp"

namespace counterpoise {

/// Runs a study with "geometry": "prove": branch and bound over the mounts of its springs. Stores
/// each design that is better than all before it, with its certificate, and the proof so far under
/// mounts_key, where an interrupted run continues. Throws InputError where no geometry within the
/// ranges is a design at all.
RunSummary run_proof(const RunState& state);

/// Throws InputError, with the place, where a study asks for an unsupported proof over geometry
/// ("geometry": "prove"): no variable moves mounts, or more than six do; one that require_mount()
/// refuses; an objective that reads a length of a spring, or a constraint that reads one beside
/// loads; a trade-off.
void require_provable(const Study& study, const SpringRoles& roles);

}  // namespace counterpoise
