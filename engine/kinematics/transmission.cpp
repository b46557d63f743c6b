#include "engine/kinematics/transmission.hpp"

#include <algorithm>

#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

bool determines(const Step& step, BodyIndex body) {
  return std::find(step.unknowns.begin(), step.unknowns.end(), body) != step.unknowns.end();
}

bool is_in(const Plan& plan, const Equation& equation) {
  return std::any_of(plan.steps.begin(), plan.steps.end(), [&](const Step& step) {
    return std::any_of(step.equations.begin(), step.equations.end(), [&](const Equation& other) {
      return other.kind == equation.kind && other.element == equation.element;
    });
  });
}

}  // namespace

std::vector<std::vector<ForceShare>> find_force_shares(const Mechanism& mechanism,
                                                       const Paths& paths,
                                                       const Plan& actuator_plan) {
  std::vector<std::vector<ForceShare>> shares(mechanism.bodies.size());
  std::vector<char> driven(mechanism.bodies.size(), 0);
  for (const Step& step : actuator_plan.steps) {
    std::vector<ActuatorIndex> all;
    for (const Equation& equation : step.equations) {
      if (equation.slot >= 0) all.push_back(equation.slot);
      for (const BodyIndex body : joints_of(equation, mechanism, paths))
        for (const ForceShare& share : shares[body]) all.push_back(share.actuator);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const BodyIndex body : step.unknowns) {
      const auto b = static_cast<std::size_t>(body);
      driven[b] = step.kind == StepKind::joint ? 1 : 0;
      for (const ActuatorIndex actuator : all) shares[b].push_back({actuator, -1});
    }
  }
  int series = 0;
  for (std::size_t b = 0; b < shares.size(); ++b)
    for (ForceShare& share : shares[b])
      if (driven[b] == 0) share.series = series++;
  return shares;
}

template <class S>
Transmission<S>::Transmission(const Mechanism& mechanism, const Paths& paths, const Plan& plan,
                              const Plan& motion_plan,
                              const std::vector<std::vector<ForceShare>>& shares)
    : paths_(&paths),
      plan_(&plan),
      states_(plan.steps.size()),
      at_zero_(mechanism.body_count()),
      sample_(mechanism.body_count()),
      sample_before_(mechanism.body_count()),
      sample_rates_(mechanism.body_count()),
      no_drive_(plan.coordinates.size(), 0.0),
      a_drive_(no_drive_),
      no_drives_(plan.coordinates.size(), S(0.0)),
      a_drives_(no_drives_) {
  rates_.resize(mechanism.body_count(), lanes<S>);
  for (const std::vector<ForceShare>& of_body : shares)
    for (const ForceShare& share : of_body) series_ += share.series >= 0 ? 1 : 0;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Step& step = plan.steps[i];
    StepState& at = states_[i];
    const Equation& equation = step.equations.front();
    at.posed = is_in(motion_plan, equation);
    if (step.kind != StepKind::joint) add_known(step, mechanism, shares, at);
    if (step.kind == StepKind::dyad)
      for (std::size_t end : {0u, 1u})
        at.plane_ends[end].resize(path_of(equation, paths).chains[end].size());
    if (step.kind == StepKind::group) make_group(step, mechanism, at);
  }
}

/// Makes what a step needs for Newton's matrices, which is the size of the mechanism.
template <class S>
void Transmission<S>::make_group(const Step& step, const Mechanism& mechanism,
                                 StepState& at) const {
  at.solver.emplace(step.equations, step.unknowns, mechanism, *paths_);
  at.group_watch.emplace(*at.solver, mechanism.body_count());
  at.last.emplace(mechanism.body_count());
  if constexpr (lanes < S >> 1) {
    at.group.emplace(step.equations, step.unknowns, mechanism, *paths_);
    at.lanes_watch.emplace(*at.group, mechanism.body_count(), plan_->coordinates.size());
  }
}

