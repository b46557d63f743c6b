#include "tests/support/random.hpp"

#include <Eigen/Geometry>

namespace counterpoise::test {

Vec3d Random::direction() {
  for (;;) {
    const Vec3d v = vector(1.0);
    if (v.norm() > 0.1 && v.norm() < 1.0) return v.normalized();
  }
}

Mat3d Random::rotation() {
  const Vec3d x = direction();
  Vec3d across = direction();
  while (x.cross(across).norm() < 0.1) across = direction();
  Mat3d axes;
  axes.col(0) = x;
  axes.col(2) = x.cross(across).normalized();
  axes.col(1) = axes.col(2).cross(x);
  return axes;
}

Mat3d Random::inertia(double mass, double size) {
  constexpr int particles = 4;
  Mat3d sum = Mat3d::Zero();
  for (int i = 0; i < particles; ++i) {
    const Vec3d r = vector(size);
    sum += mass / particles * (r.squaredNorm() * Mat3d::Identity() - r * r.transpose());
  }
  return (sum + sum.transpose()) / 2.0;
}

}  // namespace counterpoise::test
