#pragma once

#include <array>

#include "engine/math/vector.hpp"

/// CHARMIE's forward kinematics as section 4 of paper 000 writes it: its own table of joints with
/// the lengths of examples/charmie40, actuator lengths to joints by triangles, points placed body
/// by body. Nothing of a Mechanism enters.
namespace counterpoise::oracle {

/// Eq. 6: displacement d_4 of the lift joint from the length of its actuator. Eq. 1 counts it from
/// the body's origin to the joint, so the torso rises by -d_4.
double lift_displacement(double actuator_length);

/// Eqs. 7-14: angle theta_5 of the lean joint from the length of its actuator.
double lean_angle(double actuator_length);

/// What leads to the left claw.
struct LeftArmCoordinates {
  double base_x = 0.0, base_y = 0.0, base_yaw = 0.0;
  double lift = 0.0, lean = 0.0;   // lengths of the actuators                             [m]
  std::array<double, 6> arm = {};  // angles of the joints before bodies 7a to 12a
};

/// Eqs. 15-19: where point D of body 12a, the middle of the left claw, is in the world.
Vec3d left_claw_centre(const LeftArmCoordinates& coordinates);

}  // namespace counterpoise::oracle