/// Finds which actuators move a step's joints, and where their slopes are.
template <class S>
void Transmission<S>::add_known(const Step& step, const Mechanism& mechanism,
                                const std::vector<std::vector<ForceShare>>& shares, StepState& at) {
  std::vector<PathJoint> joints;
  for (const Equation& equation : step.equations)
    for (const BodyIndex body : joints_of(equation, mechanism, *paths_)) {
      if (determines(step, body)) continue;
      const bool placed = step.kind == StepKind::line || step.kind == StepKind::dyad;
      joints.push_back(placed ? find_on_path(path_of(equation, *paths_), body).value_or(PathJoint{})
                              : PathJoint{body, 0, 0});
    }
  const auto& all = shares[step.unknowns.front()];
  for (std::size_t i = 0; i < all.size(); ++i) {
    Mover& mover = at.movers.emplace_back();
    mover.actuator = all[i].actuator;
    for (const BodyIndex body : step.unknowns) mover.unknown.push_back(shares[body][i].series);
    for (const PathJoint& joint : joints)
      for (const ForceShare& share : shares[joint.body])
        if (share.actuator == mover.actuator) mover.known.push_back({joint, share.series});
  }
}

template <class S>
void Transmission<S>::run(std::size_t index, const Call& call) {
  const Step& step = plan_->steps[index];
  StepState& at = states_[index];
  if (call.stretch.starts()) {
    found_ -= at.finding ? 1 : 0;
    at.finding.reset();
    at.watch.begin();
    if (at.group_watch) at.group_watch->begin();
    at.in_lanes = false;
  }
  if (at.finding) return;
  blocks_ = static_cast<std::size_t>(call.joints.blocks());
  slopes_.resize(series_ * blocks_);
  switch (step.kind) {
    case StepKind::joint:
      return;
    case StepKind::coupling:
      return follow_coupling(step, call, at);
    case StepKind::line:
      return follow_line(step, call, at);
    case StepKind::dyad: {
      const auto loop = static_cast<std::size_t>(step.equations.front().element);
      const auto plane = find_plane(call.geometry, call.geometry.mechanism.loops[loop],
                                    paths_->loops[loop], step.dyad, at_zero_.view(), at.plane_ends);
      if (plane) return follow_dyad(step, *plane, call, at);
      if (!at.solver) make_group(step, call.geometry.mechanism, at);
      return follow_group(call, at);
    }
    case StepKind::group:
      return follow_group(call, at);
  }
}

template <class S>
std::optional<Finding> Transmission<S>::finding() const {
  if (found_ == 0) return std::nullopt;
  const StepState* first = nullptr;
  for (const StepState& at : states_)
    if (at.finding && (first == nullptr || at.found_in < first->found_in)) first = &at;
  return first == nullptr ? std::nullopt : first->finding;
}

/// The columns of a step's line or loop. Where no step of the motion poses it, nobody else keeps
/// them.
template <class S>
const ClosureColumns<S>& Transmission<S>::columns_of(const Step& step, const StepState& at,
                                                     const Call& call) {
  ClosureColumns<S>& columns = *call.closures.of(step.equations.front());
  if (!at.posed) columns.forget();
  columns.require(call.geometry, call.joints);
  return columns;
}

/// Follows block after block up to the first finding, which has its lane in place of the time.
template <class S>
template <class Follow>
void Transmission<S>::each_block(const Call& call, StepState& at, const Follow& follow) {
  for (int block = 0; block < call.joints.blocks(); ++block) {
    used_lanes_ = std::min(lanes<S>, call.joints.samples() - block * lanes<S>);
    const std::optional<Finding> finding = follow(block);
    if (!finding) continue;
    const int first = call.stretch.first + block * lanes<S>;
    at.finding = finding;
    at.finding->time = call.time_step * (first + finding->time);
    at.found_in = first / lanes<S>;
    ++found_;
    return;
  }
}

