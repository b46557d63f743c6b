#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace counterpoise {

template <class S>
using Vec3 = Eigen::Matrix<S, 3, 1>;

template <class S>
using Mat3 = Eigen::Matrix<S, 3, 3>;

using Vec3d = Vec3<double>;
using Mat3d = Mat3<double>;

}  // namespace counterpoise
