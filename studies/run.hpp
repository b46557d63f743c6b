#pragma once

#include "cases/run_options.hpp"

namespace counterpoise {

/// Throws InputError when a search names an algorithm that is not available, and Interrupted.
void check_search(const Study& study, const Interruption& interrupted = {});

/// Evaluates the cases of a study into a results file. Results do not depend on threads, shards or
/// interruptions. Throws InputError (study, model) and StoreError (file), and leaves finished cases
/// in the file. Throws Interrupted if it was asked to stop before there was a results file.
RunSummary run_study(const Study& study, const RunOptions& options);

}  // namespace counterpoise
