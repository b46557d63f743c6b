#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/math/scalar.hpp"
#include "engine/math/vector.hpp"
#include "engine/mechanism/cam.hpp"
#include "engine/mechanism/index.hpp"
#include "engine/mechanism/spring_group.hpp"

namespace counterpoise {

inline constexpr double no_limit = std::numeric_limits<double>::infinity();

/// How far a number may lie beyond a bound and still keep it, because rounding alone brings a
/// design that stands at its bound that far: a share of the bound's own size, or of the largest
/// `term` where the number is a sum of terms which are larger by far, as at a bound of 0. The
/// limits of models, the bounds of parameters and the constraints of studies are all judged by
/// this.
inline double slack_of(double bound, double term) {
  constexpr double of_bound = 1e-9, of_term = 1e-12;
  return std::max(of_bound * std::abs(bound), of_term * std::abs(term));
}

/// Coil and gas springs act along the line of two points:
///   tension = initial_tension + rate * (length - free_length)
/// positive tension pulls the points together (paper 001, eq. 5; paper 000, eq. 35 prints the
/// elongation with the opposite sign). A torsion spring acts on a joint, against +axis:
///   torque = initial_tension + rate * (q - free_length)
/// where initial_tension is the preload [N m] and free_length the free angle [rad]. Extension and
/// compression springs are coil springs of a known kind; the law is the same for all of them. A gas
/// spring pushes with -initial_tension at its extended length, which is its free_length, and with
/// more as it is compressed; without a rate its tension is constant.
/// The length of a spring on a cable is that of the cable over all it runs over, spring included.
/// Friction of a gas spring's seal, or of a coil on its guide, adds to the tension where it becomes
/// longer, and takes from it where it becomes shorter. It follows from the motion alone, and is no
/// part of what is called tension: laws, limits and metrics of springs are without it. So is what a
/// spring's own mass asks for (see SpringInertia).
/// A spring that may go slack has no tension on one side of its free length (see tension_of()); a
/// torsion spring has none on one side of its free angle, where its leg lies on a stop.
enum class SpringType { coil, extension, compression, gas, torsion };

/// In which directions a spring may act: both where nothing is said about it.
enum class SpringActs { unsaid, both, pull, push };

/// Where a spring hangs loose, without tension: nowhere; below its free length, as one that pulls
/// on a cable or a slotted hook; or above it, as one that pushes and is not fastened to its seats.
/// Of torsion springs the free length is the free angle.
enum class GoesSlack { never, below, above };

struct Spring {
  std::string name;
  SpringType type = SpringType::coil;
  SpringActs acts = SpringActs::unsaid;  // of torsion springs always so
  std::array<PointIndex, 2> points;      // unused by torsion springs
  std::vector<PointIndex> over = {};     // points and pulleys that its cable runs over between them
  bool on_cam = false;  // whether one of its points is a cam, to which its cable is fixed
  GoesSlack slack = GoesSlack::never;  // not of gas springs between two points, nor of plain coils
  BodyIndex joint;                     // of torsion springs only
  double rate = 0.0;                   // [N/m], torsion [N m/rad]
  double free_length = 0.0;            // [m], torsion [rad]
  double initial_tension = 0.0;        // [N], torsion [N m]
  SpringGroup group = {};  // of a spring that stands for several; its law gives the three numbers
                           // above, those of the first piece, and the pieces behind it
  GroupLaw group_law = {};
  bool rubs = false;      // whether it may have friction; not torsion springs, cables, groups, nor
                          // what may go slack
  double friction = 0.0;  // dry, against its rate of length; 0 unless it rubs              [N]
  bool heavy = false;     // whether it may have mass; as for `rubs`
  double mass = 0.0;      // of its own, uniform along its line; 0 unless it is heavy       [kg]
  double min_length = -no_limit;
  double max_length = no_limit;
  double max_load = no_limit;  // limit of |tension|
  double radius = 0.0;         // of the coils or the cylinder about the axis         [m]
  std::vector<ObstacleIndex> clear_of = {};  // obstacles that its clearance is from, ascending
  double min_clearance = -no_limit;          // [m]

