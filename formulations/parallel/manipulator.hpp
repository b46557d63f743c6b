#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/math/vector.hpp"
#include "engine/mechanism/elements.hpp"

namespace counterpoise::parallel {

/// Equations with a smallest pivot below this share of the largest are examined by their singular
/// values.
inline constexpr double suspicious_pivots = 1e-5;

/// How a limb is held at the platform. Limbs of both kinds are held by a universal joint at the
/// base and slide along their line: UPS ends in a ball, UPU in a universal joint, which also passes
/// one torque.
enum class LimbKind { ups, upu };

/// A limb from a base point A to a platform point C, made of a lower part that turns about A and an
/// upper part that slides in it. The first axis of the universal joint at A is fixed to the base,
/// the last axis of one at C to the platform; the axes between them are parallel hinges across the
/// limb.
struct Limb {
  LimbKind kind = LimbKind::ups;
  Vec3d base_point = Vec3d::Zero();      // A, in base axes                               [m]
  Vec3d platform_point = Vec3d::Zero();  // C, in platform axes                           [m]
  Vec3d base_axis = Vec3d::UnitZ();      // unit vector in base axes
  Vec3d platform_axis = Vec3d::UnitZ();  // unit vector in platform axes; UPU only
  LegPart lower;                         // com is measured from A
  LegPart upper;                         // com is measured back from C
};

struct Platform {
  double mass = 0.0;              // [kg]
  Vec3d com = Vec3d::Zero();      // centre of mass in platform axes                      [m]
  Mat3d inertia = Mat3d::Zero();  // about the centre of mass, platform axes         [kg m^2]
};

/// A platform on limbs. Each limb passes one unknown force along its line to the platform, a UPU
/// limb one torque as well; the platform's six equations determine six such unknowns, so
/// limbs + UPU limbs = 6: six UPS (Stewart), 4 UPS + 1 UPU, 2 UPS + 2 UPU (paper 004), 3 UPU.
struct Manipulator {
  Vec3d gravity = Vec3d(0.0, 0.0, -9.81);  // in base axes                            [m/s^2]
  Platform platform;
  std::vector<Limb> limbs;
};

inline constexpr int most_limbs = 6;

/// The pose and motion of the platform, in base axes. The spin is that of the platform.
struct PlatformMotion {
  Mat3d rotation = Mat3d::Identity();  // platform axes to base axes
  Vec3d position = Vec3d::Zero();      // of the platform's origin                      [m]
  Vec3d velocity = Vec3d::Zero();      // of the platform's origin                    [m/s]
  Vec3d omega = Vec3d::Zero();         // [rad/s]
  Vec3d acceleration = Vec3d::Zero();  // of the platform's origin                  [m/s^2]
  Vec3d alpha = Vec3d::Zero();         // [rad/s^2]
};

/// A pose in which the limbs do not determine the forces; no force is given for it.
struct SingularPose {
  Vec3d position = Vec3d::Zero();      // of the platform's origin
  Mat3d rotation = Mat3d::Identity();  // platform axes to base axes
  /// Index of a limb along the axis of its own universal joint, or -1 for the limbs together.
  int limb = -1;
  /// For one limb, the sine of its angle to the axis; for the limbs together, the smallest over the
  /// largest singular value of the equations, with moments divided by the platform's size.
  double smallest = 0.0;
  /// For the limbs together, how the platform can move while no limb changes its length: velocity
  /// of its origin and spin, of unit size.
  Vec3d free_velocity = Vec3d::Zero(), free_spin = Vec3d::Zero();
};

/// Poses with `smallest` below this are singular.
inline constexpr double singular_limit = 1e-8;

/// Says in words why this is no such manipulator, or returns nothing: a wrong number of unknowns,
/// numbers that are not finite, a negative mass or moment, an axis that is not a unit vector.
std::optional<std::string> find_fault(const Manipulator& manipulator);

/// The largest distance of a platform point from the platform's origin, or 1 m if all are there. It
/// makes moments comparable with forces. [m]
double platform_size(const Manipulator& manipulator);

/// Describes in words the pose, which limbs are the cause, and what is free to move.
std::string describe(const SingularPose& pose);

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
