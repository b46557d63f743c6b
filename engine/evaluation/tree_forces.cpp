#include "engine/evaluation/tree_forces.hpp"

#include <algorithm>

#include "engine/math/pack.hpp"

namespace counterpoise {

template <class S>
TreeForces<S>::TreeForces(const EvaluationPlan& plan)
    : shares_(&plan.force_shares),
      weighed_(&plan.weighed),
      legs_(plan.nominal),
      forces_(plan.nominal),
      coils_(plan.nominal),
      tau_(plan.nominal.bodies.size()),
      parts_(plan.nominal.actuators.size()),
      coil_tau_(plan.nominal.bodies.size()),
      coil_loads_(coils_.coils().size()) {
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
  rubbing_.clear();
  for (BodyIndex body = 0; body < mechanism.body_count(); ++body)
    if (mechanism.moves(body) && !mechanism.bodies[body].friction.none()) rubbing_.push_back(body);
  carriers_.insert(carriers_.end(), rubbing_.begin(), rubbing_.end());
  for (std::size_t f = 0; f < forces_.size(); ++f)
    carriers_.insert(carriers_.end(), forces_.chain(f).begin(), forces_.chain(f).end());
  std::sort(carriers_.begin(), carriers_.end());
  carriers_.erase(std::unique(carriers_.begin(), carriers_.end()), carriers_.end());
  return carriers_ != carriers_before_ || heavy_ != heavy_before_;
}

template <class S>
void TreeForces<S>::find_parts() {
  for (std::vector<Part>& parts : parts_) parts.clear();
  for (const BodyIndex body : carriers_)
    for (const ForceShare& share : (*shares_)[body])
      parts_[share.actuator].push_back({body, share});
}

template <class S>
bool TreeForces<S>::set_motion(const Motion& motion) {
  const bool same =
      courses_ == motion.forces && duration_ == motion.duration && step_ == motion.step;
  if (!same) sampled_ = -1;
  courses_ = motion.forces;
  duration_ = motion.duration;
  step_ = motion.step;
  return !same;
}

/// Forces without a course are as the mechanism has them. Spare lanes repeat the last sample.
template <class S>
void TreeForces<S>::sample_factors(const Stretch& stretch) {
  if (sampled_ == stretch.first) return;
  sampled_ = stretch.first;
  factors_.assign(forces_.size() * blocks_, S(1.0));
  for (const ForceCourse& course : courses_)
    for (int k = 0; k < static_cast<int>(blocks_) * lanes<S>; ++k) {
      const SamplePlace<S> place(k);
      const double t = std::min(stretch.first + k, stretch.total - 1) * step_;
      set_lane(factors_[static_cast<std::size_t>(course.force) * blocks_ +
                        static_cast<std::size_t>(place.block)],
               place.lane, evaluate(course.profile, t, duration_).position);
    }
}

template <class S>
bool TreeForces<S>::run(const Mechanism& mechanism, bool inertia, const Kinematics<S>& kinematics) {
  tree_.prepare(mechanism);
  const bool others = find_carriers(mechanism);
  if (others) find_parts();
  const JointMotion<S>& joints = kinematics.joints();
  const DesignGeometry geometry = kinematics.geometry(mechanism);
  blocks_ = static_cast<std::size_t>(joints.blocks());
  joint_forces_.resize(tau_.size() * blocks_);
  bare_loads_.resize(parts_.size() * blocks_);
  sample_factors(kinematics.stretch());
  inertia_ = inertia;
  for (std::size_t block = 0; block < blocks_; ++block) {
    JointView<S> state = joints.block(static_cast<int>(block));
    if (!inertia) state.v = state.a = JointColumn<const S>(&no_motion_, 0, tau_.size());
    inverse_dynamics<S>(tree_, state, scratch_, tau_);
    for (std::size_t leg : heavy_) legs_.add(leg, geometry, state, tau_);
    for (std::size_t f = 0; f < forces_.size(); ++f)
      forces_.add(f, geometry, state, S(-factor(f, block)), tau_);
    for (const BodyIndex body : rubbing_)
      tau_[body] += overcoming<S>(mechanism.bodies[body].friction, state.v[body]);
    for (BodyIndex body : carriers_) {
      const auto b = static_cast<std::size_t>(body);
      joint_forces_[b * blocks_ + block] = tau_[b];
    }
  }
  return others;
}

template <class S>
void TreeForces<S>::add_up(std::size_t actuator, const Transmission<S>& transmission) {
  S* load = &bare_loads_[actuator * blocks_];
  std::fill_n(load, blocks_, S(0.0));
  for (const Part& part : parts_[actuator]) {
    const S* force = &joint_forces_[static_cast<std::size_t>(part.body) * blocks_];
    if (part.share.series < 0) {
      for (std::size_t block = 0; block < blocks_; ++block) load[block] += force[block];
    } else {
      const std::span<const S> slope = transmission.series(part.share);
      for (std::size_t block = 0; block < blocks_; ++block)
        load[block] += slope[block] * force[block];
    }
  }
}

template <class S>
void TreeForces<S>::weigh(std::size_t coil, const Mechanism& mechanism, bool inertia,
                          const Kinematics<S>& kinematics, const Transmission<S>& transmission) {
  const typename SpringInertia<S>::Coil& own = coils_.coils()[coil];
  const std::vector<ActuatorIndex>& weighed = (*weighed_)[own.spring];
  const JointMotion<S>& joints = kinematics.joints();
  const DesignGeometry geometry = kinematics.geometry(mechanism);
  const auto blocks = static_cast<std::size_t>(joints.blocks());
  std::vector<S>& loads = coil_loads_[coil];
  loads.assign(weighed.size() * blocks, S(0.0));
  for (std::size_t block = 0; block < blocks; ++block) {
    JointView<S> state = joints.block(static_cast<int>(block));
    if (!inertia) state.v = state.a = JointColumn<const S>(&no_motion_, 0, coil_tau_.size());
    for (const BodyIndex body : own.movers) coil_tau_[body] = S(0.0);
    coils_.add(coil, 1.0, geometry, state, coil_tau_);
    for (const BodyIndex body : own.movers)
      for (const ForceShare& share : (*shares_)[body]) {
        const auto place = std::lower_bound(weighed.begin(), weighed.end(), share.actuator);
        S& load = loads[static_cast<std::size_t>(place - weighed.begin()) * blocks + block];
        load += share.series < 0 ? coil_tau_[body]
                                 : S(coil_tau_[body] * transmission.series(share)[block]);
      }
  }
}

template <class S>
S TreeForces<S>::play(std::size_t actuator, std::size_t block, const Mechanism& mechanism,
                      const JointView<S>& joints, const Transmission<S>& transmission) const {
  S play(0.0);
  for (const Part& part : parts_[actuator]) {
    const double coulomb = mechanism.bodies[part.body].friction.coulomb;
    if (coulomb == 0.0) continue;
    const S slope = part.share.series < 0 ? S(1.0) : abs(transmission.series(part.share)[block]);
    const S at_rest = slope * coulomb;
    play +=
        inertia_ ? select(S(Friction::rest) < abs(joints.v[part.body]), S(0.0), at_rest) : at_rest;
  }
  return play;
}

template class TreeForces<double>;
template class TreeForces<Pack>;

}  // namespace counterpoise
