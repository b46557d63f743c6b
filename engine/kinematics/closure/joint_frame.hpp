#pragma once

#include <span>
#include <vector>

#include "engine/kinematics/closure/joint_motion.hpp"
#include "engine/math/rotation.hpp"
#include "engine/mechanism/mechanism.hpp"

namespace counterpoise {

/// The numbers of one joint that the sweeps read, prepared once per design. With s = sin q and c =
/// cos q
///   revolute:  R_PB(q) = rotation + s * turned + (1 - c) * twice_turned
/// which is the rotation at q = 0 times Rodrigues' formula, for any axis; the ZXZ form of paper
/// 000, eqs. 17-18, is its special case for the three main axes.
struct JointFrame {
  BodyIndex parent = world_body;
  JointType type = JointType::fixed;
  Vec3d axis = Vec3d::UnitZ();         // joint axis in body axes
  Vec3d axis_P = Vec3d::UnitZ();       // joint axis in parent axes, at any q
  Vec3d origin = Vec3d::Zero();        // body origin in parent axes, at q = 0
  Mat3d rotation = Mat3d::Identity();  // R_PB at q = 0
  Mat3d turned = Mat3d::Zero();        // R_PB K, K the cross matrix of the axis
  Mat3d twice_turned = Mat3d::Zero();  // R_PB K K
  bool straight = true;                // whether `rotation` is the identity
  int main_axis = -1;                  // index of the body axis that `axis` equals, or -1
};

/// Fills one frame per body; allocates only when the number of bodies changes.
void prepare_frames(const Mechanism& mechanism, std::vector<JointFrame>& frames);

/// The part of one design that kinematics reads: its numbers and the frames prepared from them.
struct DesignGeometry {
  const Mechanism& mechanism;
  std::span<const JointFrame> frames;

  [[nodiscard]] JointType type_of(BodyIndex body) const { return frames[body].type; }
};

/// Returns R_PB from the sine and cosine of the joint angle, both ignored unless the joint is
/// revolute.
template <class S>
Mat3<S> rotation_in_parent(const JointFrame& frame, const S& sine, const S& cosine) {
  Mat3<S> rotation;
  if (frame.type == JointType::revolute) {
    const S rest = S(1.0) - cosine;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        rotation(i, j) =
            frame.rotation(i, j) + sine * frame.turned(i, j) + rest * frame.twice_turned(i, j);
  } else {
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) rotation(i, j) = S(frame.rotation(i, j));
  }
  return rotation;
}

/// Replaces `rotation` by rotation * R_PB, which goes on from the parent's axes to the body's. It
/// does the work of a product with rotation_in_parent without the multiplications by zero and one
/// that most joints would need.
template <class S>
void turn_to_body(const JointFrame& frame, const S& sine, const S& cosine, Mat3<S>& rotation) {
  const bool turns = frame.type == JointType::revolute;
  if (turns && frame.main_axis < 0) {
    rotation = Mat3<S>(rotation * rotation_in_parent(frame, sine, cosine));
    return;
  }
  if (!frame.straight)
    for (int i = 0; i < 3; ++i) {
      const S x = rotation(i, 0), y = rotation(i, 1), z = rotation(i, 2);
      for (int j = 0; j < 3; ++j)
        rotation(i, j) =
            x * frame.rotation(0, j) + y * frame.rotation(1, j) + z * frame.rotation(2, j);
    }
  if (!turns) return;
  const int first = (frame.main_axis + 1) % 3, second = (frame.main_axis + 2) % 3;
  for (int i = 0; i < 3; ++i) {
    const S x = rotation(i, first), y = rotation(i, second);
    rotation(i, first) = x * cosine + y * sine;
    rotation(i, second) = y * cosine - x * sine;
  }
}

/// The position of the body's origin relative to the parent's origin, in parent axes.
template <class S>
Vec3<S> origin_in_parent(const JointFrame& frame, const S& q) {
  Vec3<S> p;
  const bool slides = frame.type == JointType::prismatic;
  for (int i = 0; i < 3; ++i)
    p(i) = slides ? S(frame.origin(i)) + q * frame.axis_P(i) : S(frame.origin(i));
  return p;
}

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
