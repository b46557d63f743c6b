#pragma once

#include "engine/math/vector.hpp"

namespace counterpoise {

/// How far an inertia is from that of a real body, as a share of its largest principal moment: by
/// how much that one is larger than the sum of the two others, or the smallest is negative. 0 or
/// less for an inertia that a body can have.
double unphysical_share(const Mat3d& inertia);

/// Whether a principal moment is negative, beyond rounding.
bool has_negative_moment(const Mat3d& inertia);

/// The nearest inertia that a body can have: the same principal axes, and principal moments with
/// the smallest sum of squared changes.
Mat3d nearest_physical(const Mat3d& inertia);

/// Mass, centre of mass and inertia of bodies that are fixed to each other, all in one frame.
struct RigidSum {
  double mass = 0.0;
  Vec3d first = Vec3d::Zero();  // sum of mass * centre
  Mat3d about = Mat3d::Zero();  // inertia about the frame's origin

  /// `inertia` is about `com`.
  void add(double more, const Vec3d& com, const Mat3d& inertia);
  /// About the common centre of mass.
  [[nodiscard]] Mat3d inertia() const;
};

}  // namespace counterpoise
