#include "engine/kinematics/drive_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/math/pack.hpp"
#include "engine/math/same_bits.hpp"

namespace counterpoise {

namespace {

/// The joints that a motion's points depend on, directly or through loops and couplings, as flags
/// by body.
std::vector<char> joints_of_tool(const Mechanism& mechanism, const Paths& paths,
                                 const Motion& motion) {
  std::vector<char> moves_tool(mechanism.bodies.size(), 0);
  const auto mark = [&](const std::vector<BodyIndex>& joints) {
    for (const BodyIndex joint : joints) moves_tool[at(joint)] = 1;
  };
  for (const Drive& drive : motion.drives)
    if (drive.is_of_tool()) mark(joints_of(drive_equation(drive, 0, mechanism), mechanism, paths));
  const std::vector<Equation> closing = closing_equations(mechanism);
  for (bool grown = true; grown;) {
    grown = false;
    for (const Equation& equation : closing) {
      const std::vector<BodyIndex> joints = joints_of(equation, mechanism, paths);
      const auto marked = std::count_if(joints.begin(), joints.end(), [&](BodyIndex joint) {
        return moves_tool[at(joint)] != 0;
      });
      if (marked == 0 || marked == static_cast<std::ptrdiff_t>(joints.size())) continue;
      mark(joints);
      grown = true;
    }
  }
  return moves_tool;
}

}  // namespace

std::vector<ActuatorIndex> held_actuators(const Mechanism& mechanism, const Paths& paths,
                                          const Motion& motion) {
  const std::vector<char> moves_tool = joints_of_tool(mechanism, paths, motion);
  std::vector<ActuatorIndex> held;
  for (ActuatorIndex a = 0; a < static_cast<int>(mechanism.actuators.size()); ++a) {
    const bool named = std::any_of(motion.drives.begin(), motion.drives.end(),
                                   [a](const Drive& drive) { return drive.actuator == a; });
    const std::vector<BodyIndex> joints =
        joints_of(drive_equation({.actuator = a}, 0, mechanism), mechanism, paths);
    if (!named && std::none_of(joints.begin(), joints.end(),
                               [&](BodyIndex joint) { return moves_tool[at(joint)] != 0; }))
      held.push_back(a);
  }
  return held;
}

DriveSelection::DriveSelection(const Mechanism& mechanism, const Paths& paths,
                               const Mobility& mobility, const Motion& motion) {
  for (const Drive& drive : motion.drives) coordinates.push_back(drive);
  driven = coordinates.size();
  implied = mobility.implied(coordinates);
  std::vector<Coordinate> free;
  for (std::size_t i = 0; i < driven; ++i)
    if (implied[i] == 0) free.push_back(coordinates[i]);
  if (mobility.determined_by(free)) return;
  for (const ActuatorIndex a : held_actuators(mechanism, paths, motion)) {
    coordinates.push_back({.actuator = a});
    free.push_back({.actuator = a});
  }
  mobility.require_determined_by(free, "coordinates (the motion's and held actuators)");
}

template <class S>
void DriveSamples<S>::set_motion(const Motion& motion, StaleUnits& stale) {
  const bool same_times = stretch_.total > 0 && motion_.duration == motion.duration &&
                          motion_.step == motion.step && motion_.poses == motion.poses &&
                          motion_.skips == motion.skips && motion_.guess == motion.guess &&
                          motion_.drives.size() == driven_;
  if (!same_times) {
    motion_.poses = motion.poses;
    set_stretch(0, motion.sample_count());
    std::fill(held_.begin(), held_.end(), std::numeric_limits<double>::quiet_NaN());
    stale.touch_everything();
  }
  for (std::size_t c = 0; c < driven_; ++c) {
    if (same_times && motion_.drives[c] == motion.drives[c]) continue;
    sample(c, motion);
    stale.touch_drive(c);
  }
  motion_ = motion;
}

/// Makes room for another stretch, with all coordinates at rest at zero.
template <class S>
void DriveSamples<S>::set_stretch(int first, int total) {
  stretch_ = Stretch::from(first, holding_.longest(total), total, motion_.poses);
  blocks_ = (stretch_.samples + lanes<S> - 1) / lanes<S>;
  const std::size_t size = (driven_ + held_.size()) * static_cast<std::size_t>(blocks_);
  for (std::vector<S>* values : {&position_, &velocity_, &acceleration_, &sine_})
    values->assign(size, S(0.0));
  cosine_.assign(size, S(1.0));
}

template <class S>
void DriveSamples<S>::go_to(int first) {
  set_stretch(first, stretch_.total);
  for (std::size_t c = 0; c < driven_; ++c) sample(c, motion_);
  for (std::size_t i = 0; i < held_.size(); ++i) set_held(i);
}

template <class S>
void DriveSamples<S>::hold(std::span<const double> held, StaleUnits& stale) {
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (same_bits<1>(&held[i], &held_[i])) continue;
    held_[i] = held[i];
    set_held(i);
    stale.touch({Quantity::held_coordinate, static_cast<int>(driven_ + i)});
  }
}

template <class S>
void DriveSamples<S>::set_held(std::size_t i) {
  const std::size_t c = driven_ + i;
  for (int block = 0; block < blocks_; ++block) position_[index(c, block)] = S(held_[i]);
  set_angles(c);
}

template <class S>
void DriveSamples<S>::sample(std::size_t coordinate, const Motion& motion) {
  const Profile& profile = motion.drives[coordinate].profile;
  for (int k = 0; k < blocks_ * lanes<S>; ++k) {
    const SamplePlace<S> place(k);
    const double t = std::min(stretch_.first + k, stretch_.total - 1) * motion.step;
    const ProfileValue value = evaluate(profile, t, motion.duration);
    const std::size_t i = index(coordinate, place.block);
    set_lane(position_[i], place.lane, value.position);
    set_lane(velocity_[i], place.lane, value.velocity);
    set_lane(acceleration_[i], place.lane, value.acceleration);
  }
  set_angles(coordinate);
}

template <class S>
void DriveSamples<S>::set_angles(std::size_t coordinate) {
  for (int block = 0; block < blocks_; ++block) {
    const std::size_t i = index(coordinate, block);
    sincos(position_[i], sine_[i], cosine_[i]);
  }
}

template class DriveSamples<double>;
template class DriveSamples<Pack>;

}  // namespace counterpoise
