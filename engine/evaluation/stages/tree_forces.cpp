#include "engine/evaluation/stages/tree_forces.hpp"

#include <algorithm>

#include "engine/math/pack.hpp"

namespace counterpoise {

template <class S>
TreeForces<S>::TreeForces(const EvaluationPlan& plan)
    : tau_(plan.nominal.bodies.size()), actuators_(plan.nominal.actuators.size()) {
  scratch_.resize(plan.nominal.bodies.size());
}

template <class S>
bool TreeForces<S>::stale(const Revisions& revisions, const Coordinates<S>& coordinates) const {
  if (ran_ == 0 || ran_ < revisions.masses()) return true;
  if (ran_ >= std::max(revisions.kinematics(), coordinates.latest())) return false;
  return std::any_of(tree_.bodies.begin(), tree_.bodies.end(), [&](const TreeModel::Body& body) {
    return ran_ < std::max(revisions.joint(body.index), coordinates.changed(body.index));
  });
}

template <class S>
void TreeForces<S>::run(const Mechanism& mechanism, const Revisions& revisions, bool inertia,
                        Kinematics<S>& kinematics) {
  tree_.prepare(mechanism);
  ran_ = revisions.now();
  JointMotion<S>& joints = kinematics.joints();
  blocks_ = static_cast<std::size_t>(joints.blocks());
  joint_forces_.resize(tau_.size() * blocks_);
  for (std::size_t block = 0; block < blocks_; ++block) {
    JointState<S> state = joints.block(static_cast<int>(block));
    if (!inertia) state.v = state.a = JointColumn<S>(&no_motion_, 0, tau_.size());
    inverse_dynamics<S>(tree_, state, scratch_, tau_);
    for (const TreeModel::Body& body : tree_.bodies) {
      const auto b = static_cast<std::size_t>(body.index);
      joint_forces_[b * blocks_ + block] = tau_[b];
    }
  }
}

template <class S>
void TreeForces<S>::add_up(const ForceMap<S>& map) {
  bare_loads_.assign(actuators_ * blocks_, S(0.0));
  for (const TreeModel::Body& body : tree_.bodies) {
    const S* force = &joint_forces_[static_cast<std::size_t>(body.index) * blocks_];
    for (const auto& entry : map.entries(body.index)) {
      S* load = &bare_loads_[static_cast<std::size_t>(entry.actuator) * blocks_];
      if (entry.series < 0) {
        for (std::size_t block = 0; block < blocks_; ++block) load[block] += force[block];
      } else {
        const std::span<const S> share = map.series(entry);
        for (std::size_t block = 0; block < blocks_; ++block)
          load[block] += share[block] * force[block];
      }
    }
  }
}

template class TreeForces<double>;
template class TreeForces<Pack>;

}  // namespace counterpoise
