#include "formulations/parallel/manipulator.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <sstream>

namespace counterpoise::parallel {
namespace {

bool finite(const LegPart& part) {
  return std::isfinite(part.mass) && std::isfinite(part.com) && std::isfinite(part.transverse) &&
         std::isfinite(part.axial);
}

bool negative(const LegPart& part) {
  return part.mass < 0.0 || part.transverse < 0.0 || part.axial < 0.0;
}

bool unit(const Vec3d& axis) {
  return std::abs(axis.squaredNorm() - 1.0) < 1e-9;
}

std::optional<std::string> find_fault(const Limb& limb) {
  if (!limb.base_point.allFinite() || !limb.platform_point.allFinite() || !finite(limb.lower) ||
      !finite(limb.upper))
    return "has a number that is not finite";
  if (negative(limb.lower) || negative(limb.upper)) return "has a negative mass or moment";
  if (!unit(limb.base_axis) || !unit(limb.platform_axis))
    return "has an axis that is no unit vector";
  return std::nullopt;
}

std::string components(const Vec3d& v) {
  std::ostringstream text;
  text << "(" << v.x() << ", " << v.y() << ", " << v.z() << ")";
  return text.str();
}

}  // namespace

std::optional<std::string> find_fault(const Manipulator& manipulator) {
  const auto& limbs = manipulator.limbs;
  const auto upu = std::count_if(limbs.begin(), limbs.end(),
                                 [](const Limb& limb) { return limb.kind == LimbKind::upu; });
  const auto unknowns = static_cast<std::ptrdiff_t>(limbs.size()) + upu;
  if (unknowns != 6)
    return std::to_string(limbs.size()) + " limbs, " + std::to_string(upu) + " of them UPU, pass " +
           std::to_string(unknowns) + " unknowns to the platform; its equations determine 6";
  const Platform& platform = manipulator.platform;
  if (!manipulator.gravity.allFinite() || !std::isfinite(platform.mass) ||
      !platform.com.allFinite() || !platform.inertia.allFinite())
    return "gravity or the platform has a number that is not finite";
  if (platform.mass < 0.0) return "the platform has a negative mass";
  for (std::size_t i = 0; i < limbs.size(); ++i)
    if (const auto fault = find_fault(limbs[i]))
      return "limb " + std::to_string(i + 1) + " " + *fault;
  return std::nullopt;
}

double platform_size(const Manipulator& manipulator) {
  double size = 0.0;
  for (const Limb& limb : manipulator.limbs) size = std::max(size, limb.platform_point.norm());
  return size > 0.0 ? size : 1.0;
}

std::string describe(const SingularPose& pose) {
  const Eigen::AngleAxisd turn(pose.rotation);
  std::ostringstream text;
  text << "singular pose: platform at " << components(pose.position) << " m, turned by "
       << turn.angle() << " rad about " << components(turn.axis()) << ": ";
  if (pose.limb >= 0)
    text << "limb " << pose.limb + 1
         << " lies along an axis of its universal joint (sine of the angle " << pose.smallest
         << "), which leaves its hinge undetermined";
  else
    text << "the limbs cannot hold the platform, whatever their forces (smallest singular value "
         << pose.smallest << "); with all lengths locked its origin is free to move along "
         << components(pose.free_velocity) << " while it turns about "
         << components(pose.free_spin);
  return text.str();
}

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

/// Sets `direction` to the unit vector along the part of unit vector e that is perpendicular to a
/// unit axis, and returns the size of that part.
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
