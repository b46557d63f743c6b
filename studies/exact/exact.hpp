#pragma once

/// Exact springs, as the rest of the program sees them: the check before a run, the run, proofs
/// added up again, and what an optimum says. Nothing else of this folder is for other folders.

#include "studies/exact/exact_check.hpp"             // IWYU pragma: export
#include "studies/exact/exact_run.hpp"               // IWYU pragma: export
#include "studies/exact/optimum/geometry_sizer.hpp"  // IWYU pragma: export
#include "studies/exact/optimum/sized_again.hpp"     // IWYU pragma: export
#include "studies/exact/optimum/spring_optimum.hpp"  // IWYU pragma: export
#include "studies/exact/proof/stored_goals.hpp"      // IWYU pragma: export
#include "studies/exact/proof/verify.hpp"            // IWYU pragma: export
#include "studies/exact/proving/mount_check.hpp"     // IWYU pragma: export
#include "studies/exact/proving/prove_run.hpp"       // IWYU pragma: export
