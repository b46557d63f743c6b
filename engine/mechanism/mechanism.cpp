#include "engine/mechanism/mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/math/rotation.hpp"
#include "engine/mechanism/finding.hpp"

namespace counterpoise {
namespace {

template <class Elements>
int find_named(const Elements& elements, std::string_view name) {
  const auto at = std::find_if(elements.begin(), elements.end(),
                               [name](const auto& element) { return element.name == name; });
  return at == elements.end() ? -1 : static_cast<int>(at - elements.begin());
}

constexpr double rounding_share = 1e-9;  // of the largest moment, allowed in inertia conditions

std::optional<std::string> impossible_rotation(const Mat3d& matrix) {
  if (!matrix.allFinite()) return "its quaternion has no direction; [1, 0, 0, 0] turns nothing";
  if ((matrix.transpose() * matrix).isIdentity(rounding_share) && matrix.determinant() > 0.0)
    return std::nullopt;
  return "its rotation is not a rotation";
}

std::optional<std::string> impossible_inertia(const Body& body) {
  const Vec3d moments = principal_moments(body.inertia);
  const double slack = rounding_share * moments.cwiseAbs().maxCoeff();
  if (moments(0) < -slack)
    return "its inertia is not positive semidefinite (smallest principal moment " +
           number_text(moments(0)) + " kg m^2)";
  if (body.mass > 0.0 && moments(0) + moments(1) < moments(2) - slack)
    return "its principal moments of inertia break the triangle inequality (" +
           number_text(moments(0)) + ", " + number_text(moments(1)) + ", " +
           number_text(moments(2)) + " kg m^2)";
  return std::nullopt;
}

std::optional<std::string> impossible_loop(const Loop& loop) {
  for (const Vec3d& axis : loop.axes)
    if (!axis.allFinite() || std::abs(axis.norm() - 1.0) > rounding_share)
      return "an axis has no direction";
  return impossible_rotation(loop.rotation);
}

std::optional<std::string> impossible_part(const LegPart& part) {
  if (!std::isfinite(part.mass + part.com + part.transverse + part.axial))
    return "a number is not finite";
  if (part.mass < 0.0) return "its mass is negative (" + number_text(part.mass) + " kg)";
  if (part.transverse < 0.0 || part.axial < 0.0) return "a moment of inertia is negative";
  if (part.axial > 2.0 * part.transverse * (1.0 + rounding_share))
    return "its axial moment of inertia is more than twice the transverse one";
  return std::nullopt;
}

std::optional<std::string> impossible_friction(const Friction& friction) {
  if (!std::isfinite(friction.coulomb) || !std::isfinite(friction.viscous) ||
      !std::isfinite(friction.load_coefficient))
    return "its friction is not finite";
  if (friction.coulomb < 0.0)
    return "its dry friction is negative (" + number_text(friction.coulomb) + ")";
  if (friction.viscous < 0.0)
    return "its viscous friction is negative (" + number_text(friction.viscous) + ")";
  if (friction.load_coefficient < 0.0)
    return "its load coefficient is negative (" + number_text(friction.load_coefficient) + ")";
  return std::nullopt;
}

std::optional<std::string> impossible_motor(const MotorSide& motor) {
  if (!std::isfinite(motor.ratio) || !std::isfinite(motor.rotor_inertia) ||
      !std::isfinite(motor.torque_constant) || !std::isfinite(motor.resistance))
    return "a number of its motor is not finite";
  if (!(motor.ratio > 0.0))
    return "its ratio is " + number_text(motor.ratio) + ", which is not above 0";
  if (motor.rotor_inertia < 0.0)
    return "its rotor inertia is negative (" + number_text(motor.rotor_inertia) + " kg m^2)";
  if (motor.torque_constant < 0.0)
    return "its torque constant is negative (" + number_text(motor.torque_constant) + " N m/A)";
  if (motor.resistance < 0.0)
    return "its resistance is negative (" + number_text(motor.resistance) + " ohm)";
  if (!(motor.efficiency > 0.0 && motor.efficiency <= 1.0))
    return "its efficiency is " + number_text(motor.efficiency) + ", which is not above 0 up to 1";
  if (!(motor.back_efficiency >= 0.0 && motor.back_efficiency <= 1.0))
    return "its back efficiency is " + number_text(motor.back_efficiency) +
           ", which is not from 0 to 1";
  return impossible_friction(motor.friction);
}

std::optional<std::string> impossible_body(const Body& body) {
  const Joint& joint = body.joint;
  if (!std::isfinite(body.mass) || !body.com.allFinite() || !body.inertia.allFinite() ||
      !joint.origin.allFinite() || !joint.axis.allFinite() || !std::isfinite(joint.guess))
    return "a number is not finite";
  if (auto reason = impossible_friction(body.friction)) return reason;
  if (body.mass < 0.0) return "its mass is negative (" + number_text(body.mass) + " kg)";
  if (std::abs(joint.axis.norm() - 1.0) > rounding_share) return "its joint axis has no direction";
  if (const auto reason = impossible_rotation(joint.rotation)) return reason;
  if (body.any_inertia || (body.mass == 0.0 && body.inertia.isZero(0.0))) return std::nullopt;
  return impossible_inertia(body);
}

}  // namespace

Coupling::Solved Coupling::solved_for(BodyIndex unknown) const {
  Solved solved;
  const auto own = std::find_if(terms.begin(), terms.end(),
                                [unknown](const CouplingTerm& t) { return t.of == unknown; });
  const bool forward = own == terms.end();
  const double share = forward ? 1.0 : -1.0 / own->ratio;
  for (const CouplingTerm& term : terms)
    if (term.of != unknown) solved.terms[solved.count++] = {term.of, term.ratio * share};
  if (!forward) solved.terms[solved.count++] = {joint, -share};
  solved.offset = offset * share;
  return solved;
}

BodyIndex find_body(const Mechanism& mechanism, std::string_view name) {
  return find_named(mechanism.bodies, name);
}
ActuatorIndex find_actuator(const Mechanism& mechanism, std::string_view name) {
  return find_named(mechanism.actuators, name);
}
PointIndex find_point(const Mechanism& mechanism, std::string_view name) {
  return find_named(mechanism.points, name);
}
SpringIndex find_spring(const Mechanism& mechanism, std::string_view name) {
  return find_named(mechanism.springs, name);
}

const Vec3d& place_of(const Mechanism& mechanism, const Obstacle& obstacle, std::size_t end) {
  const std::size_t i = obstacle.is_segment ? end : 0;
  const PointIndex point = obstacle.points[i];
  return point >= 0 ? mechanism.points[point].position : obstacle.places[i];
}

void add_point_mass(Body& body, double mass, const Vec3d& position) {
  if (!(mass > 0.0)) return;
  const double sum = body.mass + mass;
  const Vec3d apart = position - body.com;
  const Mat3d about = apart.squaredNorm() * Mat3d::Identity() - apart * apart.transpose();
  body.inertia += body.mass * mass / sum * about;
  body.com += mass / sum * apart;
  body.mass = sum;
}

bool turns(const Mechanism& mechanism, const Spring& spring) {
  return spring.type == SpringType::torsion &&
         mechanism.bodies[spring.joint].joint.type != JointType::prismatic;
}

bool has_friction(const Mechanism& mechanism) {
  return std::any_of(mechanism.bodies.begin(), mechanism.bodies.end(),
                     [](const Body& body) { return !body.friction.none(); }) ||
         std::any_of(mechanism.springs.begin(), mechanism.springs.end(),
                     [](const Spring& spring) { return spring.friction != 0.0; });
}

BodyIndex find_load_friction(const Mechanism& mechanism) {
  for (BodyIndex body = 0; body < mechanism.body_count(); ++body)
    if (mechanism.bodies[body].friction.load_coefficient != 0.0) return body;
  return -1;
}

ElementSet all_elements(const Mechanism& mechanism) {
  const auto all = [](const auto& elements) {
    std::vector<std::size_t> indices(elements.size());
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    return indices;
  };
  return {true,
          all(mechanism.bodies),
          all(mechanism.points),
          all(mechanism.loops),
          all(mechanism.couplings),
          all(mechanism.springs),
          all(mechanism.actuators),
          all(mechanism.forces),
          all(mechanism.obstacles)};
}

void copy_elements(const ElementSet& elements, const Mechanism& from, Mechanism& to) {
  const auto copy = [](const std::vector<std::size_t>& indices, const auto& of, auto& into) {
    for (const std::size_t i : indices) into[i] = of[i];
  };
  if (elements.gravity) to.gravity = from.gravity;
  copy(elements.bodies, from.bodies, to.bodies);
  copy(elements.points, from.points, to.points);
  copy(elements.loops, from.loops, to.loops);
  copy(elements.couplings, from.couplings, to.couplings);
  copy(elements.springs, from.springs, to.springs);
  copy(elements.actuators, from.actuators, to.actuators);
  copy(elements.forces, from.forces, to.forces);
  copy(elements.obstacles, from.obstacles, to.obstacles);
}

double farthest_coordinate(const Mechanism& mechanism) {
  double farthest = 0.0;
  for (const Body& body : mechanism.bodies) farthest = std::max(farthest, body.joint.origin.norm());
  for (const Point& point : mechanism.points) farthest = std::max(farthest, point.position.norm());
  return farthest;
}

std::optional<std::string> find_impossible_number(const Body& body) {
  if (auto reason = impossible_body(body)) return "body " + body.name + ": " + *reason;
  return std::nullopt;
}

std::optional<std::string> find_impossible_number(const Point& point) {
  if (!point.position.allFinite()) return "point " + point.name + " is not finite";
  if (!point.is_pulley) return std::nullopt;
  if (!std::isfinite(point.radius) || !point.axis.allFinite() || !point.zero.allFinite())
    return "pulley " + point.name + ": a number is not finite";
  if (std::abs(point.axis.norm() - 1.0) > rounding_share)
    return "pulley " + point.name + ": its axis has no direction";
  if (!point.no_cam.empty()) return "cam " + point.name + ": " + point.no_cam;
  if (point.is_cam) {
    if (std::abs(point.zero.norm() - 1.0) > rounding_share)
      return "cam " + point.name + ": its zero has no direction";
    if (std::abs(point.zero.dot(point.axis)) > rounding_share)
      return "cam " + point.name + ": its zero is not perpendicular to its axis";
  } else if (!(point.radius > 0.0))
    return "pulley " + point.name + ": its radius is not positive (" + number_text(point.radius) +
           " m)";
  return std::nullopt;
}

std::optional<std::string> find_impossible_number(const Loop& loop) {
  if (auto reason = impossible_loop(loop)) return "loop " + loop.name + ": " + *reason;
  return std::nullopt;
}

std::optional<std::string> find_impossible_number(const Coupling& coupling) {
  if (!std::isfinite(coupling.offset))
    return "coupling " + coupling.name + ": a number is not finite";
  for (const CouplingTerm& term : coupling.terms) {
    if (!std::isfinite(term.ratio)) return "coupling " + coupling.name + ": a number is not finite";
    if (term.ratio == 0.0) return "coupling " + coupling.name + ": a ratio is zero";
  }
  return std::nullopt;
}

std::optional<std::string> find_impossible_number(const Spring& spring) {
  const bool torsion = spring.type == SpringType::torsion;
  if (const auto part = find_impossible_part(spring.group, spring.pushes()))
    return "spring " + spring.name + ": the " + part->key + " of its part " +
           std::to_string(part->part + 1) + " " + part->why;
  if (!std::all_of(spring.group_law.begin(), spring.group_law.end(), [](const auto& piece) {
        return std::isfinite(piece.from) && std::isfinite(piece.line.offset);
      }))
    return "spring " + spring.name + ": a number of its law is not finite";
  if (!std::isfinite(spring.rate) || !std::isfinite(spring.free_length) ||
      !std::isfinite(spring.initial_tension))
    return "spring " + spring.name + ": a number is not finite";
  if (spring.rate < 0.0)
    return "spring " + spring.name + ": its rate is negative (" + number_text(spring.rate) + ")";
  if (!std::isfinite(spring.friction) || spring.friction < 0.0)
    return "spring " + spring.name + ": its friction is " + number_text(spring.friction) +
           " N, expected 0 or more";
  if (!std::isfinite(spring.mass) || spring.mass < 0.0)
    return "spring " + spring.name + ": its mass is " + number_text(spring.mass) +
           " kg, expected 0 or more";
  if (!torsion && spring.free_length < 0.0)
    return "spring " + spring.name + ": its free length is negative (" +
           number_text(spring.free_length) + " m)";
  if (std::isnan(spring.min_length) || std::isnan(spring.max_length) || std::isnan(spring.max_load))
    return "spring " + spring.name + ": a limit is not a number";
  if (!std::isfinite(spring.radius) || spring.radius < 0.0)
    return "spring " + spring.name + ": its radius is " + number_text(spring.radius) +
           " m, expected 0 or more";
  if (std::isnan(spring.min_clearance) || spring.min_clearance == no_limit)
    return "spring " + spring.name + ": its min_clearance is not a finite number";
  return std::nullopt;
}

std::optional<std::string> find_impossible_number(const Actuator& actuator) {
  if (std::isnan(actuator.min_position) || std::isnan(actuator.max_position) ||
      std::isnan(actuator.max_load) || std::isnan(actuator.max_speed) ||
      std::isnan(actuator.holding_load))
    return "actuator " + actuator.name + ": a limit is not a number";
  if (actuator.holding_load < 0.0)
    return "actuator " + actuator.name + ": its holding load is negative (" +
           number_text(actuator.holding_load) + ")";
  if (auto reason = impossible_motor(actuator.motor))
    return "actuator " + actuator.name + ": " + *reason;
  if (auto reason = impossible_part(actuator.tube))
    return "actuator " + actuator.name + ": the tube: " + *reason;
  if (auto reason = impossible_part(actuator.rod))
    return "actuator " + actuator.name + ": the rod: " + *reason;
  return std::nullopt;
}

std::optional<std::string> find_impossible_number(const AppliedForce& force) {
  if (!force.force.allFinite() || !force.moment.allFinite())
    return "force " + force.name + ": a number is not finite";
  return std::nullopt;
}

std::optional<std::string> find_impossible_number(const Obstacle& obstacle) {
  if (!obstacle.places[0].allFinite() || !obstacle.places[1].allFinite())
    return "obstacle " + obstacle.name + ": a coordinate is not finite";
  if (!std::isfinite(obstacle.radius) || obstacle.radius < 0.0)
    return "obstacle " + obstacle.name + ": its radius is " + number_text(obstacle.radius) +
           " m, expected 0 or more";
  return std::nullopt;
}

std::optional<std::string> find_impossible_gravity(const Mechanism& mechanism) {
  if (!mechanism.gravity.allFinite()) return "gravity is not finite";
  return std::nullopt;
}

std::optional<std::string> find_impossible_number(const Mechanism& mechanism) {
  std::optional<std::string> found = find_impossible_gravity(mechanism);
  const auto look_at = [&found](const auto& elements) {
    for (std::size_t i = 0; i < elements.size() && !found; ++i)
      found = find_impossible_number(elements[i]);
  };
  look_at(mechanism.bodies);
  look_at(mechanism.points);
  look_at(mechanism.loops);
  look_at(mechanism.couplings);
  look_at(mechanism.springs);
  look_at(mechanism.actuators);
  look_at(mechanism.forces);
  look_at(mechanism.obstacles);
  return found;
}

}  // namespace counterpoise
