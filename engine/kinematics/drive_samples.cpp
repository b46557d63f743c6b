#include "engine/kinematics/drive_samples.hpp"

#include <algorithm>
#include <cmath>

#include "engine/math/pack.hpp"

namespace counterpoise {

DriveSelection::DriveSelection(const Mechanism& mechanism, const Freedom& freedom,
                               const Motion& motion) {
  for (const Drive& drive : motion.drives) coordinates.push_back({drive.actuator, drive.joint});
  driven = coordinates.size();
  if (freedom.determined_by(coordinates)) return;
  for (int a = 0; a < static_cast<int>(mechanism.actuators.size()); ++a) {
    const bool named = std::any_of(motion.drives.begin(), motion.drives.end(),
                                   [a](const Drive& drive) { return drive.actuator == a; });
    if (!named) coordinates.push_back({a, -1});
  }
  freedom.require_determined_by(coordinates, "coordinates (the motion's and held actuators)");
}

template <class S>
void DriveSamples<S>::fill(std::size_t coordinate, int block, int lane_index,
                           const ProfileValue& value) {
  const std::size_t i = index(coordinate, block);
  set_lane(position_[i], lane_index, value.position);
  set_lane(velocity_[i], lane_index, value.velocity);
  set_lane(acceleration_[i], lane_index, value.acceleration);
}

template <class S>
void DriveSamples<S>::sample(const Motion& motion, std::span<const double> held) {
  const std::size_t driven = motion.drives.size();
  const int samples = motion.sample_count();
  const bool same_motion = blocks_ > 0 && sampled_.duration == motion.duration &&
                           sampled_.step == motion.step && sampled_.drives == motion.drives &&
                           held_.size() == held.size();
  if (same_motion && std::equal(held.begin(), held.end(), held_.begin())) return;

  if (!same_motion) {
    blocks_ = (samples + lanes<S> - 1) / lanes<S>;
    const std::size_t size = (driven + held.size()) * static_cast<std::size_t>(blocks_);
    for (std::vector<S>* values : {&position_, &velocity_, &acceleration_, &sine_, &cosine_})
      values->assign(size, S(0.0));
    for (int k = 0; k < blocks_ * lanes<S>; ++k) {
      const double t = std::min(k, samples - 1) * motion.step;
      for (std::size_t c = 0; c < driven; ++c)
        fill(c, k / lanes<S>, k % lanes<S>, evaluate(motion.drives[c].profile, t, motion.duration));
    }
    sampled_ = motion;
  }
  held_.assign(held.begin(), held.end());
  for (std::size_t c = 0; c < held.size(); ++c)
    for (int block = 0; block < blocks_; ++block) position_[index(driven + c, block)] = S(held[c]);
  const std::size_t first = same_motion ? driven : 0;
  for (std::size_t i = index(first, 0); i < position_.size(); ++i) {
    sine_[i] = sin(position_[i]);
    cosine_[i] = cos(position_[i]);
  }
}

template class DriveSamples<double>;
template class DriveSamples<Pack>;

}  // namespace counterpoise
