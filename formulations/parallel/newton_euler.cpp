#include "formulations/parallel/newton_euler.hpp"

#include <cassert>

#include "engine/math/orthogonal_decomposition.hpp"
#include "engine/math/rotation.hpp"

namespace counterpoise::parallel {
namespace {

/// Columns of one limb's unknowns, counted from its first.
constexpr Eigen::Index base_force = 0, base_torque = 3, slide_force = 4, slide_moment = 7,
                       platform_force = 10, platform_torque = 13;

Eigen::Index unknowns_of(const Limb& limb) {
  return limb.kind == LimbKind::upu ? 14 : 13;
}

/// Force and moment about A that a limb's part needs (eqs. A7, A8), with r its centre of mass from
/// A and a the acceleration of that, in motion and against gravity.
struct Need {
  Vec3d force, moment;
};
Need need(const LegPart& part, const LimbMotion& m, const Vec3d& r, const Vec3d& a,
          const Vec3d& gravity) {
  const Mat3d inertia =
      part.transverse * Mat3d::Identity() + (part.axial - part.transverse) * m.e * m.e.transpose();
  const Vec3d force = part.mass * (a - gravity);
  return {force, r.cross(force) + inertia * m.alpha + m.omega.cross(inertia * m.omega)};
}

Need need_of_lower(const Limb& limb, const LimbMotion& m, const Vec3d& gravity) {
  const Vec3d r = limb.lower.com * m.e;
  const Vec3d a = m.alpha.cross(r) + m.omega.cross(m.omega.cross(r));  // eq. A5
  return need(limb.lower, m, r, a, gravity);
}

Need need_of_upper(const Limb& limb, const LimbMotion& m, const Vec3d& gravity) {
  const Vec3d r = (m.length - limb.upper.com) * m.e;
  const Vec3d a = m.acceleration * m.e + m.alpha.cross(r) + m.omega.cross(m.omega.cross(r)) +
                  2.0 * m.rate * m.omega.cross(m.e);  // eq. A6
  return need(limb.upper, m, r, a, gravity);
}

Need need_of_platform(const Manipulator& manipulator, const PlatformMotion& motion) {
  const Platform& platform = manipulator.platform;
  const Vec3d c = motion.rotation * platform.com;
  const Vec3d a =
      motion.acceleration + motion.alpha.cross(c) + motion.omega.cross(motion.omega.cross(c));
  const Mat3d inertia = motion.rotation * platform.inertia * motion.rotation.transpose();
  const Vec3d force = platform.mass * (a - manipulator.gravity);
  return {force,
          c.cross(force) + inertia * motion.alpha + motion.omega.cross(inertia * motion.omega)};
}

/// The six rows of one body. Moments and torques are divided by the platform's size, so that all
/// numbers are forces.
class Rows {
 public:
  Rows(NewtonEulerScratch& scratch, Eigen::Index row, double size)
      : scratch_(scratch), row_(row), size_(size) {}

  void needs(const Need& need) {
    scratch_.loads.segment<3>(row_) = need.force;
    scratch_.loads.segment<3>(row_ + 3) = need.moment / size_;
  }
  /// Adds a force in three columns that acts on the body, `arm` from where moments are taken.
  void force(Eigen::Index column, double sign, const Vec3d& arm = Vec3d::Zero()) {
    scratch_.equations.block<3, 3>(row_, column) = sign * Mat3d::Identity();
    scratch_.equations.block<3, 3>(row_ + 3, column) = sign / size_ * cross_matrix(arm);
  }
  void moment(Eigen::Index column, double sign) {
    scratch_.equations.block<3, 3>(row_ + 3, column) = sign * Mat3d::Identity();
  }
  void torque(Eigen::Index column, const Vec3d& direction) {
    scratch_.equations.block<3, 1>(row_ + 3, column) = direction;
  }

