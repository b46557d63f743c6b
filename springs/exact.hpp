#pragma once

/// Exact springs, as the rest of the program sees them: the check before a run, the run, proofs
/// added up again, and what an optimum says. Nothing else of this folder is for other folders.

#include "cases/run_options.hpp"
#include "input/definition/study.hpp"
#include "optimizer/interruption.hpp"
#include "springs/geometry_sizer.hpp"      // IWYU pragma: export
#include "springs/mounts/mount_check.hpp"  // IWYU pragma: export
#include "springs/mounts/prove_run.hpp"    // IWYU pragma: export
#include "springs/proof/stored_goals.hpp"  // IWYU pragma: export
#include "springs/proof/verify.hpp"        // IWYU pragma: export
#include "springs/spring_optimum.hpp"      // IWYU pragma: export

namespace counterpoise {

/// Throws InputError, with the place, where a study with "method": "exact-springs" asks for
/// something that an exact search cannot handle (see find_spring_roles(), SpringLaws and
/// ProblemWriter), and std::invalid_argument where an algorithm for its geometry is not available.
/// Throws Interrupted.
void check_exact(const Study& study, const Interruption& interrupted);

/// Runs the starts of an exact search that are not finished yet, one thread each. Springs are sized
/// exactly, inside a search over geometry or without one.
RunSummary run_exact(const RunState& state);

}  // namespace counterpoise
