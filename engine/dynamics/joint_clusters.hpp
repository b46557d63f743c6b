#pragma once

#include <Eigen/Cholesky>
#include <span>
#include <vector>

#include "engine/dynamics/tree_model.hpp"

namespace counterpoise {

/// Joints that constraints tie together: their accelerations are motions * u, with one u for each
/// freedom that is left to them.
struct TiedJoints {
  std::vector<BodyIndex> joints;
  Eigen::MatrixXd motions;  // joints x freedoms
};

/// Tied joints whose bodies hang in one another, with the free joints between them: what has to be
/// solved together, and apart from the rest of a tree. From outside it is a branch of its base.
struct JointCluster {
  /// The rows and columns of some tied joints in `motions`.
  struct Part {
    std::size_t tied = 0;
    Eigen::Index row = 0, column = 0;
  };

  int base = -1;                  // place of the body that carries it in the tree model; -1: world
  int first = -1;                 // place of its first body
  std::vector<BodyIndex> joints;  // one row each
  std::vector<int> places;        // of their bodies in the tree model; -1 of those without mass
  std::vector<Part> parts;
  Eigen::MatrixXd motions;  // joints x freedoms; free joints between tied ones move by themselves

  // of one evaluation
  Eigen::MatrixXd mass;    // joints x joints: with the articulated inertia of what hangs in it
  Eigen::MatrixXd wrench;  // moments and forces on the base, six columns: joints x 6
  Eigen::VectorXd rest;    // of the force on each joint: what the branches behind leave of it
  Eigen::VectorXd bound;   // of the inertia that each joint meets
  Eigen::MatrixXd mass_of_motions, reduced;
  Eigen::LLT<Eigen::MatrixXd> factor;  // L L' = motions' mass motions
  Eigen::MatrixXd handed;              // L^-1 motions' wrench
  Eigen::VectorXd left;                // L^-1 motions' rest, then the accelerations u
  Eigen::VectorXd values;              // accelerations of the joints

  /// Takes the motions of tied joints over.
  void take(std::span<const TiedJoints> tied);
  /// Sizes everything for the joints and this many freedoms.
  void resize(Eigen::Index freedoms);
};

/// Clusters of a tree, and to which of them its bodies belong.
struct JointClusters {
  std::vector<JointCluster> all;
  std::vector<int> of_body, row_of_body;  // by place in the tree model; -1 without one

  /// Finds the clusters of tied joints in a tree. Joints with `held` stay as they are.
  ///   parent   place of each body's parent in the tree model, or -1
  ///   place    place of each of the mechanism's bodies in the tree model, or -1 if it has no mass
  /// Cost: for each cluster the number of bodies between its joints, times its tied groups.
  void find(const TreeModel& model, std::span<const int> parent, std::span<const int> place,
            std::span<const char> held, std::span<const TiedJoints> tied);
};

}  // namespace counterpoise
