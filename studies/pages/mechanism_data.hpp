#pragma once

#include "engine/mechanism/mechanism.hpp"
#include "results/text/cells.hpp"
#include "studies/pages/meshes.hpp"

namespace counterpoise {

/// What pages draw of a mechanism that does not move: bodies with their joints, points, masses as
/// ellipsoids of inertia, loops, couplings, springs and actuators with their limits. Limits that
/// there are not are left out. Elements refer to each other by index, -1 for the world.
/// report/src/common/data.ts has the same as types.
Json mechanism_data(const Mechanism& mechanism);

/// A mesh of a body, which all designs of a model share.
Json mesh_data(const BodyMesh& mesh);

}  // namespace counterpoise
