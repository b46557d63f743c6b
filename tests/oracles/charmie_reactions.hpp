#pragma once

#include <array>

#include "engine/math/vector.hpp"
#include "tests/oracles/branch_force.hpp"

/// How the joints of CHARMIE's trunk and torso (bodies 5 and 4 of the papers) share what holds
/// them: section 5.2 of paper 000 and section 4 of paper 001, equation by equation, each as printed
/// unless a comment says what is wrong with it. Bodies 3, 4 and 5 are moved by hand, their geometry
/// follows from three coordinates. Of a Mechanism enter the numbers of its bodies, points and
/// springs.
namespace counterpoise::oracle {

/// A body in its own axes; the acceleration of its centre of mass is against gravity.
struct MovingBody {
  double mass = 0.0;
  Mat3d inertia;
  Vec3d centre, omega, alpha, acceleration;
};

struct SpringNumbers {
  double rate = 0.0, free_length = 0.0, initial_tension = 0.0;
};

/// What the equations take for known.
struct CharmieInstant {
  MovingBody trunk, torso;
  Mat3d trunk_to_torso;
  std::array<Load, 3> children;  // on bodies 6a, 6b, 6c: at their origins, axes of the trunk
  std::array<Vec3d, 3> child_origins;

  // in axes of the trunk, from its origin: the upper ends, and where the lower ones are now
  Vec3d lean_pin, lean_foot, spring_pin, spring_foot;
  // in axes of the torso, from its origin
  Vec3d hinge, lift_pin, lift_foot;

  /// A crank: its pivot, tip and spring pin and the spring's anchor, as the points of the torso.
  struct Crank {
    Vec3d pivot, tip, spring_pin, anchor;
  };
  std::array<Crank, 2> cranks;  // left, right
  SpringNumbers lean_spring, lift_spring;
};

/// At joint positions, velocities and accelerations; of the auxiliary bodies none is read.
CharmieInstant charmie_instant(const Mechanism& mechanism, std::span<const double> q,
                               std::span<const double> v, std::span<const double> a);

struct CharmieShares {
  // on the trunk, at its origin or the pin, in its axes
  Load trunk, lean_pin, lean_spring_pin;
  // on the torso likewise
  Load torso, lift_pin;

  struct Crank {
    Load pin;         // of the crank on the slider, at the tip
    Load pivot;       // of the base on the crank
    Load spring_pin;  // of the spring on the crank
  };
  std::array<Crank, 2> cranks;  // in axes of the torso, equal to the base's
};

/// Paper 000, eqs. 33-43.
CharmieShares shares_of_paper_000(const CharmieInstant& now);

/// Paper 001, eqs. 5-25.
CharmieShares shares_of_paper_001(const CharmieInstant& now);

}  // namespace counterpoise::oracle

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
