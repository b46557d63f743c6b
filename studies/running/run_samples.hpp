#pragma once

#include "studies/running/run_cases.hpp"

namespace counterpoise {

/// Evaluates the cases of a sampled study that are not stored yet on the arena's threads.
RunSummary run_samples(const RunState& state);

}  // namespace counterpoise
