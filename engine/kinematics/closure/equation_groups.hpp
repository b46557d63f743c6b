#pragma once

#include <vector>

#include "engine/kinematics/closure/equation_system.hpp"

namespace counterpoise {

/// Equations that share joints, directly or through one another, and these joints.
struct EquationGroup {
  std::vector<Equation> equations;
  std::vector<BodyIndex> joints;
};

/// Parts rows into groups that have none of `joints` in common, directly or through one another:
/// the rows' places in `joints_of_rows`, in order, and the groups in the order of their first rows.
/// Rows without any of `joints` are one group. Cost: proportional to the number of bodies and of
/// the joints of all rows.
std::vector<std::vector<std::size_t>> group_rows(
    const std::vector<std::vector<BodyIndex>>& joints_of_rows, const std::vector<BodyIndex>& joints,
    const Mechanism& mechanism);

/// Parts equations into groups that have none of `joints` in common, so that each can be solved for
/// its own joints apart from all others. Equations and joints keep their order, and groups are in
/// the order of their first equations. Equations without any of `joints` are one group without
/// joints; joints that no equation has are in no group. Cost: proportional to the number of joints
/// in the equations.
std::vector<EquationGroup> group_equations(const std::vector<Equation>& equations,
                                           const std::vector<BodyIndex>& joints,
                                           const Mechanism& mechanism, const Paths& paths);

}  // namespace counterpoise
