#include "engine/kinematics/closure/continuation.hpp"

#include <algorithm>
#include <cmath>

#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/math/cubic.hpp"

namespace counterpoise {
namespace {

constexpr int finest = 1024;  // most parts of one step, after which a finding is final

}  // namespace

void GroupSample::copy(const GroupSample& from) {
  const JointView<double> a = from.joints.view();
  const JointState<double> b = joints.view();
  counterpoise::copy(a.q, b.q);
  counterpoise::copy(a.v, b.v);
  counterpoise::copy(a.a, b.a);
  counterpoise::copy(a.sine, b.sine);
  counterpoise::copy(a.cosine, b.cosine);
  driven = from.driven;
  driven_velocity = from.driven_velocity;
  driven_acceleration = from.driven_acceleration;
}

void GroupSample::stop() {
  joints.stop();
  std::fill(driven_velocity.begin(), driven_velocity.end(), 0.0);
  std::fill(driven_acceleration.begin(), driven_acceleration.end(), 0.0);
}

Continuation::Continuation(const Mechanism& mechanism, std::size_t driven_values)
    : at_(mechanism, driven_values) {
  start_.reserve(mechanism.bodies.size());
}

Continuation::Result Continuation::follow(const DesignGeometry& geometry, GroupSolver& group,
                                          const GroupSample& from, GroupSample& to, double h,
                                          int parts) {
  Result result = Result::jumped;
  for (; parts <= finest && result != Result::arrived; parts *= 4)
    result = follow_in_parts(geometry, group, from, to, h, parts);
  if (result == Result::open) {
    // find how far apart the loop is at the end, not just after it opened on the way
    GroupSample opened = at_;
    place_known(geometry.frames, group, from, to, h, 1.0);
    if (group.solve_positions(geometry, at_.joints, at_.driven) == GroupSolver::Result::solved)
      group.solve_positions(geometry, opened.joints, opened.driven);
  }
  if (result != Result::arrived) return result;

  set_in_motion(geometry, group, at_, to);
  return Result::arrived;
}

Continuation::Result Continuation::try_to_follow(const DesignGeometry& geometry, GroupSolver& group,
                                                 const GroupSample& from, GroupSample& to, double h,
                                                 int parts) {
  constexpr int enough = 64;
  Result result = Result::jumped;
  for (; parts <= (result == Result::jumped ? finest : enough) && result != Result::arrived;
       parts *= 4)
    result = follow_in_parts(geometry, group, from, to, h, parts);
  if (result == Result::arrived) set_in_motion(geometry, group, at_, to);
  return result;
}

void Continuation::set_in_motion(const DesignGeometry& geometry, GroupSolver& group,
                                 const GroupSample& from, GroupSample& to) {
  const JointState<double> end = to.joints.view();
  const JointView<double> pose = from.joints.view();
  for (BodyIndex body : group.unknowns()) {
    const auto b = static_cast<std::size_t>(body);
    end.q[b] = pose.q[b];
    end.sine[b] = pose.sine[b];
    end.cosine[b] = pose.cosine[b];
  }
  group.linearise(geometry, end, to.driven);
  group.solve_velocities(end, to.driven_velocity);
  group.solve_accelerations(geometry.frames, end, to.driven_acceleration);
}

Continuation::Result Continuation::follow_in_parts(const DesignGeometry& geometry,
                                                   GroupSolver& group, const GroupSample& from,
                                                   const GroupSample& to, double h, int parts) {
  at_.copy(from);
  const JointState<double> state = at_.joints.view();
  const double dt = h / parts;
  for (int part = 1; part <= parts; ++part) {
    start_.clear();
    for (BodyIndex body : group.unknowns()) {
      const auto b = static_cast<std::size_t>(body);
      start_.push_back({state.q[b], state.v[b]});
    }
    place_known(geometry.frames, group, from, to, h, static_cast<double>(part) / parts);
    for (std::size_t j = 0; j < start_.size(); ++j)
      at_.joints.set_position(geometry.frames, group.unknowns()[j], start_[j].q + dt * start_[j].v);

    const auto solved = group.solve_positions(geometry, at_.joints, at_.driven);
    if (solved != GroupSolver::Result::solved) return Result::open;
    group.linearise(geometry, state, at_.driven);
    if (group.conditioning() < singular_pivot) return Result::singular;
    group.solve_velocities(state, at_.driven_velocity);
    if (!smooth(group, dt)) return Result::jumped;
  }
  return Result::arrived;
}

void Continuation::place_known(std::span<const JointFrame> frames, const GroupSolver& group,
                               const GroupSample& from, const GroupSample& to, double h, double u) {
  for (std::size_t i = 0; i < at_.driven.size(); ++i) {
    const Hermite way{from.driven[i], from.driven_velocity[i], to.driven[i], to.driven_velocity[i],
                      h};
    at_.driven[i] = u == 1.0 ? to.driven[i] : way.position(u);
    at_.driven_velocity[i] = u == 1.0 ? to.driven_velocity[i] : way.velocity(u);
  }
  const JointView<double> a = from.joints.view(), b = to.joints.view();
  const JointState<double> at = at_.joints.view();
  for (std::size_t i = 0; i < at.q.size(); ++i) {
    if (group.determines(static_cast<int>(i))) continue;
    const Hermite way{a.q[i], a.v[i], b.q[i], b.v[i], h};
    at.v[i] = u == 1.0 ? b.v[i] : way.velocity(u);
    at_.joints.set_position(frames, static_cast<int>(i), u == 1.0 ? b.q[i] : way.position(u));
  }
}

/// Whether the unknowns moved in agreement with their velocities at both ends of the part.
bool Continuation::smooth(const GroupSolver& group, double dt) const {
  constexpr double share_of_move = 0.2;
  const JointView<double> state = at_.joints.view();
  double error = 0.0, move = 0.0;
  for (std::size_t j = 0; j < start_.size(); ++j) {
    const auto b = static_cast<std::size_t>(group.unknowns()[j]);
    error =
        std::max(error, std::abs(state.q[b] - start_[j].q - dt * (start_[j].v + state.v[b]) / 2.0));
    move = std::max({move, dt * std::abs(start_[j].v), dt * std::abs(state.v[b])});
  }
  return error <= share_of_move * move + 1e-7;
}

namespace {

constexpr double most_far = 0.25;  // of a guess from its solution: [rad], [m] or of the size
constexpr int most_newton_steps = 6;
constexpr double least_shrinking = 0.5;  // of a step to the next
// After a step as short as this the square of its length is below rounding.
constexpr double last_step = 3e-8;

}  // namespace

BlockContinuation::BlockContinuation(std::vector<Equation> equations,
                                     std::vector<BodyIndex> unknowns, const Mechanism& mechanism,
                                     const Paths& paths, std::size_t driven_values)
    : group_(std::move(equations), std::move(unknowns), mechanism, paths),
      watch_(group_, mechanism.body_count(), driven_values) {
  for (std::vector<Pack>* values : {&driven_.position, &driven_.velocity, &driven_.acceleration})
    values->resize(driven_values);
  at_.resize(mechanism.body_count(), lanes<Pack>);
  start_.resize(group_.unknowns().size());
}

void BlockContinuation::begin(const DesignGeometry& geometry, const JointView<double>& last) {
  for (std::size_t j = 0; j < start_.size(); ++j) {
    const auto b = static_cast<std::size_t>(group_.unknowns()[j]);
    start_[j] = {last.q[b], last.v[b], last.a[b], 0.0};
  }
  watch_.begin(geometry, group_, last);
}

void BlockContinuation::place(const DesignGeometry& geometry, std::size_t unknown, const Pack& q) {
  const auto b = static_cast<std::size_t>(group_.unknowns()[unknown]);
  const JointState<Pack> at = at_.block(0);
  at.q[b] = q;
  if (geometry.frames[b].type == JointType::revolute) sincos(q, at.sine[b], at.cosine[b]);
}

bool BlockContinuation::follow(const DesignGeometry& geometry, const JointState<Pack>& block,
                               double first, double step, int used) {
  const JointState<Pack> at = at_.block(0);
  const std::vector<BodyIndex>& joints = group_.equations().joints();
  for (std::size_t j = start_.size(); j < joints.size(); ++j) {
    const auto b = static_cast<std::size_t>(joints[j]);
    at.q[b] = block.q[b];
    at.v[b] = block.v[b];
    at.a[b] = block.a[b];
    at.sine[b] = block.sine[b];
    at.cosine[b] = block.cosine[b];
  }
  Pack t;
  for (int i = 0; i < lanes<Pack>; ++i) set_lane(t, i, first + std::min(i, used - 1) * step);
  for (std::size_t j = 0; j < start_.size(); ++j) {
    const Start& from = start_[j];
    place(geometry, j, ((t * (from.jerk / 6.0) + from.a / 2.0) * t + from.v) * t + from.q);
  }
  if (!solve_positions(geometry)) return false;
  group_.linearise(geometry, at, driven_.position);
  if (!holds(group_.met(solved_misfit) & group_.regular())) return false;
  group_.solve_velocities(at, driven_.velocity);
  if (!smooth(first, step, used)) return false;
  group_.solve_accelerations(geometry, at, driven_.acceleration);
  if (!watch_.quiet(group_, used)) return false;
  write(geometry, block, step, used);
  return true;
}

bool BlockContinuation::solve_positions(const DesignGeometry& geometry) {
  const JointState<Pack> at = at_.block(0);
  Pack most(most_far);
  for (int step = 0; step < most_newton_steps; ++step) {
    group_.linearise(geometry, at, driven_.position);
    const Pack size = larger(group_.equations().scale(), Pack(1.0));
    const std::span<const Pack> way = group_.newton_step();
    Pack longest(0.0);
    PackMask shrinks = most == most;
    for (std::size_t j = 0; j < start_.size(); ++j) {
      const BodyIndex body = group_.unknowns()[j];
      const bool slides = geometry.type_of(body) == JointType::prismatic;
      const Pack part = slides ? abs(way[j]) / size : abs(way[j]);
      shrinks = shrinks & (part <= most);
      longest = larger(longest, part);
      place(geometry, j, at.q[body] - way[j]);
    }
    if (!holds(shrinks)) return false;
    if (holds(longest <= Pack(last_step))) return true;
    most = larger(longest * least_shrinking, Pack(last_step));
  }
  return false;
}

/// Whether the unknowns moved in agreement with their velocities, from every sample to the next:
/// twice as close as Continuation asks for.
bool BlockContinuation::smooth(double first, double step, int used) {
  constexpr double share_of_move = 0.1;
  constexpr double rounding = 1e-8;
  const JointView<Pack> at = at_.block(0);
  Pack dt(step), error(0.0), move(0.0);
  set_lane(dt, 0, first);
  for (std::size_t j = 0; j < start_.size(); ++j) {
    const auto b = static_cast<std::size_t>(group_.unknowns()[j]);
    const Pack v = at.v[b], v_before = shifted(v, start_[j].v);
    const Pack way = at.q[b] - shifted(at.q[b], start_[j].q);
    error = larger(error, abs(way - dt * (v_before + v) * 0.5));
    move = larger(move, dt * larger(abs(v_before), abs(v)));
  }
  return holds(error <= move * share_of_move + rounding, used);
}

void BlockContinuation::write(const DesignGeometry& geometry, const JointState<Pack>& block,
                              double step, int used) {
  const JointState<Pack> at = at_.block(0);
  const auto set = [&](Pack& to, Pack from) {
    for (int i = used; i < lanes<Pack>; ++i) set_lane(from, i, lane(from, used - 1));
    to = from;
  };
  for (std::size_t j = 0; j < start_.size(); ++j) {
    const auto b = static_cast<std::size_t>(group_.unknowns()[j]);
    set(block.q[b], at.q[b]);
    set(block.v[b], at.v[b]);
    set(block.a[b], at.a[b]);
    if (geometry.frames[b].type == JointType::revolute) {
      set(block.sine[b], at.sine[b]);
      set(block.cosine[b], at.cosine[b]);
    }
    const int last = used - 1;
    const double a = lane(at.a[b], last);
    const double a_before = last > 0 ? lane(at.a[b], last - 1) : start_[j].a;
    start_[j] = {lane(at.q[b], last), lane(at.v[b], last), a, (a - a_before) / step};
  }
}

}  // namespace counterpoise
