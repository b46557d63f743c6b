#include "engine/evaluation/evaluator.hpp"

#include <cmath>

#include "engine/evaluation/loads.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

bool all_finite(const Metrics& metrics) {
  for (const ActuatorMetrics& m : metrics.actuators)
    if (!std::isfinite(m.max + m.mean + m.rms + m.energy + m.peak_power)) return false;
  for (const SpringMetrics& m : metrics.springs)
    if (!std::isfinite(m.min_length + m.max_length + m.max_tension)) return false;
  return true;
}

}  // namespace

struct Evaluator::Impl {
  Pipeline<Pack> pipeline;
  LoadHistory<Pack> history;
  std::vector<Finding> broken;
  Motion motion;
  StageCounts counts;
};

Evaluator::Evaluator(const Mechanism& nominal, const Motion& motion, Reuse)
    : impl_(new Impl{Pipeline<Pack>(std::make_shared<const EvaluationPlan>(nominal, motion,
                                                                           Closure::closed_form)),
                     {},
                     {},
                     motion,
                     {}}) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

void Evaluator::set_motion(const Motion& motion) {
  impl_->motion = motion;
}

const StageCounts& Evaluator::counts() const {
  return impl_->counts;
}

std::optional<Finding> Evaluator::evaluate(const Mechanism& mechanism, const Options& options,
                                           Metrics& out) {
  auto& [pipeline, history, broken, motion, counts] = *impl_;
  if (const auto finding = pipeline.run(mechanism, motion, options.springs)) return finding;
  sum_loads(mechanism, pipeline, motion.step, options.springs, history);
  summarise(pipeline, history, out);
  if (!all_finite(out)) return Finding{FindingKind::not_finite};
  if (!options.limits) return std::nullopt;

  find_broken_limits(mechanism, pipeline, history, broken);
  if (broken.empty()) return std::nullopt;
  Finding first = broken.front();
  first.violation = 0.0;
  for (const Finding& finding : broken) first.violation += finding.violation;
  return first;
}

}  // namespace counterpoise
