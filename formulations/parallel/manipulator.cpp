#include "formulations/parallel/manipulator.hpp"

#include <algorithm>
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

}  // namespace counterpoise::parallel
