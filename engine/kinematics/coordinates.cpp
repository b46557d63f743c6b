#include "engine/kinematics/coordinates.hpp"

#include <algorithm>
#include <cmath>

#include "engine/kinematics/closure/closed_form.hpp"
#include "engine/kinematics/closure/tolerances.hpp"
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
  const Coupling& c = call.geometry.mechanism.couplings[step.equations.front().element];
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

namespace {

/// The angle equal to `q` modulo full turns that lies nearest to `near`.
double unwrapped(double q, double near) {
  const double off = q - near;
  return std::abs(off) <= std::numbers::pi ? q : q - full_turn * std::round(off / full_turn);
}

template <class S>
Vec3<S> in_space(const PlaneAxes& plane, const Vec2<S>& x) {
  return {x(0) * plane.e1(0) + x(1) * plane.e2(0), x(0) * plane.e1(1) + x(1) * plane.e2(1),
          x(0) * plane.e1(2) + x(1) * plane.e2(2)};
}

}  // namespace

template <class S>
std::optional<Finding> Coordinates<S>::follow_line(const Call& call, const Step& step,
                                                   Scratch& scratch) {
  const DesignGeometry& geometry = call.geometry;
  const std::span<const JointFrame> frames = geometry.frames;
  JointMotion<S>& out = call.out;
  const Equation& drive = step.equations.front();
  const auto slot = static_cast<std::size_t>(drive.slot);
  const Path& path = paths_->actuators[drive.element];
  const PathJoint& joint = step.line_joint;
  const auto b = static_cast<std::size_t>(joint.body);
  const bool angle = frames[b].type == JointType::revolute;
  const double q_zero = call.zero.q[b];
  Line<S>& line = scratch.line;
  ClosureColumns<S>& columns = *call.closures.of(drive);
  columns.resize(out.blocks());

  const auto solve = [&](int block, double branch) {
    return solve_line_joint(geometry, path, joint, branch, drives_.position(slot, block),
                            out.block(block), line);
  };
  const auto distance = [&](double branch) {
    const double q = lane(solve(0, branch).joint.q, 0);
    return std::abs((angle ? unwrapped(q, q_zero) : q) - q_zero);
  };
  if (call.stretch.starts()) {
    scratch.branch = distance(1.0) <= distance(-1.0) ? 1.0 : -1.0;
    scratch.watch = {{FindingKind::actuator_unreachable, FindingKind::singular_actuator,
                      FindingKind::singular_actuator_passed},
                     drive.element,
                     call.step};
    scratch.continuity[0].begin(q_zero);
  }

  StepWatch watch = scratch.watch;
  for (int block = 0; block < out.blocks(); ++block) {
    const LineJointSolution<S> solution = solve(block, scratch.branch);
    const JointState<S> state = out.block(block);
    set_position(state, b, solution.joint);
    trace_end(geometry, path, joint.end, state, line.ends[joint.end]);  // the other end stays
    line.join_ends();
    columns.write(block, line);
    const S slope = length_slope(line, joint.end, joint.position);
    const S& length = drives_.position(slot, block);
    watch.see_block(solution.gap, S(length * length), solution.sine, slope, S(1.0),
                    call.stretch.first + block * lanes<S>);
    S known_rate(0.0), rate(0.0);
    for (std::size_t end : {0u, 1u})
      for (std::size_t k = 0; k < path.chains[end].size(); ++k) {
        const BodyIndex body = path.chains[end][k];
        if (body != joint.body) known_rate += length_slope(line, end, k) * state.v[body];
      }
    state.v[b] = (drives_.velocity(slot, block) - known_rate) / slope;
    state.a[b] = S(0.0);
    const S known = length_acceleration<S>(frames, path, state, line, rate);
    state.a[b] = (drives_.acceleration(slot, block) - known) / slope;
  }
  scratch.watch = watch;
  if (const auto finding = watch.result()) return finding;
  const int kink = scratch.continuity[0].follow(out, joint.body, angle, call.step, call.stretch);
  if (kink >= 0)
    return Finding{FindingKind::actuator_jump, drive.element, kink * call.step, 0.0, 0.0, 0.0};
  columns.finish();
  return std::nullopt;
}

