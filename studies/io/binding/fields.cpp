#include "studies/io/binding/fields.hpp"

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

double& scalar_of(Field field, Coupling& coupling) {
  return field == Field::coupling_ratio ? coupling.ratio : coupling.offset;
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
    default:
      return actuator.max_speed;
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
      return 3;
    case Field::quaternion:
      return 4;
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
    case FieldOwner::coupling:
      scalar_of(field, at(mechanism.couplings, element)) = numbers[0];
      break;
    case FieldOwner::spring:
      scalar_of(field, at(mechanism.springs, element)) = numbers[0];
      break;
    case FieldOwner::actuator:
      scalar_of(field, at(mechanism.actuators, element)) = numbers[0];
      break;
  }
}

}  // namespace counterpoise
