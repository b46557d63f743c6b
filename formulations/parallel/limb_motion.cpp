#include "formulations/parallel/limb_motion.hpp"

#include <algorithm>
#include <cassert>

namespace counterpoise::parallel {
namespace {

LimbMotion move(const Limb& limb, const PlatformMotion& motion) {
  LimbMotion m;
  // eqs. 15-19: the pose of the limb
  m.arm = motion.rotation * limb.platform_point;
  const Vec3d r = motion.position + m.arm - limb.base_point;
  m.length = r.norm();
  m.e = r / m.length;

  // eqs. 20-23: the limb's rate along its line and its angular velocity
  const Vec3d r_dot = motion.omega.cross(m.arm) + motion.velocity;
  m.rate = m.e.dot(r_dot);
  m.omega = m.e.cross(r_dot) / m.length;

  // eqs. A1-A4: the limb's accelerations
  const Vec3d r_ddot = motion.alpha.cross(m.arm) + motion.omega.cross(motion.omega.cross(m.arm)) +
                       motion.acceleration;
  m.acceleration = m.e.dot(r_ddot) + m.length * m.omega.squaredNorm();
  m.alpha = (m.e.cross(r_ddot) - 2.0 * m.rate * m.omega) / m.length;
  return m;
}

/// Sets `direction` to the part of unit vector e perpendicular to a unit axis, made a unit vector,
/// and returns its size before that.
double across(const Vec3d& e, const Vec3d& axis, Vec3d& direction) {
  direction = e - e.dot(axis) * axis;
  const double sine = direction.norm();
  direction /= sine;
  return sine;
}

}  // namespace

std::optional<SingularPose> find_limb_motions(const Manipulator& manipulator,
                                              const PlatformMotion& motion, LimbMotions& limbs) {
  assert(manipulator.limbs.size() <= limbs.size());
  for (std::size_t i = 0; i < manipulator.limbs.size(); ++i) {
    const Limb& limb = manipulator.limbs[i];
    LimbMotion& m = limbs[i];
    m = move(limb, motion);
    double sine = across(m.e, limb.base_axis, m.base_torque);
    if (limb.kind == LimbKind::upu)
      sine = std::min(sine, across(m.e, motion.rotation * limb.platform_axis, m.platform_torque));
    if (!(sine >= singular_limit))
      return SingularPose{motion.position, motion.rotation, static_cast<int>(i),
                          m.length > 0.0 ? sine : 0.0};
  }
  return std::nullopt;
}

}  // namespace counterpoise::parallel
