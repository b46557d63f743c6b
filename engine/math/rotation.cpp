#include "engine/math/rotation.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace counterpoise {

Mat3d cross_matrix(const Vec3d& a) {
  Mat3d k;
  k << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return k;
}

Mat3d rotation_about(const Vec3d& axis, double angle) {
  const Mat3d k = cross_matrix(axis);
  return Mat3d::Identity() + std::sin(angle) * k + (1.0 - std::cos(angle)) * k * k;
}

Mat3d rotation_from_zxz(double z1, double x2, double z3) {
  return rotation_about(Vec3d::UnitZ(), z1) * rotation_about(Vec3d::UnitX(), x2) *
         rotation_about(Vec3d::UnitZ(), z3);
}

Mat3d rotation_from_rpy(double roll, double pitch, double yaw) {
  return rotation_about(Vec3d::UnitZ(), yaw) * rotation_about(Vec3d::UnitY(), pitch) *
         rotation_about(Vec3d::UnitX(), roll);
}

Mat3d rotation_from_quaternion(double w, double x, double y, double z) {
  const double norm = std::sqrt(w * w + x * x + y * y + z * z);
  if (!std::isfinite(norm)) return Mat3d::Constant(norm - norm);
  const Mat3d k = cross_matrix(Vec3d(x, y, z) / norm);
  return Mat3d::Identity() + 2.0 * (w / norm) * k + 2.0 * k * k;
}

Mat3d rotation_between(const Vec3d& from, const Vec3d& to) {
  const Vec3d across = from.cross(to);
  const double cosine = from.dot(to);
  if (cosine < 0.0) {  // half a turn, and what is left of it, as 1 + cosine may be rounding
    Vec3d axis = across.normalized();
    axis -= axis.dot(from) * from;  // of nearly opposite directions `across` is rounding
    axis = axis.squaredNorm() < 0.25 ? from.unitOrthogonal() : Vec3d(axis.normalized());
    const Mat3d half_turn = 2.0 * axis * axis.transpose() - Mat3d::Identity();
    return rotation_between(-from, to) * half_turn;
  }
  return cosine * Mat3d::Identity() + cross_matrix(across) +
         across * across.transpose() / (1.0 + cosine);
}

PrincipalAxes principal_axes(const Mat3d& inertia) {
  const Eigen::SelfAdjointEigenSolver<Mat3d> solver(inertia);
  PrincipalAxes principal{solver.eigenvalues(), solver.eigenvectors()};
  if (principal.axes.determinant() < 0.0) principal.axes.col(0) *= -1.0;
  return principal;
}

Vec3d principal_moments(const Mat3d& inertia) {
  return Eigen::SelfAdjointEigenSolver<Mat3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace counterpoise
