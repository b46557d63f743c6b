#pragma once

#include "engine/dynamics/inverse_dynamics_sweeps.hpp"
#include "engine/dynamics/mass_matrix_sweeps.hpp"
#include "formulations/gibbs_appell/equations.hpp"

namespace counterpoise::rod_tree {

/// The tree as the engine takes it: two slides without mass, which hold the floating base, and a
/// body on a revolute joint for each rod. Bodies are in the order X_1, X_2, q_1 ... q_n.
Mechanism as_mechanism(const RodTree& tree);

/// The tree's equations of motion by the engine, to compare the formulations with: the inertia
/// matrix by composite rigid bodies, the right-hand side by the recursive Newton-Euler method.
/// Neither divides the tree into branches.
template <class S>
class EngineEquations {
 public:
  explicit EngineEquations(const RodTree& tree) {
    const auto bodies = static_cast<std::size_t>(tree.freedoms());
    model_.prepare(as_mechanism(tree));
    mass_scratch_.prepare(model_, bodies);
    force_scratch_.resize(bodies);
    motion_.resize(tree.freedoms(), 1);
    forces_.assign(bodies, S(0.0));
    mass_.resize(tree.freedoms(), tree.freedoms());
    mass_.setConstant(S(0.0));  // entries of rods on different branches stay zero
  }

  /// Writes n + 2 equations.
  void operator()(const State<S>& state, Equations<S>& equations) {
    const Eigen::Index n = mass_.rows();
    Vector<S> zero = Vector<S>::Constant(n, S(0.0));
    equations.resize(static_cast<int>(n));
    needed_forces(state, zero, equations.right_side);
    mass_matrix<S>(model_, motion_.block(0), mass_scratch_, mass_);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) equations.inertia(i, j) = mass_(body_of(i), body_of(j));
      equations.right_side(i) = -equations.right_side(i);
      if (i + 2 < n) equations.right_side(i) += state.torque[i];
    }
  }

  /// What gives the coordinates these accelerations: the torque of each joint, then the force on
  /// the base.
  void needed_forces(const State<S>& state, const Vector<S>& accelerations, Vector<S>& forces) {
    const JointState<S> joints = motion_.block(0);
    for (Eigen::Index i = 0; i < mass_.rows(); ++i) {
      const auto b = static_cast<std::size_t>(body_of(i)), rod = static_cast<std::size_t>(i);
      joints.a[b] = accelerations(i);
      if (b < 2) {
        joints.q[b] = state.base(body_of(i));
        joints.v[b] = state.base_velocity(body_of(i));
      } else {
        joints.v[b] = state.rate[rod];
        joints.sine[b] = state.sine[rod];
        joints.cosine[b] = state.cosine[rod];
      }
    }
    inverse_dynamics<S>(model_, motion_.block(0), force_scratch_, std::span<S>(forces_));
    forces.resize(mass_.rows());
    for (Eigen::Index i = 0; i < mass_.rows(); ++i) forces(i) = forces_[body_of(i)];
  }

 private:
  [[nodiscard]] Eigen::Index body_of(Eigen::Index coordinate) const {
    return (coordinate + 2) % mass_.rows();
  }

  TreeModel model_;
  MassMatrixScratch<S> mass_scratch_;
  InverseDynamicsScratch<S> force_scratch_;
  JointMotion<S> motion_;
  Matrix<S> mass_;
  std::vector<S> forces_;
};

}  // namespace counterpoise::rod_tree
