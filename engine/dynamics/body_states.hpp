#pragma once

#include <span>
#include <vector>

#include "engine/kinematics/chains/joint_frame.hpp"
#include "engine/kinematics/chains/joint_motion.hpp"

namespace counterpoise {

/// The motion of a body in world axes.
struct BodyState {
  Mat3d rotation = Mat3d::Identity();  // R_WB
  Vec3d origin = Vec3d::Zero();        // of the body's axes                              [m]
  Vec3d axis = Vec3d::Zero();          // of the joint before the body
  Vec3d omega = Vec3d::Zero();         // [rad/s]
  Vec3d velocity = Vec3d::Zero();      // of the origin                                 [m/s]
  Vec3d alpha = Vec3d::Zero();         // [rad/s^2]
  Vec3d acceleration = Vec3d::Zero();  // of the origin                               [m/s^2]

  [[nodiscard]] Vec3d place(const Vec3d& point) const { return origin + rotation * point; }
  [[nodiscard]] Vec3d velocity_at(const Vec3d& place) const {
    return velocity + omega.cross(place - origin);
  }
  [[nodiscard]] Vec3d acceleration_at(const Vec3d& place) const {
    const Vec3d r = place - origin;
    return acceleration + alpha.cross(r) + omega.cross(omega.cross(r));
  }
};

/// Positions, velocities and accelerations of all bodies of a tree at one sample, by one sweep from
/// base to tips (paper 000, section 4.2), and what follows from them.
class BodyStates {
 public:
  /// Takes the state's q, v and a. Allocates only when the number of bodies changes.
  void compute(const DesignGeometry& geometry, const JointView<double>& state);

  /// The state of a body; that of the world rests at the origin.
  [[nodiscard]] const BodyState& of(BodyIndex body) const {
    return body == world_body ? world_ : states_[static_cast<std::size_t>(body)];
  }
  /// Adds `sign` times direction . (velocity of the place on the body per unit rate of each joint)
  /// to `row`, one entry per body. The place is in world axes.
  void add_slopes(const DesignGeometry& geometry, BodyIndex body, const Vec3d& place,
                  const Vec3d& direction, double sign, std::span<double> row) const;
  /// The kinetic energy of all bodies, and their potential energy in the mechanism's gravity, which
  /// is zero at the world's origin [J].
  [[nodiscard]] double kinetic_energy(const Mechanism& mechanism) const;
  [[nodiscard]] double potential_energy(const Mechanism& mechanism) const;

 private:
  BodyState world_;
  std::vector<BodyState> states_;
};

}  // namespace counterpoise