template <class S>
std::optional<Finding> Coordinates<S>::follow_dyad(const Call& call, const Step& step,
                                                   Scratch& scratch) {
  const DesignGeometry& geometry = call.geometry;
  const std::span<const JointFrame> frames = geometry.frames;
  JointMotion<S>& out = call.out;
  const LoopIndex loop = step.equations.front().element;
  const Path& path = paths_->loops[loop];
  const auto plane = find_plane(geometry, geometry.mechanism.loops[loop], path, step.dyad,
                                call.zero, scratch.plane_ends);
  if (!plane) return follow_group(call, scratch);
  ClosureColumns<S>& columns = *call.closures.of(step.equations.front());
  columns.resize(out.blocks());

  const PlanarLoop& planar = scratch.loop;
  scratch.loop.set(geometry, path, step.dyad, *plane, at_zero_.view(), scratch.plane_ends);
  const auto& joints = step.dyad.joints;
  const std::array<std::size_t, 2> b = {static_cast<std::size_t>(joints[0].body),
                                        static_cast<std::size_t>(joints[1].body)};
  DyadEnds<S>& ends = scratch.ends;
  ends.begin(planar, step.dyad, out.block(0));
  const auto distance = [&](double branch) {
    const auto solution = solve_dyad(planar, step.dyad, branch, out.block(0), ends);
    double sum = 0.0;
    for (std::size_t j : {0u, 1u}) {
      const double q = lane(solution.joints[j].q, 0);
      const bool angle = frames[b[j]].type == JointType::revolute;
      const double d = (angle ? unwrapped(q, call.zero.q[b[j]]) : q) - call.zero.q[b[j]];
      sum += d * d;
    }
    return sum;
  };
  if (call.stretch.starts()) {
    scratch.branch = distance(1.0) <= distance(-1.0) ? 1.0 : -1.0;
    scratch.watch = {
        {FindingKind::loop_open, FindingKind::singular_loop, FindingKind::singular_loop_passed},
        loop,
        call.step};
    for (std::size_t j : {0u, 1u}) scratch.continuity[j].begin(call.zero.q[b[j]]);
  }

  StepWatch watch = scratch.watch;
  const auto high = [&](std::size_t end) {
    return S(planar.chains[end].height * planar.chains[end].height);
  };
  for (int block = 0; block < out.blocks(); ++block) {
    const JointState<S> state = out.block(block);
    const auto solution = solve_dyad(planar, step.dyad, scratch.branch, state, ends);
    for (std::size_t j : {0u, 1u}) {
      set_position(state, b[j], solution.joints[j]);
      state.v[b[j]] = S(0.0);
      state.a[b[j]] = S(0.0);
    }
    ends.follow(planar, step.dyad, state);
    const PlaneTrace<S>& first = ends.at(0, step.dyad);
    const PlaneTrace<S>& second = ends.at(1, step.dyad);
    // closure p_first - p_second = 0 in the plane gives two equations for the two joints
    Vec2<S> rest_v(S(0.0), S(0.0));  // velocity of the ends apart, by known joints
    for (std::size_t end : {0u, 1u}) {
      const PlaneChain& chain = planar.chains[end];
      const PlaneTrace<S>& trace = end == 0 ? first : second;
      for (std::size_t i = 0; i < chain.joints.size(); ++i) {
        const Vec2<S>& c = trace.column[i];
        const S& v = state.v[chain.joints[i].body];
        rest_v += c * S(v * sign_of_end(end));
        columns.write(block, end, chain.joints[i].position, in_space(*plane, c));
      }
    }
    const S gap = larger(solution.gap, S(planar.aside()));
    const S size_squared =  // the pin itself may lie in the origin
        larger(S(planar.extent * planar.extent),
               larger(S(first.p.dot(first.p) + high(0)), S(second.p.dot(second.p) + high(1))));
    const auto column = [&](std::size_t j) {
      const Vec2<S>& c = (joints[j].end == 0 ? first : second).column[planar.joints[j]];
      return Vec2<S>(c * S(sign_of_end(joints[j].end)));
    };
    const Vec2<S> c0 = column(0), c1 = column(1);
    const S det = cross2<S>(c0, c1), inverse = S(1.0) / det;
    // near a singular pose the square of the larger singular value is the sum of both squares
    watch.see_block(gap, size_squared, solution.sine, det, S(c0.dot(c0) + c1.dot(c1)),
                    call.stretch.first + block * lanes<S>);
    const auto solve_pair = [&](const Vec2<S>& rest, const JointColumn<S>& values) {
      values[b[0]] = cross2<S>(c1, rest) * inverse;
      values[b[1]] = cross2<S>(rest, c0) * inverse;
    };
    solve_pair(rest_v, state.v);
    solve_pair(
        first.acceleration(planar.chains[0], state) - second.acceleration(planar.chains[1], state),
        state.a);
  }
  scratch.watch = watch;
  if (const auto finding = watch.result()) return finding;
  for (std::size_t j : {0u, 1u}) {
    const bool angle = frames[b[j]].type == JointType::revolute;
    const int kink =
        scratch.continuity[j].follow(out, joints[j].body, angle, call.step, call.stretch);
    if (kink >= 0) return Finding{FindingKind::loop_jump, loop, kink * call.step, 0.0, 0.0, 0.0};
  }
  columns.finish();
  return std::nullopt;
}

