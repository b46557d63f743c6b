#pragma once

#include <string>
#include <vector>

#include "engine/math/vector.hpp"
#include "engine/mechanism/mechanism.hpp"
#include "engine/mechanism/motion.hpp"

namespace counterpoise {

/// A surface that points may not pass. Of a plane `direction` is the normal, and the points are on
/// its side; of a cylinder it is the axis. Points are inside or outside a sphere or cylinder.
struct Surface {
  enum class Kind { plane, sphere, cylinder };
  Kind kind = Kind::plane;
  bool inside = false;
  BodyIndex body = world_body;       // body that carries the surface
  Vec3d point = Vec3d::Zero();       // of the plane, centre, or on the axis; in body axes  [m]
  Vec3d direction = Vec3d::UnitZ();  // unit vector, in body axes
  double radius = 0.0;               // [m]
};

/// Points of the mechanism that one surface stops.
struct Contact {
  std::string name = {};
  std::vector<PointIndex> points = {};
  Surface surface = {};
  double restitution = 0.0;  // 0 to 1
};

/// Ends of the travel of an actuator, a joint, or the length of a spring.
struct Stop {
  enum class Of { actuator, joint, spring };
  std::string name = {};
  Of of = Of::actuator;
  int element = -1;        // index of the actuator, of the joint's body, or of the spring
  double min = -no_limit;  // [rad or m]
  double max = no_limit;
  double restitution = 0.0;  // 0 to 1
};

/// What an actuator does while the mechanism moves by itself.
enum class ActuatorMode {
  free,    // no load
  held,    // keeps its position of the start; its load is the constraint's force
  follow,  // its position is prescribed; its load is the constraint's force
  load,    // its load is prescribed
};

/// What brakes a free actuator besides the gears of its motor: a brake, whose dry friction is the
/// sum of its three numbers, and shorted windings.
struct Braking {
  double torque = 0.0;   // at the shaft of the motor                             [N m]
  double load = 0.0;     // at the coordinate                                     [N m or N]
  bool holding = false;  // and there the holding load of the actuator
  double closes = 0.0;   // when the brake closes                                 [s]
  bool shorted = false;

  [[nodiscard]] bool none() const { return torque == 0.0 && load == 0.0 && !holding && !shorted; }
};

struct ActuatorRule {
  ActuatorMode mode = ActuatorMode::free;
  Profile profile;                // of modes follow [rad or m] and load [N m or N]
  double profile_duration = 0.0;  // duration that the profile is defined over              [s]
  double profile_start = 0.0;     // time of the profile at t = 0; from its end on it holds [s]
  Braking braking = {};           // of mode free
};

/// Whether the position of an actuator is a known function of time.
inline bool prescribed(const ActuatorRule& rule) {
  return rule.mode == ActuatorMode::held || rule.mode == ActuatorMode::follow;
}

/// Whether gears that cannot be driven back keep an actuator where it is, as nothing drives them.
inline bool locks(const Actuator& actuator, ActuatorMode mode) {
  return mode == ActuatorMode::free && actuator.motor.known &&
         actuator.motor.back_efficiency == 0.0;
}

/// What a force from outside is multiplied by in the course of a fall. Others act as the mechanism
/// has them, all the time.
struct FallingForce {
  ForceIndex force;
  Profile profile;
  double profile_duration = 0.0;  // as in ActuatorRule
  double profile_start = 0.0;
};

/// The conditions of a fall: the loads and constraints of the actuators, and what the mechanism may
/// hit. Times count from the start.
struct Scenario {
  std::string name = {};
  double duration = 0.0;  // [s]
  double step = 0.0;      // time between samples [s]; duration / step is a whole number to 1e-9
  std::vector<ActuatorRule> actuators = {};  // one per actuator of the mechanism
  std::vector<FallingForce> forces = {};     // each of another force
  std::vector<Contact> contacts = {};
  std::vector<Stop> stops = {};
  double tolerance = 1e-10;     // of the integration, relative to the size of each coordinate
  double simultaneous = 1e-8;   // contacts that close within this time are solved together [s]
  double rest_speed = 1e-4;     // slower rebounds end in rest                   [m/s, rad/s]
  double settled_speed = 1e-3;  // no joint moves faster once the mechanism has settled
  int max_events = 100'000;
};

/// Positions and velocities of all joints, one entry per body; fixed joints hold zeros.
struct JointStart {
  std::vector<double> q;  // [rad or m]
  std::vector<double> v;  // [rad/s or m/s]
};

}  // namespace counterpoise
