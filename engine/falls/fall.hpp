#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/evaluation/simulation.hpp"
#include "engine/falls/scenario.hpp"

namespace counterpoise {

/// An impact, or the beginning or end of a contact that is held.
struct FallEvent {
  enum class Kind { impact, rest, leave };
  double time = 0.0;  // [s]
  int group = 0;      // numbers the instants, from 1
  // index of the contact, or number of contacts + index of the stop, or number of contacts and
  // stops + index of an actuator that was stopped: a held one that moved at the start, or a
  // following one that still moved where its profile ended
  int contact = -1;
  int point = -1;  // index into the points of the contact; -1 of a stop
  Kind kind = Kind::impact;
  // between the point's velocity before and the surface's normal, 0 to pi/2 [rad]
  double angle = 0.0;
  double normal_velocity_before = 0.0;  // negative when closing           [m/s, rad/s of joints]
  double normal_velocity_after = 0.0;
  double impulse = 0.0;      // [N s, N m s of joints]
  double energy_lost = 0.0;  // by all contacts of the instant; 0 except at the first contact   [J]
  bool restitution_lowered = false;  // restitutions of one instant differed; the smallest was used
};

/// Why a fall cannot begin, or ended before its time.
struct FallStop {
  enum class Kind {
    open_start,          // loops or couplings do not close
    start_in_contact,    // a point is beyond a surface, or an element beyond its stop
    start_not_followed,  // a followed profile does not begin where the mechanism is
    singular_mass,       // a motion that the constraints allow moves no mass
    singular_pose,       // no choice of coordinates describes how the motion goes on
    jammed,              // a followed profile presses against contacts that cannot give way
    too_many_events,
    not_integrated,  // the integrator gave up
  };
  Kind kind = Kind::not_integrated;
  double time = 0.0;  // [s]
  std::string words;  // names the elements; does not begin with the time
};

/// Largest values over a fall, for metrics. Contacts and stops are in the order of
/// FallEvent::contact.
struct FallExtremes {
  std::vector<double> drop;         // per point of the mechanism: largest fall along gravity [m]
  std::vector<double> max_speed;    // per point of the mechanism                       [m/s]
  std::vector<double> max_impulse;  // per contact or stop                       [N s, N m s]
  std::vector<double> max_impact_speed;  // per contact or stop               [m/s, rad/s]
  std::vector<double> joint_moved;       // per body: how far its joint gets from its start [rad, m]
  std::vector<double> actuator_moved;    // per actuator: how far it gets from its start    [rad, m]
  double moved = 0.0;        // how far any point or centre of mass gets from its start [m]
  double settled = 0.0;      // time after which no joint moves faster than settled_speed [s]
  double energy_lost = 0.0;  // [J]
};

/// Joints that get no further from their start than this have not moved: this is rounding.
inline constexpr double stays_within = 1e-9;  // [rad, m]

struct Fall {
  std::vector<Series> columns;  // the first is "t"; an impact has two rows, before and after
  std::vector<FallEvent> events;
  FallExtremes extremes;
  std::optional<FallStop> stopped;  // the rows reach up to its time
};

struct FallOptions {
  bool columns = true;  // if false, only events and extremes
  std::function<void()> between_steps =
      {};  // called before each step; it may throw to end the fall
};

/// Simulates the mechanism's free motion from `start`, after closing its loops, couplings, held and
/// followed actuators: equations of motion by articulated bodies, or by the mass matrix and the
/// constraints, time integration by Boost.odeint (explicit Runge-Kutta pair of orders 8 and 7),
/// impacts by Newton's law and complementarity (paper 002, eqs. 25 and 44-47). Returns a
/// FallStop if the fall cannot begin.
std::variant<Fall, FallStop> simulate_fall(const Mechanism& mechanism, const Scenario& scenario,
                                           const JointStart& start, const FallOptions& options);

/// The positions and velocities of all joints at a time of a motion, or why there are none.
std::variant<JointStart, Finding> start_of_motion(const Mechanism& mechanism, const Motion& motion,
                                                  double time);

/// The positions and velocities of all joints from the given coordinates. Coordinates that are not
/// given stay where they are in the zero configuration, at rest.
struct GivenCoordinate {
  ActuatorIndex actuator;  // none if a joint is given
  BodyIndex joint;         // none if an actuator is given
  double position = 0.0, velocity = 0.0;
};
std::variant<JointStart, Finding> start_of_coordinates(const Mechanism& mechanism,
                                                       const std::vector<GivenCoordinate>& given);

}  // namespace counterpoise