template std::optional<Finding> Coordinates<double>::follow_line(const Call&, const Step&,
                                                                 Scratch&);
template std::optional<Finding> Coordinates<double>::follow_dyad(const Call&, const Step&,
                                                                 Scratch&);
template std::optional<Finding> Coordinates<Pack>::follow_line(const Call&, const Step&, Scratch&);
template std::optional<Finding> Coordinates<Pack>::follow_dyad(const Call&, const Step&, Scratch&);

namespace {

template <class S>
void write_joint(JointMotion<S>& motion, int k, std::size_t b, const JointView<double>& from) {
  const SamplePlace<S> place(k);
  const JointState<S> to = motion.block(place.block);
  set_lane(to.q[b], place.lane, from.q[b]);
  set_lane(to.v[b], place.lane, from.v[b]);
  set_lane(to.a[b], place.lane, from.a[b]);
  set_lane(to.sine[b], place.lane, from.sine[b]);
  set_lane(to.cosine[b], place.lane, from.cosine[b]);
}

Finding finding_of(Continuation::Result result, const GroupSolver& group, double time) {
  if (result == Continuation::Result::open) return group.system().open_finding(time);
  if (result == Continuation::Result::jumped) return group.system().jump_finding(time);
  return group.system().singular_finding(time, group.smallest_singular_value());
}

}  // namespace

/// Sets the sample before to the zero configuration at rest, with the lengths that it gives the
/// driven lines.
template <class S>
void Coordinates<S>::set_before_to_zero(const Call& call, Scratch& scratch) {
  const JointState<double> before = scratch.before->joints.view();
  copy(call.zero.q, before.q);
  copy(call.zero.sine, before.sine);
  copy(call.zero.cosine, before.cosine);
  scratch.before->stop();
  for (const Equation& equation : scratch.group->system().equations()) {
    if (equation.slot < 0) continue;
    const Path& path = paths_->actuators[equation.element];
    zero_line_.resize(path);
    trace_line(call.geometry, path, before, zero_line_);
    scratch.before->driven[equation.slot] = zero_line_.length;
  }
}

template <class S>
void Coordinates<S>::read_now(const Call& call, int k) {
  const SamplePlace<S> place(k);
  now_.joints.read(call.out, k);
  for (std::size_t c = 0; c < now_.driven.size(); ++c) {
    now_.driven[c] = lane(drives_.position(c, place.block), place.lane);
    now_.driven_velocity[c] = lane(drives_.velocity(c, place.block), place.lane);
    now_.driven_acceleration[c] = lane(drives_.acceleration(c, place.block), place.lane);
  }
}

template <class S>
std::optional<Finding> Coordinates<S>::follow_group(const Call& call, Scratch& scratch) {
  if (call.stretch.starts()) scratch.stop = start_group(call, scratch);
  if (!scratch.stop) scratch.stop = follow_blocks(call, scratch);
  return scratch.stop;
}

/// Goes from the zero configuration to the first sample of all.
template <class S>
std::optional<Finding> Coordinates<S>::start_group(const Call& call, Scratch& scratch) {
  GroupSolver& group = *scratch.group;
  constexpr int parts_to_start = 16;
  constexpr double any_time = 1.0;  // from the zero configuration to t = 0, at rest at both ends
  set_before_to_zero(call, scratch);
  read_now(call, 0);
  now_.stop();
  const auto result =
      continuation_.follow(call.geometry, group, *scratch.before, now_, any_time, parts_to_start);
  if (result != Continuation::Result::arrived) return finding_of(result, group, 0.0);
  scratch.before->copy(now_);
  // the first sample is where the way from the zero configuration ended, now in motion
  read_now(call, 0);
  continuation_.set_in_motion(call.geometry, group, *scratch.before, now_);
  take_now(call, scratch, 0);
  watch_from_before(call, scratch);
  scratch.progress = {};
  return std::nullopt;
}

template <class S>
std::optional<Finding> Coordinates<S>::follow_blocks(const Call& call, Scratch& scratch) {
  for (int block = 0; block < call.out.blocks(); ++block) {
    const bool was_in_lanes = scratch.progress.in_lanes;
    if (follow_block(call, scratch, block)) continue;
    if (was_in_lanes) {
      if (block > 0) read_before(call, scratch, block * lanes<S> - 1);
      resume(call, scratch);
    }
    const auto finding = follow_samples(call, scratch, block);
    if (finding) return finding;
  }
  if (scratch.progress.in_lanes) read_before(call, scratch, call.out.samples() - 1);
  return std::nullopt;
}

