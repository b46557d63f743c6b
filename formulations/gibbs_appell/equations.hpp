#pragma once

#include <Eigen/Cholesky>
#include <span>

#include "formulations/gibbs_appell/rod_tree.hpp"

namespace counterpoise::rod_tree {

/// I_f and the right-hand side of eq. 25, I_f theta'' = R: of one branch with rods q_1 ... q_nm,
/// X_1, X_2 as it counts them, or of the whole tree.
template <class S>
struct Equations {
  Matrix<S> inertia;     // symmetric                                      [kg, kg m, kg m^2]
  Vector<S> right_side;  // torques, gravity, centrifugal and Coriolis terms       [N, N m]

  void resize(int freedoms) {
    inertia.resize(freedoms, freedoms);
    right_side.resize(freedoms);
  }
};

/// Derives the equations of motion of the tree by one formulation: sums the equations of the
/// branches, each in the rows and columns of its coordinates (section 3.1.3). A formulation is a
/// workspace that is called as
///
///   formulation(gravity, branch, state, of_branch)
///
/// and writes the upper triangle of the branch's inertia matrix and its right-hand side. The models
/// are GibbsAppell, GibbsAppellByRotations and Lagrangian.
///
///   branches  in   divide_into_branches(tree)
///   of_tree   out  n + 2 equations
///
/// Cost: O(n_m^2) operations for each branch of n_m rods. Allocates when a size grows.
template <class S, class Formulation>
void derive_equations(const RodTree& tree, std::span<const Branch> branches, const State<S>& state,
                      Formulation& formulation, Equations<S>& of_branch, Equations<S>& of_tree) {
  const int rods = static_cast<int>(tree.rods.size());
  of_tree.resize(tree.freedoms());
  of_tree.inertia.setConstant(S(0.0));
  of_tree.right_side.setConstant(S(0.0));
  const Vec3<S> gravity = tree.gravity.template cast<S>();
  for (const Branch& branch : branches) {
    const int own = static_cast<int>(branch.size());
    const auto row_of = [&](int i) { return i < own ? branch[i].rod : rods + i - own; };
    of_branch.resize(own + 2);
    formulation(gravity, branch, state, of_branch);
    for (int k = 0; k < own + 2; ++k) {
      for (int j = 0; j <= k; ++j) of_tree.inertia(row_of(j), row_of(k)) += of_branch.inertia(j, k);
      of_tree.right_side(row_of(k)) += of_branch.right_side(k);
    }
  }
  // rods of a branch are in the order of their indices, so only the upper triangle was filled
  for (int k = 0; k < tree.freedoms(); ++k)
    for (int j = 0; j < k; ++j) of_tree.inertia(k, j) = of_tree.inertia(j, k);
}

/// theta'' of eq. 25, n + 2 entries [rad/s^2, m/s^2]. Cost: a Cholesky factorization, O(n^3).
inline Eigen::VectorXd accelerations(const Equations<double>& equations) {
  return equations.inertia.llt().solve(equations.right_side);
}

/// The torque on a rod's joint in this branch. A joint of several branches is driven where its rod
/// is real, since the branches' right-hand sides are added.
template <class S>
S torque_in(const BranchRod& rod, const State<S>& state) {
  return rod.real ? state.torque[rod.rod] : S(0.0);
}

}  // namespace counterpoise::rod_tree
