#include "engine/kinematics/closure/joint_frame.hpp"

namespace counterpoise {

void prepare_frames(const Mechanism& mechanism, std::vector<JointFrame>& frames) {
  frames.resize(mechanism.bodies.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Body& body = mechanism.bodies[i];
    const Mat3d k = cross_matrix(body.joint.axis);
    JointFrame& frame = frames[i];
    frame.parent = body.parent;
    frame.type = body.joint.type;
    frame.axis = body.joint.axis;
    frame.axis_P = body.joint.rotation * body.joint.axis;
    frame.origin = body.joint.origin;
    frame.rotation = body.joint.rotation;
    frame.turned = body.joint.rotation * k;
    frame.twice_turned = frame.turned * k;
    frame.straight = body.joint.rotation.isIdentity(0.0);
    frame.main_axis = -1;
    for (int axis = 0; axis < 3; ++axis)
      if (frame.axis == Vec3d::Unit(axis)) frame.main_axis = axis;
  }
}

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