  [[nodiscard]] bool is_cable() const { return on_cam || !over.empty(); }
  [[nodiscard]] bool may_go_slack() const { return slack != GoesSlack::never; }
  /// Whether its tension is one straight line over all lengths, which is affine in its numbers.
  [[nodiscard]] bool is_straight() const { return !may_go_slack() && group.empty(); }
  /// Whether what is said of a stretch is said of a way that shortens it.
  [[nodiscard]] bool pushes() const { return type == SpringType::compression; }
  /// Takes the law of its group over.
  void take_group_law() {
    group_law = law_of(group, pushes());
    rate = group_law.rate;
    free_length = group_law.free_length;
    initial_tension = group_law.initial_tension;
  }
};

/// The points of a spring and of its cable, in their order.
inline std::vector<PointIndex> points_along(const Spring& spring) {
  std::vector<PointIndex> points = {spring.points[0]};
  points.insert(points.end(), spring.over.begin(), spring.over.end());
  points.push_back(spring.points[1]);
  return points;
}

/// Whether an element has an end at a point; a spring also where its cable runs over it.
template <class Element>
bool is_on_point(const Element& element, PointIndex point) {
  return std::find(element.points.begin(), element.points.end(), point) != element.points.end();
}
inline bool is_on_point(const Spring& spring, PointIndex point) {
  return is_on_point<Spring>(spring, point) ||
         std::find(spring.over.begin(), spring.over.end(), point) != spring.over.end();
}

/// The inertia of one half of a linear actuator. It turns with the line of its two points without
/// spinning about it (paper 004, eq. 24), so that `axial` enters no load.
struct LegPart {
  double mass = 0.0;        // [kg]
  double com = 0.0;         // centre of mass along the line, from its own point     [m]
  double transverse = 0.0;  // moments of inertia about the centre of mass      [kg m^2]
  double axial = 0.0;

  [[nodiscard]] bool massless() const { return mass == 0.0 && transverse == 0.0; }
};

/// Friction against a velocity v: (coulomb + load_coefficient * R) * sign(v) + viscous * v, where R
/// is the size of the joint's reaction (see LoadFriction); motors have none of that. What moves no
/// faster than `rest` is at rest, where dry friction may be anything up to that to either side.
struct Friction {
  static constexpr double rest = 1e-9;  // [rad/s, m/s]

  double coulomb = 0.0;           // [N m, N]
  double viscous = 0.0;           // [N m s/rad, N s/m]
  double load_coefficient = 0.0;  // [m, 1]

  [[nodiscard]] bool none() const {
    return coulomb == 0.0 && viscous == 0.0 && load_coefficient == 0.0;
  }
};

/// The motor of an actuator, and what lies between it and the actuator's coordinate. Nothing of it
/// enters the actuator's load, which is what the mechanism asks at the coordinate.
struct MotorSide {
  bool known = false;            // if not, none of these numbers is
  double ratio = 1.0;            // turn of the motor per unit of the coordinate  [rad/rad, rad/m]
  double rotor_inertia = 0.0;    // of all that turns with the motor             [kg m^2]
  Friction friction = {};        // at the coordinate
  double efficiency = 1.0;       // share of its power that arrives where the motor drives
  double back_efficiency = 1.0;  // and at the motor where it is driven
  double torque_constant = 0.0;  // [N m/A]; 0: not known
  double resistance = 0.0;       // [ohm]
};

/// An actuator drives a joint, or the distance between two points.
struct Actuator {
  std::string name;
  BodyIndex joint;  // none for a two-point actuator
  std::array<PointIndex, 2> points;
  double min_position = -no_limit;
  double max_position = no_limit;
  double max_load = no_limit;      // limit of |load|
  double max_speed = no_limit;     // limit of |velocity|
  double holding_load = no_limit;  // |load| up to which friction or a brake holds it; no limit of a
                                   // design
  LegPart tube, rod;               // of two-point actuators, held at the first and the second point
  MotorSide motor = {};

