#include "engine/evaluation/stages/tree_forces.hpp"

#include <algorithm>

#include "engine/math/pack.hpp"

namespace counterpoise {

template <class S>
TreeForces<S>::TreeForces(const EvaluationPlan& plan)
    : legs_(plan.nominal),
      tau_(plan.nominal.bodies.size()),
      actuators_(plan.nominal.actuators.size()) {
  scratch_.resize(plan.nominal.bodies.size());
}

template <class S>
bool TreeForces<S>::find_carriers(const Mechanism& mechanism) {
  std::swap(carriers_, carriers_before_);
  std::swap(heavy_, heavy_before_);
  carriers_.clear();
  heavy_.clear();
  for (const TreeModel::Body& body : tree_.bodies) carriers_.push_back(body.index);
  for (std::size_t leg = 0; leg < legs_.legs().size(); ++leg) {
    const auto& [actuator, path] = legs_.legs()[leg];
    if (!LegForces<S>::has_mass(mechanism.actuators[actuator])) continue;
    heavy_.push_back(leg);
    for (const std::vector<BodyIndex>& chain : path.chains)
      carriers_.insert(carriers_.end(), chain.begin(), chain.end());
  }
  std::sort(carriers_.begin(), carriers_.end());
  carriers_.erase(std::unique(carriers_.begin(), carriers_.end()), carriers_.end());
  return carriers_ != carriers_before_ || heavy_ != heavy_before_;
}

template <class S>
bool TreeForces<S>::run(const Mechanism& mechanism, bool inertia, const Kinematics<S>& kinematics) {
  tree_.prepare(mechanism);
  const bool others = find_carriers(mechanism);
  const JointMotion<S>& joints = kinematics.joints();
  const DesignGeometry geometry = kinematics.geometry(mechanism);
  blocks_ = static_cast<std::size_t>(joints.blocks());
  joint_forces_.resize(tau_.size() * blocks_);
  for (std::size_t block = 0; block < blocks_; ++block) {
    JointView<S> state = joints.block(static_cast<int>(block));
    if (!inertia) state.v = state.a = JointColumn<const S>(&no_motion_, 0, tau_.size());
    inverse_dynamics<S>(tree_, state, scratch_, tau_);
    for (std::size_t leg : heavy_) legs_.add(leg, geometry, state, tau_);
    for (BodyIndex body : carriers_) {
      const auto b = static_cast<std::size_t>(body);
      joint_forces_[b * blocks_ + block] = tau_[b];
    }
  }
  return others;
}

template <class S>
void TreeForces<S>::add_up(const ActuatorJacobian<S>& map) {
  bare_loads_.assign(actuators_ * blocks_, S(0.0));
  for (BodyIndex body : carriers_) {
    const S* force = &joint_forces_[static_cast<std::size_t>(body) * blocks_];
    for (const ForceShare& entry : map.shares(body)) {
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
