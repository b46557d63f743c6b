#pragma once

#include "cases/run_options.hpp"

namespace counterpoise {

/// Runs the starts of an exact search that are not finished yet, one thread each. Springs are sized
/// exactly, inside a search over geometry or without one.
RunSummary run_exact(const RunState& state);

}  // namespace counterpoise
