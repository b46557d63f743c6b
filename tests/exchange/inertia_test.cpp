// Inertias that no real body has: how far they are from one, and the nearest.
#include "exchange/inertia.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <catch2/catch.hpp>

#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

Mat3d turned(const Vec3d& moments, Random& random) {
  const Mat3d r =
      Eigen::AngleAxisd(random.uniform(0.0, 3.0), random.direction()).toRotationMatrix();
  return r * moments.asDiagonal() * r.transpose();
}

}  // namespace

TEST_CASE("how far an inertia is from that of a body") {
  Random random(1);
  CHECK(unphysical_share(turned(Vec3d(1.0, 2.0, 2.5), random)) < 0.0);
  CHECK(unphysical_share(turned(Vec3d(1.0, 2.0, 4.0), random)) == Approx(0.25));
  CHECK(unphysical_share(turned(Vec3d(-0.5, 2.0, 2.0), random)) == Approx(0.25));
  CHECK(unphysical_share(Mat3d::Zero()) == 0.0);
}

TEST_CASE("no random inertia of a body is nearer than the nearest") {
  Random random(2);
  for (int trial = 0; trial < test::trials(300); ++trial) {
    const Vec3d moments = random.vector(2.0);
    const Mat3d given = turned(moments, random);
    const Mat3d nearest = nearest_physical(given);
    REQUIRE(unphysical_share(nearest) <= 1e-12);
    if (unphysical_share(given) <= 0.0) REQUIRE((nearest - given).norm() <= 1e-12);
    const double distance = (nearest - given).norm();
    for (int other = 0; other < 200; ++other) {
      // second moments of mass, none negative, near those of the nearest and far from them
      const Vec3d s =
          (random.chance(0.5) ? random.vector(3.0) : 0.01 * random.vector(1.0)).cwiseAbs();
      const Mat3d second = turned(s, random);
      const Mat3d close = nearest.trace() / 2.0 * Mat3d::Identity() - nearest + 0.01 * second;
      for (const Mat3d& sigma : {second, close}) {
        const Mat3d body = sigma.trace() * Mat3d::Identity() - sigma;
        REQUIRE((body - given).norm() >= distance - 1e-12);
      }
    }
  }
}

TEST_CASE("bodies fixed to each other have the inertia of all their points") {
  Random random(3);
  RigidSum sum;
  std::vector<std::pair<double, Vec3d>> points;
  for (int body = 0; body < 4; ++body) {
    double mass = 0.0;
    Vec3d com = Vec3d::Zero();
    std::vector<std::pair<double, Vec3d>> own;
    for (int point = 0; point < 5; ++point) {
      own.emplace_back(random.uniform(0.1, 1.0), random.vector(1.0));
      mass += own.back().first;
      com += own.back().first * own.back().second;
    }
    com /= mass;
    Mat3d inertia = Mat3d::Zero();
    for (const auto& [m, p] : own)
      inertia +=
          m * ((p - com).squaredNorm() * Mat3d::Identity() - (p - com) * (p - com).transpose());
    sum.add(mass, com, inertia);
    points.insert(points.end(), own.begin(), own.end());
  }
  double mass = 0.0;
  Vec3d com = Vec3d::Zero();
  for (const auto& [m, p] : points) {
    mass += m;
    com += m * p;
  }
  com /= mass;
  Mat3d expected = Mat3d::Zero();
  for (const auto& [m, p] : points)
    expected +=
        m * ((p - com).squaredNorm() * Mat3d::Identity() - (p - com) * (p - com).transpose());
  CHECK((sum.inertia() - expected).norm() <= 1e-12 * expected.norm());
}
