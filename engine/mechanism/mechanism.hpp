#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/mechanism/elements.hpp"

namespace counterpoise {

/// Names of the force and moment components of a wrench, in the order in which they are always
/// listed.
inline constexpr std::array<std::string_view, 6> wrench_components = {"fx", "fy", "fz",
                                                                      "mx", "my", "mz"};

/// One component of the wrench through the joint of a body (as the parent applies it to the body,
/// at the body's origin, in the body's axes) or through a loop closure (as the first point's body
/// applies it to the second's, at the point, in the second body's axes).
struct WrenchComponent {
  enum class Owner { body, loop };
  Owner owner = Owner::body;
  int element = -1;    // index of the body or the loop
  int component = -1;  // index into wrench_components
};

/// An assumption about the reactions of joints that hold a body together (paper 000, section 5.2).
struct SharingRule {
  enum class Kind {
    equal,  // all components are equal
    none,   // each component is zero
  };
  Kind kind = Kind::equal;
  std::vector<WrenchComponent> components;
};

/// One mechanism with the numbers of one design. Names, indices and types are the same for all
/// designs of a study; only numbers differ. All computations take it const.
struct Mechanism {
  Vec3d gravity = Vec3d(0.0, 0.0, -9.81);  // in world axes                              [m/s^2]
  List<Body> bodies;                       // base to tips: parent < index
  List<Point> points;                      // points of all bodies and of the world
  List<Loop> loops;
  List<Coupling> couplings;
  List<Spring> springs;
  List<Actuator> actuators;
  List<AppliedForce> forces;
  List<Obstacle> obstacles;
  std::vector<SharingRule> sharing;  // how joints in over-constrained loops share reactions

  [[nodiscard]] int body_count() const { return static_cast<int>(bodies.size()); }
  [[nodiscard]] bool moves(BodyIndex body) const {
    return bodies[body].joint.type != JointType::fixed;
  }
};

/// Index of the element with this name, or -1.
BodyIndex find_body(const Mechanism& mechanism, std::string_view name);
ActuatorIndex find_actuator(const Mechanism& mechanism, std::string_view name);
PointIndex find_point(const Mechanism& mechanism, std::string_view name);
SpringIndex find_spring(const Mechanism& mechanism, std::string_view name);

/// The place at which the segment of an obstacle begins (end 0) or ends (1), in the axes of its
/// body; of a sphere both are its centre.
const Vec3d& place_of(const Mechanism& mechanism, const Obstacle& obstacle, std::size_t end);

/// Makes a point mass [kg] at a place in body axes [m] a part of a body.
void add_point_mass(Body& body, double mass, const Vec3d& position);

/// Whether a spring's lengths are angles and its loads torques: it is a torsion spring of a joint
/// that turns.
bool turns(const Mechanism& mechanism, const Spring& spring);

/// Whether a joint has friction.
bool has_friction(const Mechanism& mechanism);
/// The first joint whose friction grows with its reaction, so that loads are not affine in the
/// tensions of springs: the index of its body, or -1.
BodyIndex find_load_friction(const Mechanism& mechanism);
inline bool has_load_friction(const Mechanism& mechanism) {
  return find_load_friction(mechanism) >= 0;
}

/// Elements of a mechanism, by their indices.
struct ElementSet {
  bool gravity = false;
  std::vector<std::size_t> bodies, points, loops, couplings, springs, actuators, forces, obstacles;
};
ElementSet all_elements(const Mechanism& mechanism);
/// Copies these elements from a mechanism to another one of the same structure. Allocates nothing.
void copy_elements(const ElementSet& elements, const Mechanism& from, Mechanism& to);

/// The largest distance of all joint origins and points from the origin of their body [m].
double farthest_coordinate(const Mechanism& mechanism);

/// Says in words what is physically impossible about the numbers, or returns nothing. These are
/// impossible: numbers that are not finite, a negative mass, an inertia that is not positive
/// semidefinite or, on a body with mass, breaks the triangle inequality, a joint axis or rotation
/// that is not a unit vector or rotation, a negative rate, free length or radius. Names the
/// element. Cost: O(elements), allocates only on failure.
std::optional<std::string> find_impossible_number(const Mechanism& mechanism);
/// The same for one element.
std::optional<std::string> find_impossible_number(const Body& body);
std::optional<std::string> find_impossible_number(const Point& point);
std::optional<std::string> find_impossible_number(const Loop& loop);
std::optional<std::string> find_impossible_number(const Coupling& coupling);
std::optional<std::string> find_impossible_number(const Spring& spring);
std::optional<std::string> find_impossible_number(const Actuator& actuator);
std::optional<std::string> find_impossible_number(const AppliedForce& force);
std::optional<std::string> find_impossible_number(const Obstacle& obstacle);
std::optional<std::string> find_impossible_gravity(const Mechanism& mechanism);

}  // namespace counterpoise