 private:
  NewtonEulerScratch& scratch_;
  Eigen::Index row_;
  double size_;
};

void assemble(const Manipulator& manipulator, const PlatformMotion& motion, double size,
              NewtonEulerScratch& scratch) {
  const auto limbs = static_cast<Eigen::Index>(manipulator.limbs.size());
  scratch.equations.setZero(12 * limbs + 6, 12 * limbs + 6);
  scratch.loads.resize(12 * limbs + 6);
  Rows platform(scratch, 12 * limbs, size);
  platform.needs(need_of_platform(manipulator, motion));

  Eigen::Index column = 0;
  for (std::size_t i = 0; i < manipulator.limbs.size(); ++i) {
    const Limb& limb = manipulator.limbs[i];
    const LimbMotion& m = scratch.limbs[i];
    const auto row = 12 * static_cast<Eigen::Index>(i);

    Rows lower(scratch, row, size);
    lower.needs(need_of_lower(limb, m, manipulator.gravity));
    lower.force(column + base_force, 1.0);
    lower.torque(column + base_torque, m.base_torque);
    lower.force(column + slide_force, -1.0);
    lower.moment(column + slide_moment, -1.0);

    Rows upper(scratch, row + 6, size);
    upper.needs(need_of_upper(limb, m, manipulator.gravity));
    upper.force(column + slide_force, 1.0);
    upper.moment(column + slide_moment, 1.0);
    upper.force(column + platform_force, 1.0, m.length * m.e);

    platform.force(column + platform_force, -1.0, m.arm);
    if (limb.kind == LimbKind::upu) {
      upper.torque(column + platform_torque, m.platform_torque);
      platform.torque(column + platform_torque, -m.platform_torque);
    }
    column += unknowns_of(limb);
  }
}

/// Returns the pose if the singular values of all equations make it singular.
std::optional<SingularPose> examine(const PlatformMotion& motion, double size,
                                    const NewtonEulerScratch::Matrix& equations) {
  const SingularValueDecomposition svd = singular_value_decomposition(equations);
  const Eigen::Index last = equations.rows() - 1;
  const double smallest = svd.values[last] / svd.values[0];
  if (smallest >= singular_limit) return std::nullopt;
  // a motion of all bodies on which no unknown does any work; the last six numbers are the
  // platform's
  Eigen::Matrix<double, 6, 1> free = svd.u.col(last).tail<6>();
  free.normalize();
  return SingularPose{motion.position, motion.rotation, -1,
                      smallest,        free.head<3>(),  free.tail<3>() / size};
}

}  // namespace

std::optional<SingularPose> newton_euler_reactions(const Manipulator& manipulator,
                                                   const PlatformMotion& motion,
                                                   NewtonEulerScratch& scratch,
                                                   std::span<LimbReactions> reactions) {
  assert(!find_fault(manipulator) && reactions.size() == manipulator.limbs.size());
  if (auto singular = find_limb_motions(manipulator, motion, scratch.limbs)) return singular;
  const double size = platform_size(manipulator);
  assemble(manipulator, motion, size, scratch);

  scratch.lu.compute(scratch.equations);
  const auto pivots = scratch.lu.matrixLU().diagonal().cwiseAbs();
  if (!(pivots.minCoeff() >= suspicious_pivots * pivots.maxCoeff()))
    if (auto singular = examine(motion, size, scratch.equations)) return singular;
  scratch.unknowns = scratch.lu.solve(scratch.loads);

  const auto& x = scratch.unknowns;
  Eigen::Index column = 0;
  for (std::size_t i = 0; i < reactions.size(); ++i) {
    const Limb& limb = manipulator.limbs[i];
    LimbReactions& out = reactions[i];
    out.base_force = x.segment<3>(column + base_force);
    out.base_torque = size * x[column + base_torque];
    out.slide_force = x.segment<3>(column + slide_force);
    out.slide_moment = size * x.segment<3>(column + slide_moment);
    out.platform_force = x.segment<3>(column + platform_force);
    out.platform_torque = limb.kind == LimbKind::upu ? size * x[column + platform_torque] : 0.0;
    out.drive = out.slide_force.dot(scratch.limbs[i].e);
    column += unknowns_of(limb);
  }
  return std::nullopt;
}

}  // namespace counterpoise::parallel
