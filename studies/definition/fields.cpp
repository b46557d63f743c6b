#include "studies/definition/fields.hpp"

#include "engine/math/rotation.hpp"

namespace counterpoise {
namespace {

Vec3d vector_of(std::span<const double> n) {
  return {n[0], n[1], n[2]};
}

/// [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] as a matrix; the products are its entries.
Mat3d inertia_of(std::span<const double> n) {
  Mat3d inertia;
  inertia << n[0], n[3], n[4],  //
      n[3], n[1], n[5],         //
      n[4], n[5], n[2];
  return inertia;
}

template <class Element>
Element& at(std::vector<Element>& elements, int index) {
  return elements[static_cast<std::size_t>(index)];
}

double& scalar_of(Field field, Spring& spring) {
  switch (field) {
    case Field::spring_rate:
      return spring.rate;
    case Field::spring_free_length:
      return spring.free_length;
    case Field::spring_initial_tension:
      return spring.initial_tension;
    case Field::spring_min_length:
      return spring.min_length;
    case Field::spring_max_length:
      return spring.max_length;
    default:
      return spring.max_load;
  }
}

double& scalar_of(Field field, Actuator& actuator) {
  switch (field) {
    case Field::actuator_min_position:
      return actuator.min_position;
    case Field::actuator_max_position:
      return actuator.max_position;
    case Field::actuator_max_load:
      return actuator.max_load;
    case Field::actuator_max_speed:
      return actuator.max_speed;
    case Field::tube_mass:
      return actuator.tube.mass;
    case Field::tube_com:
      return actuator.tube.com;
    case Field::rod_mass:
      return actuator.rod.mass;
    default:
      return actuator.rod.com;
  }
}

void assign_actuator(Field field, std::span<const double> n, Actuator& actuator) {
  if (field != Field::tube_inertia && field != Field::rod_inertia) {
    scalar_of(field, actuator) = n[0];
    return;
  }
  LegPart& part = field == Field::tube_inertia ? actuator.tube : actuator.rod;
  part.transverse = n[0];
  part.axial = n[1];
}

void assign_coupling(Field field, std::span<const double> n, Coupling& coupling) {
  if (field == Field::coupling_offset) {
    coupling.offset = n[0];
    return;
  }
  for (std::size_t i = 0; i < coupling.terms.size(); ++i) coupling.terms[i].ratio = n[i];
}

void assign_loop(Field field, std::span<const double> n, Loop& loop) {
  switch (field) {
    case Field::loop_first_axis:
      loop.axes[0] = vector_of(n).normalized();
      break;
    case Field::loop_second_axis:
      loop.axes[1] = vector_of(n).normalized();
      break;
    case Field::loop_zxz:
      loop.rotation = rotation_from_zxz(n[0], n[1], n[2]);
      break;
    case Field::loop_rpy:
      loop.rotation = rotation_from_rpy(n[0], n[1], n[2]);
      break;
    default:
      loop.rotation = rotation_from_quaternion(n[0], n[1], n[2], n[3]);
      break;
  }
}

void assign_body(Field field, std::span<const double> n, Body& body) {
  Joint& joint = body.joint;
  switch (field) {
    case Field::axis:
      joint.axis = vector_of(n).normalized();
      break;
    case Field::origin:
      joint.origin = vector_of(n);
      break;
    case Field::zxz:
      joint.rotation = rotation_from_zxz(n[0], n[1], n[2]);
      break;
    case Field::rpy:
      joint.rotation = rotation_from_rpy(n[0], n[1], n[2]);
      break;
    case Field::quaternion:
      joint.rotation = rotation_from_quaternion(n[0], n[1], n[2], n[3]);
      break;
    case Field::guess:
      joint.guess = n[0];
      break;
    case Field::mass:
      body.mass = n[0];
      break;
    case Field::com:
      body.com = vector_of(n);
      break;
    default:
      body.inertia = inertia_of(n);
      break;
  }
}

}  // namespace

std::size_t size_of(Field field) {
  switch (field) {
    case Field::gravity:
    case Field::axis:
    case Field::origin:
    case Field::zxz:
    case Field::rpy:
    case Field::com:
    case Field::point:
    case Field::loop_first_axis:
    case Field::loop_second_axis:
    case Field::loop_zxz:
    case Field::loop_rpy:
      return 3;
    case Field::quaternion:
    case Field::loop_quaternion:
      return 4;
    case Field::tube_inertia:
    case Field::rod_inertia:
      return 2;
    case Field::coupling_ratio:
      return Coupling::most_terms;
    case Field::inertia:
      return 6;
    default:
      return 1;
  }
}

FieldOwner owner_of(Field field) {
  if (field == Field::gravity) return FieldOwner::world;
  if (field < Field::point) return FieldOwner::body;
  if (field == Field::point) return FieldOwner::point;
  if (field <= Field::loop_quaternion) return FieldOwner::loop;
  if (field <= Field::coupling_offset) return FieldOwner::coupling;
  if (field <= Field::spring_max_load) return FieldOwner::spring;
  return FieldOwner::actuator;
}

void assign(Field field, int element, std::span<const double> numbers, Mechanism& mechanism) {
  switch (owner_of(field)) {
    case FieldOwner::world:
      mechanism.gravity = vector_of(numbers);
      break;
    case FieldOwner::body:
      assign_body(field, numbers, at(mechanism.bodies, element));
      break;
    case FieldOwner::point:
      at(mechanism.points, element).position = vector_of(numbers);
      break;
    case FieldOwner::loop:
      assign_loop(field, numbers, at(mechanism.loops, element));
      break;
    case FieldOwner::coupling:
      assign_coupling(field, numbers, at(mechanism.couplings, element));
      break;
    case FieldOwner::spring:
      scalar_of(field, at(mechanism.springs, element)) = numbers[0];
      break;
    case FieldOwner::actuator:
      assign_actuator(field, numbers, at(mechanism.actuators, element));
      break;
  }
}

}  // namespace counterpoise
