#include "engine/kinematics/transmission.hpp"

#include <algorithm>

#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {

Route find_route(const Mechanism& mechanism, const Paths& paths, const Plan& actuator_plan,
                 BodyIndex joint) {
  std::vector<bool> touched(mechanism.bodies.size(), false);
  touched[joint] = true;
  Route route;
  for (std::size_t i = actuator_plan.steps.size(); i-- > 0;) {
    const Step& step = actuator_plan.steps[i];
    bool any = false;
    for (BodyIndex b : step.unknowns) any = any || touched[b];
    if (!any) continue;
    route.steps.push_back(i);
    for (const Equation& equation : step.equations) {
      if (equation.slot >= 0) route.actuators.push_back(equation.slot);
      for (BodyIndex b : joints_of(equation, mechanism, paths)) touched[b] = true;
    }
  }
  std::sort(route.actuators.begin(), route.actuators.end());
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b)
    if (touched[b]) route.joints.push_back(b);
  return route;
}

template <class S>
Transmission<S>::Transmission(const Mechanism& mechanism, const Paths& paths, const Plan& plan)
    : paths_(&paths),
      plan_(&plan),
      couplings_(plan.steps.size()),
      states_(plan.steps.size()),
      sample_(mechanism.body_count()),
      sample_before_(mechanism.body_count()),
      last_(mechanism.body_count()),
      sample_forces_(mechanism.bodies.size()),
      no_drive_(plan.coordinates.size(), 0.0),
      no_drives_(plan.coordinates.size(), S(0.0)) {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Step& step = plan.steps[i];
    const auto element = static_cast<std::size_t>(step.equations.front().element);
    if (step.kind != StepKind::dyad && step.kind != StepKind::group) continue;
    if (step.kind == StepKind::dyad)
      for (std::size_t end : {0u, 1u})
        states_[i].plane_ends[end].resize(paths.loops[element].chains[end].size());
    states_[i].lanes.assign(static_cast<std::size_t>(lanes<S>),
                            GroupSolver(step.equations, step.unknowns, mechanism, paths));
    states_[i].group_watch.emplace(states_[i].lanes.front(), mechanism.body_count());
    if constexpr (lanes < S >> 1) {
      states_[i].group.emplace(step.equations, step.unknowns, mechanism, paths);
      states_[i].lanes_watch.emplace(*states_[i].group, mechanism.body_count(),
                                     plan.coordinates.size());
    }
  }
}

template <class S>
void Transmission<S>::begin(const DesignGeometry& geometry, const JointView<double>& zero,
                            const JointMotion<S>& joints, double time_step,
                            ClosureJacobian<S>& closures) {
  const Mechanism& mechanism = geometry.mechanism;
  time_step_ = time_step;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Step& step = plan_->steps[i];
    StepState& at = states_[i];
    at.watch.begin();
    if (at.group_watch) at.group_watch->begin();
    at.in_lanes = false;
    const Equation& equation = step.equations.front();
    const auto element = static_cast<std::size_t>(equation.element);
    if (step.kind == StepKind::coupling)
      couplings_[i] = mechanism.couplings[element].solved_for(step.unknowns.front());
    if (step.kind == StepKind::dyad)
      at.plane = find_plane(geometry, mechanism.loops[element], paths_->loops[element], step.dyad,
                            zero, at.plane_ends);
    if (step.kind == StepKind::line || at.plane) {
      ClosureColumns<S>* columns = closures.of(equation);
      columns->require(geometry, joints);
      at.columns = columns;
    }
  }
}

