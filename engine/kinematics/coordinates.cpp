#include "engine/kinematics/coordinates.hpp"

#include <algorithm>
#include <cmath>

#include "engine/math/pack.hpp"

namespace counterpoise {
template <class S>
Coordinates<S>::Coordinates(const Mechanism& mechanism, const Paths& paths, const Plan& plan,
                            std::size_t driven)
    : paths_(&paths),
      plan_(&plan),
      driven_(driven),
      drives_(driven, plan.coordinates.size() - driven),
      held_(plan.coordinates.size() - driven),
      memory_(plan.steps.size() + 1),
      changed_(mechanism.bodies.size()),
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
    if (step.kind == StepKind::dyad || step.kind == StepKind::group) {
      scratch_[i].group.emplace(step.equations, step.unknowns, mechanism, paths);
      scratch_[i].group_watch.emplace(*scratch_[i].group, mechanism.body_count());
    }
  }
  if (!plan.redundant.empty()) redundant_.emplace(plan.redundant, mechanism, paths);
}

template <class S>
void Coordinates<S>::set_motion(const Motion& motion) {
  drives_.set_motion(motion);
  step_ = motion.step;
}

template <class S>
void Coordinates<S>::forget() {
  held_at_ = solved_at_ = 0;
  for (Memory& memory : memory_) memory.ran = 0;
}

template <class S>
std::optional<Finding> Coordinates<S>::solve(const Mechanism& mechanism,
                                             std::span<const JointFrame> frames,
                                             const Revisions& revisions,
                                             const ZeroConfiguration& zero, JointMotion<S>& out) {
  if (solved_at_ >= revisions.kinematics() && !drives_.is_new()) {
    reused_ += static_cast<std::int64_t>(steps_run_);
    return finding_;
  }
  solved_at_ = revisions.now();
  hold(mechanism, frames, revisions, zero);
  out.resize(mechanism.body_count(), drives_.samples());

  const Call call{mechanism, frames, step_, zero.state(), out};
  for (std::size_t i = 0; i <= plan_->steps.size(); ++i) {
    const bool last = i == plan_->steps.size();
    const Step* step = last ? nullptr : &plan_->steps[i];
    if (last && !redundant_) break;
    Memory& memory = memory_[i];
    const std::vector<Equation>& equations = last ? plan_->redundant : step->equations;
    if (memory.ran >= latest_input(equations, step, mechanism, revisions, zero)) {
      ++reused_;
    } else {
      ++runs_;
      memory.finding = last ? check_redundant(call) : run(call, *step, scratch_[i]);
      memory.ran = revisions.now();
      if (!last)
        for (int body : step->unknowns)
          changed_[static_cast<std::size_t>(body)] = latest_ = memory.ran;
    }
    steps_run_ = i + 1;
    finding_ = memory.finding;
    if (finding_) break;
  }
  return finding_;
}

/// Positions of the held coordinates, as the zero configuration has them.
template <class S>
void Coordinates<S>::hold(const Mechanism& mechanism, std::span<const JointFrame> frames,
                          const Revisions& revisions, const ZeroConfiguration& zero) {
  if (held_at_ < revisions.kinematics()) {
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const Equation drive = drive_equation(plan_->coordinates[driven_ + i], 0, mechanism);
      const auto element = static_cast<std::size_t>(drive.element);
      if (drive.kind == EquationKind::joint_drive) {
        held_[i] = zero.state().view().q[element];
        continue;
      }
      zero_line_.resize(paths_->actuators[element]);
      trace_line(mechanism, frames, paths_->actuators[element], zero.state().view(), zero_line_);
      held_[i] = zero_line_.length;
    }
    held_at_ = revisions.now();
  }
  drives_.hold(held_, revisions.now());
}

/// The latest change of anything that equations read to find the unknowns of `step` (null: to be
/// checked only).
template <class S>
Stamp Coordinates<S>::latest_input(const std::vector<Equation>& equations, const Step* step,
                                   const Mechanism& mechanism, const Revisions& revisions,
                                   const ZeroConfiguration& zero) const {
  Stamp latest = drives_.times_changed();
  const auto see_joint = [&](int body) {
    const bool unknown = step != nullptr && std::find(step->unknowns.begin(), step->unknowns.end(),
                                                      body) != step->unknowns.end();
    if (!unknown) latest = std::max(latest, changed(body));
    latest = std::max(latest, zero.changed(body));
  };
  for (const Equation& equation : equations) {
    const auto element = static_cast<std::size_t>(equation.element);
    if (equation.slot >= 0)
      latest = std::max(latest, drives_.changed(static_cast<std::size_t>(equation.slot)));
    if (equation.kind == EquationKind::joint_drive) continue;
    if (equation.kind == EquationKind::coupling) {
      latest = std::max(latest, revisions.coupling(equation.element));
      see_joint(mechanism.couplings[element].joint);
      for (const CouplingTerm& term : mechanism.couplings[element].terms) see_joint(term.of);
      continue;
    }
    if (equation.kind == EquationKind::loop)
      latest = std::max(latest, revisions.loop(equation.element));
    const Path& path = path_of(equation, *paths_);
    latest = std::max(latest, latest_change(path, revisions));
    for (const std::vector<int>& chain : path.chains)
      for (int body : chain) see_joint(body);
  }
  return latest;
}

template <class S>
std::optional<Finding> Coordinates<S>::run(const Call& call, const Step& step, Scratch& scratch) {
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
  const int unknown = step.unknowns.front();
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
    set_position(call.frames[to], state, to, q);
  }
}

template class Coordinates<double>;
template class Coordinates<Pack>;

}  // namespace counterpoise
