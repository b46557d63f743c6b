#include "formulations/parallel/momentum_screw.hpp"
#include "engine/math/orthogonal_decomposition.hpp"

#include <cassert>
#include <cmath>

namespace counterpoise::parallel {
namespace {

using Matrix6 = MomentumScrewScratch::Matrix6;

/// The moment about A that joints must pass to a limb (eq. 30): rate of its moment of momentum,
/// less gravity's moment. The upper part slides, so its moment of inertia about A changes with
/// time, which gives the last term of the rate; it is not printed. Turning moments of inertia
/// across the limb are alike, and omega stays across it, so there is no gyroscopic term.
Vec3d moment_about_base(const Limb& limb, const LimbMotion& m, const Vec3d& gravity) {
  const double r_lower = limb.lower.com, r_upper = m.length - limb.upper.com;
  const double inertia = limb.lower.transverse + limb.lower.mass * r_lower * r_lower +
                         limb.upper.transverse + limb.upper.mass * r_upper * r_upper;
  const Vec3d rate = inertia * m.alpha + 2.0 * limb.upper.mass * r_upper * m.rate * m.omega;
  return rate - (limb.lower.mass * r_lower + limb.upper.mass * r_upper) * m.e.cross(gravity);
}

/// The force that the upper part needs along the limb besides the force at C (eq. 41).
double needed_along(const Limb& limb, const LimbMotion& m, const Vec3d& gravity) {
  const double r_upper = m.length - limb.upper.com;
  return limb.upper.mass * (m.acceleration - r_upper * m.omega.squaredNorm() - gravity.dot(m.e));
}

void set_wrench(const Vec3d& force, const Vec3d& moment, double size, auto&& column) {
  column << force, moment / size;
}

/// Adds the equations of whole limbs: one column per limb, and one per torque (eqs. 31-34, 40).
void add_limbs(const Manipulator& manipulator, double size, MomentumScrewScratch& scratch) {
  Eigen::Index torque_column = static_cast<Eigen::Index>(manipulator.limbs.size());
  scratch.wrench.setZero();
  for (std::size_t i = 0; i < manipulator.limbs.size(); ++i) {
    const Limb& limb = manipulator.limbs[i];
    const LimbMotion& m = scratch.limbs[i];
    const double lever = m.length * m.base_torque.dot(m.e);
    const Vec3d moment = moment_about_base(limb, m, manipulator.gravity);
    const Vec3d h = m.base_torque.cross(moment) / lever;
    scratch.known_force[i] = h;
    set_wrench(m.e, m.arm.cross(m.e), size, scratch.wrenches.col(static_cast<Eigen::Index>(i)));
    scratch.wrench.head<3>() += h;
    scratch.wrench.tail<3>() += m.arm.cross(h) / size;
    if (limb.kind == LimbKind::ups) continue;

    const Vec3d q = m.base_torque.cross(m.platform_torque) / lever;
    scratch.torque_reaction[i] = q;
    set_wrench(size * q, size * (m.arm.cross(q) + m.platform_torque), size,
               scratch.wrenches.col(torque_column++));
  }
}

/// Adds the equations of the platform about its origin (eqs. 35-38).
void add_platform(const Manipulator& manipulator, const PlatformMotion& motion, double size,
                  MomentumScrewScratch& scratch) {
  const Platform& platform = manipulator.platform;
  const Vec3d com = motion.rotation * platform.com;
  const Vec3d acceleration =
      motion.acceleration + motion.alpha.cross(com) + motion.omega.cross(motion.omega.cross(com));
  const Vec3d force = platform.mass * (manipulator.gravity - acceleration);
  const Mat3d inertia = motion.rotation * platform.inertia * motion.rotation.transpose();
  const Vec3d moment =
      com.cross(force) - inertia * motion.alpha - motion.omega.cross(inertia * motion.omega);
  scratch.wrench.head<3>() += force;
  scratch.wrench.tail<3>() += moment / size;
}

/// Returns the pose if its singular values make it singular.
std::optional<SingularPose> examine(const PlatformMotion& motion, double size,
                                    const Matrix6& wrenches) {
  const SingularValueDecomposition svd = singular_value_decomposition(wrenches);
  const double smallest = svd.values[5] / svd.values[0];
  if (smallest >= singular_limit) return std::nullopt;
  // a motion on which none of the columns does any work
  const auto free = svd.u.col(5);
  return SingularPose{motion.position, motion.rotation, -1,
                      smallest,        free.head<3>(),  free.tail<3>() / size};
}

}  // namespace

std::optional<SingularPose> momentum_screw_forces(const Manipulator& manipulator,
                                                  const PlatformMotion& motion,
                                                  MomentumScrewScratch& scratch,
                                                  std::span<LimbForces> forces) {
  assert(!find_fault(manipulator) && forces.size() == manipulator.limbs.size());
  if (auto singular = find_limb_motions(manipulator, motion, scratch.limbs)) return singular;
  const double size = platform_size(manipulator);
  add_limbs(manipulator, size, scratch);
  add_platform(manipulator, motion, size, scratch);

  scratch.qr.compute(scratch.wrenches);
  const auto pivots = scratch.qr.matrixQR().diagonal();
  if (!(std::abs(pivots[5]) >= suspicious_pivots * std::abs(pivots[0])))
    if (auto singular = examine(motion, size, scratch.wrenches)) return singular;
  scratch.unknowns = scratch.qr.solve(scratch.wrench);

  // back to the limbs: force at C (eqs. 32, 34), then the drive (eq. 41)
  Eigen::Index torque_row = static_cast<Eigen::Index>(forces.size());
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const Limb& limb = manipulator.limbs[i];
    const LimbMotion& m = scratch.limbs[i];
    const bool upu = limb.kind == LimbKind::upu;
    LimbForces& out = forces[i];
    out.platform_torque = upu ? size * scratch.unknowns[torque_row++] : 0.0;
    out.platform_force =
        scratch.unknowns[static_cast<Eigen::Index>(i)] * m.e - scratch.known_force[i];
    if (upu) out.platform_force += out.platform_torque * scratch.torque_reaction[i];
    out.drive = needed_along(limb, m, manipulator.gravity) - out.platform_force.dot(m.e);
  }
  return std::nullopt;
}

}  // namespace counterpoise::parallel
