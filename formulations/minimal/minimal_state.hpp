#pragma once

#include <Eigen/Core>

#include "engine/dynamics/mass_matrix_sweeps.hpp"
#include "formulations/minimal/dyad_forms.hpp"

namespace counterpoise {

template <class S>
using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

/// One pose of a mechanism and how it depends on its independent coordinates q1: the workspace of
/// all formulations in minimal coordinates. Allocates only when made.
template <class S>
class MinimalState {
 public:
  explicit MinimalState(const MinimalPlan& plan);

  /// q, sine and cosine of each joint.
  [[nodiscard]] JointState<S> joints() { return motion_.block(0); }

  Matrix<S> slopes;  // W = dq/dq1 (paper 003, eq. 14), bodies x coordinates; zero if fixed

  // state of one step of the plan that is a dyad
  struct DyadState {
    std::array<ChainPose<S>, 2> poses;
    std::array<ChainSlope<S>, 2> by;
    DyadForm<S> form;
  };
  std::vector<DyadState> dyads;

  // dynamics of the tree
  MassMatrixScratch<S> tree;
  Matrix<S> mass;          // bodies x bodies
  Matrix<S> mass_slopes;   // mass times slopes
  std::vector<S> gravity;  // per body
  // used by the Lagrangian: each body's velocity per unit velocity of a coordinate, in its own axes
  std::vector<Vec3<S>> omega, velocity;               // bodies x coordinates
  std::vector<Vec3<S>> momentum, moment_of_momentum;  // of one body, per coordinate

  [[nodiscard]] std::size_t at(int body, int coordinate) const {
    return static_cast<std::size_t>(body) * static_cast<std::size_t>(slopes.cols()) +
           static_cast<std::size_t>(coordinate);
  }

 private:
  JointMotion<S> motion_;
};

template <class S>
MinimalState<S>::MinimalState(const MinimalPlan& plan)
    : slopes(static_cast<Eigen::Index>(plan.bodies()), plan.freedoms()),
      mass(slopes.rows(), slopes.rows()),
      mass_slopes(slopes.rows(), slopes.cols()),
      gravity(plan.bodies(), S(0.0)) {
  slopes.setConstant(S(0.0));
  mass.setConstant(S(0.0));
  mass_slopes.setConstant(S(0.0));
  motion_.resize(static_cast<int>(plan.bodies()), 1);
  tree.prepare(plan.tree, plan.bodies());
  const std::size_t entries = plan.bodies() * plan.coordinates.size();
  const Vec3<S> zero(S(0.0), S(0.0), S(0.0));
  omega.assign(entries, zero);
  velocity.assign(entries, zero);
  momentum.assign(plan.coordinates.size(), zero);
  moment_of_momentum.assign(plan.coordinates.size(), zero);
  dyads.resize(plan.steps.size());
  for (std::size_t i = 0; i < plan.steps.size(); ++i)
    for (std::size_t end : {0u, 1u}) {
      const std::size_t joints = plan.steps[i].dyad.chains[end].joints.size();
      dyads[i].poses[end] = ChainPose<S>(joints);
      dyads[i].by[end] = ChainSlope<S>(joints);
    }
}

}  // namespace counterpoise
