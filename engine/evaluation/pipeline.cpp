#include "engine/evaluation/pipeline.hpp"

#include <algorithm>

#include "engine/math/pack.hpp"

namespace counterpoise {

EvaluationPlan::EvaluationPlan(const Mechanism& mechanism, const Motion& motion, Closure closure)
    : nominal(mechanism),
      paths(nominal),
      freedom(nominal, paths),
      actuator_plan(plan_actuators(nominal, paths, freedom, closure)),
      drives(nominal, freedom, motion),
      motion_plan(make_plan(nominal, paths, freedom, drives.coordinates, closure)) {}

template <class S>
Pipeline<S>::Pipeline(std::shared_ptr<const EvaluationPlan> plan)
    : plan_(std::move(plan)),
      zero_(plan_->nominal, plan_->paths, plan_->actuator_plan),
      coordinates_(plan_->nominal, plan_->paths, plan_->motion_plan, plan_->drives.driven),
      transmission_(plan_->nominal, plan_->paths, plan_->actuator_plan) {
  const Mechanism& nominal = plan_->nominal;
  scratch_.resize(nominal.bodies.size());
  no_motion_.assign(nominal.bodies.size(), S(0.0));
  joint_forces_.resize(nominal.bodies.size());
  loads_.resize(nominal.actuators.size());
  for (const Path& path : plan_->paths.actuators) actuator_lines_.emplace_back().resize(path);
  for (const Path& path : plan_->paths.springs) spring_lines_.emplace_back().resize(path);
  find_influences();
}

template <class S>
void Pipeline<S>::find_influences() {
  const Mechanism& nominal = plan_->nominal;
  for (std::size_t s = 0; s < nominal.springs.size(); ++s) {
    const std::vector<int> joints = joints_of_spring(nominal, plan_->paths, static_cast<int>(s));
    const std::vector<bool> reached = transmission_.reach(joints);
    for (std::size_t a = 0; a < reached.size(); ++a)
      if (reached[a]) influences_.push_back({s, a});
  }
}

template <class S>
void Pipeline<S>::resize(bool springs) {
  const auto blocks = static_cast<std::size_t>(joints_.blocks());
  const Mechanism& nominal = plan_->nominal;
  for (std::vector<S>* values : {&bare_loads_, &positions_, &velocities_})
    values->resize(blocks * nominal.actuators.size());
  if (!springs) return;
  lengths_.resize(blocks * nominal.springs.size());
  influence_.resize(blocks * influences_.size());
}

template <class S>
std::optional<Finding> Pipeline<S>::run(const Mechanism& mechanism, const Motion& motion,
                                        bool springs) {
  prepare_frames(mechanism, frames_);
  tree_.prepare(mechanism);
  if (const auto finding = zero_.solve(mechanism, frames_)) return finding;
  if (const auto finding = coordinates_.solve(mechanism, frames_, motion, zero_.state(), joints_))
    return finding;

  resize(springs);
  transmission_.begin(mechanism, frames_, zero_.state().view());
  for (int block = 0; block < blocks(); ++block) {
    const int used = std::min(lanes<S>, samples() - block * lanes<S>);
    tree_forces(motion, block);
    if (auto finding = transmission_.prepare(mechanism, frames_, joints_.block(block), used)) {
      finding->time = motion.step * (block * lanes<S> + static_cast<int>(finding->value));
      finding->value = 0.0;
      return finding;
    }
    const std::span<S> bare = row(bare_loads_, block);
    transmission_.apply(joint_forces_, loads_);
    std::copy(loads_.begin(), loads_.end(), bare.begin());
    actuator_motion(mechanism, block);
    if (springs) spring_geometry(mechanism, block);
  }
  return std::nullopt;
}

template <class S>
void Pipeline<S>::tree_forces(const Motion& motion, int block) {
  JointState<S> state = joints_.block(block);
  if (!motion.inertia) state.v = state.a = no_motion_;
  inverse_dynamics<S>(tree_, frames_, state, scratch_, joint_forces_);
}

template <class S>
void Pipeline<S>::actuator_motion(const Mechanism& mechanism, int block) {
  const JointState<S> state = joints_.block(block);
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    S& position = row(positions_, block)[a];
    S& velocity = row(velocities_, block)[a];
    if (!mechanism.actuators[a].linear()) {
      const auto b = static_cast<std::size_t>(mechanism.actuators[a].joint);
      position = state.q[b];
      velocity = state.v[b];
      continue;
    }
    const Path& path = plan_->paths.actuators[a];
    Line<S>& line = actuator_lines_[a];
    trace_line(mechanism, frames_, path, state, line);
    position = line.length;
    velocity = S(0.0);
    for (std::size_t end : {0u, 1u})
      for (std::size_t k = 0; k < path.chains[end].size(); ++k)
        velocity +=
            length_slope(line, end, k) * state.v[static_cast<std::size_t>(path.chains[end][k])];
  }
}

template <class S>
void Pipeline<S>::spring_geometry(const Mechanism& mechanism, int block) {
  const JointState<S> state = joints_.block(block);
  const std::span<S> lengths = row(lengths_, block);
  const std::span<S> influence = row(influence_, block);
  std::size_t i = 0;
  for (std::size_t s = 0; s < mechanism.springs.size(); ++s) {
    std::fill(joint_forces_.begin(), joint_forces_.end(), S(0.0));
    if (mechanism.springs[s].type == SpringType::torsion) {
      const auto b = static_cast<std::size_t>(mechanism.springs[s].joint);
      lengths[s] = state.q[b];
      joint_forces_[b] = S(1.0);
    } else {
      const Path& path = plan_->paths.springs[s];
      Line<S>& line = spring_lines_[s];
      trace_line(mechanism, frames_, path, state, line);
      lengths[s] = line.length;
      for (std::size_t end : {0u, 1u})
        for (std::size_t k = 0; k < path.chains[end].size(); ++k)
          joint_forces_[static_cast<std::size_t>(path.chains[end][k])] = length_slope(line, end, k);
    }
    if (i == influences_.size() || influences_[i].spring != s) continue;
    transmission_.apply(joint_forces_, loads_);
    for (; i < influences_.size() && influences_[i].spring == s; ++i)
      influence[i] = loads_[influences_[i].actuator];
  }
}

template class Pipeline<double>;
template class Pipeline<Pack>;

}  // namespace counterpoise
