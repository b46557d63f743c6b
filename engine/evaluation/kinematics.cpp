#include "engine/evaluation/kinematics.hpp"

#include <algorithm>
#include <cmath>

#include "engine/math/pack.hpp"
#include "engine/mechanism/elements.hpp"

namespace counterpoise {

/// Notes the limits of the actuators' positions; returns whether they have changed.
template <class S>
bool Kinematics<S>::note_limits(const Mechanism& mechanism) {
  bool changed = limits_.size() != 2 * mechanism.actuators.size();
  limits_.resize(2 * mechanism.actuators.size());
  auto limit = limits_.begin();
  for (const Actuator& actuator : mechanism.actuators)
    for (const double now : {actuator.min_position, actuator.max_position}) {
      changed |= *limit != now;
      *limit++ = now;
    }
  return changed;
}

/// Follows the poses of a stretch and leaves out those that cannot be reached or stand beyond a
/// limit. Returns a finding only where all poses of the motion are left out.
template <class S>
std::optional<Finding> Kinematics<S>::follow_skipping(const Mechanism& mechanism,
                                                      StaleUnits& stale) {
  if (note_limits(mechanism)) stale.touch_samples();  // no unit reads them
  const std::int64_t runs = coordinates_.runs();
  const auto finding = solve_skipping(mechanism, stale);
  if (finding) return finding;
  if (coordinates_.runs() == runs) return has_stand_in_ ? std::nullopt : coordinates_.reason();
  if (stretch().starts()) has_stand_in_ = false;
  stand_in();
  if (!has_stand_in_ && stretch().starts() && !stretch().whole()) {
    // the first pose that is not left out may be in a later stretch
    while (!has_stand_in_ && !stretch().ends()) {
      coordinates_.go_to(stretch().first + stretch().samples);
      stale.touch_samples();
      if (const auto later = solve_skipping(mechanism, stale)) return later;
      stand_in();
    }
    coordinates_.go_to(0);
    stale.touch_samples();
    if (const auto again = solve_skipping(mechanism, stale)) return again;
    stand_in();
  }
  return has_stand_in_ ? std::nullopt : coordinates_.reason();
}

template <class S>
std::optional<Finding> Kinematics<S>::solve_skipping(const Mechanism& mechanism,
                                                     StaleUnits& stale) {
  const std::int64_t runs = coordinates_.runs();
  const auto finding =
      coordinates_.solve(geometry(mechanism), zero_.state(), stale, joints_, closures_);
  if (!finding && coordinates_.runs() > runs) leave_out_beyond_limits(mechanism);
  return finding;
}

/// Leaves out the samples at which an actuator's position is beyond its limits, by the slack that
/// the limits of other motions have.
template <class S>
void Kinematics<S>::leave_out_beyond_limits(const Mechanism& mechanism) {
  constexpr double one_radian = 1.0;
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const Actuator& actuator = mechanism.actuators[a];
    if (std::isinf(actuator.min_position) && std::isinf(actuator.max_position)) continue;
    ClosureColumns<S>& columns = closures_.actuators[a];
    if (actuator.linear()) columns.require(geometry(mechanism), joints_);
    const bool turns =
        !actuator.linear() && mechanism.bodies[actuator.joint].joint.type == JointType::revolute;
    const auto check = [&](FindingKind kind, double bound, double sign, int k, double position) {
      const double excess = (position - bound) * sign;
      if (std::isinf(bound) || !(excess > slack_of(bound, turns ? one_radian : size_))) return;
      coordinates_.leave_out(k, {kind, static_cast<int>(a), (stretch().first + k) * step_, position,
                                 bound, excess / (bound == 0.0 ? 1.0 : std::abs(bound))});
    };
    for (int k = 0; k < joints_.samples(); ++k) {
      if (!left_out().empty() && left_out()[k] != 0) continue;
      const SamplePlace<S> place(k);
      const S& at = actuator.linear()
                        ? columns.length(place.block)
                        : joints_.q(actuator.joint)[static_cast<std::size_t>(place.block)];
      const double position = lane(at, place.lane);
      check(FindingKind::position_too_small, actuator.min_position, -1.0, k, position);
      check(FindingKind::position_too_large, actuator.max_position, 1.0, k, position);
    }
  }
}

/// Puts the joints of the first pose that is not left out in the place of those that are.
template <class S>
void Kinematics<S>::stand_in() {
  const std::span<const char> left_out = this->left_out();
  if (left_out.empty() && has_stand_in_) return;
  if (!has_stand_in_) {
    const auto first = std::find(left_out.begin(), left_out.end(), 0);
    if (!left_out.empty() && first == left_out.end()) return;
    stand_in_ = SampleState(static_cast<int>(frames_.size()));
    stand_in_.read(joints_, static_cast<int>(first - left_out.begin()));
    has_stand_in_ = true;
  }
  if (left_out.empty()) return;
  const JointView<double> from = stand_in_.view();
  for (int k = 0; k < joints_.blocks() * lanes<S>; ++k) {
    if (left_out[std::min(k, joints_.samples() - 1)] == 0) continue;
    const SamplePlace<S> place(k);
    const JointState<S> to = joints_.block(place.block);
    for (std::size_t b = 0; b < from.q.size(); ++b) {
      set_lane(to.q[b], place.lane, from.q[b]);
      set_lane(to.v[b], place.lane, from.v[b]);
      set_lane(to.a[b], place.lane, from.a[b]);
      set_lane(to.sine[b], place.lane, from.sine[b]);
      set_lane(to.cosine[b], place.lane, from.cosine[b]);
    }
  }
  for (ClosureColumns<S>& columns : closures_.loops) columns.outdate();
  for (ClosureColumns<S>& columns : closures_.actuators) columns.outdate();
}

template class Kinematics<double>;
template class Kinematics<Pack>;

}  // namespace counterpoise
