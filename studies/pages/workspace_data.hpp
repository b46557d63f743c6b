#pragma once

#include <span>

#include "engine/mechanism/mechanism.hpp"
#include "engine/mechanism/motion.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// The poses of a motion at rest as maps of pages place them: the levels of each axis where they
/// are all combinations of these, else the position of each coordinate in every pose; and runs of
/// poses that are left out, as their first pose and their number. `reached` are the times of the
/// poses that are not left out. Type `WorkspaceData` of report/src/common/data.ts.
Json workspace_data(const Mechanism& mechanism, const Motion& motion,
                    std::span<const double> reached);

}  // namespace counterpoise
