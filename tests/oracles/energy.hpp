#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "engine/mechanism/mechanism.hpp"

/// Energies and momenta of a mechanism in the world frame: poses by products of 4x4 matrices,
/// velocities from the world axes of all joints below a body. No body coordinates, no recursion of
/// velocities.
namespace counterpoise::oracle {

/// Body frames in the world, one homogeneous matrix per body.
std::vector<Eigen::Matrix4d> world_poses(const Mechanism& mechanism, std::span<const double> q);

/// A named point in the world [m].
Vec3d world_point(const Mechanism& mechanism, std::span<const Eigen::Matrix4d> poses, int point);

/// An energy [J] and the sum of the sizes of its terms, which its rounding goes with.
struct Energy {
  double value = 0.0;
  double size = 0.0;

  void add(double term);
};

/// At joint positions q and velocities v; of bodies and of linear actuators that have mass, whose
/// parts turn with the line of their points, without spin.
Energy kinetic_energy(const Mechanism& mechanism, std::span<const double> q,
                      std::span<const double> v);

/// Linear momentum of a body and all that it carries, and their angular momentum about a place in
/// the world.
struct Momentum {
  Vec3d linear = Vec3d::Zero();
  Vec3d angular = Vec3d::Zero();
};
Momentum branch_momentum(const Mechanism& mechanism, std::span<const double> q,
                         std::span<const double> v, int body, const Vec3d& about);

/// Of the tube and rod of a linear actuator, or of the rod alone.
Momentum leg_momentum(const Mechanism& mechanism, std::span<const double> q,
                      std::span<const double> v, const Actuator& actuator, const Vec3d& about,
                      bool rod_only);

/// Of gravity and, if asked for, of the springs.
Energy potential_energy(const Mechanism& mechanism, std::span<const double> q, bool springs);

}  // namespace counterpoise::oracle
