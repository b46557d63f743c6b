#include "engine/kinematics/transmission.hpp"

#include <algorithm>

#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

bool determines(const Step& step, BodyIndex body) {
  return std::find(step.unknowns.begin(), step.unknowns.end(), body) != step.unknowns.end();
}

}  // namespace

std::vector<std::vector<ActuatorIndex>> loaded_actuators(const Mechanism& mechanism,
                                                         const Paths& paths,
                                                         const Plan& actuator_plan) {
  std::vector<std::vector<ActuatorIndex>> loaded(mechanism.bodies.size());
  for (const Step& step : actuator_plan.steps) {
    std::vector<ActuatorIndex> all;
    for (const Equation& equation : step.equations) {
      if (equation.slot >= 0) all.push_back(equation.slot);
      for (const BodyIndex body : joints_of(equation, mechanism, paths)) {
        const std::vector<ActuatorIndex>& more = loaded[static_cast<std::size_t>(body)];
        all.insert(all.end(), more.begin(), more.end());
      }
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const BodyIndex body : step.unknowns) loaded[static_cast<std::size_t>(body)] = all;
  }
  return loaded;
}

template <class S>
Transmission<S>::Transmission(const Mechanism& mechanism, const Paths& paths, const Plan& plan)
    : paths_(&paths),
      plan_(&plan),
      bodies_(mechanism.bodies.size()),
      couplings_(plan.steps.size()),
      states_(plan.steps.size()),
      slopes_(mechanism.actuators.size() * bodies_, S(0.0)),
      sample_(mechanism.body_count()),
      sample_before_(mechanism.body_count()),
      last_(mechanism.body_count()),
      sample_rates_(mechanism.body_count()),
      no_drive_(plan.coordinates.size(), 0.0),
      a_drive_(no_drive_),
      no_drives_(plan.coordinates.size(), S(0.0)),
      a_drives_(no_drives_) {
  rates_.resize(mechanism.body_count(), lanes<S>);
  const auto loaded = loaded_actuators(mechanism, paths, plan);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Step& step = plan.steps[i];
    StepState& at = states_[i];
    const Equation& equation = step.equations.front();
    at.actuators = loaded[static_cast<std::size_t>(step.unknowns.front())];
    if (step.kind == StepKind::joint) slope_of(step.unknowns.front(), equation.slot) = S(1.0);
    if (step.kind == StepKind::line || step.kind == StepKind::dyad) {
      const Path& path = path_of(equation, paths);
      for (std::size_t end : {0u, 1u})
        for (std::size_t k = 0; k < path.chains[end].size(); ++k) {
          const BodyIndex body = path.chains[end][k];
          if (!determines(step, body) && !loaded[static_cast<std::size_t>(body)].empty())
            at.known.push_back({body, end, k});
        }
      if (step.kind == StepKind::dyad)
        for (std::size_t end : {0u, 1u}) at.plane_ends[end].resize(path.chains[end].size());
    } else if (step.kind == StepKind::group) {
      for (const Equation& each : step.equations)
        for (const BodyIndex body : joints_of(each, mechanism, paths))
          if (!determines(step, body)) at.known.push_back({body, 0, 0});
    }
    if (step.kind != StepKind::dyad && step.kind != StepKind::group) continue;
    at.solver.emplace(step.equations, step.unknowns, mechanism, paths);
    at.group_watch.emplace(*at.solver, mechanism.body_count());
    if constexpr (lanes < S >> 1) {
      at.group.emplace(step.equations, step.unknowns, mechanism, paths);
      at.lanes_watch.emplace(*at.group, mechanism.body_count(), plan.coordinates.size());
    }
  }
}

template <class S>
void Transmission<S>::begin(const DesignGeometry& geometry, const JointView<double>& zero,
                            const JointMotion<S>& joints, double time_step, bool starts,
                            ClosureJacobian<S>& closures) {
  const Mechanism& mechanism = geometry.mechanism;
  time_step_ = time_step;
  starts_ = starts;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Step& step = plan_->steps[i];
    StepState& at = states_[i];
    if (starts) {
      at.watch.begin();
      if (at.group_watch) at.group_watch->begin();
      at.in_lanes = false;
    }
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
std::optional<Finding> Transmission<S>::follow(const DesignGeometry& geometry,
                                               const JointMotion<S>& joints, int block) {
  bool grouped = false;
  block_ = block;
  used_lanes_ = std::min(lanes<S>, joints.samples() - block * lanes<S>);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Step& step = plan_->steps[i];
    StepState& at = states_[i];
    std::optional<Finding> finding;
    if (step.kind == StepKind::coupling) {
      follow_coupling(step, at, couplings_[i]);
    } else if (step.kind == StepKind::line) {
      finding = follow_line(step, at);
    } else if (step.kind == StepKind::dyad && at.plane) {
      finding = follow_dyad(step, at);
    } else if (step.kind != StepKind::joint) {
      finding = follow_group(geometry, joints.block(block), at);
      grouped = true;
    }
    if (finding) return finding;
  }
  if (grouped) last_.read_lane<S>(joints.block(block), used_lanes_ - 1);
  return std::nullopt;
}

