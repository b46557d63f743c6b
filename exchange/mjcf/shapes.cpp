#include "exchange/mjcf/shapes.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

namespace counterpoise {
namespace {

constexpr double pi = std::numbers::pi;

/// Of a solid or hollow box or ellipsoid, whose moments follow from one number for each axis.
Vec3d across(const Vec3d& of_axis) {
  return {of_axis.y() + of_axis.z(), of_axis.x() + of_axis.z(), of_axis.x() + of_axis.y()};
}

Vec3d solid_capsule(double mass, double radius, double height) {
  const double balls = mass * 4.0 * radius / (4.0 * radius + 3.0 * height);
  const double cylinder = mass - balls, ball = 2.0 * balls * radius * radius / 5.0;
  const double side = cylinder * (3.0 * radius * radius + height * height) / 12.0 + ball +
                      balls * height * (3.0 * radius + 2.0 * height) / 8.0;
  return {side, side, cylinder * radius * radius / 2.0 + ball};
}

Vec3d hollow_capsule(double mass, double radius, double height) {
  const double ball_area = 4.0 * pi * radius * radius, side_area = 2.0 * pi * radius * height;
  const double balls = mass * ball_area / (ball_area + side_area), cylinder = mass - balls;
  const double ball = 2.0 * balls * radius * radius / 3.0;
  const double centre = radius / 2.0;  // of mass, of half a hollow ball
  const double at = height / 2.0 + centre;
  const double side = cylinder * (6.0 * radius * radius + height * height) / 12.0 + ball +
                      balls * (at * at - centre * centre);
  return {side, side, cylinder * radius * radius + ball};
}

Vec3d hollow_cylinder(double mass, double radius, double height) {
  const double end_area = pi * radius * radius, side_area = 2.0 * pi * radius * height;
  const double end = mass * end_area / (2.0 * end_area + side_area), tube = mass - 2.0 * end;
  const double side = tube * (6.0 * radius * radius + height * height) / 12.0 +
                      2.0 * (end * radius * radius / 4.0 + end * height * height / 4.0);
  return {side, side, tube * radius * radius + end * radius * radius};
}

/// The difference of a solid ellipsoid and one that is a little larger.
Vec3d hollow_ellipsoid(double mass, const Vec3d& size) {
  constexpr double thickness = 1e-6;  // [m], MuJoCo's
  const Vec3d larger = size + Vec3d::Constant(thickness);
  const double inner = 4.0 * pi * size.prod() / 3.0, outer = 4.0 * pi * larger.prod() / 3.0;
  const double density = mass / (outer - inner);
  return across(larger.cwiseAbs2()) * (outer * density) / 5.0 -
         across(size.cwiseAbs2()) * (inner * density) / 5.0;
}

Vec3d hollow_box(double mass, const Vec3d& size) {
  const Vec3d length = 2.0 * size;
  // pairs of sides, each by the axis that it lies across
  const Vec3d area(length.y() * length.z(), length.x() * length.z(), length.x() * length.y());
  Vec3d of_axis = Vec3d::Zero();  // mass times the mean square of each coordinate
  for (int side = 0; side < 3; ++side) {
    const double mass_of_pair = mass * area[side] / area.sum();
    for (int axis = 0; axis < 3; ++axis)
      of_axis[axis] +=
          mass_of_pair * (axis == side ? size[axis] * size[axis] : size[axis] * size[axis] / 3.0);
  }
  return across(of_axis);
}

}  // namespace

double MjcfShape::volume() const {
  const double radius = size[0], height = 2.0 * size[1];
  if (type == "sphere")
    return shell ? 4.0 * pi * radius * radius : 4.0 * pi * radius * radius * radius / 3.0;
  if (type == "capsule")
    return shell ? 4.0 * pi * radius * radius + 2.0 * pi * radius * height
                 : pi * (radius * radius * height + 4.0 * radius * radius * radius / 3.0);
  if (type == "cylinder")
    return shell ? 2.0 * pi * radius * radius + 2.0 * pi * radius * height
                 : pi * radius * radius * height;
  if (type == "ellipsoid") {
    if (!shell) return 4.0 * pi * size.prod() / 3.0;
    constexpr double p = 1.6075;  // Thomsen's approximation, as MuJoCo has it
    return 4.0 * pi *
           std::pow((std::pow(size[0] * size[1], p) + std::pow(size[1] * size[2], p) +
                     std::pow(size[2] * size[0], p)) /
                        3.0,
                    1.0 / p);
  }
  if (type == "box")
    return shell ? 8.0 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0])
                 : 8.0 * size.prod();
  return 0.0;  // a plane
}

Vec3d MjcfShape::moments(double mass) const {
  const double radius = size[0], height = 2.0 * size[1];
  if (type == "sphere") return Vec3d::Constant(2.0 * mass * radius * radius / (shell ? 3.0 : 5.0));
  if (type == "capsule")
    return shell ? hollow_capsule(mass, radius, height) : solid_capsule(mass, radius, height);
  if (type == "cylinder") {
    if (shell) return hollow_cylinder(mass, radius, height);
    const double side = mass * (3.0 * radius * radius + height * height) / 12.0;
    return {side, side, mass * radius * radius / 2.0};
  }
  if (type == "ellipsoid")
    return shell ? hollow_ellipsoid(mass, size) : Vec3d(across(size.cwiseAbs2()) * mass / 5.0);
  if (type == "box")
    return shell ? hollow_box(mass, size) : Vec3d(across(size.cwiseAbs2()) * mass / 3.0);
  return Vec3d::Zero();
}

MjcfMass mjcf_sum(const std::vector<MjcfMass>& masses) {
  if (masses.size() == 1) return masses.front();
  MjcfMass sum;
  Vec3d moment = Vec3d::Zero();
  for (const MjcfMass& part : masses) {
    sum.mass += part.mass;
    moment += part.mass * part.pose.position;
  }
  if (sum.mass <= 0.0) return {};
  sum.pose.position = moment / sum.mass;
  Mat3d inertia = Mat3d::Zero();
  for (const MjcfMass& part : masses) {
    const Mat3d axes = part.pose.rotation.toRotationMatrix();
    const Vec3d from = part.pose.position - sum.pose.position;
    inertia += axes * part.moments.asDiagonal() * axes.transpose() +
               part.mass * (from.squaredNorm() * Mat3d::Identity() - from * from.transpose());
  }
  const Eigen::SelfAdjointEigenSolver<Mat3d> principal(inertia);
  Mat3d axes = principal.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(0) = -axes.col(0);
  sum.pose.rotation = Eigen::Quaterniond(axes);
  sum.moments = principal.eigenvalues();
  return sum;
}

}  // namespace counterpoise
