#include <algorithm>
#include <cmath>

#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/kinematics/coordinates.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
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

/// Sets `before_` to the zero configuration at rest, with the lengths that it gives the driven
/// lines.
template <class S>
void Coordinates<S>::set_before_to_zero(const Call& call, const GroupSolver& group) {
  const JointState<double> before = before_.joints.view();
  copy(call.zero.q, before.q);
  copy(call.zero.sine, before.sine);
  copy(call.zero.cosine, before.cosine);
  before_.stop();
  for (const Equation& equation : group.system().equations()) {
    if (equation.slot < 0) continue;
    const Path& path = paths_->actuators[static_cast<std::size_t>(equation.element)];
    zero_line_.resize(path);
    trace_line(call.geometry, path, before, zero_line_);
    before_.driven[static_cast<std::size_t>(equation.slot)] = zero_line_.length;
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
  GroupSolver& group = *scratch.group;
  scratch.group_watch->begin();
  constexpr int parts_to_start = 16;
  constexpr double any_time = 1.0;  // from the zero configuration to t = 0, at rest at both ends
  using Result = Continuation::Result;
  const auto follow = [&](double h, int parts) {
    return continuation_.follow(call.geometry, group, before_, now_, h, parts);
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
      continuation_.set_in_motion(call.geometry, group, before_, now_);
    else
      result = follow(call.step, 1);
    if (result != Result::arrived) return finding_of(result, group, k * call.step);
    const auto passed = scratch.group_watch->see(call.geometry, group, before_.joints.view(),
                                                 now_.joints.view(), call.step);
    if (passed) return group.system().passage_finding((k - 1 + *passed) * call.step);
    for (BodyIndex body : group.unknowns())
      write_joint(call.out, k, static_cast<std::size_t>(body), now_.joints.view());
    before_.copy(now_);
  }
  for (int k = call.out.samples(); k < call.out.blocks() * lanes<S>; ++k)  // spare lanes
    for (BodyIndex body : group.unknowns())
      write_joint(call.out, k, static_cast<std::size_t>(body), now_.joints.view());
  return std::nullopt;
}

template <class S>
std::optional<Finding> Coordinates<S>::check_redundant(const Call& call) {
  if (!redundant_) return std::nullopt;
  forget_columns(call, plan_->redundant);
  for (int k = 0; k < call.out.samples(); ++k) {
    now_.joints.read(call.out, k);
    redundant_->evaluate(call.geometry, now_.joints.view(), {});
    if (!(redundant_->misfit() <= closed_tolerance)) return redundant_->open_finding(k * call.step);
  }
  return std::nullopt;
}

template std::optional<Finding> Coordinates<double>::follow_group(const Call&, Scratch&);
template std::optional<Finding> Coordinates<Pack>::follow_group(const Call&, Scratch&);
template std::optional<Finding> Coordinates<double>::check_redundant(const Call&);
template std::optional<Finding> Coordinates<Pack>::check_redundant(const Call&);

}  // namespace counterpoise
