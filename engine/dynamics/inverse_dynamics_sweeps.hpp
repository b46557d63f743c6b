// The bodies of the templates in inverse_dynamics.hpp, for users that need them with their own
// scalar.
#pragma once

#include <algorithm>

#include "engine/dynamics/inverse_dynamics.hpp"

namespace counterpoise {
namespace tree {

// These are static because the compiler then inlines each into the one sweep that calls it, as it
// would not with templates that other files may share.

using TreeBody = TreeModel::Body;

/// sum += matrix * r
template <class S>
static void add_product(Vec3<S>& sum, const Mat3<S>& matrix, const SparseVec3& r) {
  for (int j = 0; j < 3; ++j)
    if (r.has[j])
      for (int i = 0; i < 3; ++i) sum(i) += matrix(i, j) * r.value(j);
}

/// sum += r x f
template <class S>
static void add_cross(Vec3<S>& sum, const SparseVec3& r, const Vec3<S>& f) {
  for (int k = 0; k < 3; ++k) {
    if (!r.has[k]) continue;
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    sum(i) -= f(j) * r.value(k);
    sum(j) += f(i) * r.value(k);
  }
}

template <class S>
static Vec3<S> product(const Mat3d& matrix, const Vec3<S>& x) {
  Vec3<S> y;
  for (int i = 0; i < 3; ++i)
    y(i) = x(0) * matrix(i, 0) + x(1) * matrix(i, 1) + x(2) * matrix(i, 2);
  return y;
}

/// The components of x in axes that are turned about axis k.
template <int k, class S>
static void turn_axes(Vec3<S>& x, const S& sine, const S& cosine) {
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  const S along_i = x(i) * cosine + x(j) * sine;
  x(j) = x(j) * cosine - x(i) * sine;
  x(i) = along_i;
}

/// Transforms a motion from the parent's axes to the axes of a body that turns about axis k, and
/// adds the motion of its joint.
template <int k, class S>
static void turn_about(const S& sine, const S& cosine, const S& v, const S& a, BodyMotion<S>& m) {
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  turn_axes<k>(m.omega, sine, cosine);
  turn_axes<k>(m.alpha, sine, cosine);
  turn_axes<k>(m.a, sine, cosine);
  m.alpha(i) += m.omega(j) * v;  // omega x v z
  m.alpha(j) -= m.omega(i) * v;
  m.alpha(k) += a;
  m.omega(k) += v;
}

template <class S>
static Mat3<S> swing_of(const Vec3<S>& omega, const Vec3<S>& alpha) {
  const S &x = omega(0), &y = omega(1), &z = omega(2);
  Mat3<S> swing;
  swing(0, 0) = -(y * y) - z * z;
  swing(1, 1) = -(x * x) - z * z;
  swing(2, 2) = -(x * x) - y * y;
  swing(0, 1) = x * y - alpha(2);
  swing(1, 0) = x * y + alpha(2);
  swing(0, 2) = x * z + alpha(1);
  swing(2, 0) = x * z - alpha(1);
  swing(1, 2) = y * z - alpha(0);
  swing(2, 1) = y * z + alpha(0);
  return swing;
}

/// Computes eqs. 29 and 30, and the last step of eq. 31, for a revolute joint.
template <class S>
static void turn(const TreeBody& body, const JointView<S>& state, BodyMotion<S>& m) {
  const auto b = static_cast<std::size_t>(body.index);
  S sine = state.sine[b], v = state.v[b], a = state.a[b];
  const S cosine = state.cosine[b];
  if (body.reversed) {
    sine = -sine;
    v = -v;
    a = -a;
  }
  if (body.tilted) {
    const Mat3d tilt_back = body.tilt.transpose();
    m.omega = product(tilt_back, m.omega);
    m.alpha = product(tilt_back, m.alpha);
    m.a = product(tilt_back, m.a);
  }
  switch (body.turn_axis) {
    case 0:
      turn_about<0>(sine, cosine, v, a, m);
      break;
    case 1:
      turn_about<1>(sine, cosine, v, a, m);
      break;
    default:
      turn_about<2>(sine, cosine, v, a, m);
  }
  m.swing = swing_of(m.omega, m.alpha);
}

/// Computes eq. 31 for a prismatic joint with its origin moved by q along z and still moving.
template <class S>
static void slide(const TreeBody& body, const JointView<S>& state, BodyMotion<S>& m) {
  const auto b = static_cast<std::size_t>(body.index);
  const Vec3<S> z = body.slide_P.template cast<S>();
  m.a += z * state.a[b];
  if (body.parent_turns) m.a += m.swing * z * state.q[b] + m.omega.cross(z) * (state.v[b] * 2.0);
}

/// The force and moment that the body's own mass takes (eqs. 32-34): the integrals of p'' dm and r
/// x p'' dm, where a point at r has the acceleration p'' = a + swing r.
template <class S>
static void add_inertial_wrench(const TreeBody& body, const BodyMotion<S>& m, Vec3<S>& force,
                                Vec3<S>& moment) {
  if (body.massless) return;
  force += m.a * S(body.mass);
  add_cross(moment, body.first_moment, m.a);
  if (!body.parent_turns && body.type != JointType::revolute) return;

  add_product(force, m.swing, body.first_moment);
  const Mat3d& second = body.second_moment;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    moment(k) += m.swing(j, i) * second(i, i);
    moment(k) -= m.swing(i, j) * second(j, j);
  }
  if (body.main_axes) return;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    moment(k) += m.swing(j, j) * second(j, i) + m.swing(j, k) * second(k, i);
    moment(k) -= m.swing(i, i) * second(i, j) + m.swing(i, k) * second(k, j);
  }
}

