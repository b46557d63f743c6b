#pragma once

#include <algorithm>

#include "engine/kinematics/closure/joint_motion.hpp"
#include "engine/math/vector.hpp"
#include "formulations/minimal/minimal_plan.hpp"

namespace counterpoise {

/// Returns the vector turned by a right angle.
template <class S>
Vec2<S> turned2(const Vec2<S>& a) {
  return {S(-a(1)), a(0)};
}

/// The places of the joints of a planar chain, in the ancestor's planar axes.
template <class S>
struct ChainPose {
  std::vector<Vec2<S>> origin, along;  // per joint; `along` of prismatic joints only
  Vec2<S> tip;

  explicit ChainPose(std::size_t joints = 0) : origin(joints), along(joints) {}
};

/// The velocities of a chain's places per unit velocity of one coordinate.
template <class S>
using ChainSlope = ChainPose<S>;

/// Whether a chain is placed with all joints where they are, or with a dyad's unknown joints at 0.
enum class Unknowns { placed, at_zero };

inline bool is_unknown(const PlanarDyad& dyad, std::size_t end, std::size_t position) {
  return std::any_of(dyad.unknowns.begin(), dyad.unknowns.end(), [&](const DyadJoint& joint) {
    return joint.end == end && joint.position == position;
  });
}

template <class S>
void place_chain(const PlanarDyad& dyad, std::size_t end, const JointView<S>& state,
                 Unknowns unknowns, ChainPose<S>& pose) {
  const PlanarChain& chain = dyad.chains[end];
  S cosine(1.0), sine(0.0);
  Vec2<S> p(S(0.0), S(0.0));
  const auto turned = [&](const Eigen::Vector2d& r) {
    return Vec2<S>(cosine * r(0) - sine * r(1), sine * r(0) + cosine * r(1));
  };
  for (std::size_t i = 0; i < chain.joints.size(); ++i) {
    const PlanarJoint& joint = chain.joints[i];
    const auto b = static_cast<std::size_t>(joint.body);
    const bool moved = unknowns == Unknowns::placed || !is_unknown(dyad, end, i);
    p += turned(joint.origin);
    if (!joint.turns) {
      pose.along[i] = turned(joint.along);
      if (moved) p += pose.along[i] * state.q[b];
    } else if (moved) {
      const S s = joint.sign < 0.0 ? S(-state.sine[b]) : S(state.sine[b]);
      const S c = state.cosine[b];
      const S before = cosine;
      cosine = before * c - sine * s;
      sine = sine * c + before * s;
    }
    pose.origin[i] = p;
  }
  pose.tip = p + turned(chain.tip);
}

/// Computes the slopes of a chain's places by coordinate k, with the dyad's unknown joints held.
/// `slopes` are those of the joint positions, bodies x coordinates.
template <class S, class Slopes>
void move_chain(const PlanarDyad& dyad, std::size_t end, const ChainPose<S>& pose,
                const Slopes& slopes, int k, ChainSlope<S>& slope) {
  const PlanarChain& chain = dyad.chains[end];
  S omega(0.0);
  Vec2<S> v(S(0.0), S(0.0)), p(S(0.0), S(0.0));
  const auto carry = [&](const Vec2<S>& to) {
    v += turned2<S>(to - p) * omega;
    p = to;
  };
  for (std::size_t i = 0; i < chain.joints.size(); ++i) {
    const PlanarJoint& joint = chain.joints[i];
    const bool moved = !is_unknown(dyad, end, i);
    carry(pose.origin[i]);
    if (!joint.turns) {
      slope.along[i] = turned2<S>(pose.along[i]) * omega;
      if (moved) v += pose.along[i] * slopes(joint.body, k);
    } else if (moved) {
      omega += slopes(joint.body, k) * joint.sign;
    }
    slope.origin[i] = v;
  }
  carry(pose.tip);
  slope.tip = v;
}

}  // namespace counterpoise