template <class S>
void Transmission<S>::follow_coupling(const Step& step, const StepState& at,
                                      const Coupling::Solved& known) {
  for (const ActuatorIndex a : at.actuators) {
    S sum(0.0);
    for (const CouplingTerm& term : std::span(known.terms).first(known.count))
      sum += slope(term.of, a) * term.ratio;
    slope_of(step.unknowns.front(), a) = sum;
  }
}

template <class S>
std::optional<Finding> Transmission<S>::follow_line(const Step& step, StepState& at) {
  const Equation& drive = step.equations.front();
  const PathJoint& joint = step.line_joint;
  const Vec3<S>& column = at.columns->column(block_, joint.end, joint.position);
  const S lever = at.columns->length_slope(block_, joint.end, joint.position);
  if (const auto finding = watch(at, lever, S(column.dot(column)), S(1.0), -1, drive.element))
    return finding;
  const S inverse = S(1.0) / lever;
  for (const ActuatorIndex a : at.actuators) {
    S rate(a == drive.slot ? 1.0 : 0.0);
    for (const PathJoint& known : at.known)
      rate -= at.columns->length_slope(block_, known.end, known.position) * slope(known.body, a);
    slope_of(joint.body, a) = rate * inverse;
  }
  return std::nullopt;
}

template <class S>
std::optional<Finding> Transmission<S>::follow_dyad(const Step& step, StepState& at) {
  const auto column = [&](const PathJoint& joint) {
    const Vec3<S>& c = at.columns->column(block_, joint.end, joint.position);
    return joint.end == 0 ? c : Vec3<S>(-c);
  };
  const auto& [first, second] = step.dyad.joints;
  const Vec3<S> c0 = column(first), c1 = column(second);
  const Vec3<S> e1 = at.plane->e1.template cast<S>(), e2 = at.plane->e2.template cast<S>();
  const S a00 = e1.dot(c0), a01 = e1.dot(c1), a10 = e2.dot(c0), a11 = e2.dot(c1);
  const S det = a00 * a11 - a01 * a10;
  const S squares_0 = c0.dot(c0), squares_1 = c1.dot(c1);
  const int loop = step.equations.front().element;
  // near a singular pose the square of the larger singular value is the sum of both squares
  const auto finding = watch(at, det, squares_0 * squares_1, squares_0 + squares_1, loop, loop);
  if (finding) return finding;
  const S inverse = S(1.0) / det;
  for (const ActuatorIndex a : at.actuators) {
    Vec3<S> rest = Vec3<S>::Constant(S(0.0));
    for (const PathJoint& known : at.known) {
      const Vec3<S>& c = at.columns->column(block_, known.end, known.position);
      const S& rate = slope(known.body, a);
      rest += c * (known.end == 0 ? rate : S(-rate));
    }
    const S r0 = e1.dot(rest), r1 = e2.dot(rest);
    slope_of(first.body, a) = (r1 * a01 - r0 * a11) * inverse;
    slope_of(second.body, a) = (r0 * a10 - r1 * a00) * inverse;
  }
  return std::nullopt;
}

/// Looks at a step's divisor, which has a sign and vanishes in singular poses: as a share of the
/// root of `squares` it is a sine, and over the root of `others` the distance from a singular pose.
template <class S>
std::optional<Finding> Transmission<S>::watch(StepState& at, const S& lever, const S& squares,
                                              const S& others, int loop, int element) {
  constexpr double clear = 4.0 * singular_sine * singular_sine;
  const S before = shifted(lever, at.watch.last());
  const auto sound = (lever * lever > squares * clear) & (lever * before > S(0.0));
  if (holds(sound, used_lanes_)) {
    at.watch.see(lane(lever, used_lanes_ - 1));
    return std::nullopt;
  }
  const S quality = abs(lever) / larger(S(sqrt(squares)), S(tiny));
  const S smallest = abs(lever) / larger(S(sqrt(others)), S(tiny));
  for (int k = 0; k < used_lanes_; ++k) {
    if (!(lane(quality, k) >= singular_sine))
      return Finding{FindingKind::transmission_singular, loop, 1.0 * k, lane(smallest, k)};
    if (const auto share = at.watch.see(lane(lever, k)))
      return Finding{loop >= 0 ? FindingKind::transmission_loop_passed
                               : FindingKind::transmission_actuator_passed,
                     element, k - 1 + *share};
  }
  return std::nullopt;
}

