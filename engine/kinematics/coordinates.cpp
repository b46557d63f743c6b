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
      last_(mechanism, plan.coordinates.size()),
      at_zero_(mechanism.body_count()) {
  for (std::size_t i = 0; i < scratch_.size(); ++i) {
    const Step& step = plan.steps[i];
    const auto element = static_cast<std::size_t>(step.equations.front().element);
    if (step.kind == StepKind::line) scratch_[i].line.resize(paths.actuators[element]);
    if (step.kind == StepKind::dyad)
      for (std::size_t end : {0u, 1u}) {
        scratch_[i].plane_ends[end].resize(paths.loops[element].chains[end].size());
      }
    if (step.kind == StepKind::group) make_group(mechanism, step, scratch_[i]);
  }
  if (!plan.redundant.empty()) redundant_.emplace(plan.redundant, mechanism, paths);
}

/// Makes what a step needs for Newton's method, which is the size of the mechanism. Dyads need it
/// only where they have no plane, so that many of them take memory in proportion to their number.
template <class S>
void Coordinates<S>::make_group(const Mechanism& mechanism, const Step& step, Scratch& scratch) {
  const std::size_t driven = plan_->coordinates.size();
  scratch.group.emplace(step.equations, step.unknowns, mechanism, *paths_);
  scratch.group_watch.emplace(*scratch.group, mechanism.body_count());
  scratch.before.emplace(mechanism, driven);
  if constexpr (lanes < S >> 1)
    scratch.blocks.emplace(step.equations, step.unknowns, mechanism, *paths_, driven);
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

namespace {

bool is_any_stale(const StaleUnits& stale, std::size_t units) {
  for (std::size_t unit = 0; unit < units; ++unit)
    if (stale.stale(unit)) return true;
  return false;
}

}  // namespace

template <class S>
std::optional<Finding> Coordinates<S>::solve(const DesignGeometry& geometry,
                                             const SampleState& zero, StaleUnits& stale,
                                             JointMotion<S>& out, ClosureJacobian<S>& closures) {
  out.resize(geometry.mechanism.body_count(), stretch().samples);
  const Call call{geometry, step_, stretch(), zero.view(), out, closures};
  if (drives_.motion().skips && is_any_stale(stale, findings_.size())) {
    // what one step leaves out the others leave out as well
    for (std::size_t unit = 0; unit < findings_.size(); ++unit) stale.touch_unit(unit);
    left_out_.clear();
    if (stretch().starts()) reason_.reset();
  }
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
  if (!plane) {
    if (!scratch.group) make_group(geometry.mechanism, step, scratch);
    return follow_group(call, scratch);
  }
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

}  // namespace counterpoise
