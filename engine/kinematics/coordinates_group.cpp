#include <algorithm>
#include <cmath>

#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/kinematics/coordinates.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

template <class S>
void read_sample(JointMotion<S>& motion, int k, const JointState<double>& to) {
  const SamplePlace<S> place(k);
  const JointState<S> from = motion.block(place.block);
  for (std::size_t b = 0; b < to.q.size(); ++b) {
    to.q[b] = lane(from.q[b], place.lane);
    to.v[b] = lane(from.v[b], place.lane);
    to.a[b] = lane(from.a[b], place.lane);
    to.sine[b] = lane(from.sine[b], place.lane);
    to.cosine[b] = lane(from.cosine[b], place.lane);
  }
}

template <class S>
void write_joint(JointMotion<S>& motion, int k, std::size_t b, const JointState<double>& from) {
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

/// The zero configuration, at rest, with the lengths it gives the driven lines.
template <class S>
void Coordinates<S>::set_before_to_zero(const Call& call, const GroupSolver& group) {
  const JointState<double> zero = call.zero.view(), before = before_.joints.view();
  copy(zero.q, before.q);
  copy(zero.sine, before.sine);
  copy(zero.cosine, before.cosine);
  before_.stop();
  for (const Equation& equation : group.system().equations()) {
    if (equation.slot < 0) continue;
    const Path& path = paths_->actuators[static_cast<std::size_t>(equation.element)];
    zero_line_.resize(path);
    trace_line(call.mechanism, call.frames, path, before, zero_line_);
    before_.driven[static_cast<std::size_t>(equation.slot)] = zero_line_.length;
  }
}

template <class S>
void Coordinates<S>::read_now(const Call& call, int k) {
  const SamplePlace<S> place(k);
  read_sample(call.out, k, now_.joints.view());
  for (std::size_t c = 0; c < now_.driven.size(); ++c) {
    now_.driven[c] = lane(drives_.position(c, place.block), place.lane);
    now_.driven_velocity[c] = lane(drives_.velocity(c, place.block), place.lane);
    now_.driven_acceleration[c] = lane(drives_.acceleration(c, place.block), place.lane);
  }
}

template <class S>
std::optional<Finding> Coordinates<S>::follow_group(const Call& call, Scratch& scratch) {
  GroupSolver& group = *scratch.group;
  scratch.group_watch->begin();
  constexpr int parts_to_start = 16;
  constexpr double any_time = 1.0;  // from the zero configuration to t = 0, at rest at both ends
  using Result = Continuation::Result;
  const auto follow = [&](double h, int parts) {
    return continuation_.follow(call.mechanism, call.frames, group, before_, now_, h, parts);
  };

  set_before_to_zero(call, group);
  read_now(call, 0);
  now_.stop();
  Result result = follow(any_time, parts_to_start);
  if (result != Result::arrived) return finding_of(result, group, 0.0);
  before_.copy(now_);

  for (int k = 0; k < call.out.samples(); ++k) {
    read_now(call, k);
    // the first sample is where the way from the zero configuration ended, now in motion
    if (k == 0)
      continuation_.set_in_motion(call.mechanism, call.frames, group, before_, now_);
    else
      result = follow(call.step, 1);
    if (result != Result::arrived) return finding_of(result, group, k * call.step);
    const auto passed = scratch.group_watch->see(
        call.mechanism, call.frames, group, before_.joints.view(), now_.joints.view(), call.step);
    if (passed) return group.system().passage_finding((k - 1 + *passed) * call.step);
    for (int body : group.unknowns())
      write_joint(call.out, k, static_cast<std::size_t>(body), now_.joints.view());
    before_.copy(now_);
  }
  for (int k = call.out.samples(); k < call.out.blocks() * lanes<S>; ++k)  // spare lanes
    for (int body : group.unknowns())
      write_joint(call.out, k, static_cast<std::size_t>(body), now_.joints.view());
  return std::nullopt;
}

template <class S>
std::optional<Finding> Coordinates<S>::check_redundant(const Call& call) {
  if (!redundant_) return std::nullopt;
  const JointState<double> now = now_.joints.view();
  for (int k = 0; k < call.out.samples(); ++k) {
    read_sample(call.out, k, now);
    redundant_->evaluate(call.mechanism, call.frames, now, {});
    if (!(redundant_->misfit() <= closed_tolerance)) return redundant_->open_finding(k * call.step);
  }
  return std::nullopt;
}

template std::optional<Finding> Coordinates<double>::follow_group(const Call&, Scratch&);
template std::optional<Finding> Coordinates<Pack>::follow_group(const Call&, Scratch&);
template std::optional<Finding> Coordinates<double>::check_redundant(const Call&);
template std::optional<Finding> Coordinates<Pack>::check_redundant(const Call&);

}  // namespace counterpoise