template <class S>
std::optional<Finding> Transmission<S>::prepare(const DesignGeometry& geometry,
                                                const JointMotion<S>& joints, int block) {
  bool grouped = false;
  block_ = block;
  used_lanes_ = std::min(lanes<S>, joints.samples() - block * lanes<S>);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Step& step = plan_->steps[i];
    StepState& at = states_[i];
    const int element = step.equations.front().element;
    if (step.kind == StepKind::joint || step.kind == StepKind::coupling) continue;
    if (step.kind == StepKind::group || (step.kind == StepKind::dyad && !at.plane)) {
      if (const auto finding = prepare_group(geometry, joints.block(block), at)) return finding;
      grouped = true;
      continue;
    }
    S quality, smallest, lever;  // lever has a sign and vanishes in singular poses
    if (step.kind == StepKind::line) {
      const PathJoint& joint = step.line_joint;
      const Vec3<S>& column = at.columns->column(block, joint.end, joint.position);
      lever = at.columns->length_slope(block, joint.end, joint.position);
      smallest = abs(lever);
      quality = smallest / larger(S(sqrt(S(column.dot(column)))), S(1e-300));
    } else {
      const auto column = [&](std::size_t j) {
        const PathJoint& joint = step.dyad.joints[j];
        const Vec3<S>& c = at.columns->column(block, joint.end, joint.position);
        return joint.end == 0 ? c : Vec3<S>(-c);
      };
      const Vec3<S> c0 = column(0), c1 = column(1);
      const Vec3<S> e1 = at.plane->e1.template cast<S>(), e2 = at.plane->e2.template cast<S>();
      at.a00 = e1.dot(c0);
      at.a01 = e1.dot(c1);
      at.a10 = e2.dot(c0);
      at.a11 = e2.dot(c1);
      at.det = at.a00 * at.a11 - at.a01 * at.a10;
      lever = at.det;
      const S squares = c0.dot(c0) + c1.dot(c1);
      quality = abs(at.det) / larger(S(sqrt(S(c0.dot(c0) * c1.dot(c1)))), S(1e-300));
      // near a singular pose the square of the larger singular value is the sum of both squares
      smallest = abs(at.det) / larger(S(sqrt(squares)), S(1e-300));
    }
    const bool loop = step.kind == StepKind::dyad;
    for (int k = 0; k < used_lanes_; ++k) {
      if (!(lane(quality, k) >= singular_sine))
        return Finding{FindingKind::transmission_singular, loop ? element : -1, 1.0 * k,
                       lane(smallest, k)};
      if (const auto share = at.watch.see(lane(lever, k)))
        return Finding{loop ? FindingKind::transmission_loop_passed
                            : FindingKind::transmission_actuator_passed,
                       element, k - 1 + *share};
    }
  }
  if (grouped) last_.read_lane<S>(joints.block(block), used_lanes_ - 1);
  return std::nullopt;
}

/// Prepares the next block in all lanes at once. Returns whether no pose in it is near a singular
/// one and none was passed; otherwise the samples have to be looked at one after the other.
template <class S>
bool Transmission<S>::prepare_lanes(const DesignGeometry& geometry, const JointView<S>& state,
                                    StepState& at) {
  if constexpr (lanes < S >> 1) {
    if (block_ > 0 && !at.in_lanes) at.lanes_watch->begin(geometry, *at.group, last_.view());
    at.group->linearise(geometry, state, no_drives_);
    if (block_ == 0) at.lanes_watch->begin(*at.group);
    return holds(at.group->regular()) && at.lanes_watch->quiet(*at.group, used_lanes_);
  }
  return false;
}

template <class S>
std::optional<Finding> Transmission<S>::prepare_group(const DesignGeometry& geometry,
                                                      const JointView<S>& state, StepState& at) {
  const bool was_in_lanes = at.in_lanes;
  at.in_lanes = prepare_lanes(geometry, state, at);
  if (at.in_lanes) return std::nullopt;
  if (was_in_lanes) {  // the watch of single samples goes on from the last one
    GroupSolver& group = at.lanes.front();
    group.linearise(geometry, last_.view(), no_drive_);
    at.group_watch->begin();
    at.group_watch->see(geometry, group, last_.view(), last_.view(), time_step_);
  }
  for (int k = 0; k < used_lanes_; ++k) {
    std::swap(sample_, sample_before_);
    sample_.read_lane<S>(state, k);
    GroupSolver& group = at.lanes[static_cast<std::size_t>(k)];
    group.linearise(geometry, sample_.view(), no_drive_);
    if (!(group.conditioning() >= singular_pivot)) {
      Finding finding = group.system().singular_finding(k, group.smallest_singular_value());
      if (finding.kind == FindingKind::singular_actuator) finding.element = -1;
      finding.kind = FindingKind::transmission_singular;
      return finding;
    }
    const SampleState& before = k == 0 ? last_ : sample_before_;
    const auto share =
        at.group_watch->see(geometry, group, before.view(), sample_.view(), time_step_);
    if (share) {
      Finding finding = group.system().passage_finding(k - 1 + *share);
      finding.kind = finding.kind == FindingKind::singular_loop_passed
                         ? FindingKind::transmission_loop_passed
                         : FindingKind::transmission_actuator_passed;
      return finding;
    }
  }
  return std::nullopt;
}

