#include "bench/peers/mechanism_of.hpp"

#include <algorithm>

#include "engine/math/pack.hpp"

namespace counterpoise::bench {

Mechanism mechanism_of(const Tree& tree) {
  Mechanism mechanism;
  mechanism.gravity = Vec3d(0.0, 0.0, -gravity);
  for (const Link& link : tree.links) {
    Body& body = mechanism.bodies.emplace_back();
    body.name = "b" + std::to_string(mechanism.bodies.size());
    body.parent = link.parent;
    body.joint.type = link.revolute ? JointType::revolute : JointType::prismatic;
    body.joint.axis = Vec3d::Unit(link.axis);
    body.joint.origin = Eigen::Map<const Vec3d>(link.origin.data());
    body.joint.rotation = Eigen::Map<const Mat3d>(link.rotation.data()).transpose();
    body.mass = link.mass;
    body.com = Eigen::Map<const Vec3d>(link.com.data());
    const auto& i = link.inertia;
    body.inertia << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
  }
  return mechanism;
}

template <class S>
JointMotion<S> motion_of(const States& states) {
  JointMotion<S> motion;
  motion.resize(states.links, states.samples);
  for (int t = 0; t < motion.blocks() * lanes<S>; ++t) {
    const SamplePlace<S> place(t);
    const int sample = std::min(t, states.samples - 1);
    JointState<S> state = motion.block(place.block);
    for (int i = 0; i < states.links; ++i) {
      const auto b = static_cast<std::size_t>(i);
      set_lane(state.q[b], place.lane, states.q[states.at(sample, i)]);
      set_lane(state.v[b], place.lane, states.v[states.at(sample, i)]);
      set_lane(state.a[b], place.lane, states.a[states.at(sample, i)]);
    }
  }
  return motion;
}

template JointMotion<double> motion_of(const States&);
template JointMotion<Pack> motion_of(const States&);

}  // namespace counterpoise::bench