  [[nodiscard]] bool linear() const { return joint < 0; }
};

/// The condition of a loop closure besides the coincidence of its two points: nothing (a ball), its
/// two axes parallel (a revolute joint) or perpendicular (a universal joint), or all orientation.
enum class LoopKeep { point, parallel, perpendicular, weld };

/// A loop closure: its two points coincide, and the condition `keep` holds.
struct Loop {
  std::string name;
  std::array<PointIndex, 2> points;
  LoopKeep keep = LoopKeep::point;
  // unit vectors in the axes of each point's body; parallel and perpendicular only
  std::array<Vec3d, 2> axes = {Vec3d::UnitZ(), Vec3d::UnitZ()};
  Mat3d rotation = Mat3d::Identity();  // from the second body's axes to the first's; weld only
};

struct CouplingTerm {
  BodyIndex of;  // body of the joint that the term reads
  double ratio = 1.0;
};

/// Gears: q[joint] = sum of ratio * q[of] over the terms + offset. Two terms describe gears on a
/// carrier that itself moves.
struct Coupling {
  static constexpr std::size_t most_terms = 6;

  std::string name;
  BodyIndex joint;
  std::vector<CouplingTerm> terms;  // at most most_terms, of different joints
  double offset = 0.0;              // [rad] or [m]