template <class S>
void Transmission<S>::apply(const Route& route, std::span<S> x, std::span<S> loads) {
  for (std::size_t i : route.steps) {
    const Step& step = plan_->steps[i];
    StepState& at = states_[i];
    const Equation& equation = step.equations.front();
    switch (step.kind) {
      case StepKind::joint:
        loads[static_cast<std::size_t>(equation.slot)] = x[step.unknowns.front()];
        break;
      case StepKind::coupling: {
        const Coupling::Solved& known = couplings_[i];
        const S& force = x[step.unknowns.front()];
        for (const CouplingTerm& term : std::span(known.terms).first(known.count))
          x[term.of] += force * term.ratio;
        break;
      }
      case StepKind::line:
        apply_line(step, at, x, loads);
        break;
      case StepKind::dyad:
        if (at.plane)
          apply_dyad(step, at, x);
        else
          apply_group(at, x, loads);
        break;
      case StepKind::group:
        apply_group(at, x, loads);
        break;
    }
  }
}

template <class S>
void Transmission<S>::apply_line(const Step& step, const StepState& at, std::span<S> x,
                                 std::span<S> loads) const {
  const Equation& drive = step.equations.front();
  const Path& path = paths_->actuators[static_cast<std::size_t>(drive.element)];
  const PathJoint& joint = step.line_joint;
  const S load = x[joint.body] / at.columns->length_slope(block_, joint.end, joint.position);
  loads[static_cast<std::size_t>(drive.slot)] = load;
  for (std::size_t end : {0u, 1u})
    for (std::size_t k = 0; k < path.chains[end].size(); ++k)
      if (path.chains[end][k] != joint.body)
        x[path.chains[end][k]] -= at.columns->length_slope(block_, end, k) * load;
}

template <class S>
void Transmission<S>::apply_dyad(const Step& step, const StepState& at, std::span<S> x) const {
  const Path& path = paths_->loops[static_cast<std::size_t>(step.equations.front().element)];
  const auto b0 = static_cast<std::size_t>(step.dyad.joints[0].body);
  const auto b1 = static_cast<std::size_t>(step.dyad.joints[1].body);
  // A^T lambda = x of the two joints; the pin force lambda acts on all other joints of the loop
  const S l1 = (x[b0] * at.a11 - x[b1] * at.a10) / at.det;
  const S l2 = (at.a00 * x[b1] - at.a01 * x[b0]) / at.det;
  const Vec3<S> pin = at.plane->e1.template cast<S>() * l1 + at.plane->e2.template cast<S>() * l2;
  for (std::size_t end : {0u, 1u})
    for (std::size_t k = 0; k < path.chains[end].size(); ++k) {
      const auto b = static_cast<std::size_t>(path.chains[end][k]);
      if (b == b0 || b == b1) continue;
      const S work = at.columns->column(block_, end, k).dot(pin);
      x[b] -= end == 0 ? work : S(-work);
    }
}

template <class S>
void Transmission<S>::apply_group(StepState& at, std::span<S> x, std::span<S> loads) {
  if constexpr (lanes < S >> 1) {
    if (at.in_lanes) {
      const std::span<const S> multipliers = at.group->transfer_forces(x);
      std::size_t row = 0;
      for (const Equation& equation : at.group->equations().equations()) {
        if (equation.slot >= 0) loads[static_cast<std::size_t>(equation.slot)] = multipliers[row];
        row += static_cast<std::size_t>(equation.rows);
      }
      return;
    }
  }
  for (int k = 0; k < lanes<S>; ++k) {  // spare lanes repeat the last sample
    GroupSolver& group = at.lanes[static_cast<std::size_t>(std::min(k, used_lanes_ - 1))];
    for (std::size_t b = 0; b < x.size(); ++b) sample_forces_[b] = lane(x[b], k);
    const Eigen::VectorXd& multipliers = group.transfer_forces(sample_forces_);
    for (std::size_t b = 0; b < x.size(); ++b) set_lane(x[b], k, sample_forces_[b]);
    Eigen::Index row = 0;
    for (const Equation& equation : group.system().equations()) {
      if (equation.slot >= 0)
        set_lane(loads[static_cast<std::size_t>(equation.slot)], k, multipliers(row));
      row += equation.rows;
    }
  }
}

template class Transmission<double>;
template class Transmission<Pack>;

}  // namespace counterpoise