/// Follows the samples of one block from the sample before, in double. The first sample of all is
/// there already.
template <class S>
std::optional<Finding> Coordinates<S>::follow_samples(const Call& call, Scratch& scratch,
                                                      int block) {
  GroupSolver& group = *scratch.group;
  const GroupSample& before = *scratch.before;
  const int end = std::min((block + 1) * lanes<S>, call.out.samples());
  const int begin = call.stretch.starts() ? 1 : 0;
  for (int k = std::max(block * lanes<S>, begin); k < end; ++k) {
    const int number = call.stretch.first + k;
    read_now(call, k);
    const auto result = continuation_.follow(call.geometry, group, before, now_, call.step, 1);
    if (result != Continuation::Result::arrived)
      return finding_of(result, group, number * call.step);
    const auto passed = scratch.group_watch->see(call.geometry, group, before.joints.view(),
                                                 now_.joints.view(), call.step);
    if (passed) return group.system().passage_finding((number - 1 + *passed) * call.step);
    take_now(call, scratch, k);
  }
  for (int k = end; k < (block + 1) * lanes<S>; ++k)  // spare lanes
    for (BodyIndex body : group.unknowns())
      write_joint(call.out, k, static_cast<std::size_t>(body), before.joints.view());
  return std::nullopt;
}

/// Tries to follow one block in lanes. Where that fails again and again, it is tried less often.
template <class S>
bool Coordinates<S>::follow_block(const Call& call, Scratch& scratch, int block) {
  if constexpr (lanes < S >> 1) {
    constexpr int longest_pause = 15;
    Progress& progress = scratch.progress;
    const int number = call.stretch.first / lanes<S> + block;
    if (number < progress.retry) return false;
    BlockContinuation& blocks = *scratch.blocks;
    if (!progress.in_lanes) blocks.begin(call.geometry, scratch.before->joints.view());
    BlockContinuation::Driven& driven = blocks.driven();
    for (std::size_t c = 0; c < driven.position.size(); ++c) {
      driven.position[c] = drives_.position(c, block);
      driven.velocity[c] = drives_.velocity(c, block);
      driven.acceleration[c] = drives_.acceleration(c, block);
    }
    const int used = std::min(lanes<S>, call.out.samples() - block * lanes<S>);
    const double first = number == 0 ? 0.0 : call.step;
    progress.in_lanes = blocks.follow(call.geometry, call.out.block(block), first, call.step, used);
    if (progress.in_lanes) {
      progress.pause = 0;
    } else {
      progress.retry = number + 1 + progress.pause;
      progress.pause = std::min(2 * progress.pause + 1, longest_pause);
    }
    return progress.in_lanes;
  }
  return false;
}

/// Makes a sample that is `now_` the last one known.
template <class S>
void Coordinates<S>::take_now(const Call& call, Scratch& scratch, int k) {
  for (BodyIndex body : scratch.group->unknowns())
    write_joint(call.out, k, static_cast<std::size_t>(body), now_.joints.view());
  scratch.before->copy(now_);
}

/// Makes a sample that was solved in lanes the last one known.
template <class S>
void Coordinates<S>::read_before(const Call& call, Scratch& scratch, int k) {
  read_now(call, k);
  scratch.before->copy(now_);
}

/// Makes the watch of passages start from the sample before, at which the group is linearised.
template <class S>
void Coordinates<S>::watch_from_before(const Call& call, Scratch& scratch) {
  const JointView<double> before = scratch.before->joints.view();
  scratch.group_watch->begin();
  scratch.group_watch->see(call.geometry, *scratch.group, before, before, call.step);
}

/// Goes on in double from the sample before, which was solved in lanes.
template <class S>
void Coordinates<S>::resume(const Call& call, Scratch& scratch) {
  const GroupSample& before = *scratch.before;
  scratch.group->linearise(call.geometry, before.joints.view(), before.driven);
  watch_from_before(call, scratch);
}

template <class S>
std::optional<Finding> Coordinates<S>::check_redundant(const Call& call) {
  if (!redundant_) return std::nullopt;
  if (!call.stretch.starts() && findings_.back()) return findings_.back();
  forget_columns(call, plan_->redundant);
  for (int k = 0; k < call.out.samples(); ++k) {
    now_.joints.read(call.out, k);
    redundant_->evaluate(call.geometry, now_.joints.view(), {});
    if (!(redundant_->misfit() <= closed_tolerance))
      return redundant_->open_finding((call.stretch.first + k) * call.step);
  }
  return std::nullopt;
}

template std::optional<Finding> Coordinates<double>::follow_group(const Call&, Scratch&);
template std::optional<Finding> Coordinates<Pack>::follow_group(const Call&, Scratch&);
template std::optional<Finding> Coordinates<double>::check_redundant(const Call&);
template std::optional<Finding> Coordinates<Pack>::check_redundant(const Call&);

}  // namespace counterpoise