/// Takes force and moment from the body's axes to its parent's, about the same point.
template <class S>
static void turn_back(const TreeBody& body, const JointView<S>& state, Vec3<S>& force,
                      Vec3<S>& moment) {
  const auto b = static_cast<std::size_t>(body.index);
  const S sine = body.reversed ? state.sine[b] : S(-state.sine[b]);
  const S cosine = state.cosine[b];
  switch (body.turn_axis) {
    case 0:
      turn_axes<0>(force, sine, cosine);
      turn_axes<0>(moment, sine, cosine);
      break;
    case 1:
      turn_axes<1>(force, sine, cosine);
      turn_axes<1>(moment, sine, cosine);
      break;
    default:
      turn_axes<2>(force, sine, cosine);
      turn_axes<2>(moment, sine, cosine);
  }
  if (!body.tilted) return;
  force = product(body.tilt, force);
  moment = product(body.tilt, moment);
}

template <class S>
static S joint_force(const TreeBody& body, const Vec3<S>& force, const Vec3<S>& moment) {
  if (body.type == JointType::prismatic) return body.slide_P.template cast<S>().dot(force);
  if (body.type == JointType::fixed) return S(0.0);
  const S torque = body.turn_axis == 0 ? moment(0) : body.turn_axis == 1 ? moment(1) : moment(2);
  return body.reversed ? S(-torque) : torque;
}

}  // namespace tree

template <class S>
void InverseDynamicsScratch<S>::resize(std::size_t bodies) {
  motion.resize(bodies);
  force.resize(bodies);
  moment.resize(bodies);
}

template <class S>
void inverse_dynamics(const TreeModel& model, const JointView<S>& state,
                      InverseDynamicsScratch<S>& scratch, std::span<S> tau) {
  const Vec3<S> zero = Vec3<S>::Constant(S(0.0));
  const Vec3<S> upward = (-model.gravity).cast<S>();
  const BodyMotion<S> world{zero, zero, upward, Mat3<S>::Constant(S(0.0))};

  // base to tips: the motion of each body, and the wrench that its own mass takes
  BodyMotion<S> m = world;
  for (const TreeModel::Body& body : model.bodies) {
    const auto b = static_cast<std::size_t>(body.index);
    if (!body.after_parent) m = body.parent == world_body ? world : scratch.motion[body.parent];

    if (body.parent_turns) tree::add_product(m.a, m.swing, body.origin_P);
    if (body.type == JointType::prismatic) tree::slide(body, state, m);
    if (body.type == JointType::revolute) tree::turn(body, state, m);
    if (body.kept) scratch.motion[b] = m;
    Vec3<S> force = zero, moment = zero;
    tree::add_inertial_wrench(body, m, force, moment);
    scratch.force[b] = force;
    scratch.moment[b] = moment;
  }

  // tips to base: project on the joint axis, hand the rest to the parent
  std::fill(tau.begin(), tau.end(), S(0.0));
  Vec3<S> handed_force = zero, handed_moment = zero;  // to the body before
  for (std::size_t i = model.bodies.size(); i-- > 0;) {
    const TreeModel::Body& body = model.bodies[i];
    const auto b = static_cast<std::size_t>(body.index);
    Vec3<S> force = scratch.force[b], moment = scratch.moment[b];
    if (i + 1 < model.bodies.size() && model.bodies[i + 1].after_parent) {
      force += handed_force;
      moment += handed_moment;
      scratch.force[b] = force;
      scratch.moment[b] = moment;
    }
    tau[b] = tree::joint_force(body, force, moment);
    if (body.parent == world_body) continue;

    if (body.type == JointType::revolute) tree::turn_back(body, state, force, moment);
    tree::add_cross(moment, body.origin_P, force);
    if (body.type == JointType::prismatic)
      moment += body.slide_P.template cast<S>().cross(force) * state.q[b];
    if (body.after_parent) {
      handed_force = force;
      handed_moment = moment;
    } else {
      const auto parent = static_cast<std::size_t>(body.parent);
      scratch.force[parent] += force;
      scratch.moment[parent] += moment;
    }
  }
}

}  // namespace counterpoise
