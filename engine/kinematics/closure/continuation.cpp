#include "engine/kinematics/closure/continuation.hpp"

#include <algorithm>
#include <cmath>

#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/math/hermite.hpp"

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

}  // namespace counterpoise
