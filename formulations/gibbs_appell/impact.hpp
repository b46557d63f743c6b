#pragma once

#include <span>

#include "formulations/gibbs_appell/equations.hpp"

namespace counterpoise::rod_tree {

/// The n + 1 joints and end points: point 0 is O_1, point i + 1 the far end of rod i.
///
/// Their positions in the world, one column each [m].
Eigen::Matrix3Xd point_positions(const RodTree& tree, const State<double>& state);

/// J of eq. 43 for one point, 3 x (n + 2): its velocity per unit rate of each coordinate [m, 1].
/// `positions` come from point_positions.
Eigen::Matrix3Xd point_jacobian(const RodTree& tree, const Eigen::Matrix3Xd& positions, int point);

/// The potential energy of eq. 19 [J].
double potential_energy(const RodTree& tree, const State<double>& state);

/// A point that touches a surface, and the unit normal of the surface towards the tree.
struct Contact {
  int point = 0;
  Vec3d normal = Vec3d::Zero();
};

/// The rates of the coordinates after an impact, and the impulse along the normal of each contact
/// [N s].
struct Impact {
  Eigen::VectorXd rates, impulses;
};

/// Solves eq. 47 for any number of simultaneous contacts: I_f (rates+ - rates-) = sum of J' n f and
/// Newton's law n . J rates+ = -e n . J rates- at every contact. (Eqs. 44 and 45 print one contact;
/// several add up.) The coordinates stay what they are.
///
///   inertia      in  I_f before the impact, (n + 2) x (n + 2)
///   positions    in  from point_positions
///   rates        in  of the coordinates before the impact
///   restitution  in  e, between 0 and 1
///
/// Returns nothing if the contacts depend on each other: the equations then do not determine the
/// impulses. Cost: an LU factorization with full pivoting of n + 2 + contacts equations.
std::optional<Impact> solve_impact(const RodTree& tree, const Eigen::MatrixXd& inertia,
                                   const Eigen::Matrix3Xd& positions, const Eigen::VectorXd& rates,
                                   std::span<const Contact> contacts, double restitution);

}  // namespace counterpoise::rod_tree
