#pragma once

#include "engine/kinematics/joint_frame.hpp"
#include "engine/kinematics/joint_motion.hpp"

namespace counterpoise {

/// The bodies that matter for the tree's forces, prepared once per design: those that carry mass,
/// or whose descendants do. Massless linkages are left out.
struct TreeModel {
  struct Body {
    int index = 0;
    int parent = world_body;  // body index
    double mass = 0.0;        // [kg]
    Vec3d com;                // [m]
    Mat3d inertia;            // about the centre of mass [kg m^2]
  };
  Vec3d gravity;
  std::vector<Body> bodies;  // base to tips

  /// Allocates only when the number of bodies grows.
  void prepare(const Mechanism& mechanism);

 private:
  std::vector<bool> carries_;
};

/// Workspace of inverse_dynamics; afterwards the wrench each body gets from its parent, at the
/// body's origin in body axes. One entry per body of the mechanism.
template <class S>
struct InverseDynamicsScratch {
  std::vector<Mat3<S>> rotation;         // R_PB
  std::vector<Vec3<S>> p_PB;             // body origin in parent axes       [m]
  std::vector<Vec3<S>> omega, alpha, a;  // body axes; a is that of the origin, less gravity
  std::vector<Vec3<S>> force, moment;    // [N], [N m]

  void resize(std::size_t bodies);
};

/// Joint forces of the bare tree that produce a given motion: tau = M(q) a + C(q, v) v - tau_g(q).
///
///   state  in   q, v, a, sine, cosine of each joint, one entry per body
///   tau    out  force or torque of each joint along +axis on its body; 0 for bodies without mass
///               in their branch and for fixed joints                            [N, N m]
///
/// Cost: one base-to-tips and one tips-to-base sweep over `model`, no allocation.
/// Source: paper 000, eqs. 28-34. In eq. 30 the last term must be the joint rate times the angular
/// velocity (printed: acceleration) of the preceding body, cross z. Gravity enters as an upward
/// acceleration of the world. Angular terms are about the centre of mass, the wrench handed on is
/// at the body's origin.
template <class S>
void inverse_dynamics(const TreeModel& model, std::span<const JointFrame> frames,
                      const JointState<S>& state, InverseDynamicsScratch<S>& scratch,
                      std::span<S> tau);

}  // namespace counterpoise