  /// The coupling with another of its joints alone on the left.
  struct Solved {
    std::array<CouplingTerm, most_terms> terms;
    std::size_t count = 0;
    double offset = 0.0;
  };
  [[nodiscard]] Solved solved_for(BodyIndex unknown) const;
};

enum class JointType { fixed, revolute, prismatic };

/// The joint that precedes a body and carries its name. At joint position q
///   revolute:  R_PB = rotation * Rot(axis, q),   p_PB = origin
///   prismatic: R_PB = rotation,                  p_PB = origin + rotation * axis * q
struct Joint {
  JointType type = JointType::fixed;
  Vec3d axis = Vec3d::UnitZ();         // unit vector in the body's own axes
  Vec3d origin = Vec3d::Zero();        // body origin in the parent frame at q = 0       [m]
  Mat3d rotation = Mat3d::Identity();  // R_PB at q = 0
  double guess = 0.0;                  // q of the zero configuration before closing [rad, m]
};

/// A rigid body and the joint that connects it to its parent. Bodies are numbered from base to
/// tips: parent < index.
struct Body {
  std::string name;
  BodyIndex parent = world_body;
  Joint joint;
  double mass = 0.0;              // [kg]
  Vec3d com = Vec3d::Zero();      // centre of mass in body axes                    [m]
  Mat3d inertia = Mat3d::Zero();  // about the centre of mass, body axes       [kg m^2]
  bool any_inertia = false;       // whether an inertia that no real body has is accepted
  Friction friction = {};         // of its joint
};

/// A named place on a body (or on the world), which may be the centre of a pulley, or of a cam to
/// which a cable is fixed.
struct Point {
  std::string name;
  BodyIndex body = world_body;
  Vec3d position = Vec3d::Zero();  // in body axes                                   [m]
  bool is_pulley = false;
  Vec3d axis = Vec3d::UnitZ();  // of the pulley: unit vector in body axes
  double radius = 0.0;          // of the pulley, to the middle of the cable         [m]
  bool is_cam = false;          // then also a pulley, without a radius
  Vec3d zero = Vec3d::UnitX();  // of a cam: unit vector across the axis, from which angles count
  std::shared_ptr<const CamProfile> cam = nullptr;  // its edge; none until it has been made
  // of a cam whose turns are counted: the angle of the tangent while the joints that turn the cam
  // are at 0, to within a quarter of a turn [rad]; others have one turn at most
  std::optional<double> start = std::nullopt;
  std::string no_cam = {};  // why these numbers make none, or empty
};

/// A part of a body (or of the world) that is in the way of springs: everything within a radius of
/// a place, which is a sphere or a point, or of the segment between two places of the body.
struct Obstacle {
  std::string name;
  BodyIndex body = world_body;
  bool is_segment = false;
  std::array<PointIndex, 2> points;  // named places, in the order of `places`; -1: not named
  std::array<Vec3d, 2> places = {Vec3d::Zero(), Vec3d::Zero()};  // in body axes; of a sphere the
                                                                 // first is the centre  [m]
  double radius = 0.0;                                           // [m]
};

/// A force and a moment that act on a body from outside, at one of its points: the thrust of a
/// drill, a hand that pushes.
struct AppliedForce {
  std::string name;
  PointIndex point;
  bool turns_with_body = false;  // in the axes of the point's body; else in world axes
  Vec3d force = Vec3d::Zero();   // [N]
  Vec3d moment = Vec3d::Zero();  // [N m]
};

/// The sum of the magnitudes of a tension's terms, up to this length (for rounding).
inline double size_of_tension(const Spring& spring, double longest) {
  double size = std::abs(spring.initial_tension) +
                std::abs(spring.rate) * std::max(std::abs(spring.free_length), std::abs(longest));
  for (const GroupLaw::Piece& piece : spring.group_law)
    size = std::max(size, std::abs(piece.line.offset) + piece.line.rate * std::abs(longest));
  return size;
}

/// The law of a spring; of a group that of its first piece.
inline SpringLaw law_of(const Spring& spring) {
  return {spring.rate, spring.initial_tension - spring.rate * spring.free_length};
}

/// How far from its free length a spring counts as being at it: what rounding alone makes of a
/// length, or of an angle, which may be free at 0.
inline double rounding_at_free_length(const Spring& spring) {
  const double term = spring.type == SpringType::torsion ? 1.0 : 0.0;  // [rad, m]
  return slack_of(spring.free_length, term);
}

/// Whether a length is beyond the beginning of a piece of a group's law. Where the tension jumps
/// there, it has its whole new tension at that length, up to rounding.
template <class S>
auto is_beyond(const Spring& spring, const GroupLaw::Piece& piece, const S& length) {
  const double rounding = piece.jump > 0.0 ? slack_of(piece.from, 0.0) : 0.0;
  const double sense = spring.pushes() ? -1.0 : 1.0;
  return S(sense * piece.from - rounding) < length * sense;
}

/// The law that a spring has at a length, as if it were never slack.
inline SpringLaw law_at(const Spring& spring, double length) {
  SpringLaw law = law_of(spring);
  for (const GroupLaw::Piece& piece : spring.group_law)
    if (is_beyond(spring, piece, length)) law = piece.line;
  return law;
}

/// The tension of a spring at a length, whether it may go slack or not: where it hangs loose none,
/// else that of its law, but never of the other sign. A spring with an initial tension is as long
/// as its closed coils when it goes slack, or lies on its stop with its preload, so that its
/// tension jumps from that to none; at the free length itself, up to rounding, it has all of it.
template <class S>
S tension_of(const Spring& spring, const S& length) {
  const SpringLaw law = law_of(spring);
  S tension = length * law.rate + law.offset;
  for (const GroupLaw::Piece& piece : spring.group_law)
    tension = select(is_beyond(spring, piece, length),
                     S(length * piece.line.rate + piece.line.offset), tension);
  const double rounding = rounding_at_free_length(spring);
  if (spring.slack == GoesSlack::below)
    return select(length < S(spring.free_length - rounding), S(0.0), larger(tension, S(0.0)));
  if (spring.slack == GoesSlack::above)
    return select(S(spring.free_length + rounding) < length, S(0.0), smaller(tension, S(0.0)));
  return tension;
}

/// On which side of its free angle a torsion spring acts alone, "above" or "below"; empty where it
/// acts on both, and for other springs.
inline std::string_view side_of(const Spring& spring) {
  if (spring.type != SpringType::torsion || !spring.may_go_slack()) return {};
  return spring.slack == GoesSlack::below ? "above" : "below";
}

/// Whether the tension of a spring jumps where it goes slack.
inline bool jumps_slack(const Spring& spring) {
  return (spring.slack == GoesSlack::below && spring.initial_tension > 0.0) ||
         (spring.slack == GoesSlack::above && spring.initial_tension < 0.0);
}

/// On which piece of its law a spring is: 0 on the first of those where it is taut, -1 where it
/// hangs loose, and so on for the later pieces of a group.
inline int piece_at(const Spring& spring, double length) {
  if (spring.may_go_slack() && tension_of(spring, length) == 0.0) return -1;
  int piece = 0;
  for (const GroupLaw::Piece& later : spring.group_law)
    piece += is_beyond(spring, later, length) ? 1 : 0;
  return piece;
}

/// How many of the jumps of its tension a spring has behind it, coming from where it is loose or
/// not stretched.
inline int jumps_behind(const Spring& spring, double length) {
  int jumps = jumps_slack(spring) && tension_of(spring, length) != 0.0 ? 1 : 0;
  for (const GroupLaw::Piece& piece : spring.group_law)
    jumps += piece.jump > 0.0 && is_beyond(spring, piece, length) ? 1 : 0;
  return jumps;
}

/// Whether the tension of a spring jumps at some length.
inline bool jumps(const Spring& spring) {
  return jumps_slack(spring) ||
         std::any_of(spring.group_law.begin(), spring.group_law.end(),
                     [](const GroupLaw::Piece& piece) { return piece.jump > 0.0; });
}

/// The energy of a group at a length: the work of its tension from the free length on         [J].
inline double energy_of_group(const Spring& spring, double length) {
  SpringLaw law = law_of(spring);
  double at = spring.free_length, energy = 0.0;
  const auto go_to = [&](double to) {
    energy += (to - at) * (0.5 * law.rate * (to + at) + law.offset);
    at = to;
  };
  if (spring.may_go_slack() && (spring.pushes() ? length >= at : length <= at)) return 0.0;
  for (const GroupLaw::Piece& piece : spring.group_law) {
    if (spring.pushes() ? length >= piece.from : length <= piece.from) break;
    go_to(piece.from);
    law = piece.line;
  }
  go_to(length);
  return energy;
}

/// The energy of a spring at a length: the work of its tension from the free length on        [J].
inline double energy_of(const Spring& spring, double length) {
  if (!spring.group.empty()) return energy_of_group(spring, length);
  const double stretch = length - spring.free_length;
  const auto work = [&](double way) {
    return way * (spring.initial_tension + 0.5 * spring.rate * way);
  };
  if (!spring.may_go_slack()) return work(stretch);
  const double side = spring.slack == GoesSlack::below ? 1.0 : -1.0;
  if (!(stretch * side > 0.0)) return 0.0;
  const bool taut_at_once = spring.initial_tension * side >= 0.0;
  if (taut_at_once) return work(stretch);
  if (spring.rate == 0.0) return 0.0;
  const double from = -spring.initial_tension / spring.rate;  // where the law has no tension
  return (stretch - from) * side > 0.0 ? work(stretch) - work(from) : 0.0;
}

/// The ends of a spring count as meeting where its length is at most this share of the sum of the
/// coordinates it is computed from: its points, the joints between them, and its greatest length.
/// Coordinates are known to 1e-16 of their size, and behind Newton's method to 1e-12, so that
/// beyond this length a direction is known to a thousandth, and without Newton's method to 1e-7.
/// Below it, rounding may turn the spring round.
inline constexpr double meeting_share = 1e-9;

/// Whether a spring is somewhere so short that it has no direction, though it needs one. A tension
/// that vanishes at zero length, or is at most the rate times `meeting`, needs no direction;
/// friction does. Ends count as meeting at lengths up to `meeting`.
inline bool lacks_direction(const Spring& spring, double shortest, double meeting) {
  if (!(shortest <= meeting)) return false;
  if (spring.friction != 0.0) return true;
  if (spring.may_go_slack() && tension_of(spring, shortest) == 0.0 &&
      tension_of(spring, meeting) == 0.0)
    return false;
  const SpringLaw law = law_at(spring, shortest);
  return std::abs(law.offset) >
         slack_of(0.0, size_of_tension(spring, 0.0)) + std::abs(law.rate) * meeting;
}

/// The limits of a spring that may only pull or only push: least and greatest signed tension, and,
/// for coil springs at the free length, least and greatest length.
struct ActingLimits {
  double min_tension = -no_limit;
  double max_tension = no_limit;
  double min_length = -no_limit;
  double max_length = no_limit;
};

inline ActingLimits acting_limits(const Spring& spring) {
  ActingLimits limits;
  const bool coil = spring.type != SpringType::gas;
  if (spring.acts == SpringActs::pull) {
    limits.min_tension = 0.0;
    if (coil) limits.min_length = spring.free_length;
  } else if (spring.acts == SpringActs::push) {
    limits.max_tension = 0.0;
    if (coil) limits.max_length = spring.free_length;
  }
  return limits;
}

}  // namespace counterpoise
