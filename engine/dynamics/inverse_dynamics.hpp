#pragma once

#include <span>
#include <vector>

#include "engine/dynamics/tree_model.hpp"
#include "engine/kinematics/closure/joint_motion.hpp"

namespace counterpoise {

/// The motion of a body, in the body's axes. The point at r from its origin has the acceleration a
/// + swing * r, where swing r = alpha x r + omega x (omega x r).
template <class S>
struct BodyMotion {
  Vec3<S> omega, alpha;  // [rad/s, rad/s^2]
  Vec3<S> a;             // acceleration of the origin, less gravity  [m/s^2]
  Mat3<S> swing;         // [1/s^2]
};

/// Workspace of inverse_dynamics. Afterwards it holds the wrench that each body of the tree gets
/// from its parent, at the body's origin in the axes of TreeModel. One entry per body of the
/// mechanism.
template <class S>
struct InverseDynamicsScratch {
  std::vector<BodyMotion<S>> motion;   // motion of the bodies that are `kept`
  std::vector<Vec3<S>> force, moment;  // [N], [N m]

  void resize(std::size_t bodies);
};

/// Joint forces of the bare tree that produce a given motion: tau = M(q) a + C(q, v) v - tau_g(q).
///
///   state  in   q, v, a, sine, cosine of each joint, one entry per body
///   tau    out  force or torque of each joint along +axis on its body; 0 for bodies without mass
///               in their branch and for fixed joints                            [N, N m]
///
/// Cost: one base-to-tips and one tips-to-base sweep over `model`, no allocation. For a revolute
/// joint about a main axis, with centre of mass and next joint on one axis too, about 50 products
/// and 15 sums; about 45 products more if its axis is tilted.
/// Source: paper 000, eqs. 28-34. In eq. 30 the last term must be the joint rate times the angular
/// velocity (printed: acceleration) of the preceding body, cross z. Gravity enters as an upward
/// acceleration of the world. Moments are about the body's origin, not its centre of mass.
/// Defined in inverse_dynamics_sweeps.hpp for any scalar, as mass_matrix is; ready-made for double
/// and Pack.
template <class S>
void inverse_dynamics(const TreeModel& model, const JointView<S>& state,
                      InverseDynamicsScratch<S>& scratch, std::span<S> tau);

/// The force along +axis that overcomes friction at this velocity. At rest it is the middle of what
/// dry friction may be, which is 0.
template <class S>
S overcoming(const Friction& friction, const S& v) {
  const S rest(Friction::rest), coulomb(friction.coulomb);
  return v * friction.viscous + select(rest < v, coulomb, select(v < -rest, S(-coulomb), S(0.0)));
}

}  // namespace counterpoise
