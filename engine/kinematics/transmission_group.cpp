#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/kinematics/transmission.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {

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
    for (const Known& known : mover.known)
      rates.v[static_cast<std::size_t>(known.joint.body)] = lane(slope(known, block), k);
    const auto a = static_cast<std::size_t>(mover.actuator);
    a_drive_[a] = 1.0;
    solver.solve_velocities(rates, a_drive_);
    a_drive_[a] = 0.0;
    for (std::size_t j = 0; j < mover.unknown.size(); ++j)
      for (int i = k; i < end; ++i)
        set_lane(*slope(mover.unknown[j], block), i,
                 rates.v[static_cast<std::size_t>(solver.unknowns()[j])]);
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
      for (const Known& known : mover.known)
        rates.v[static_cast<std::size_t>(known.joint.body)] = slope(known, block);
      const auto a = static_cast<std::size_t>(mover.actuator);
      a_drives_[a] = S(1.0);
      group.solve_velocities(rates, a_drives_);
      a_drives_[a] = S(0.0);
      for (std::size_t j = 0; j < mover.unknown.size(); ++j)
        *slope(mover.unknown[j], block) = rates.v[static_cast<std::size_t>(group.unknowns()[j])];
    }
    return true;
  }
  return false;
}

template void Transmission<double>::follow_group(const Call&, StepState&);
template void Transmission<Pack>::follow_group(const Call&, StepState&);

}  // namespace counterpoise
