#include "engine/evaluation/actuator_motion.hpp"

#include <algorithm>
#include <cmath>

#include "engine/math/pack.hpp"

namespace counterpoise {

template <class S>
ActuatorMotion<S>::ActuatorMotion(const EvaluationPlan& plan) : paths_(&plan.paths) {}

template <class S>
std::optional<Finding> ActuatorMotion<S>::run(const Mechanism& mechanism,
                                              Kinematics<S>& kinematics) {
  const JointMotion<S>& joints = kinematics.joints();
  const std::size_t actuators = paths_->actuators.size();
  blocks_ = static_cast<std::size_t>(joints.blocks());
  positions_.resize(actuators * blocks_);
  velocities_.resize(actuators * blocks_);
  accelerations_.resize(actuators * blocks_);
  accelerated_.assign(actuators, 0);
  extremes_.resize(actuators);
  running_.resize(actuators);
  const bool starts = kinematics.stretch().starts();
  if (starts) {
    finding_.reset();
    finite_ = actuators;
  }
  for (std::size_t a = 0; a < finite_; ++a) {
    const std::span<S> position(&positions_[a * blocks_], blocks_);
    const std::span<S> velocity(&velocities_[a * blocks_], blocks_);
    const BodyIndex body = mechanism.actuators[a].joint;
    if (mechanism.actuators[a].linear()) {
      follow_line(mechanism, kinematics, a, position, velocity);
    } else {
      std::copy_n(joints.q(body).begin(), blocks_, position.begin());
      std::copy_n(joints.v(body).begin(), blocks_, velocity.begin());
    }
    extremes_[a] = {extremes_of<S>(position, starts, running_[a][0]),
                    extremes_of<S>(velocity, starts, running_[a][1])};
    if (extremes_[a].position.finite() && extremes_[a].velocity.finite()) continue;
    finding_ = not_finite(a, kinematics);
    finite_ = a;
  }
  return finding_;
}

template <class S>
Finding ActuatorMotion<S>::not_finite(std::size_t actuator, const Kinematics<S>& kinematics) const {
  int k = 0;
  for (; k + 1 < kinematics.joints().samples(); ++k) {
    const SamplePlace<S> place(k);
    const auto block = static_cast<std::size_t>(place.block);
    if (!std::isfinite(lane(position(actuator)[block], place.lane)) ||
        !std::isfinite(lane(velocity(actuator)[block], place.lane)))
      break;
  }
  return {FindingKind::not_finite, static_cast<int>(actuator),
          (kinematics.stretch().first + k) * kinematics.step()};
}

template <class S>
void ActuatorMotion<S>::follow_line(const Mechanism& mechanism, Kinematics<S>& kinematics,
                                    std::size_t actuator, std::span<S> position,
                                    std::span<S> velocity) const {
  const Path& path = paths_->actuators[actuator];
  ClosureColumns<S>& columns = kinematics.closures().actuators[actuator];
  columns.require(kinematics.geometry(mechanism), kinematics.joints());
  for (int block = 0; block < kinematics.joints().blocks(); ++block) {
    const JointView<S> state = kinematics.joints().block(block);
    S& v = velocity[block];
    position[block] = columns.length(block);
    v = S(0.0);
    for (std::size_t end : {0u, 1u})
      for (std::size_t k = 0; k < path.chains[end].size(); ++k)
        v += columns.length_slope(block, end, k) * state.v[path.chains[end][k]];
  }
}

template <class S>
std::span<const S> ActuatorMotion<S>::accelerate(const Mechanism& mechanism,
                                                 Kinematics<S>& kinematics, std::size_t actuator) {
  const std::span<S> own = std::span<S>(accelerations_).subspan(actuator * blocks_, blocks_);
  if (accelerated_[actuator] != 0) return own;
  accelerated_[actuator] = 1;
  const DesignGeometry geometry = kinematics.geometry(mechanism);
  const Path& path = paths_->actuators[actuator];
  const bool linear = mechanism.actuators[actuator].linear();
  if (linear) line_.resize(path);
  for (std::size_t block = 0; block < blocks_; ++block) {
    const JointView<S> state = kinematics.joints().block(static_cast<int>(block));
    if (!linear) {
      own[block] = state.a[mechanism.actuators[actuator].joint];
      continue;
    }
    trace_line<S>(geometry, path, state, line_);
    S rate;
    own[block] = length_acceleration<S>(geometry.frames, path, state, line_, rate);
  }
  return own;
}

template class ActuatorMotion<double>;
template class ActuatorMotion<Pack>;

}  // namespace counterpoise
