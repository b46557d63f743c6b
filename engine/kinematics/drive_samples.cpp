#include "engine/kinematics/drive_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/math/pack.hpp"
#include "engine/math/same_bits.hpp"

namespace counterpoise {

DriveSelection::DriveSelection(const Mechanism& mechanism, const Mobility& mobility,
                               const Motion& motion) {
  for (const Drive& drive : motion.drives) coordinates.push_back({drive.actuator, drive.joint});
  driven = coordinates.size();
  if (mobility.determined_by(coordinates)) return;
  for (int a = 0; a < static_cast<int>(mechanism.actuators.size()); ++a) {
    const bool named = std::any_of(motion.drives.begin(), motion.drives.end(),
                                   [a](const Drive& drive) { return drive.actuator == a; });
    if (!named) coordinates.push_back({a, -1});
  }
  mobility.require_determined_by(coordinates, "coordinates (the motion's and held actuators)");
}

template <class S>
void DriveSamples<S>::set_motion(const Motion& motion, StaleUnits& stale) {
  const bool same_times = stretch_.total > 0 && motion_.duration == motion.duration &&
                          motion_.step == motion.step && motion_.poses == motion.poses &&
                          motion_.skips == motion.skips && motion_.drives.size() == driven_;
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
