#include "engine/kinematics/coordinates.hpp"

#include <algorithm>
#include <cmath>

#include "engine/math/pack.hpp"

namespace counterpoise {
template <class S>
Coordinates<S>::Coordinates(const Mechanism& mechanism, const Paths& paths, const Plan& plan,
                            std::size_t driven, const Holding& holding)
    : paths_(&paths),
      plan_(&plan),
      driven_(driven),
      drives_(driven, plan.coordinates.size() - driven, holding),
      held_(plan.coordinates.size() - driven),
      findings_(plan.steps.size() + (plan.redundant.empty() ? 0 : 1)),
      scratch_(plan.steps.size()),
      continuation_(mechanism, plan.coordinates.size()),
      now_(mechanism, plan.coordinates.size()),
      at_zero_(mechanism.body_count()) {
  for (std::size_t i = 0; i < scratch_.size(); ++i) {
    const Step& step = plan.steps[i];
    const auto element = static_cast<std::size_t>(step.equations.front().element);
    if (step.kind == StepKind::line) scratch_[i].line.resize(paths.actuators[element]);
    if (step.kind == StepKind::dyad)
      for (std::size_t end : {0u, 1u}) {
        scratch_[i].plane_ends[end].resize(paths.loops[element].chains[end].size());
      }
    if (step.kind == StepKind::dyad || step.kind == StepKind::group) {
      scratch_[i].group.emplace(step.equations, step.unknowns, mechanism, paths);
      scratch_[i].group_watch.emplace(*scratch_[i].group, mechanism.body_count());
      scratch_[i].before.emplace(mechanism, plan.coordinates.size());
      if constexpr (lanes < S >> 1)
        scratch_[i].blocks.emplace(step.equations, step.unknowns, mechanism, paths,
                                   plan.coordinates.size());
    }
  }
  if (!plan.redundant.empty()) redundant_.emplace(plan.redundant, mechanism, paths);
}

template <class S>
void Coordinates<S>::set_motion(const Motion& motion, StaleUnits& stale) {
  drives_.set_motion(motion, stale);
  step_ = motion.step;
}

template <class S>
void Coordinates<S>::hold(const DesignGeometry& geometry, const SampleState& zero,
                          StaleUnits& stale) {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Equation drive = drive_equation(plan_->coordinates[driven_ + i], 0, geometry.mechanism);
    const auto element = static_cast<std::size_t>(drive.element);
    if (drive.kind == EquationKind::joint_drive) {
      held_[i] = zero.view().q[element];
      continue;
    }
    zero_line_.resize(paths_->actuators[element]);
    trace_line(geometry, paths_->actuators[element], zero.view(), zero_line_);
    held_[i] = zero_line_.length;
  }
  drives_.hold(held_, stale);
}

template <class S>
std::optional<Finding> Coordinates<S>::solve(const DesignGeometry& geometry,
                                             const SampleState& zero, StaleUnits& stale,
                                             JointMotion<S>& out, ClosureJacobian<S>& closures) {
  out.resize(geometry.mechanism.body_count(), stretch().samples);
  const Call call{geometry, step_, stretch(), zero.view(), out, closures};
  for (std::size_t unit = 0; unit < findings_.size(); ++unit) {
    if (stale.stale(unit)) {
      ++runs_;
      findings_[unit] = unit < plan_->steps.size() ? run(call, plan_->steps[unit], scratch_[unit])
                                                   : check_redundant(call);
      stale.settle(unit);
    } else {
      ++reused_;
    }
    if (findings_[unit]) return findings_[unit];
  }
  return std::nullopt;
}

template <class S>
std::optional<Finding> Coordinates<S>::run(const Call& call, const Step& step, Scratch& scratch) {
  forget_columns(call, step.equations);
  switch (step.kind) {
    case StepKind::joint:
      follow_joint(call, step);
      return std::nullopt;
    case StepKind::coupling:
      follow_coupling(call, step);
      return std::nullopt;
    case StepKind::line:
      return follow_line(call, step, scratch);
    case StepKind::dyad:
      return follow_dyad(call, step, scratch);
    case StepKind::group:
      return follow_group(call, scratch);
  }
  return std::nullopt;
}

/// Forgets the columns of closures that are posed anew. Every change of a pose on their path comes
/// through here.
template <class S>
void Coordinates<S>::forget_columns(const Call& call, const std::vector<Equation>& equations) {
  for (const Equation& equation : equations)
    if (ClosureColumns<S>* columns = call.closures.of(equation)) columns->forget();
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
      call.geometry.mechanism.couplings[static_cast<std::size_t>(step.equations.front().element)];
  const BodyIndex unknown = step.unknowns.front();
  const auto to = static_cast<std::size_t>(unknown);
  const auto known = c.solved_for(unknown);
  for (int block = 0; block < call.out.blocks(); ++block) {
    const JointState<S> state = call.out.block(block);
    S q(known.offset);
    state.v[to] = state.a[to] = S(0.0);
    for (const CouplingTerm& term : std::span(known.terms).first(known.count)) {
      const auto from = static_cast<std::size_t>(term.of);
      q += state.q[from] * term.ratio;
      state.v[to] += state.v[from] * term.ratio;
      state.a[to] += state.a[from] * term.ratio;
    }
    set_position(call.geometry.frames[to], state, to, q);
  }
}

template class Coordinates<double>;
template class Coordinates<Pack>;

}  // namespace counterpoise
