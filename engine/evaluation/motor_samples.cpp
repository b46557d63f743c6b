#include "engine/evaluation/motor_samples.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/math/pack.hpp"

namespace counterpoise {

namespace {

/// The load where friction may carry up to `range` of it, or as much more, to either side.
double with_range(double load, double range, bool favourable) {
  const double size = std::abs(load);
  return std::copysign(favourable ? std::max(0.0, size - range) : size + range, load);
}

}  // namespace

MotorState MotorSamples::at(std::size_t k, const Friction& friction, bool favourable) const {
  const double v = velocity[k];
  if (std::abs(v) <= Friction::rest)
    return {held_at(k, friction, favourable), 0.0, acceleration[k]};
  const double moving = load[k] + std::copysign(friction.coulomb, v) + friction.viscous * v;
  return {with_range(moving, play.empty() ? 0.0 : play[k], favourable), v, acceleration[k]};
}

double MotorSamples::held_at(std::size_t k, const Friction& friction, bool favourable) const {
  return with_range(load[k], (play.empty() ? 0.0 : play[k]) + friction.coulomb, favourable);
}

template <class S>
void take_motor_samples(const Mechanism& mechanism, Pipeline<S>& pipeline, std::size_t actuator,
                        MotorSamples& samples) {
  const Stretch& stretch = pipeline.stretch();
  if (stretch.starts()) {
    samples.load.clear();
    samples.play.clear();
    samples.velocity.clear();
    samples.acceleration.clear();
    samples.weight.clear();
  }
  const auto held = static_cast<std::size_t>(stretch.samples);
  const auto append = [&](std::vector<double>& to, const auto& value) {
    // lanes lie side by side, and spare ones are cut off
    const std::size_t before = to.size(), blocks = (held + lanes<S> - 1) / lanes<S>;
    to.resize(before + blocks * lanes<S>);
    for (std::size_t block = 0; block < blocks; ++block) {
      const S values = value(block);
      std::memcpy(&to[before + block * lanes<S>], &values, sizeof values);
    }
    to.resize(before + held);
  };
  append(samples.load, pipeline.load(actuator));
  if (std::any_of(mechanism.bodies.begin(), mechanism.bodies.end(),
                  [](const Body& body) { return body.friction.coulomb > 0.0; }))
    append(samples.play,
           [&](std::size_t block) { return pipeline.play(mechanism, actuator, block); });
  if (pipeline.inertia() && !stretch.poses) {
    const std::span<const S> velocity = pipeline.actuator_motion().velocity(actuator);
    const std::span<const S> acceleration = pipeline.accelerate(mechanism, actuator);
    append(samples.velocity, [&](std::size_t block) { return velocity[block]; });
    append(samples.acceleration, [&](std::size_t block) { return acceleration[block]; });
  } else {
    samples.velocity.resize(samples.load.size(), 0.0);
    samples.acceleration.resize(samples.load.size(), 0.0);
  }
  const std::size_t before = samples.weight.size();
  samples.weight.resize(before + held, 1.0);
  for (std::size_t k = 0; k < held; ++k)
    if (pipeline.has_weights() || k == 0 || k + 1 == held)
      samples.weight[before + k] = pipeline.weight(static_cast<int>(k));
}

template void take_motor_samples(const Mechanism&, Pipeline<double>&, std::size_t, MotorSamples&);
template void take_motor_samples(const Mechanism&, Pipeline<Pack>&, std::size_t, MotorSamples&);

}  // namespace counterpoise
