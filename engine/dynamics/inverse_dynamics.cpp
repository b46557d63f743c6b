#include "engine/dynamics/inverse_dynamics.hpp"

#include "engine/math/pack.hpp"

namespace counterpoise {

void TreeModel::prepare(const Mechanism& mechanism) {
  gravity = mechanism.gravity;
  carries_.assign(mechanism.bodies.size(), false);
  for (std::size_t i = mechanism.bodies.size(); i-- > 0;) {
    const counterpoise::Body& body = mechanism.bodies[i];
    if (body.mass != 0.0 || !body.inertia.isZero(0.0)) carries_[i] = true;
    if (carries_[i] && body.parent != world_body)
      carries_[static_cast<std::size_t>(body.parent)] = true;
  }
  bodies.clear();
  for (std::size_t i = 0; i < carries_.size(); ++i) {
    const counterpoise::Body& body = mechanism.bodies[i];
    if (carries_[i])
      bodies.push_back({static_cast<int>(i), body.parent, body.mass, body.com, body.inertia});
  }
}

template <class S>
void InverseDynamicsScratch<S>::resize(std::size_t bodies) {
  rotation.resize(bodies);
  for (auto* vectors : {&p_PB, &omega, &alpha, &a, &force, &moment}) vectors->resize(bodies);
}

template <class S>
void inverse_dynamics(const TreeModel& model, std::span<const JointFrame> frames,
                      const JointState<S>& state, InverseDynamicsScratch<S>& scratch,
                      std::span<S> tau) {
  const Vec3<S> zero = Vec3<S>::Constant(S(0.0));
  const Vec3<S> upward = (-model.gravity).cast<S>();

  // base to tips: angular velocity and acceleration, acceleration of the origin, in body axes
  for (const TreeModel::Body& body : model.bodies) {
    const auto b = static_cast<std::size_t>(body.index);
    const JointFrame& frame = frames[b];
    const bool grounded = body.parent == world_body;
    const auto parent = static_cast<std::size_t>(grounded ? 0 : body.parent);
    const Vec3<S>& omega_P = grounded ? zero : scratch.omega[parent];
    const Vec3<S>& alpha_P = grounded ? zero : scratch.alpha[parent];
    const Vec3<S>& a_P = grounded ? upward : scratch.a[parent];

    Mat3<S>& rotation = scratch.rotation[b];
    Vec3<S>& p = scratch.p_PB[b];
    rotation = rotation_in_parent(frame, state.sine[b], state.cosine[b]);
    p = origin_in_parent(frame, state.q[b]);

    Vec3<S> a = a_P + alpha_P.cross(p) + omega_P.cross(omega_P.cross(p));
    Vec3<S>& omega = scratch.omega[b];
    Vec3<S>& alpha = scratch.alpha[b];
    omega = rotation.transpose() * omega_P;
    alpha = rotation.transpose() * alpha_P;
    if (frame.type == JointType::revolute) {
      const Vec3<S> spin = frame.axis.template cast<S>() * state.v[b];
      alpha += frame.axis.template cast<S>() * state.a[b] + omega.cross(spin);
      omega += spin;
    } else if (frame.type == JointType::prismatic) {
      const Vec3<S> z = frame.axis_P.template cast<S>();
      a += z * state.a[b] + omega_P.cross(z) * (state.v[b] * 2.0);
    }
    scratch.a[b] = rotation.transpose() * a;

    const Vec3<S> com = body.com.template cast<S>();
    const Vec3<S> swing = omega.cross(com);
    const Vec3<S> a_com = scratch.a[b] + alpha.cross(com) + omega.cross(swing);
    const Mat3<S> inertia = body.inertia.template cast<S>();
    scratch.force[b] = a_com * S(body.mass);
    scratch.moment[b] =
        inertia * alpha + omega.cross(inertia * omega) + com.cross(scratch.force[b]);
  }

  // tips to base: project on the joint axis, hand the rest to the parent
  for (S& t : tau) t = S(0.0);
  for (std::size_t i = model.bodies.size(); i-- > 0;) {
    const TreeModel::Body& body = model.bodies[i];
    const auto b = static_cast<std::size_t>(body.index);
    const Vec3<S> axis = frames[b].axis.template cast<S>();
    if (frames[b].type == JointType::revolute) tau[b] = axis.dot(scratch.moment[b]);
    if (frames[b].type == JointType::prismatic) tau[b] = axis.dot(scratch.force[b]);
    if (body.parent == world_body) continue;

    const auto parent = static_cast<std::size_t>(body.parent);
    const Vec3<S> force = scratch.rotation[b] * scratch.force[b];
    scratch.force[parent] += force;
    scratch.moment[parent] +=
        scratch.rotation[b] * scratch.moment[b] + scratch.p_PB[b].cross(force);
  }
}

template struct InverseDynamicsScratch<double>;
template struct InverseDynamicsScratch<Pack>;
template void inverse_dynamics(const TreeModel&, std::span<const JointFrame>,
                               const JointState<double>&, InverseDynamicsScratch<double>&,
                               std::span<double>);
template void inverse_dynamics(const TreeModel&, std::span<const JointFrame>,
                               const JointState<Pack>&, InverseDynamicsScratch<Pack>&,
                               std::span<Pack>);

}  // namespace counterpoise
