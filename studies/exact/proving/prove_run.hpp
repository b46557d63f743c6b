#pragma once

#include "cases/run_options.hpp"

namespace counterpoise {

/// Runs a study with "geometry": "prove": branch and bound over the mounts of its springs. Stores
/// each design that is better than all before it, with its certificate, and the proof so far under
/// mounts_key, from which an interrupted run goes on. Throws InputError where no geometry within
/// the ranges is a design at all.
RunSummary run_proof(const RunState& state);

}  // namespace counterpoise
