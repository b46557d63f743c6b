#pragma once

#include <memory>
#include <span>

#include "cases/case_outcome.hpp"
#include "input/definition/study.hpp"
#include "optimizer/interruption.hpp"

namespace counterpoise {

/// Evaluates points of a study (as PointSource gives them) whatever limits they break, also with
/// parameters beyond their bounds, on the threads of this arena. The result is the same for any
/// number of them. `baselines`: the study's, which are evaluated if they are not given. Adds the
/// CPU time of threads other than this one to `others` [s]. Throws Interrupted.
std::vector<BrokenLimits> broken_limits(const Study& study,
                                        std::span<const std::vector<double>> points,
                                        std::shared_ptr<const Baselines> baselines = nullptr,
                                        const Interruption& interrupted = {},
                                        double* others = nullptr);

}  // namespace counterpoise