template <class S>
void Transmission<S>::follow_coupling(const Step& step, const Call& call, StepState& at) {
  const auto element = static_cast<std::size_t>(step.equations.front().element);
  const Coupling::Solved solved =
      call.geometry.mechanism.couplings[element].solved_for(step.unknowns.front());
  for (const Mover& mover : at.movers)
    for (int block = 0; block < call.joints.blocks(); ++block) {
      S sum(0.0);
      for (const CouplingTerm& term : std::span(solved.terms).first(solved.count))
        for (const Known& known : mover.known)
          if (known.joint.body == term.of) sum += slope(known, block) * term.ratio;
      *slope(mover.unknown.front(), block) = sum;
    }
}

template <class S>
void Transmission<S>::follow_line(const Step& step, const Call& call, StepState& at) {
  const Equation& drive = step.equations.front();
  const PathJoint& joint = step.line_joint;
  const ClosureColumns<S>& columns = columns_of(step, at, call);
  each_block(call, at, [&](int block) {
    const Vec3<S>& column = columns.column(block, joint.end, joint.position);
    const S lever = columns.length_slope(block, joint.end, joint.position);
    auto finding = watch(at, lever, S(column.dot(column)), S(1.0), -1, drive.element);
    if (finding) return finding;
    const S inverse = S(1.0) / lever;
    for (const Mover& mover : at.movers) {
      S rate(mover.actuator == drive.slot ? 1.0 : 0.0);
      for (const Known& known : mover.known)
        rate -= columns.length_slope(block, known.joint.end, known.joint.position) *
                slope(known, block);
      *slope(mover.unknown.front(), block) = rate * inverse;
    }
    return finding;
  });
}

