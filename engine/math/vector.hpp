#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace counterpoise {

template <class S>
using Vec2 = Eigen::Matrix<S, 2, 1>;

template <class S>
using Vec3 = Eigen::Matrix<S, 3, 1>;

template <class S>
using Mat3 = Eigen::Matrix<S, 3, 3>;

using Vec3d = Vec3<double>;
using Mat3d = Mat3<double>;

/// The cross product a x b of two vectors in a plane.
template <class S>
S cross2(const Vec2<S>& a, const Vec2<S>& b) {
  return a(0) * b(1) - a(1) * b(0);
}

}  // namespace counterpoise
