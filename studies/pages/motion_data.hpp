#pragma once

#include <span>
#include <vector>

#include "engine/evaluation/simulation.hpp"
#include "input/definition/parametric_motion.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// What a motion in time does with each of its coordinates at its samples: positions, velocities
/// and accelerations, where one move ends and the next begins, and the limits of moves that have
/// some. A point on a path has one more coordinate, the length of the way along it, to which the
/// limits of its moves apply. `parameters` are those that `motion` is bound to. Positions and
/// velocities that are among the columns of the run are left out. Type `CourseData` of
/// report/src/common/data.ts.
Json motion_data(const Mechanism& mechanism, const Motion& motion, const ParametricMotion& given,
                 std::span<const double> parameters, const std::vector<Series>& columns);

}  // namespace counterpoise
