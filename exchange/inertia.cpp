#include "exchange/inertia.hpp"

#include <algorithm>
#include <limits>

#include "engine/math/rotation.hpp"

namespace counterpoise {
namespace {

/// The inertia about the origin of a point of mass 1 at p: |p|^2 I - p p'.
Mat3d of_point(const Vec3d& p) {
  return p.squaredNorm() * Mat3d::Identity() - p * p.transpose();
}

}  // namespace

double unphysical_share(const Mat3d& inertia) {
  const Vec3d moments = principal_moments(inertia);
  const double largest = moments.cwiseAbs().maxCoeff();
  if (largest == 0.0) return 0.0;
  return std::max(moments(2) - moments(1) - moments(0), -moments(0)) / largest;
}

bool has_negative_moment(const Mat3d& inertia) {
  constexpr double rounding = 1e-9;
  const Vec3d moments = principal_moments(inertia);
  return moments(0) < -rounding * moments.cwiseAbs().maxCoeff();
}

/// Principal moments are I = A s, with the second moments of mass s >= 0 along the principal axes
/// and A = [0 1 1; 1 0 1; 1 1 0]. The nearest point of that cone lies on one of its faces, where
/// some of s are 0 and the others follow from least squares.
Mat3d nearest_physical(const Mat3d& inertia) {
  const auto [wanted, axes] = principal_axes(inertia);
  const Mat3d all = Mat3d::Ones() - Mat3d::Identity();
  Vec3d nearest = Vec3d::Zero();
  double least = wanted.squaredNorm();
  for (unsigned face = 1; face < 8; ++face) {
    Eigen::MatrixXd columns(3, 0);
    for (int i = 0; i < 3; ++i) {
      if ((face >> i & 1U) == 0) continue;
      columns.conservativeResize(3, columns.cols() + 1);
      columns.rightCols(1) = all.col(i);
    }
    const Eigen::VectorXd s = columns.colPivHouseholderQr().solve(wanted);
    const Vec3d moments = columns * s;
    const double distance = (moments - wanted).squaredNorm();
    if (s.minCoeff() < 0.0 || distance >= least) continue;
    least = distance;
    nearest = moments;
  }
  return axes * nearest.asDiagonal() * axes.transpose();
}

void RigidSum::add(double more, const Vec3d& com, const Mat3d& inertia) {
  mass += more;
  first += more * com;
  about += inertia + more * of_point(com);
}

Mat3d RigidSum::inertia() const {
  if (mass == 0.0) return about;
  return about - mass * of_point(first / mass);
}

}  // namespace counterpoise