template <class S>
std::optional<Finding> Transmission<S>::follow_group(const DesignGeometry& geometry,
                                                     const JointView<S>& state, StepState& at) {
  GroupSolver& solver = *at.solver;
  const bool was_in_lanes = at.in_lanes;
  at.in_lanes = follow_lanes(geometry, state, at);
  if (at.in_lanes) return std::nullopt;
  if (was_in_lanes) {  // the watch of single samples goes on from the last one
    solver.linearise(geometry, last_.view(), no_drive_);
    at.group_watch->begin();
    at.group_watch->see(geometry, solver, last_.view(), last_.view(), time_step_);
  }
  for (int k = 0; k < used_lanes_; ++k) {
    std::swap(sample_, sample_before_);
    sample_.read_lane<S>(state, k);
    solver.linearise(geometry, sample_.view(), no_drive_);
    if (!(solver.conditioning() >= singular_pivot)) {
      Finding finding = solver.system().singular_finding(k, solver.smallest_singular_value());
      if (finding.kind == FindingKind::singular_actuator) finding.element = -1;
      finding.kind = FindingKind::transmission_singular;
      return finding;
    }
    const SampleState& before = k == 0 ? last_ : sample_before_;
    const auto share =
        at.group_watch->see(geometry, solver, before.view(), sample_.view(), time_step_);
    if (share) {
      Finding finding = solver.system().passage_finding(k - 1 + *share);
      finding.kind = finding.kind == FindingKind::singular_loop_passed
                         ? FindingKind::transmission_loop_passed
                         : FindingKind::transmission_actuator_passed;
      return finding;
    }
    solve_sample(at, k);
  }
  return std::nullopt;
}

/// Solves for the slopes of a group's joints in lane `k`, at which its solver is linearised. Spare
/// lanes repeat the last sample.
template <class S>
void Transmission<S>::solve_sample(StepState& at, int k) {
  GroupSolver& solver = *at.solver;
  const JointState<double> rates = sample_rates_.view();
  const int end = k + 1 == used_lanes_ ? lanes<S> : k + 1;
  fill(rates.v, 0.0);
  for (const ActuatorIndex a : at.actuators) {
    for (const PathJoint& known : at.known)
      rates.v[static_cast<std::size_t>(known.body)] = lane(slope(known.body, a), k);
    a_drive_[static_cast<std::size_t>(a)] = 1.0;
    solver.solve_velocities(rates, a_drive_);
    a_drive_[static_cast<std::size_t>(a)] = 0.0;
    for (const BodyIndex body : solver.unknowns())
      for (int i = k; i < end; ++i)
        set_lane(slope_of(body, a), i, rates.v[static_cast<std::size_t>(body)]);
  }
}

/// Solves for the slopes of a group's joints in all lanes at once. Returns whether no pose in the
/// block is near a singular one and none was passed; otherwise the samples have to be looked at one
/// after the other.
template <class S>
bool Transmission<S>::follow_lanes(const DesignGeometry& geometry, const JointView<S>& state,
                                   StepState& at) {
  if constexpr (lanes < S >> 1) {
    GroupLanes& group = *at.group;
    const bool first = starts_ && block_ == 0;
    if (!first && !at.in_lanes) at.lanes_watch->begin(geometry, group, last_.view());
    group.linearise(geometry, state, no_drives_);
    if (first) at.lanes_watch->begin(group);
    if (!holds(group.regular()) || !at.lanes_watch->quiet(group, used_lanes_)) return false;
    const JointState<S> rates = rates_.block(0);
    const std::vector<BodyIndex>& joints = group.equations().joints();
    for (const ActuatorIndex a : at.actuators) {
      for (std::size_t j = group.unknowns().size(); j < joints.size(); ++j)
        rates.v[static_cast<std::size_t>(joints[j])] = slope(joints[j], a);
      a_drives_[static_cast<std::size_t>(a)] = S(1.0);
      group.solve_velocities(rates, a_drives_);
      a_drives_[static_cast<std::size_t>(a)] = S(0.0);
      for (const BodyIndex body : group.unknowns())
        slope_of(body, a) = rates.v[static_cast<std::size_t>(body)];
    }
    return true;
  }
  return false;
}

template class Transmission<double>;
template class Transmission<Pack>;

}  // namespace counterpoise
