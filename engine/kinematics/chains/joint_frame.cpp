#include "engine/kinematics/chains/joint_frame.hpp"

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

}  // namespace counterpoise
