#include <array>

#include "engine/math/rotation.hpp"
#include "input/definition/model.hpp"

namespace counterpoise {
namespace {

using Numbers = std::span<const double>;

Vec3d vector(Numbers n) {
  return {n[0], n[1], n[2]};
}

Vec3d axis(Numbers n) {
  return vector(n).normalized();
}

Mat3d zxz(Numbers n) {
  return rotation_from_zxz(n[0], n[1], n[2]);
}

Mat3d rpy(Numbers n) {
  return rotation_from_rpy(n[0], n[1], n[2]);
}

Mat3d quaternion(Numbers n) {
  return rotation_from_quaternion(n[0], n[1], n[2], n[3]);
}

/// [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] as a matrix; the products are its entries.
Mat3d inertia(Numbers n) {
  Mat3d inertia;
  inertia << n[0], n[3], n[4],  //
      n[3], n[1], n[5],         //
      n[4], n[5], n[2];
  return inertia;
}

void set_moments(LegPart& part, Numbers n) {
  part.transverse = n[0];
  part.axial = n[1];
}

constexpr FieldDescription row(Field field, FieldOwner owner, Quantity quantity, std::size_t size,
                               FieldDescription::Word key, FieldDescription::Word unit,
                               void (*assign)(Mechanism&, int, Numbers)) {
  return {field, owner, quantity, size, key, unit, assign};
}

template <double Spring::*number>
constexpr FieldDescription of_spring(Field field, Quantity quantity, FieldDescription::Word key,
                                     FieldDescription::Word unit) {
  FieldDescription spring =
      row(field, FieldOwner::spring, quantity, 1, key, unit,
          [](Mechanism& m, int e, Numbers n) { m.springs[e].*number = n[0]; });
  spring.spring_number = number;
  return spring;
}

template <double SpringGroup::Part::*number>
constexpr FieldDescription of_parts(Field field, FieldDescription::Word key,
                                    FieldDescription::Word unit) {
  return row(field, FieldOwner::spring, Quantity::spring_law, SpringGroup::most_parts, key, unit,
             [](Mechanism& m, int e, Numbers n) {
               std::vector<SpringGroup::Part>& parts = m.springs[e].group.parts;
               for (std::size_t i = 0; i < parts.size(); ++i) parts[i].*number = n[i];
               m.springs[e].take_group_law();
             });
}

template <double MotorSide::*number>
constexpr FieldDescription of_motor(Field field, FieldDescription::Word key,
                                    FieldDescription::Word unit) {
  return row(field, FieldOwner::actuator, Quantity::motor, 1, key, unit,
             [](Mechanism& m, int e, Numbers n) { m.actuators[e].motor.*number = n[0]; });
}

constexpr auto fields = std::to_array({
    row(Field::gravity, FieldOwner::world, Quantity::gravity, 3, {"gravity"}, {"1"},
        [](Mechanism& m, int, Numbers n) { m.gravity = vector(n); }),
    row(Field::axis, FieldOwner::body, Quantity::joint_geometry, 3, {"axis"}, {"1"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].joint.axis = axis(n); }),
    row(Field::origin, FieldOwner::body, Quantity::joint_geometry, 3, {"origin"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].joint.origin = vector(n); }),
    row(Field::zxz, FieldOwner::body, Quantity::joint_geometry, 3, {"zxz"}, {"rad"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].joint.rotation = zxz(n); }),
    row(Field::rpy, FieldOwner::body, Quantity::joint_geometry, 3, {"rpy"}, {"rad"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].joint.rotation = rpy(n); }),
    row(Field::quaternion, FieldOwner::body, Quantity::joint_geometry, 4, {"quaternion"}, {"1"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].joint.rotation = quaternion(n); }),
    row(Field::guess, FieldOwner::body, Quantity::joint_geometry, 1, {"guess"}, {"m", "rad"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].joint.guess = n[0]; }),
    row(Field::mass, FieldOwner::body, Quantity::inertia, 1, {"mass"}, {"kg"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].mass = n[0]; }),
    row(Field::com, FieldOwner::body, Quantity::inertia, 3, {"com"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].com = vector(n); }),
    row(Field::inertia, FieldOwner::body, Quantity::inertia, 6, {"inertia"}, {"kg*m^2"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].inertia = inertia(n); }),
    row(Field::friction_coulomb, FieldOwner::body, Quantity::friction, 1, {"coulomb"}, {"N", "N*m"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].friction.coulomb = n[0]; }),
    row(Field::friction_viscous, FieldOwner::body, Quantity::friction, 1,
        {"viscous"}, {"N*s/m", "N*m*s/rad"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].friction.viscous = n[0]; }),
    row(Field::friction_load_coefficient, FieldOwner::body, Quantity::friction, 1,
        {"load_coefficient"}, {"1", "m"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].friction.load_coefficient = n[0]; }),
    row(Field::point, FieldOwner::point, Quantity::point, 3, {"points"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.points[e].position = vector(n); }),
    row(Field::pulley_axis, FieldOwner::point, Quantity::pulley, 3, {"axis"}, {"1"},
        [](Mechanism& m, int e, Numbers n) { m.points[e].axis = axis(n); }),
    row(Field::pulley_radius, FieldOwner::point, Quantity::pulley, 1, {"radius"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.points[e].radius = n[0]; }),
    row(Field::pulley_zero, FieldOwner::point, Quantity::pulley, 3, {"zero"}, {"1"},
        [](Mechanism& m, int e, Numbers n) { m.points[e].zero = axis(n); }),
    row(Field::cam_profile, FieldOwner::point, Quantity::pulley, 3, {"profile"}, {"rad"},
        [](Mechanism&, int, Numbers) {}),  // make_cam() does it, which needs more than numbers
    row(Field::loop_first_axis, FieldOwner::loop, Quantity::loop_axes, 3, {"axes"}, {"1"},
        [](Mechanism& m, int e, Numbers n) { m.loops[e].axes[0] = axis(n); }),
    row(Field::loop_second_axis, FieldOwner::loop, Quantity::loop_axes, 3, {"axes"}, {"1"},
        [](Mechanism& m, int e, Numbers n) { m.loops[e].axes[1] = axis(n); }),
    row(Field::loop_zxz, FieldOwner::loop, Quantity::loop_axes, 3, {"zxz"}, {"rad"},
        [](Mechanism& m, int e, Numbers n) { m.loops[e].rotation = zxz(n); }),
    row(Field::loop_rpy, FieldOwner::loop, Quantity::loop_axes, 3, {"rpy"}, {"rad"},
        [](Mechanism& m, int e, Numbers n) { m.loops[e].rotation = rpy(n); }),
    row(Field::loop_quaternion, FieldOwner::loop, Quantity::loop_axes, 4, {"quaternion"}, {"1"},
        [](Mechanism& m, int e, Numbers n) { m.loops[e].rotation = quaternion(n); }),
    row(Field::coupling_ratio, FieldOwner::coupling, Quantity::coupling, Coupling::most_terms,
        {"ratio"}, {"1"},
        [](Mechanism& m, int e, Numbers n) {
          std::vector<CouplingTerm>& terms = m.couplings[e].terms;
          for (std::size_t i = 0; i < terms.size(); ++i) terms[i].ratio = n[i];
        }),
    row(Field::coupling_offset, FieldOwner::coupling, Quantity::coupling, 1,
        {"offset"}, {"m", "rad"},
        [](Mechanism& m, int e, Numbers n) { m.couplings[e].offset = n[0]; }),
    of_spring<&Spring::rate>(Field::spring_rate, Quantity::spring_law,
                             {"rate"}, {"N/m", "N*m/rad"}),
    of_spring<&Spring::free_length>(Field::spring_free_length, Quantity::spring_law,
                                    {"free_length", "free_angle"}, {"m", "rad"}),
    of_spring<&Spring::initial_tension>(Field::spring_initial_tension, Quantity::spring_law,
                                        {"initial_tension", "preload"}, {"N", "N*m"}),
    of_parts<&SpringGroup::Part::rate>(Field::part_rates, {"rate"}, {"N/m"}),
    of_parts<&SpringGroup::Part::free_length>(Field::part_free_lengths, {"free_length"}, {"m"}),
    of_parts<&SpringGroup::Part::initial_tension>(Field::part_initial_tensions, {"initial_tension"},
                                                  {"N"}),
    of_spring<&Spring::friction>(Field::spring_friction, Quantity::spring_law, {"friction"}, {"N"}),
    of_spring<&Spring::mass>(Field::spring_mass, Quantity::spring_law, {"mass"}, {"kg"}),
    of_spring<&Spring::min_length>(Field::spring_min_length, Quantity::spring_limits,
                                   {"min_length"}, {"m", "rad"}),
    of_spring<&Spring::max_length>(Field::spring_max_length, Quantity::spring_limits,
                                   {"max_length"}, {"m", "rad"}),
    of_spring<&Spring::max_load>(Field::spring_max_load, Quantity::spring_limits,
                                 {"max_load"}, {"N", "N*m"}),
    of_spring<&Spring::radius>(Field::spring_radius, Quantity::spring_limits, {"radius"}, {"m"}),
    of_spring<&Spring::min_clearance>(Field::spring_min_clearance, Quantity::spring_limits,
                                      {"min_clearance"}, {"m"}),
    row(Field::actuator_min_position, FieldOwner::actuator, Quantity::actuator_limits, 1,
        {"min_position"}, {"m", "rad"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].min_position = n[0]; }),
    row(Field::actuator_max_position, FieldOwner::actuator, Quantity::actuator_limits, 1,
        {"max_position"}, {"m", "rad"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].max_position = n[0]; }),
    row(Field::actuator_max_load, FieldOwner::actuator, Quantity::actuator_limits, 1,
        {"max_load"}, {"N", "N*m"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].max_load = n[0]; }),
    row(Field::actuator_max_speed, FieldOwner::actuator, Quantity::actuator_limits, 1,
        {"max_speed"}, {"m/s", "rad/s"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].max_speed = n[0]; }),
    row(Field::actuator_holding_load, FieldOwner::actuator, Quantity::actuator_limits, 1,
        {"holding_load"}, {"N", "N*m"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].holding_load = n[0]; }),
    of_motor<&MotorSide::ratio>(Field::motor_ratio, {"ratio"}, {"rad/m", "1"}),
    of_motor<&MotorSide::rotor_inertia>(Field::rotor_inertia, {"rotor_inertia"}, {"kg*m^2"}),
    row(Field::motor_coulomb, FieldOwner::actuator, Quantity::motor, 1, {"coulomb"}, {"N", "N*m"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].motor.friction.coulomb = n[0]; }),
    row(Field::motor_viscous, FieldOwner::actuator, Quantity::motor, 1,
        {"viscous"}, {"N*s/m", "N*m*s/rad"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].motor.friction.viscous = n[0]; }),
    of_motor<&MotorSide::efficiency>(Field::efficiency, {"efficiency"}, {"1"}),
    of_motor<&MotorSide::back_efficiency>(Field::back_efficiency, {"back_efficiency"}, {"1"}),
    of_motor<&MotorSide::torque_constant>(Field::torque_constant, {"torque_constant"}, {"N*m/A"}),
    of_motor<&MotorSide::resistance>(Field::resistance, {"resistance"}, {"ohm"}),
    row(Field::tube_mass, FieldOwner::actuator, Quantity::leg_inertia, 1, {"mass"}, {"kg"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].tube.mass = n[0]; }),
    row(Field::tube_com, FieldOwner::actuator, Quantity::leg_inertia, 1, {"com"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].tube.com = n[0]; }),
    row(Field::tube_inertia, FieldOwner::actuator, Quantity::leg_inertia, 2,
        {"inertia"}, {"kg*m^2"},
        [](Mechanism& m, int e, Numbers n) { set_moments(m.actuators[e].tube, n); }),
    row(Field::rod_mass, FieldOwner::actuator, Quantity::leg_inertia, 1, {"mass"}, {"kg"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].rod.mass = n[0]; }),
    row(Field::rod_com, FieldOwner::actuator, Quantity::leg_inertia, 1, {"com"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].rod.com = n[0]; }),
    row(Field::rod_inertia, FieldOwner::actuator, Quantity::leg_inertia, 2, {"inertia"}, {"kg*m^2"},
        [](Mechanism& m, int e, Numbers n) { set_moments(m.actuators[e].rod, n); }),
    row(Field::force, FieldOwner::force, Quantity::applied_force, 3, {"force"}, {"N"},
        [](Mechanism& m, int e, Numbers n) { m.forces[e].force = vector(n); }),
    row(Field::moment, FieldOwner::force, Quantity::applied_force, 3, {"moment"}, {"N*m"},
        [](Mechanism& m, int e, Numbers n) { m.forces[e].moment = vector(n); }),
    row(Field::obstacle_from, FieldOwner::obstacle, Quantity::obstacle, 3, {"from"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.obstacles[e].places[0] = vector(n); }),
    row(Field::obstacle_to, FieldOwner::obstacle, Quantity::obstacle, 3, {"to"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.obstacles[e].places[1] = vector(n); }),
    row(Field::obstacle_radius, FieldOwner::obstacle, Quantity::obstacle, 1, {"radius"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.obstacles[e].radius = n[0]; }),
});

constexpr bool has_a_row_for_each_field() {
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].field != static_cast<Field>(i)) return false;
  return fields.back().field == Field::obstacle_radius;
}
static_assert(has_a_row_for_each_field(), "rows in the order of Field");

}  // namespace

const FieldDescription& describe(Field field) {
  return fields[static_cast<std::size_t>(field)];
}

}  // namespace counterpoise
