#include "engine/kinematics/poses.hpp"

namespace counterpoise {

void place_bodies(std::span<const JointFrame> frames, const JointView<double>& state,
                  std::vector<Pose>& poses) {
  poses.resize(frames.size());
  for (std::size_t b = 0; b < frames.size(); ++b) {
    const JointFrame& frame = frames[b];
    const Pose parent = frame.parent == world_body ? Pose{} : poses[frame.parent];
    poses[b].rotation = parent.rotation * rotation_in_parent(frame, state.sine[b], state.cosine[b]);
    poses[b].origin = parent.origin + parent.rotation * origin_in_parent(frame, state.q[b]);
  }
}

}  // namespace counterpoise
