#pragma once

#include <Eigen/QR>
#include <optional>
#include <span>

#include "formulations/parallel/manipulator.hpp"

namespace counterpoise::parallel {

/// Forces of one limb, in base axes.
struct LimbForces {
  /// What the actuator applies to the upper part along the limb, A to C: positive extends.  [N]
  double drive = 0.0;
  /// What the platform applies to the limb at C: a force, and a torque about
  /// LimbMotion::platform_torque (0 for UPS).  [N, N m]
  Vec3d platform_force = Vec3d::Zero();
  double platform_torque = 0.0;
};

/// Workspace of one call, without heap memory.
struct MomentumScrewScratch {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  LimbMotions limbs;
  std::array<Vec3d, most_limbs> known_force;      // H of each limb
  std::array<Vec3d, most_limbs> torque_reaction;  // force at C per torque at C
  Matrix6 wrenches;
  Eigen::ColPivHouseholderQR<Matrix6> qr;
  Vector6 wrench, unknowns;
};

/// Computes driving forces by the momentum screw (paper 004, sections 2 and 3): the wrench on a
/// system is the rate of its momentum and moment of momentum. Applied to each whole limb this
/// leaves one unknown force along the limb, and a UPU limb's torque; applied to the platform it
/// gives these six:
///
///   sum over limbs of  x [e; arm x e] + T [q; arm x q + t_C]  =  sum of [H; arm x H]
///                      + [M (g - a); c x M (g - a) - J alpha - omega x J omega]
///
///   x   force of the platform on the limb along e, beyond H [N]; T torque at C [N m], UPU only
///   H   = t_A x D / (t_A . r), D = rate of the limb's moment of momentum about A less gravity's
///   q   = t_A x t_C / (t_A . r), t_A and t_C the torque directions, r = A to C
///   c   centre of mass of the platform from its origin, about which moments are taken
///
///   forces   out   one per limb
///
/// Precondition (asserted): no find_fault. Cost: O(limbs) and one 6 x 6 solve, no allocation; a
/// singular pose costs a singular value decomposition.
/// Source: paper 004, eqs. 25-41; README.md lists what is printed otherwise there, and why.
std::optional<SingularPose> momentum_screw_forces(const Manipulator& manipulator,
                                                  const PlatformMotion& motion,
                                                  MomentumScrewScratch& scratch,
                                                  std::span<LimbForces> forces);

}  // namespace counterpoise::parallel
