#include <Eigen/Geometry>
#include <catch2/catch.hpp>

#include "engine/math/rotation.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;

namespace {

// a product of three rotation matrices, a few roundings an entry
constexpr double tolerance = 20.0 * std::numeric_limits<double>::epsilon();

Mat3d about(const Vec3d& axis, double angle) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis)).toRotationMatrix();
}

}  // namespace

TEST_CASE("three numbers of each convention turn about the axes in its order") {
  test::Random random(1);
  for (int trial = 0; trial < test::trials(200); ++trial) {
    const Vec3d t = random.vector(3.2);
    CAPTURE(t.transpose());
    const Vec3d x = Vec3d::UnitX(), y = Vec3d::UnitY(), z = Vec3d::UnitZ();
    // intrinsic turns multiply from the left to the right, turns about fixed axes the other way
    CHECK((rotation_from_zxz(t[0], t[1], t[2]) - about(z, t[0]) * about(x, t[1]) * about(z, t[2]))
              .norm() < tolerance);
    CHECK((rotation_from_rpy(t[0], t[1], t[2]) - about(z, t[2]) * about(y, t[1]) * about(x, t[0]))
              .norm() < tolerance);
  }
}

TEST_CASE("a yaw after a pitch moves x where a hand can follow") {
  const double right = std::acos(0.0);
  // pitch a quarter: x goes to -z; yaw a quarter leaves it there, and takes y to -x
  const Mat3d turned = rotation_from_rpy(0.0, right, right);
  CHECK((turned.col(0) + Vec3d::UnitZ()).norm() < tolerance);
  CHECK((turned.col(1) + Vec3d::UnitX()).norm() < tolerance);
}

TEST_CASE("a quaternion of any length turns as its unit quaternion") {
  test::Random random(2);
  for (int trial = 0; trial < test::trials(200); ++trial) {
    const Eigen::Quaterniond unit(random.rotation());
    const double length = random.uniform(0.01, 50.0);
    const Mat3d turned = rotation_from_quaternion(length * unit.w(), length * unit.x(),
                                                  length * unit.y(), length * unit.z());
    CHECK((turned - unit.toRotationMatrix()).norm() < tolerance);
  }
}

TEST_CASE("rotation about an axis leaves the axis and adds angles") {
  test::Random random(3);
  for (int trial = 0; trial < test::trials(200); ++trial) {
    const Vec3d axis = random.direction();
    const double a = random.uniform(-4.0, 4.0);
    const double b = random.uniform(-4.0, 4.0);
    CHECK((rotation_about(axis, a) - about(axis, a)).norm() < tolerance);
    CHECK((rotation_about(axis, a) * axis - axis).norm() < tolerance);
    CHECK((rotation_about(axis, a) * rotation_about(axis, b) - rotation_about(axis, a + b)).norm() <
          tolerance);
  }
}

TEST_CASE("the cross matrix multiplies as the cross product") {
  test::Random random(4);
  const Vec3d a = random.vector(3.0), b = random.vector(3.0);
  CHECK((cross_matrix(a) * b - a.cross(b)).norm() < 10.0 * tolerance);
}

TEST_CASE("a rotation between directions turns one into the other by the least angle") {
  test::Random random(5);
  for (int trial = 0; trial < test::trials(600); ++trial) {
    const Vec3d from = random.direction();
    // every third pair is opposite, or nearly
    const Vec3d near = from + std::pow(10.0, random.uniform(-17.0, 0.0)) * random.direction();
    const Vec3d to = trial % 3 == 0 ? Vec3d(-near.normalized()) : random.direction();
    const Mat3d turn = rotation_between(from, to);
    CHECK((turn * from - to).norm() < tolerance);
    CHECK((turn.transpose() * turn - Mat3d::Identity()).norm() < tolerance);
    CHECK(turn.determinant() > 0.0);
    // 1 + 2 cos(angle), whatever the axis
    CHECK(std::abs(turn.trace() - 1.0 - 2.0 * from.dot(to)) < tolerance);
  }
  CHECK(rotation_between(Vec3d::UnitZ(), Vec3d::UnitZ()) == Mat3d::Identity());
  CHECK(rotation_between(Vec3d::UnitZ(), -Vec3d::UnitZ()) * Vec3d::UnitZ() == -Vec3d::UnitZ());
}

TEST_CASE("principal axes make an inertia diagonal") {
  test::Random random(6);
  for (int trial = 0; trial < test::trials(200); ++trial) {
    const Mat3d turn = random.rotation();
    const Vec3d moments = random.vector(2.0);
    const Mat3d inertia = turn * moments.asDiagonal() * turn.transpose();
    const PrincipalAxes principal = principal_axes(inertia);
    Vec3d sorted = moments;
    std::sort(sorted.begin(), sorted.end());
    CHECK((principal.moments - sorted).norm() < tolerance);
    CHECK((principal_moments(inertia) - sorted).norm() < tolerance);
    CHECK((principal.axes * sorted.asDiagonal() * principal.axes.transpose() - inertia).norm() <
          tolerance);
    CHECK(principal.axes.determinant() > 0.0);
  }
}
