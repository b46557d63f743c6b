#include "engine/evaluation/stages/force_map.hpp"

#include <algorithm>

#include "engine/math/pack.hpp"

namespace counterpoise {

template <class S>
ForceMap<S>::ForceMap(const EvaluationPlan& plan)
    : transmission_(plan.nominal, plan.paths, plan.actuator_plan),
      entries_(plan.nominal.bodies.size()),
      routes_(plan.nominal.bodies.size()),
      forces_(plan.nominal.bodies.size()),
      loads_(plan.nominal.actuators.size()) {
  const auto driven = [&](int body) {
    return std::any_of(plan.actuator_plan.steps.begin(), plan.actuator_plan.steps.end(),
                       [body](const Step& step) {
                         return step.kind == StepKind::joint && step.unknowns.front() == body;
                       });
  };
  for (int body = 0; body < plan.nominal.body_count(); ++body) {
    if (!plan.nominal.moves(body)) continue;
    const auto b = static_cast<std::size_t>(body);
    routes_[b] = transmission_.route(body);
    for (int actuator : routes_[b].actuators)
      entries_[b].push_back({actuator, driven(body) ? -1 : series_++});
  }
}

template <class S>
std::optional<Finding> ForceMap<S>::run(const Mechanism& mechanism, Kinematics<S>& kinematics) {
  JointMotion<S>& joints = kinematics.joints();
  blocks_ = static_cast<std::size_t>(joints.blocks());
  values_.resize(static_cast<std::size_t>(series_) * blocks_);
  transmission_.begin(mechanism, kinematics.frames(), kinematics.zero(), kinematics.step());
  for (int block = 0; block < joints.blocks(); ++block) {
    const int used = std::min(lanes<S>, joints.samples() - block * lanes<S>);
    auto finding = transmission_.prepare(mechanism, kinematics.frames(), joints.block(block), used);
    if (finding) {
      finding->time = kinematics.step() * (block * lanes<S> + finding->time);
      return finding;
    }
    for (std::size_t body = 0; body < entries_.size(); ++body) {
      const std::vector<Entry>& entries = entries_[body];
      if (entries.empty() || entries.front().series < 0) continue;
      for (int joint : routes_[body].joints) forces_[static_cast<std::size_t>(joint)] = S(0.0);
      forces_[body] = S(1.0);
      transmission_.apply(routes_[body], forces_, loads_);
      for (const Entry& entry : entries)
        values_[static_cast<std::size_t>(entry.series) * blocks_ +
                static_cast<std::size_t>(block)] = loads_[static_cast<std::size_t>(entry.actuator)];
    }
  }
  return std::nullopt;
}

template class ForceMap<double>;
template class ForceMap<Pack>;

}  // namespace counterpoise
