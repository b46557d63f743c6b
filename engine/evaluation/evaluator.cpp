#include "engine/evaluation/evaluator.hpp"

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

/// Writes the samples of a series, which are in lanes, one after the other; spare lanes are left
/// out.
void unpack(std::span<const Pack> series, int samples, std::vector<double>& out) {
  out.resize(static_cast<std::size_t>(samples));
  for (int k = 0; k < samples; ++k)
    out[static_cast<std::size_t>(k)] =
        lane(series[static_cast<std::size_t>(k / lanes<Pack>)], k % lanes<Pack>);
}

}  // namespace

struct Evaluator::Impl {
  Pipeline<Pack> pipeline;
  std::vector<Finding> broken;
};

Evaluator::Evaluator(const Mechanism& nominal, const Motion& motion, Reuse reuse)
    : impl_(new Impl{Pipeline<Pack>(std::make_shared<const EvaluationPlan>(nominal, motion,
                                                                           Closure::closed_form),
                                    motion, reuse),
                     {}}) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

void Evaluator::set_motion(const Motion& motion) {
  impl_->pipeline.set_motion(motion);
}

StageCounts Evaluator::counts() const {
  return impl_->pipeline.counts();
}

std::optional<Finding> Evaluator::evaluate(const Mechanism& mechanism, const Options& options,
                                           Metrics& out) {
  Pipeline<Pack>& pipeline = impl_->pipeline;
  std::vector<Finding>& broken = impl_->broken;
  broken.clear();
  const auto alone = [&broken](const Finding& finding) {
    broken.assign(1, finding);
    return finding;
  };
  if (const auto finding = pipeline.follow(mechanism)) return alone(*finding);
  for (std::size_t s = 0; s < mechanism.springs.size() && options.springs; ++s) {
    pipeline.outline_spring(mechanism, s);
    if (const auto finding = find_lost_direction(mechanism, pipeline, s)) return alone(*finding);
    if (options.limits) find_broken_spring_limits(mechanism, pipeline, s, broken);
    if (options.first_finding_only && !broken.empty()) return summed(broken);
  }
  pipeline.carry(mechanism);
  if (!pipeline.judge(mechanism, options.springs, out)) return alone({FindingKind::not_finite});
  if (options.limits) find_broken_actuator_limits(mechanism, pipeline, out, broken);
  return summed(broken);
}

std::span<const Finding> Evaluator::findings() const {
  return impl_->broken;
}

std::vector<Finding> Evaluator::find_wrong_senses(const Mechanism& mechanism) {
  std::vector<Finding> wrong;
  Metrics metrics;
  if (evaluate(mechanism, {.limits = false}, metrics)) return wrong;
  for (std::size_t s = 0; s < mechanism.springs.size(); ++s)
    if (const auto finding = find_wrong_sense(mechanism, impl_->pipeline, s))
      wrong.push_back(*finding);
  return wrong;
}

std::optional<Finding> Evaluator::take_apart(const Mechanism& mechanism, AffineLoads& out) {
  Pipeline<Pack>& pipeline = impl_->pipeline;
  if (const auto finding = pipeline.follow(mechanism)) return finding;
  out.samples = pipeline.samples();
  out.step = pipeline.step();
  out.springs.resize(mechanism.springs.size());
  for (std::size_t s = 0; s < out.springs.size(); ++s) {
    pipeline.place_spring(mechanism, s);
    const SpringShape<Pack>& shape = pipeline.shape(s);
    unpack(shape.length, out.samples, out.springs[s].length);
    out.springs[s].shortest = shape.shortest;
    out.springs[s].longest = shape.longest;
  }
  pipeline.carry(mechanism);
  out.actuators.resize(mechanism.actuators.size());
  for (std::size_t a = 0; a < out.actuators.size(); ++a) {
    AffineLoads::ActuatorLoad& load = out.actuators[a];
    unpack(pipeline.bare_load(a), out.samples, load.bare);
    unpack(pipeline.actuator_motion().velocity(a), out.samples, load.velocity);
    const auto influences = pipeline.influences(a);
    load.influences.resize(influences.size());
    for (std::size_t i = 0; i < influences.size(); ++i) {
      load.influences[i].spring = static_cast<int>(influences[i].spring);
      unpack(pipeline.per_tension(influences[i]), out.samples, load.influences[i].per_tension);
    }
  }
  return std::nullopt;
}

MountMotion Evaluator::mount_motion(const Mechanism& mechanism, SpringIndex spring) const {
  return counterpoise::mount_motion(impl_->pipeline, mechanism, spring);
}

}  // namespace counterpoise
