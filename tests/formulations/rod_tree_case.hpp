#pragma once

#include "formulations/gibbs_appell/equations.hpp"
#include "tests/support/random.hpp"

namespace counterpoise::test {

/// A tree of this many rods, each of which starts at the base or at any earlier rod.
rod_tree::RodTree random_rod_tree(Random& random, int rods);

/// A tree's state in plain numbers: all n + 2 coordinates, their rates, torques of the joints.
struct RodTreeMotion {
  Eigen::VectorXd theta, rates, torques;

  [[nodiscard]] rod_tree::State<double> state() const;
};
RodTreeMotion random_rod_tree_motion(Random& random, const rod_tree::RodTree& tree);

/// The equations of motion by the engine: composite rigid bodies and recursive Newton-Euler.
rod_tree::Equations<double> engine_equations(const rod_tree::RodTree& tree,
                                             const RodTreeMotion& motion);

/// What moves the coordinates by these accelerations, by the engine's recursive Newton-Euler:
/// torque of each joint, then force on the base.
Eigen::VectorXd engine_forces(const rod_tree::RodTree& tree, const RodTreeMotion& motion,
                              const Eigen::VectorXd& accelerations);

/// The equations by one of the formulations, with workspaces of their own.
template <class Formulation>
rod_tree::Equations<double> equations_by(const rod_tree::RodTree& tree,
                                         const rod_tree::State<double>& state) {
  Formulation formulation;
  rod_tree::Equations<double> of_branch, of_tree;
  const auto branches = rod_tree::divide_into_branches(tree);
  rod_tree::derive_equations<double>(tree, branches, state, formulation, of_branch, of_tree);
  return of_tree;
}

}  // namespace counterpoise::test
