#pragma once

#include <vector>

#include "engine/evaluation/simulation.hpp"
#include "engine/mechanism/mechanism.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// What pages show of a mechanism over time. `columns` are those of simulate() or of a fall, or any
/// of them; the first is "t", and of every moving joint the position has to be there. The result
/// has the pose of every body (origin, then the quaternion x, y, z, w) and the centre of mass at
/// every sample in world axes, and the columns as series in SI with the element and the quantity.
/// Where a loop is open, the distances of its points are a series too. Cost: one forward sweep a
/// sample. report/src/common/data.ts has the same as types.
Json run_data(const Mechanism& mechanism, const std::vector<Series>& columns);

/// Columns for run_data from one position per body and sample alone.
std::vector<Series> position_columns(const Mechanism& mechanism, const std::vector<double>& times,
                                     const std::vector<std::vector<double>>& positions);

}  // namespace counterpoise
