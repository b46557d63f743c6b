#include "tests/formulations/schoenflies_case.hpp"

#include <cmath>
#include <numbers>

namespace counterpoise::test {

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
