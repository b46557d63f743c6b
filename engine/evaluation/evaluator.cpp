#include "engine/evaluation/evaluator.hpp"

#include "engine/evaluation/limits.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

/// The first of all findings, with the violations of all.
std::optional<Finding> summed(const std::vector<Finding>& findings) {
  if (findings.empty()) return std::nullopt;
  Finding first = findings.front();
  first.violation = 0.0;
  for (const Finding& finding : findings) first.violation += finding.violation;
  return first;
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
  auto& [pipeline, broken] = *impl_;
  broken.clear();
  if (const auto finding = pipeline.follow(mechanism)) return finding;
  for (std::size_t s = 0; s < mechanism.springs.size() && options.springs; ++s) {
    pipeline.place_spring(mechanism, s);
    if (options.limits) find_broken_spring_limits(mechanism, pipeline, s, broken);
    if (options.first_finding_only && !broken.empty()) return summed(broken);
  }
  pipeline.carry(mechanism);
  if (!pipeline.judge(mechanism, options.springs, out)) return Finding{FindingKind::not_finite};
  if (options.limits) find_broken_actuator_limits(mechanism, pipeline, out, broken);
  return summed(broken);
}

}  // namespace counterpoise
