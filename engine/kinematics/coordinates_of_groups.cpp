#include <algorithm>

#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/kinematics/coordinates.hpp"
#include "engine/math/pack.hpp"

// The steps of Coordinates that need Newton's method: groups of equations, followed from sample to
// sample.

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

/// Sets the sample before to the zero configuration at rest, with the values that it gives the
/// driven lines, points and turned bodies.
template <class S>
void Coordinates<S>::set_before_to_zero(const Call& call, Scratch& scratch) {
  const JointState<double> before = scratch.before->joints.view();
  copy(call.zero.q, before.q);
  copy(call.zero.sine, before.sine);
  copy(call.zero.cosine, before.cosine);
  scratch.before->stop();
  GroupSolver& group = *scratch.group;
  bool guessed = false;
  for (const JointGuess& guess : drives_.motion().guess)
    if (group.determines(guess.joint)) {
      scratch.before->joints.set_position(call.geometry.frames, guess.joint, guess.position);
      guessed = true;
    }
  group.read_driven(call.geometry, before, scratch.before->driven);
  // loops of the group close beside the guess
  if (guessed) group.solve_positions(call.geometry, scratch.before->joints, scratch.before->driven);
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
  if (drives_.motion().skips) {
    reach_poses(call, scratch);
    return std::nullopt;
  }
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
  for (const Equation& equation : group.system().equations())  // the shorter way round
    if (equation.kind == EquationKind::turn_drive) {
      double& from = scratch.before->driven[equation.slot];
      from = unwrapped(from, now_.driven[equation.slot]);
    }
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
    read_now(call, k);
    redundant_->evaluate(call.geometry, now_.joints.view(), now_.driven);
    if (redundant_->misfit() <= closed_tolerance) continue;
    const Finding open = redundant_->open_finding((call.stretch.first + k) * call.step);
    if (!drives_.motion().skips) return open;
    leave_out(k, open);
  }
  return std::nullopt;
}

template <class S>
void Coordinates<S>::leave_out(int k, const Finding& reason) {
  if (left_out_.empty()) left_out_.assign(static_cast<std::size_t>(stretch().samples), 0);
  left_out_[k] = 1;
  if (!reason_ || reason.time < reason_->time) reason_ = reason;
}

/// Goes through the poses in their order. Blocks in which all are reached one from the other are
/// taken in lanes; else it goes to each pose from the last one that was reached, or else from the
/// zero configuration, or else from a neighbour.
template <class S>
void Coordinates<S>::reach_poses(const Call& call, Scratch& scratch) {
  left_out_before_ = left_out_;
  if (call.stretch.starts()) {
    set_before_to_zero(call, scratch);
    scratch.progress = {};
    scratch.reached = -1;
  }
  for (int block = 0; block < call.out.blocks(); ++block) {
    const bool was_in_lanes = scratch.progress.in_lanes;
    if (reach_block(call, scratch, block)) continue;
    if (was_in_lanes && block > 0) read_before(call, scratch, block * lanes<S> - 1);
    scratch.progress.in_lanes = false;
    const int end = std::min((block + 1) * lanes<S>, call.stretch.samples);
    for (int k = block * lanes<S>; k < end; ++k) reach_or_leave_out(call, scratch, k);
  }
  if (scratch.progress.in_lanes) read_before(call, scratch, call.out.samples() - 1);
  if (call.stretch.whole() && !left_out_.empty()) reach_neighbours(call, scratch, left_out_before_);
  for (int k = call.stretch.samples; k < call.out.blocks() * lanes<S>; ++k)  // spare lanes
    for (BodyIndex body : scratch.group->unknowns())
      write_joint(call.out, k, static_cast<std::size_t>(body), scratch.before->joints.view());
}

