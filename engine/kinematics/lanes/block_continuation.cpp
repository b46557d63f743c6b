#include "engine/kinematics/lanes/block_continuation.hpp"

#include <algorithm>

#include "engine/kinematics/closure/tolerances.hpp"

namespace counterpoise {
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
  if (!holds(group_.equations().met(solved_misfit) & group_.regular())) return false;
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
      place(geometry, j, at.q[static_cast<std::size_t>(body)] - way[j]);
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
