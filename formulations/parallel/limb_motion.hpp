#pragma once

#include <array>
#include <optional>

#include "formulations/parallel/manipulator.hpp"

namespace counterpoise::parallel {

/// The pose and motion of a limb, in base axes. It turns with its line without spinning about it
/// (paper 004, eq. 23), so `omega` and `alpha` are perpendicular to the line.
struct LimbMotion {
  Vec3d arm;            // platform's origin to C                                         [m]
  Vec3d e;              // unit vector A to C
  double length;        // |AC|                                                           [m]
  double rate;          // dl/dt                                                        [m/s]
  double acceleration;  // d2l/dt2                                                    [m/s^2]
  Vec3d omega;          // [rad/s]
  Vec3d alpha;          // [rad/s^2]
  /// Unit directions of the torques that the universal joints at A and C pass. Each is
  /// perpendicular to both axes of its joint, and is the limb's direction less its part along the
  /// axis (the paper's e_p).
  Vec3d base_torque, platform_torque;
};

using LimbMotions = std::array<LimbMotion, most_limbs>;

/// Computes the motion of every limb from that of the platform (paper 004, eqs. 15-23 and A1-A4).
/// Returns a singular pose for a limb along an axis of its own universal joint, or of zero length.
///
/// Cost: O(limbs), no allocation.
std::optional<SingularPose> find_limb_motions(const Manipulator& manipulator,
                                              const PlatformMotion& motion, LimbMotions& limbs);

}  // namespace counterpoise::parallel
