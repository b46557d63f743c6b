#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/mechanism/finding.hpp"
#include "input/reading/model_reading.hpp"

namespace counterpoise {

namespace {

ObjectReader friction_object(const JsonValue& value) {
  ObjectReader object(value, "friction", {"coulomb", "viscous", "load_coefficient", "note"});
  if (const JsonValue* note = object.find("note")) string_of(*note, "a note");
  return object;
}

}  // namespace

void read_friction_of_joint(const JsonValue& value, int body, ModelReading& reading) {
  constexpr std::array<Field, 3> fields = {Field::friction_coulomb, Field::friction_viscous,
                                           Field::friction_load_coefficient};
  const ObjectReader object = friction_object(value);
  if (std::none_of(fields.begin(), fields.end(), [&](Field field) {
        return object.find(describe(field).key.sliding) != nullptr;
      }))
    refuse(value, "friction with coulomb, viscous or load_coefficient");
  for (const Field field : fields) reading.give(field, body, object);
}

void read_friction_of_motor(const JsonValue& value, int actuator, ModelReading& reading) {
  const ObjectReader object = friction_object(value);
  if (const JsonValue* grows = object.find("load_coefficient"))
    throw InputError(grows->key_location(),
                     "found load_coefficient of a motor's friction, expected it of a joint's: what "
                     "gears lose grows with their load by \"efficiency\" and \"back_efficiency\"");
  if (object.find("coulomb") == nullptr && object.find("viscous") == nullptr)
    refuse(value, "friction with coulomb, viscous or both");
  reading.give(Field::motor_coulomb, actuator, object);
  reading.give(Field::motor_viscous, actuator, object);
}

namespace {

/// The mass of one half of a linear actuator.
void read_part(const ObjectReader& actuator, std::string_view key,
               const std::array<Field, 3>& fields, int index, ModelReading& reading) {
  const JsonValue* value = actuator.find(key);
  if (value == nullptr) return;
  if (actuator.find("connect") == nullptr)
    throw InputError(value->location(),
                     fmt::format("found a {} of an actuator on a joint, expected connect", key));
  const ObjectReader part(*value, fmt::format("a {}", key), {"mass", "com", "inertia"});
  reading.give(fields[0], index, part);
  reading.give(fields[1], index, part);
  reading.give(fields[2], index, part, "two moments of inertia [transverse, axial]");
}

/// The motor of an actuator, where its ratio says what the motor has to turn.
void read_motor(const ObjectReader& object, int index, ModelReading& reading) {
  constexpr std::array<std::string_view, 6> others = {"rotor_inertia",   "friction",
                                                      "efficiency",      "back_efficiency",
                                                      "torque_constant", "resistance"};
  const JsonValue* ratio = object.find("ratio");
  for (const std::string_view key : others)
    if (const JsonValue* given = object.find(key); given != nullptr && ratio == nullptr)
      throw InputError(given->location(),
                       fmt::format("{} belongs to a motor, expected its ratio beside it: the turn "
                                   "of the motor per unit of the actuator's position",
                                   in_quotes(key)));
  if (ratio == nullptr) return;
  reading.model.nominal.actuators[index].motor.known = true;
  for (const Field field : {Field::motor_ratio, Field::rotor_inertia, Field::efficiency,
                            Field::back_efficiency, Field::torque_constant, Field::resistance})
    reading.give(field, index, object);
  if (const JsonValue* friction = object.find("friction"))
    read_friction_of_motor(*friction, index, reading);
}

}  // namespace

void read_actuators(const JsonValue& section, ModelReading& reading) {
  std::vector<std::string> names;
  read_each(array_of(section, "an array of actuators"), [&](const JsonValue& value) {
    const ObjectReader object(
        value, "an actuator",
        {"name", "joint", "connect", "min_position", "max_position", "max_load", "max_speed",
         "holding_load", "ratio", "rotor_inertia", "friction", "efficiency", "back_efficiency",
         "torque_constant", "resistance", "tube", "rod", "source", "note"});
    check_remarks(object);
    Actuator actuator;
    actuator.name = unique_name(object.required("name"), names, "actuator");
    const JsonValue* joint = object.find("joint");
    const JsonValue* connect = object.find("connect");
    if ((joint == nullptr) == (connect == nullptr))
      throw InputError(value.location(),
                       fmt::format("the actuator {} has {}, expected one of joint and connect",
                                   in_quotes(actuator.name),
                                   joint == nullptr ? "neither joint nor connect" : "both"));
    if (joint != nullptr)
      actuator.joint = reading.moving_joint(*joint);
    else
      actuator.points = reading.points(*connect);
    const auto index = static_cast<int>(reading.model.nominal.actuators.size());
    reading.model.nominal.actuators.push_back(std::move(actuator));
    reading.give(Field::actuator_min_position, index, object);
    reading.give(Field::actuator_max_position, index, object);
    reading.give(Field::actuator_max_load, index, object);
    reading.give(Field::actuator_max_speed, index, object);
    reading.give(Field::actuator_holding_load, index, object);
    read_motor(object, index, reading);
    read_part(object, "tube", {Field::tube_mass, Field::tube_com, Field::tube_inertia}, index,
              reading);
    read_part(object, "rod", {Field::rod_mass, Field::rod_com, Field::rod_inertia}, index, reading);
  });
}

void read_forces(const JsonValue& section, ModelReading& reading) {
  constexpr std::array<std::string_view, 2> axes = {"world", "body"};
  const Mechanism& mechanism = reading.model.nominal;
  std::vector<std::string> names;
  read_each(array_of(section, "an array of forces"), [&](const JsonValue& value) {
    const ObjectReader object(value, "a force",
                              {"name", "point", "axes", "force", "moment", "source", "note"});
    check_remarks(object);
    AppliedForce force;
    force.name = unique_name(object.required("name"), names, "force");
    const JsonValue& point = object.required("point");
    force.point = reading.point(point);
    if (mechanism.points[force.point].body == world_body)
      throw InputError(point.location(),
                       fmt::format("{} stands still in the world, expected a point of a body",
                                   in_quotes(point.text)));
    if (const JsonValue* choice = object.find("axes"))
      force.turns_with_body = choice_of(*choice, axes) == 1;
    if (object.find("force") == nullptr && object.find("moment") == nullptr)
      throw InputError(value.location(),
                       fmt::format("the force {} has neither force nor moment, expected one of "
                                   "them or both",
                                   in_quotes(force.name)));
    const auto index = static_cast<int>(mechanism.forces.size());
    reading.model.nominal.forces.push_back(std::move(force));
    reading.give(Field::force, index, object, "a force [x, y, z]");
    reading.give(Field::moment, index, object, "a moment [x, y, z]");
  });
}

namespace {

SpringType spring_type(const JsonValue& value) {
  constexpr std::array<std::string_view, 4> types = {"extension", "compression", "gas", "torsion"};
  constexpr std::array<SpringType, 4> meanings = {SpringType::extension, SpringType::compression,
                                                  SpringType::gas, SpringType::torsion};
  const JsonValue* type = value.kind == JsonValue::Kind::object ? value.find("type") : nullptr;
  return type == nullptr ? SpringType::coil : meanings[choice_of(*type, types)];
}

SpringActs spring_acts(const JsonValue* value, SpringType type) {
  constexpr std::array<std::string_view, 3> senses = {"pull", "push", "both"};
  constexpr std::array<SpringActs, 3> meanings = {SpringActs::pull, SpringActs::push,
                                                  SpringActs::both};
  if (value == nullptr) return SpringActs::unsaid;
  const SpringActs acts = meanings[choice_of(*value, senses)];
  if (type == SpringType::extension && acts == SpringActs::push)
    refuse(*value, "\"pull\" or \"both\" of an extension spring");
  if (type == SpringType::compression && acts == SpringActs::pull)
    refuse(*value, "\"push\" or \"both\" of a compression spring");
  return acts;
}

/// A rate needs the length at which a gas spring is extended and has its initial tension.
void require_extended_length(const ObjectReader& gas) {
  const JsonValue* rate = gas.find("rate");
  if (rate != nullptr && gas.find("free_length") == nullptr)
    throw InputError(rate->key_location(),
                     "found \"rate\" without \"free_length\" in a gas spring; expected both: its "
                     "tension is initial_tension where it is extended to its free_length, and "
                     "initial_tension + rate * (length - free_length) where it is compressed, "
                     "negative because it pushes");
}

ObjectReader spring_reader(const JsonValue& value, SpringType type) {
  switch (type) {
    case SpringType::torsion:
      return {value,
              "a torsion spring",
              {"name", "type", "joint", "rate", "free_angle", "preload", "min_length", "max_length",
               "max_load", "acts", "may_go_slack", "source", "note"}};
    case SpringType::gas:
      return {value,
              "a gas spring",
              {"name", "type", "connect", "rate", "free_length", "initial_tension", "friction",
               "mass", "min_length", "max_length", "max_load", "acts", "may_go_slack", "radius",
               "min_clearance", "ignore", "source", "note"}};
    default:
      return {value,
              "a spring",
              {"name",     "type", "connect",      "rate",     "free_length",   "initial_tension",
               "friction", "mass", "series",       "parallel", "min_length",    "max_length",
               "max_load", "acts", "may_go_slack", "radius",   "min_clearance", "ignore",
               "source",   "note"}};
  }
}

/// Where a torsion spring has no torque because its leg lies on a stop.
GoesSlack where_on_stop(const ObjectReader& object) {
  constexpr std::array<std::string_view, 2> sides = {"above", "below"};
  const JsonValue* key = object.find("may_go_slack");
  const bool slack = key != nullptr && boolean_of(*key, "true or false");
  const JsonValue* acts = object.find("acts");
  if (acts == nullptr && slack)
    throw InputError(key->key_location(),
                     "found \"may_go_slack\" of a torsion spring without \"acts\", expected "
                     "\"above\" or \"below\" beside it: the side of its free_angle on which it "
                     "acts");
  if (acts == nullptr) return GoesSlack::never;
  if (!slack)
    throw InputError(acts->key_location(),
                     "found \"acts\" of a torsion spring without \"may_go_slack\", expected true "
                     "beside it: without, the spring acts on both sides of its free_angle");
  return choice_of(*acts, sides) == 0 ? GoesSlack::below : GoesSlack::above;
}

/// Where a spring that the model lets go slack has no tension.
GoesSlack where_slack(const ObjectReader& object, const Spring& spring) {
  const JsonValue* key = object.find("may_go_slack");
  if (key == nullptr || !boolean_of(*key, "true or false")) return GoesSlack::never;
  if (!spring.is_cable() && spring.type == SpringType::gas)
    throw InputError(key->key_location(),
                     "found \"may_go_slack\" of a gas spring between two points, expected it of an "
                     "extension or compression spring, or of a spring on a cable");
  if (!spring.is_cable() && spring.type == SpringType::coil)
    throw InputError(key->key_location(),
                     "found \"may_go_slack\" without \"type\", expected \"extension\", which is "
                     "slack below its free_length, or \"compression\", which is loose above it");
  if (const JsonValue* acts = object.find("acts"))
    throw InputError(
        acts->key_location(),
        fmt::format("found \"acts\" beside \"may_go_slack\", expected one of them: a "
                    "spring that goes slack {}, and no length is a limit of it",
                    spring.type == SpringType::compression ? "never pulls" : "never pushes"));
  return spring.type == SpringType::compression ? GoesSlack::above : GoesSlack::below;
}

/// Friction or mass is known of springs between two points that are never slack.
void require_firm(std::string_view what, const ObjectReader& object, const Spring& spring) {
  const JsonValue* key = object.find(what);
  if (key == nullptr) return;
  if (spring.is_cable())
    throw InputError(
        key->key_location(),
        fmt::format("found \"{}\" of a spring on a cable, expected none: it is known of "
                    "springs between two points",
                    what));
  if (spring.may_go_slack())
    throw InputError(
        key->key_location(),
        fmt::format("found \"{}\" beside \"may_go_slack\", expected one of them: it is "
                    "not known of a spring that hangs loose",
                    what));
}

/// Whether a number of a spring may be other than 0.
bool may_be_more(Field field, int spring, const Model& model) {
  return model.nominal.springs[spring].*describe(field).spring_number != 0.0 ||
         std::any_of(model.varying.begin(), model.varying.end(), [&](const FieldNumbers& given) {
           return given.field == field && given.element == spring;
         });
}

/// A cable only pulls, and a spring that is built to push does not end one.
void make_pull(const ObjectReader& object, Spring& spring) {
  if (spring.type == SpringType::compression)
    refuse(*object.find("type"),
           "\"extension\" or \"gas\" of a spring on a cable, which cannot push");
  if (spring.acts == SpringActs::push || spring.acts == SpringActs::both)
    refuse(*object.find("acts"),
           "\"pull\", or no such key, of a spring on a cable, which cannot push");
  if (!spring.may_go_slack()) spring.acts = SpringActs::pull;
}

}  // namespace

void read_springs(const JsonValue& section, ModelReading& reading) {
  std::vector<std::string> names;
  read_each(array_of(section, "an array of springs"), [&](const JsonValue& value) {
    Spring spring;
    spring.type = spring_type(value);
    const ObjectReader object = spring_reader(value, spring.type);
    check_remarks(object);
    spring.name = unique_name(object.required("name"), names, "spring");
    if (spring.type == SpringType::gas) require_extended_length(object);
    const bool torsion = spring.type == SpringType::torsion;
    if (!torsion) spring.acts = spring_acts(object.find("acts"), spring.type);
    if (torsion)
      spring.joint = reading.moving_joint(object.required("joint"));
    else
      reading.connect(object.required("connect"), spring);
    spring.slack = torsion ? where_on_stop(object) : where_slack(object, spring);
    if (spring.is_cable()) make_pull(object, spring);
    for (const std::string_view what : {"friction", "mass"})
      if (!torsion) require_firm(what, object, spring);
    if (!torsion) read_clearance(object, spring, reading.model.nominal);
    const auto index = static_cast<int>(reading.model.nominal.springs.size());
    reading.model.nominal.springs.push_back(std::move(spring));
    read_group(object, index, reading);
    for (const Field field :
         {Field::spring_rate, Field::spring_free_length, Field::spring_initial_tension,
          Field::spring_friction, Field::spring_mass, Field::spring_min_length,
          Field::spring_max_length, Field::spring_max_load, Field::spring_radius,
          Field::spring_min_clearance})
      reading.give(field, index, object);
    Spring& read = reading.model.nominal.springs[index];
    read.rubs = may_be_more(Field::spring_friction, index, reading.model);
    read.heavy = may_be_more(Field::spring_mass, index, reading.model);
  });
}

}  // namespace counterpoise
