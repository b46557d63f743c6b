#include "tests/formulations/parallel_case.hpp"

#include <Eigen/QR>
#include <cmath>
#include <numbers>

#include "engine/math/orthogonal_decomposition.hpp"
#include "tests/formulations/parallel_oracle.hpp"

namespace counterpoise::test {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using parallel::LimbKind;

LegPart random_part(Random& random) {
  const double mass = random.uniform(0.1, 2.0);
  const double axial = random.uniform(0.0, 0.01);
  return {mass, random.uniform(-0.1, 0.4), random.uniform(0.01, 0.1), axial};
}

ParallelCase draw(Random& random, int limbs) {
  ParallelCase drawn;
  auto& [manipulator, motion] = drawn;
  manipulator.gravity = random.vector(10.0);
  manipulator.platform.mass = random.uniform(0.5, 10.0);
  manipulator.platform.com = random.vector(0.2);
  manipulator.platform.inertia = random.inertia(manipulator.platform.mass, 0.3);
  for (int i = 0; i < limbs; ++i)
    manipulator.limbs.push_back({.kind = i < 6 - limbs ? LimbKind::upu : LimbKind::ups,
                                 .base_point = random.vector(1.0),
                                 .platform_point = random.vector(0.5),
                                 .base_axis = random.direction(),
                                 .platform_axis = random.direction(),
                                 .lower = random_part(random),
                                 .upper = random_part(random)});
  motion.position = random.vector(0.5) + 1.5 * Vec3d::UnitZ();
  motion.rotation = random.rotation();
  motion.acceleration = random.vector(10.0);
  motion.alpha = random.vector(10.0);
  return drawn;
}

Vec3d across(const Vec3d& e, const Vec3d& axis) {
  return (e - e.dot(axis) * axis).normalized();
}

/// Power that a UPU limb's unit torque at C, and its reaction at A that keeps the limb from
/// spinning, take from the platform: its spin less the limb's turning.
double power_of_torque(const parallel::Limb& limb, const parallel::PlatformMotion& motion) {
  const Line line = line_of(limb, motion);
  const Vec3d at_platform = across(line.e, motion.rotation * limb.platform_axis);
  const Vec3d at_base = across(line.e, limb.base_axis);
  const Vec3d both = at_platform - at_base * at_platform.dot(line.e) / at_base.dot(line.e);
  return at_platform.dot(motion.omega) - both.dot(line.e.cross(line.e_dot));
}

void set_twist(parallel::PlatformMotion& motion, const Vector6& twist) {
  motion.velocity = twist.head<3>();
  motion.omega = twist.tail<3>();
}

/// Power of each UPU limb's torque by each component of the platform's velocity and spin.
Eigen::MatrixXd powers(ParallelCase mechanism) {
  Eigen::MatrixXd rows(0, 6);
  for (const auto& limb : mechanism.manipulator.limbs) {
    if (limb.kind != LimbKind::upu) continue;
    rows.conservativeResize(rows.rows() + 1, 6);
    for (int k = 0; k < 6; ++k) {
      set_twist(mechanism.motion, Vector6::Unit(k));
      rows(rows.rows() - 1, k) = power_of_torque(limb, mechanism.motion);
    }
  }
  return rows;
}

}  // namespace

double conditioning(const ParallelCase& mechanism) {
  Matrix6 rows;
  Eigen::Index row = 0;
  for (const auto& limb : mechanism.manipulator.limbs) {
    const Vec3d arm = mechanism.motion.rotation * limb.platform_point;
    const Vec3d e = line_of(limb, mechanism.motion).e;
    rows.row(row++) << e.transpose(), arm.cross(e).transpose();
  }
  rows.bottomRows(6 - row) = powers(mechanism);
  const Vector6 values = singular_values(rows);
  return values[5] / values[0];
}

ParallelCase random_parallel_case(Random& random, int limbs) {
  const auto near_own_axis = [](const ParallelCase& drawn) {
    for (const auto& limb : drawn.manipulator.limbs) {
      const Vec3d e = line_of(limb, drawn.motion).e;
      if (e.cross(limb.base_axis).norm() < 0.3 ||
          e.cross(drawn.motion.rotation * limb.platform_axis).norm() < 0.3)
        return true;
    }
    return false;
  };
  ParallelCase drawn = draw(random, limbs);
  while (near_own_axis(drawn) || conditioning(drawn) < 0.01) drawn = draw(random, limbs);

  // a random twist, less what would make the torques work
  Vector6 twist;
  twist << random.vector(2.0), random.vector(3.0);
  if (limbs < 6) {
    const Eigen::MatrixXd rows = powers(drawn);
    twist -= rows.completeOrthogonalDecomposition().solve(Eigen::VectorXd(rows * twist));
  }
  set_twist(drawn.motion, twist);
  return drawn;
}

using parallel::LimbKind;

parallel::Manipulator schoenflies(Corners corners) {
  const double base = 0.707 * std::sqrt(0.5), platform = 0.212 * std::sqrt(0.5);
  const double x[] = {1, 1, -1, -1}, y[] = {-1, 1, 1, -1};
  const double turn = corners == Corners::mirrored ? -1.0 : 1.0;
  const LegPart lower{0.367, 0.3, 0.011, 0.000097}, upper{0.367, 0.35, 0.015, 0.00007};
  parallel::Manipulator manipulator;
  manipulator.platform.mass = 4.196;
  manipulator.platform.inertia = Vec3d(0.0713, 0.0357, 0.0357).asDiagonal();
  for (int i = 0; i < 4; ++i)
    manipulator.limbs.push_back({.kind = i == 0 || i == 3 ? LimbKind::upu : LimbKind::ups,
                                 .base_point = {base * x[i], base * y[i], 0.0},
                                 .platform_point = {platform * x[i], turn * platform * y[i], 0.0},
                                 .lower = lower,
                                 .upper = upper});
  return manipulator;
}

parallel::PlatformMotion schoenflies_motion(double t) {
  constexpr double pi = std::numbers::pi;
  const double s1 = std::sin(pi * t), c1 = std::cos(pi * t);
  const double s2 = std::sin(2 * pi * t), c2 = std::cos(2 * pi * t);
  const double s3 = std::sin(3 * pi * t), c3 = std::cos(3 * pi * t);
  parallel::PlatformMotion motion;
  motion.position = {0.5 * s1, 0.3 * c2, 1.0 + 0.2 * s3};
  motion.velocity = {0.5 * pi * c1, -0.6 * pi * s2, 0.6 * pi * c3};
  motion.acceleration = {-0.5 * pi * pi * s1, -1.2 * pi * pi * c2, -1.8 * pi * pi * s3};
  motion.rotation = Eigen::AngleAxisd(0.2 * s1, Vec3d::UnitZ()).toRotationMatrix();
  motion.omega = 0.2 * pi * c1 * Vec3d::UnitZ();
  motion.alpha = -0.2 * pi * pi * s1 * Vec3d::UnitZ();
  return motion;
}

}  // namespace counterpoise::test