/// Tries to take a block in lanes, from the pose before it.
template <class S>
bool Coordinates<S>::reach_block(const Call& call, Scratch& scratch, int block) {
  const int first = block * lanes<S>;
  const int end = std::min(first + lanes<S>, call.stretch.samples);
  if (scratch.reached < 0 || scratch.reached != call.stretch.first + first - 1) return false;
  const auto left_out = [&](int k) { return !left_out_.empty() && left_out_[k] != 0; };
  for (int k = first; k < end; ++k)
    if (left_out(k)) return false;
  if (!scratch.progress.in_lanes) {
    if (block == 0) return false;
    read_now(call, first - 1);
    continuation_.set_in_motion(call.geometry, *scratch.group, *scratch.before, now_);
    scratch.before->copy(now_);
  }
  if (!follow_block(call, scratch, block)) return false;
  scratch.reached = call.stretch.first + end - 1;
  return true;
}

template <class S>
void Coordinates<S>::reach_or_leave_out(const Call& call, Scratch& scratch, int k) {
  if (!left_out_.empty() && left_out_[k] != 0) return;
  const int number = call.stretch.first + k;
  bool reached = reach_pose(call, scratch, k);
  if (!reached) {
    const Finding reason = finding_of(scratch.result, *scratch.group, number * call.step);
    last_.copy(*scratch.before);
    set_before_to_zero(call, scratch);
    reached = reach_pose(call, scratch, k);
    if (!reached) {
      scratch.before->copy(last_);
      leave_out(k, reason);
    }
  }
  if (reached) scratch.reached = number;
}

/// Tries to go to pose k from the sample before, from rest to rest; if that ends well, pose k is
/// the sample before. No singular pose may be passed on the way.
template <class S>
bool Coordinates<S>::reach_pose(const Call& call, Scratch& scratch, int k) {
  constexpr double any_time = 1.0;
  constexpr int parts_to_start = 4;
  GroupSolver& group = *scratch.group;
  GroupSample& before = *scratch.before;
  before.stop();
  read_now(call, k);
  now_.stop();
  group.linearise(call.geometry, before.joints.view(), before.driven);
  watch_from_before(call, scratch);
  scratch.result =
      continuation_.try_to_follow(call.geometry, group, before, now_, any_time, parts_to_start);
  if (scratch.result != Continuation::Result::arrived) return false;
  if (scratch.group_watch->see(call.geometry, group, before.joints.view(), now_.joints.view(),
                               any_time)) {
    scratch.result = Continuation::Result::singular;
    return false;
  }
  take_now(call, scratch, k);
  return true;
}

/// Tries the poses that are left out, but those of `before`, again from each pose beside them that
/// is reached, until there is none left to try.
template <class S>
void Coordinates<S>::reach_neighbours(const Call& call, Scratch& scratch,
                                      const std::vector<char>& before) {
  struct Try {
    int from, to;
  };
  const PoseGrid grid(drives_.motion());
  std::vector<Try> tries;
  std::vector<int> beside;
  const auto try_beside = [&](int k) {
    grid.neighbours_of(k, beside);
    for (const int to : beside)
      if (left_out_[to] != 0 && (before.empty() || before[to] == 0)) tries.push_back({k, to});
  };
  for (int k = 0; k < call.stretch.samples; ++k)
    if (left_out_[k] == 0) try_beside(k);
  while (!tries.empty()) {
    const auto [from, to] = tries.back();
    tries.pop_back();
    if (left_out_[to] == 0) continue;
    read_before(call, scratch, from);
    if (!reach_pose(call, scratch, to)) continue;
    left_out_[to] = 0;
    try_beside(to);
  }
}

template void Coordinates<double>::leave_out(int, const Finding&);
template void Coordinates<Pack>::leave_out(int, const Finding&);
template std::optional<Finding> Coordinates<double>::follow_group(const Call&, Scratch&);
template std::optional<Finding> Coordinates<Pack>::follow_group(const Call&, Scratch&);
template std::optional<Finding> Coordinates<double>::check_redundant(const Call&);
template std::optional<Finding> Coordinates<Pack>::check_redundant(const Call&);

}  // namespace counterpoise
