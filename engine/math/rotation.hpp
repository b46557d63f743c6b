#pragma once

#include "engine/math/vector.hpp"

namespace counterpoise {

/// Rotation matrices R_PB that turn a vector's components in B's axes into components in P's axes.
/// All angles in radians.

/// The rotation by intrinsic Z-X-Z Euler angles (paper 000, eq. 17).
Mat3d rotation_from_zxz(double z1, double x2, double z3);

/// The rotation by roll, pitch and yaw as in URDF: fixed axes x, y, z in this order, R = Rz(yaw)
/// Ry(pitch) Rx(roll).
Mat3d rotation_from_rpy(double roll, double pitch, double yaw);

/// The rotation of a quaternion w + xi + yj + zk, which is normalised here. NaN where its length is
/// zero or not a number.
Mat3d rotation_from_quaternion(double w, double x, double y, double z);

/// The rotation by `angle` about the unit vector `axis` (Rodrigues).
Mat3d rotation_about(const Vec3d& axis, double angle);

/// The rotation that turns the unit vector `from` into the unit vector `to` by the least angle.
/// Where they are opposite, its axis is one of those across them.
Mat3d rotation_between(const Vec3d& from, const Vec3d& to);

/// The moments of a symmetric inertia about its principal axes, and these.
struct PrincipalAxes {
  Vec3d moments;  // ascending
  Mat3d axes;     // a rotation; column i is the axis of moment i
};
PrincipalAxes principal_axes(const Mat3d& inertia);
/// The moments alone, ascending.
Vec3d principal_moments(const Mat3d& inertia);

/// The matrix K with K b = a x b.
Mat3d cross_matrix(const Vec3d& a);

}  // namespace counterpoise
