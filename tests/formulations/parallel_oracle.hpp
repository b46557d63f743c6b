#pragma once

#include <functional>

#include "formulations/parallel/manipulator.hpp"

namespace counterpoise::test {

/// A platform's motion over time; only pose, velocity and spin are read.
using PlatformPath = std::function<parallel::PlatformMotion(double t)>;

/// A path that has this motion at t = 0: quadratic in its origin, and turned by the exponential of
/// a quadratic rotation vector.
PlatformPath path_through(const parallel::PlatformMotion& motion);

/// Energy, momenta and lengths of a manipulator in motion, from where its masses are and how fast
/// they go. Knows no accelerations, forces or equations: their slopes over time are the oracle.
struct MassesInMotion {
  double energy = 0.0;             // kinetic, and that of gravity                        [J]
  Vec3d momentum = Vec3d::Zero();  // of everything                                 [kg m/s]
  Vec3d moment = Vec3d::Zero();    // of momentum, about the base's origin
  double size = 0.0;               // largest term of the energy, for rounding
};
MassesInMotion masses_in_motion(const parallel::Manipulator& manipulator,
                                const parallel::PlatformMotion& motion);

/// Momentum of the upper part of one limb, and its moment about the limb's base point.
struct UpperMomentum {
  Vec3d momentum, moment;
};
UpperMomentum upper_momentum(const parallel::Limb& limb, const parallel::PlatformMotion& motion);

/// How one limb stands and moves.
struct Line {
  Vec3d r, r_dot;  // A to C
  Vec3d e, e_dot;  // unit vector
  double length = 0.0, rate = 0.0;
};
Line line_of(const parallel::Limb& limb, const parallel::PlatformMotion& motion);

}  // namespace counterpoise::test
