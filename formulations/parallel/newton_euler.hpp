#pragma once

#include <Eigen/LU>
#include <optional>
#include <span>

#include "formulations/parallel/manipulator.hpp"

namespace counterpoise::parallel {

/// All that acts on the parts of one limb, in base axes: 13 unknowns of a UPS limb, 14 of a UPU
/// limb. The torques are about LimbMotion::base_torque and LimbMotion::platform_torque.
struct LimbReactions {
  Vec3d base_force = Vec3d::Zero();      // base on the lower part, at A                   [N]
  double base_torque = 0.0;              // base on the lower part, at A                 [N m]
  Vec3d slide_force = Vec3d::Zero();     // lower on the upper part, the drive included    [N]
  Vec3d slide_moment = Vec3d::Zero();    // lower on the upper part, about A             [N m]
  Vec3d platform_force = Vec3d::Zero();  // platform on the upper part, at C               [N]
  double platform_torque = 0.0;          // platform on the upper part, at C             [N m]
  double drive = 0.0;  // part of slide_force along the limb; positive extends            [N]
};

/// Workspace of one call, without heap memory.
struct NewtonEulerScratch {
  static constexpr int most_equations = 6 * (2 * most_limbs + 1);
  using Matrix =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_equations, most_equations>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_equations, 1>;
  LimbMotions limbs;
  Matrix equations;
  Eigen::PartialPivLU<Matrix> lu;
  Vector loads, unknowns;
};

/// Computes all joint forces by the plain Newton-Euler system (paper 004, appendix A): three
/// equations of forces and three of moments for each of the 2 n limb parts and the platform, one
/// square system, 54 equations for 2 UPS + 2 UPU. For each part, with a the acceleration of its
/// centre of mass at r from A,
///
///   sum of forces          = m (a - g)
///   sum of moments about A = r x m (a - g) + J alpha + omega x J omega
///
///   reactions   out   one per limb
///
/// Precondition (asserted): no find_fault. Cost: one dense solve of 12 n + 6 equations, no
/// allocation; a singular pose costs a singular value decomposition, which allocates.
/// Source: paper 004, eqs. A1-A8; README.md lists what is printed otherwise there, and why.
std::optional<SingularPose> newton_euler_reactions(const Manipulator& manipulator,
                                                   const PlatformMotion& motion,
                                                   NewtonEulerScratch& scratch,
                                                   std::span<LimbReactions> reactions);

}  // namespace counterpoise::parallel
