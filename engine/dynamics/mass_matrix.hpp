#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/dynamics/tree_model.hpp"
#include "engine/kinematics/closure/joint_motion.hpp"

namespace counterpoise {

/// The moments of a branch's mass about the origin of its first body, in that body's axes of
/// TreeModel. The mass itself never changes and belongs to the tree.
template <class S>
struct BranchMoments {
  Vec3<S> first;          // integral of r dm                                    [kg m]
  std::array<S, 3> same;  // integrals of x x dm, y y dm, z z dm            [kg m^2]
  std::array<S, 3> next;  // integrals of y z dm, z x dm, x y dm: the two axes other than the index
};

/// Workspace of mass_matrix and gravity_forces: one entry per body of the tree model.
template <class S>
struct MassMatrixScratch {
  std::vector<double> mass;  // mass of the branch
  std::vector<BranchMoments<S>> moments;
  std::vector<Vec3<S>> gravity;  // gravity in the body's axes
  std::vector<int> place;        // place of each body of the mechanism in the tree model, or -1

  /// Must be called after any change of the tree model; allocates only when bodies are added.
  void prepare(const TreeModel& model, std::size_t bodies);
};

/// Computes the tree's mass matrix M(q) by composite rigid bodies: the generalised force on each
/// joint from a unit acceleration of every other one, with everything at rest.
///
///   state   in   q of prismatic joints, sine and cosine of revolute ones
///   matrix  out  bodies x bodies, symmetric; entries of two joints on one path to the world are
///                set, all others are left alone                            [kg, kg m, kg m^2]
///
/// Cost: one sweep for the branches' moments, then one walk to the world per joint; no allocation.
/// Source: Walker and Orin 1982; moments about origins as in `inverse_dynamics`. Defined in
/// mass_matrix_sweeps.hpp for any scalar, so that it also runs on numbers that count operations;
/// ready-made for double and Pack.
template <class S>
void mass_matrix(const TreeModel& model, const JointView<S>& state, MassMatrixScratch<S>& scratch,
                 Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>& matrix);

/// Computes the tree's gravity forces g(q), which hold it at rest: the derivatives of its potential
/// energy [N, N m]. Entries of `forces` (one per body) without mass in their branch are left alone.
template <class S>
void gravity_forces(const TreeModel& model, const JointView<S>& state,
                    MassMatrixScratch<S>& scratch, std::span<S> forces);

}  // namespace counterpoise
