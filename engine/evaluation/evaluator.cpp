#include "engine/evaluation/evaluator.hpp"

#include <cassert>
#include <cstring>

#include "engine/evaluation/limits.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

/// Returns the first of all findings, with the sum of all violations.
std::optional<Finding> summed(const std::vector<Finding>& findings) {
  if (findings.empty()) return std::nullopt;
  Finding first = findings.front();
  first.violation = 0.0;
  for (const Finding& finding : findings) first.violation += finding.violation;
  return first;
}

/// Writes the samples of a stretch, which are in lanes one after the other, to their places in the
/// motion; spare lanes are left out.
void unpack(std::span<const Pack> series, const Stretch& stretch, std::vector<double>& out) {
  static_assert(sizeof(Pack) == lanes<Pack> * sizeof(double));
  out.resize(static_cast<std::size_t>(stretch.total));
  std::memcpy(&out[at(stretch.first)], series.data(),
              static_cast<std::size_t>(stretch.samples) * sizeof(double));
}

}  // namespace

struct Evaluator::Impl {
  Pipeline<Pack> pipeline;
  LimitMemory limits;
  std::vector<Finding> broken;
  bool followed = false;
  std::vector<std::size_t> watched;         // actuators
  std::vector<MotorSamples> motor_samples;  // of these

  void take_samples(const Mechanism& mechanism) {
    for (std::size_t i = 0; i < watched.size(); ++i)
      take_motor_samples(mechanism, pipeline, watched[i], motor_samples[i]);
  }
};

Evaluator::Evaluator(const Mechanism& nominal, const Motion& motion, Reuse reuse,
                     const Holding& holding)
    : impl_(new Impl{Pipeline<Pack>(std::make_shared<const EvaluationPlan>(nominal, motion,
                                                                           Closure::closed_form),
                                    motion, reuse, holding),
                     LimitMemory(nominal),
                     {},
                     false,
                     {},
                     {}}) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

void Evaluator::set_varying(const ElementSet& varying) {
  impl_->pipeline.look_at(varying);
}

void Evaluator::set_motion(const Motion& motion) {
  impl_->pipeline.set_motion(motion);
}

void Evaluator::count_apart(bool apart) {
  impl_->pipeline.count_apart(apart);
}

StageCounts Evaluator::counts(bool apart) const {
  return impl_->pipeline.counts(apart);
}

void Evaluator::watch_motors(std::vector<std::size_t> actuators) {
  if (!actuators.empty()) impl_->pipeline.find_ends();
  impl_->watched = std::move(actuators);
  impl_->motor_samples.resize(impl_->watched.size());
}

const MotorSamples& Evaluator::motor_samples(std::size_t i) const {
  return impl_->motor_samples[i];
}

std::optional<Finding> Evaluator::evaluate(const Mechanism& mechanism, const Options& options,
                                           Metrics& out) {
  Pipeline<Pack>& pipeline = impl_->pipeline;
  std::vector<Finding>& broken = impl_->broken;
  const auto alone = [&broken](const Finding& finding) {
    broken.assign(1, finding);
    return finding;
  };
  bool finite = true;
  std::optional<Finding> locked;
  impl_->followed = false;
  pipeline.rewind();
  do {
    broken.clear();
    if (const auto finding = pipeline.follow(mechanism)) {
      if (pipeline.stretch().ends()) return alone(*finding);
      continue;
    }
    impl_->followed = pipeline.stretch().ends();
    for (std::size_t s = 0; s < mechanism.springs.size() && options.springs; ++s) {
      pipeline.outline_spring(mechanism, s);
      if (const auto finding = find_lost_direction(mechanism, pipeline, s)) return alone(*finding);
      if (options.limits) find_broken_spring_limits(mechanism, pipeline, s, impl_->limits, broken);
      if (options.first_finding_only && !broken.empty()) return summed(broken);
      pipeline.clear_spring(mechanism, s);
      if (options.limits) find_too_near(mechanism, pipeline, s, impl_->limits, broken);
      if (options.first_finding_only && !broken.empty()) return summed(broken);
    }
    pipeline.carry(mechanism);
    if (!locked) locked = pipeline.rub(mechanism, options.springs);
    if (locked) {
      impl_->followed = false;
      continue;
    }
    finite = pipeline.judge(mechanism, options.springs, out);
    impl_->take_samples(mechanism);
    if (options.limits)
      find_broken_actuator_limits(mechanism, pipeline, out, impl_->limits, broken);
  } while (pipeline.next());
  if (locked) return alone(*locked);
  if (!finite) return alone({FindingKind::not_finite});
  return summed(broken);
}

bool Evaluator::followed() const {
  return impl_->followed;
}

std::span<const Finding> Evaluator::findings() const {
  return impl_->broken;
}

std::vector<Finding> Evaluator::find_wrong_senses(const Mechanism& mechanism) {
  std::vector<Finding> wrong;
  Metrics metrics;
  if (evaluate(mechanism, {.limits = false}, metrics)) return wrong;
  Pipeline<Pack>& pipeline = impl_->pipeline;
  const bool whole = pipeline.stretch().whole();
  pipeline.rewind();
  do {
    if (!whole) pipeline.follow(mechanism);
    for (std::size_t s = 0; s < mechanism.springs.size(); ++s) {
      if (!whole) pipeline.outline_spring(mechanism, s);
      if (const auto finding = find_wrong_sense(mechanism, pipeline, s, impl_->limits))
        wrong.push_back(*finding);
    }
  } while (pipeline.advance());
  return wrong;
}

