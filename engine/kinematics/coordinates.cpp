#include "engine/kinematics/coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/kinematics/closure/line_joint.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
template <class S>
Coordinates<S>::Coordinates(const Mechanism& mechanism, const Paths& paths, const Plan& plan,
                            std::size_t driven)
    : paths_(&paths),
      plan_(&plan),
      driven_(driven),
      held_(plan.coordinates.size() - driven),
      scratch_(plan.steps.size()),
      continuation_(mechanism, plan.coordinates.size()),
      before_(mechanism, plan.coordinates.size()),
      now_(mechanism, plan.coordinates.size()) {
  for (std::size_t i = 0; i < scratch_.size(); ++i) {
    const Step& step = plan.steps[i];
    const auto element = static_cast<std::size_t>(step.equations.front().element);
    if (step.kind == StepKind::line) scratch_[i].line.resize(paths.actuators[element]);
    if (step.kind == StepKind::dyad)
      for (std::size_t end : {0u, 1u}) {
        scratch_[i].ends[end].resize(paths.loops[element].chains[end].size());
        scratch_[i].plane_ends[end].resize(paths.loops[element].chains[end].size());
      }
    if (step.kind == StepKind::dyad || step.kind == StepKind::group)
      scratch_[i].group.emplace(step.equations, step.unknowns, mechanism, paths);
  }
  if (!plan.redundant.empty()) redundant_.emplace(plan.redundant, mechanism, paths);
}

template <class S>
std::optional<Finding> Coordinates<S>::solve(const Mechanism& mechanism,
                                             std::span<const JointFrame> frames,
                                             const Motion& motion, const SampleState& zero,
                                             JointMotion<S>& out) {
  Line<double> line;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Equation drive = drive_equation(plan_->coordinates[driven_ + i], 0, mechanism);
    const auto element = static_cast<std::size_t>(drive.element);
    if (drive.kind == EquationKind::joint_drive) {
      held_[i] = zero.view().q[element];
      continue;
    }
    line.resize(paths_->actuators[element]);
    trace_line(mechanism, frames, paths_->actuators[element], zero.view(), line);
    held_[i] = line.length;
  }
  drives_.sample(motion, held_);
  out.resize(mechanism.body_count(), motion.sample_count());

  const Call call{mechanism, frames, motion, zero, out};
  for (std::size_t i = 0; i < plan_->steps.size(); ++i) {
    const Step& step = plan_->steps[i];
    std::optional<Finding> finding;
    switch (step.kind) {
      case StepKind::joint:
        follow_joint(call, step);
        break;
      case StepKind::coupling:
        follow_coupling(call, step);
        break;
      case StepKind::line:
        finding = follow_line(call, step, scratch_[i]);
        break;
      case StepKind::dyad:
        finding = follow_dyad(call, step, scratch_[i]);
        break;
      case StepKind::group:
        finding = follow_group(call, *scratch_[i].group);
        break;
    }
    if (finding) return finding;
  }
  return check_redundant(call);
}

template <class S>
void Coordinates<S>::follow_joint(const Call& call, const Step& step) {
  const auto b = static_cast<std::size_t>(step.unknowns.front());
  const auto c = static_cast<std::size_t>(step.equations.front().slot);
  for (int block = 0; block < call.out.blocks(); ++block) {
    const JointState<S> state = call.out.block(block);
    state.q[b] = drives_.position(c, block);
    state.v[b] = drives_.velocity(c, block);
    state.a[b] = drives_.acceleration(c, block);
    state.sine[b] = drives_.sine(c, block);
    state.cosine[b] = drives_.cosine(c, block);
  }
}

template <class S>
void Coordinates<S>::follow_coupling(const Call& call, const Step& step) {
  const Coupling& c =
      call.mechanism.couplings[static_cast<std::size_t>(step.equations.front().element)];
  const auto to = static_cast<std::size_t>(step.unknowns.front());
  const bool forward = c.joint == step.unknowns.front();
  const auto from = static_cast<std::size_t>(forward ? c.of : c.joint);
  const double ratio = forward ? c.ratio : 1.0 / c.ratio;
  const double offset = forward ? c.offset : -c.offset / c.ratio;
  for (int block = 0; block < call.out.blocks(); ++block) {
    const JointState<S> state = call.out.block(block);
    set_position(call.frames[to], state, to, S(state.q[from] * ratio + offset));
    state.v[to] = state.v[from] * ratio;
    state.a[to] = state.a[from] * ratio;
  }
}

template class Coordinates<double>;
template class Coordinates<Pack>;

}  // namespace counterpoise
