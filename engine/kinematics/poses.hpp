#pragma once

#include "engine/kinematics/chains/joint_frame.hpp"
#include "engine/kinematics/chains/joint_motion.hpp"

namespace counterpoise {

/// The pose of a body in the world: p_W = rotation * p_B + origin.
struct Pose {
  Mat3d rotation = Mat3d::Identity();  // R_WB
  Vec3d origin = Vec3d::Zero();        // [m]
};

/// Computes the pose of every body in the world at one sample by forward kinematics of the whole
/// tree (paper 000, section 4.2). `poses` gets one entry per body.
void place_bodies(std::span<const JointFrame> frames, const JointView<double>& state,
                  std::vector<Pose>& poses);

}  // namespace counterpoise