void AffineLoads::add_bent_springs() {
  for (ActuatorLoad& load : actuators) {
    for (const Influence& influence : load.influences) {
      const std::vector<double>& tension = springs[at(influence.spring)].tension;
      for (std::size_t k = 0; k < tension.size(); ++k)
        load.bare[k] += influence.per_tension[k] * tension[k];
    }
    std::erase_if(load.influences, [this](const Influence& influence) {
      return !springs[at(influence.spring)].tension.empty();
    });
  }
}

std::optional<Finding> Evaluator::take_apart(const Mechanism& mechanism, AffineLoads& out) {
  assert(!has_load_friction(mechanism));
  Pipeline<Pack>& pipeline = impl_->pipeline;
  pipeline.rewind();
  do {
    if (const auto finding = pipeline.follow(mechanism)) {
      if (pipeline.stretch().ends()) return finding;
      continue;
    }
    take_stretch_apart(mechanism, out);
    for (std::size_t s = 0; s < mechanism.springs.size() && pipeline.stretch().ends(); ++s)
      if (mechanism.springs[s].is_cable() || mechanism.springs[s].friction != 0.0)
        if (const auto finding = find_lost_direction(mechanism, pipeline, s)) return finding;
  } while (pipeline.advance());
  return std::nullopt;
}

/// Writes what the stretch that was followed adds to the loads as functions of tensions.
void Evaluator::take_stretch_apart(const Mechanism& mechanism, AffineLoads& out) {
  Pipeline<Pack>& pipeline = impl_->pipeline;
  const Stretch& stretch = pipeline.stretch();
  out.samples = stretch.total;
  out.step = pipeline.step();
  out.poses = stretch.poses;
  if (stretch.starts()) {
    out.weights.clear();
    out.sum_of_weights = 0.0;
  }
  if (pipeline.has_weights())
    for (int k = 0; k < stretch.samples; ++k) {
      out.weights.push_back(pipeline.weight(k));
      out.sum_of_weights += out.weights.back();
    }
  const std::span<const char> left_out = pipeline.left_out();
  const auto unpack_loads = [&](std::span<const Pack> series, std::vector<double>& to) {
    unpack(series, stretch, to);
    for (std::size_t k = 0; k < left_out.size(); ++k)
      if (left_out[k] != 0) to[at(stretch.first) + k] = 0.0;
  };
  out.springs.resize(mechanism.springs.size());
  for (std::size_t s = 0; s < out.springs.size(); ++s) {
    pipeline.place_spring(mechanism, s);
    const SpringShape<Pack>& shape = pipeline.shape(s);
    unpack(shape.length, stretch, out.springs[s].length);
    out.springs[s].shortest = shape.shortest;
    out.springs[s].longest = shape.longest;
    out.springs[s].meeting = shape.meeting;
    out.springs[s].radius = mechanism.springs[s].radius;
    if (!mechanism.springs[s].is_straight())
      unpack(pipeline.bent_tension(mechanism, s), stretch, out.springs[s].tension);
    pipeline.clear_spring(mechanism, s);
    if (!shape.cleared) continue;
    unpack(shape.distance, stretch, out.springs[s].distance);
    unpack(shape.nearest, stretch, out.springs[s].nearest);
    out.springs[s].least_distance = shape.least_distance;
  }
  pipeline.carry(mechanism);
  out.actuators.resize(mechanism.actuators.size());
  std::vector<Pack> scratch;
  for (std::size_t a = 0; a < out.actuators.size(); ++a) {
    AffineLoads::ActuatorLoad& load = out.actuators[a];
    unpack_loads(pipeline.load_without_tensions(mechanism, a, scratch), load.bare);
    unpack(pipeline.actuator_motion().velocity(a), stretch, load.velocity);
    const auto influences = pipeline.influences(a);
    load.influences.resize(influences.size());
    for (std::size_t i = 0; i < influences.size(); ++i) {
      load.influences[i].spring = static_cast<int>(influences[i].spring);
      unpack_loads(pipeline.per_tension(influences[i]), load.influences[i].per_tension);
    }
  }
  for (std::size_t i = 0; i < impl_->watched.size(); ++i) {
    MotorSamples& samples = impl_->motor_samples[i];
    take_motor_motion(mechanism, pipeline, impl_->watched[i], samples, true);
    if (!stretch.ends()) continue;
    AffineLoads::ActuatorLoad& load = out.actuators[impl_->watched[i]];
    load.motor_velocity = samples.velocity;
    load.motor_acceleration = samples.acceleration;
    load.play = samples.play;
  }
}

MountMotion Evaluator::mount_motion(const Mechanism& mechanism, SpringIndex spring) {
  Pipeline<Pack>& pipeline = impl_->pipeline;
  MountMotion motion;
  pipeline.rewind();
  do {
    if (!pipeline.follow(mechanism)) find_mount_motion(pipeline, mechanism, spring, motion);
  } while (pipeline.advance());
  return motion;
}

}  // namespace counterpoise
