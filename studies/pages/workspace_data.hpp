#pragma once

#include <span>

#include "engine/mechanism/mechanism.hpp"
#include "engine/mechanism/motion.hpp"
#include "results/text/cells.hpp"
#include "studies/pages/shown_poses.hpp"

namespace counterpoise {

/// The poses of a motion at rest as maps of pages place them: the levels of each axis where they
/// are all combinations of these, else the position of each coordinate in every pose; and runs of
/// poses that are left out, as their first pose and their number. `reached` are the times of the
/// poses that are not left out. Where the poses are thinned, those that are shown are counted, and
/// `of` says how many there are in all. Type `WorkspaceData` of report/src/common/data.ts.
Json workspace_data(const Mechanism& mechanism, const Motion& motion,
                    std::span<const double> reached, const ShownPoses& shown);

}  // namespace counterpoise
