#include "engine/evaluation/motor_samples.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/dynamics/shaft.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {

MotorState MotorSamples::at(std::size_t k, const Friction& friction, bool favourable) const {
  const double v = velocity[k];
  if (std::abs(v) <= Friction::rest)
    return {held_at(k, friction, favourable), 0.0, acceleration[k]};
  const double moving = load[k] + std::copysign(friction.coulomb, v) + friction.viscous * v;
  return {at_end(moving, k, 0.0, favourable), v, acceleration[k]};
}

double MotorSamples::held_at(std::size_t k, const Friction& friction, bool favourable) const {
  return at_end(load[k], k, friction.coulomb, favourable);
}

double MotorSamples::at_end(double load, std::size_t k, double more, bool favourable) const {
  const double up = (play.empty() ? 0.0 : play[k]) + more;
  return down.empty() ? with_range(load, up, favourable)
                      : with_range(load, up, down[k] + more, favourable);
}

namespace {

/// Appends the lanes of all blocks that a stretch holds; spare ones are cut off.
template <class S, class Values>
void append(const Stretch& stretch, const Values& value, std::vector<double>& to) {
  const auto held = static_cast<std::size_t>(stretch.samples);
  const std::size_t before = to.size(), blocks = (held + lanes<S> - 1) / lanes<S>;
  to.resize(before + blocks * lanes<S>);
  for (std::size_t block = 0; block < blocks; ++block) {
    const S values = value(block);
    std::memcpy(&to[before + block * lanes<S>], &values, sizeof values);
  }
  to.resize(before + held);
}

}  // namespace

template <class S>
void take_motor_samples(const Mechanism& mechanism, Pipeline<S>& pipeline, std::size_t actuator,
                        MotorSamples& samples) {
  take_motor_motion(mechanism, pipeline, actuator, samples, pipeline.with_springs());
  append<S>(pipeline.stretch(), pipeline.load(actuator), samples.load);
  const FrictionLoads<S>* rubbing = pipeline.friction_loads();
  for (int k = 0; k < pipeline.samples() && rubbing != nullptr; ++k) {
    samples.play.push_back(rubbing->ends(actuator, k).up);
    samples.down.push_back(rubbing->ends(actuator, k).down);
  }
}

template <class S>
void take_motor_motion(const Mechanism& mechanism, Pipeline<S>& pipeline, std::size_t actuator,
                       MotorSamples& samples, bool springs) {
  const Stretch& stretch = pipeline.stretch();
  if (stretch.starts()) {
    samples.load.clear();
    samples.play.clear();
    samples.down.clear();
    samples.velocity.clear();
    samples.acceleration.clear();
    samples.weight.clear();
  }
  const std::size_t before = samples.weight.size();
  const auto held = static_cast<std::size_t>(stretch.samples);
  if (pipeline.friction_loads() == nullptr &&
      (std::any_of(mechanism.bodies.begin(), mechanism.bodies.end(),
                   [](const Body& body) { return body.friction.coulomb > 0.0; }) ||
       (springs && std::any_of(mechanism.springs.begin(), mechanism.springs.end(),
                               [](const Spring& spring) { return spring.friction > 0.0; }))))
    append<S>(
        stretch,
        [&](std::size_t block) { return pipeline.play(mechanism, actuator, block, springs); },
        samples.play);
  if (pipeline.inertia() && !stretch.poses) {
    const std::span<const S> velocity = pipeline.actuator_motion().velocity(actuator);
    const std::span<const S> acceleration = pipeline.accelerate(mechanism, actuator);
    append<S>(
        stretch, [&](std::size_t block) { return velocity[block]; }, samples.velocity);
    append<S>(
        stretch, [&](std::size_t block) { return acceleration[block]; }, samples.acceleration);
  } else {
    samples.velocity.resize(before + held, 0.0);
    samples.acceleration.resize(before + held, 0.0);
  }
  samples.weight.resize(before + held, 1.0);
  for (std::size_t k = 0; k < held; ++k)
    if (pipeline.has_weights() || k == 0 || k + 1 == held)
      samples.weight[before + k] = pipeline.weight(static_cast<int>(k));
}

template void take_motor_samples(const Mechanism&, Pipeline<double>&, std::size_t, MotorSamples&);
template void take_motor_samples(const Mechanism&, Pipeline<Pack>&, std::size_t, MotorSamples&);

}  // namespace counterpoise