template <class S>
void Transmission<S>::follow_dyad(const Step& step, const PlaneAxes& plane, const Call& call,
                                  StepState& at) {
  const ClosureColumns<S>& columns = columns_of(step, at, call);
  const auto in_plane = [&](const PathJoint& joint, int block) {
    const Vec3<S>& c = columns.column(block, joint.end, joint.position);
    const Vec2<S> x(c(0) * plane.e1(0) + c(1) * plane.e1(1) + c(2) * plane.e1(2),
                    c(0) * plane.e2(0) + c(1) * plane.e2(1) + c(2) * plane.e2(2));
    return Vec2<S>(x * S(sign_of_end(joint.end)));
  };
  const std::array<PathJoint, 2>& joints = step.dyad.joints;
  // which of the step's unknowns the dyad's joints are
  const std::size_t first = step.unknowns.front() == joints[0].body ? 0 : 1;
  const int loop = step.equations.front().element;
  each_block(call, at, [&](int block) {
    const Vec2<S> c0 = in_plane(joints[0], block), c1 = in_plane(joints[1], block);
    const S det = cross2<S>(c0, c1);
    const S squares_0 = c0.dot(c0), squares_1 = c1.dot(c1);
    // near a singular pose the square of the larger singular value is the sum of both squares
    auto finding = watch(at, det, squares_0 * squares_1, squares_0 + squares_1, loop, loop);
    if (finding) return finding;
    const S inverse = S(1.0) / det;
    for (const Mover& mover : at.movers) {
      Vec2<S> rest(S(0.0), S(0.0));
      for (const Known& known : mover.known)
        rest += in_plane(known.joint, block) * slope(known, block);
      *slope(mover.unknown[first], block) = cross2<S>(c1, rest) * inverse;
      *slope(mover.unknown[1 - first], block) = cross2<S>(rest, c0) * inverse;
    }
    return finding;
  });
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

template class Transmission<double>;
template class Transmission<Pack>;

template <class S>
void Transmission<S>::follow_group(const Call& call, StepState& at) {
  each_block(call, at, [&](int block) {
    std::optional<Finding> finding;
    const bool was_in_lanes = at.in_lanes;
    at.in_lanes = follow_lanes(call, at, block);
    if (!at.in_lanes) {
      if (was_in_lanes) {  // the watch of single samples goes on from the last one
        at.solver->linearise(call.geometry, at.last->view(), no_drive_);
        at.group_watch->begin();
        at.group_watch->see(call.geometry, *at.solver, at.last->view(), at.last->view(),
                            call.time_step);
      }
      finding = follow_samples(call, at, block);
    }
    at.last->template read_lane<S>(call.joints.block(block), used_lanes_ - 1);
    return finding;
  });
}

template <class S>
std::optional<Finding> Transmission<S>::follow_samples(const Call& call, StepState& at, int block) {
  GroupSolver& solver = *at.solver;
  for (int k = 0; k < used_lanes_; ++k) {
    std::swap(sample_, sample_before_);
    sample_.template read_lane<S>(call.joints.block(block), k);
    solver.linearise(call.geometry, sample_.view(), no_drive_);
    if (!(solver.conditioning() >= singular_pivot)) {
      Finding finding = solver.system().singular_finding(k, solver.smallest_singular_value());
      if (finding.kind == FindingKind::singular_actuator) finding.element = -1;
      finding.kind = FindingKind::transmission_singular;
      return finding;
    }
    const SampleState& before = k == 0 ? *at.last : sample_before_;
    const auto share =
        at.group_watch->see(call.geometry, solver, before.view(), sample_.view(), call.time_step);
    if (share) {
      Finding finding = solver.system().passage_finding(k - 1 + *share);
      finding.kind = finding.kind == FindingKind::singular_loop_passed
                         ? FindingKind::transmission_loop_passed
                         : FindingKind::transmission_actuator_passed;
      return finding;
    }
    solve_sample(at, block, k);
  }
  return std::nullopt;
}

/// Solves for the slopes of a group's joints in lane `k`, at which its solver is linearised. Spare
/// lanes repeat the last sample.
template <class S>
void Transmission<S>::solve_sample(StepState& at, int block, int k) {
  GroupSolver& solver = *at.solver;
  const JointState<double> rates = sample_rates_.view();
  const int end = k + 1 == used_lanes_ ? lanes<S> : k + 1;
  for (const Mover& mover : at.movers) {
    fill(rates.v, 0.0);
    for (const Known& known : mover.known) rates.v[known.joint.body] = lane(slope(known, block), k);
    const auto a = static_cast<std::size_t>(mover.actuator);
    a_drive_[a] = 1.0;
    solver.solve_velocities(rates, a_drive_);
    a_drive_[a] = 0.0;
    for (std::size_t j = 0; j < mover.unknown.size(); ++j)
      for (int i = k; i < end; ++i)
        set_lane(*slope(mover.unknown[j], block), i, rates.v[solver.unknowns()[j]]);
  }
}

/// Solves for the slopes of a group's joints in all lanes at once. Returns whether no pose in the
/// block is near a singular one and none was passed; otherwise the samples have to be looked at one
/// after the other.
template <class S>
bool Transmission<S>::follow_lanes(const Call& call, StepState& at, int block) {
  if constexpr (lanes < S >> 1) {
    GroupLanes& group = *at.group;
    const bool first = call.stretch.starts() && block == 0;
    if (!first && !at.in_lanes) at.lanes_watch->begin(call.geometry, group, at.last->view());
    group.linearise(call.geometry, call.joints.block(block), no_drives_);
    if (first) at.lanes_watch->begin(group);
    if (!holds(group.regular()) || !at.lanes_watch->quiet(group, used_lanes_)) return false;
    const JointState<S> rates = rates_.block(0);
    for (const Mover& mover : at.movers) {
      fill(rates.v, S(0.0));
      for (const Known& known : mover.known) rates.v[known.joint.body] = slope(known, block);
      const auto a = static_cast<std::size_t>(mover.actuator);
      a_drives_[a] = S(1.0);
      group.solve_velocities(rates, a_drives_);
      a_drives_[a] = S(0.0);
      for (std::size_t j = 0; j < mover.unknown.size(); ++j)
        *slope(mover.unknown[j], block) = rates.v[group.unknowns()[j]];
    }
    return true;
  }
  return false;
}

template void Transmission<double>::follow_group(const Call&, StepState&);
template void Transmission<Pack>::follow_group(const Call&, StepState&);

}  // namespace counterpoise
