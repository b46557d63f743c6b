#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "studies/reading/model_reading.hpp"

namespace counterpoise {
namespace {

void read_spring_numbers(const ObjectReader& object, int index, bool torsion,
                         ModelReading& reading) {
  reading.give(Field::spring_rate, index, object, "rate");
  reading.give(Field::spring_free_length, index, object, torsion ? "free_angle" : "free_length");
  reading.give(Field::spring_initial_tension, index, object,
               torsion ? "preload" : "initial_tension");
  reading.give(Field::spring_min_length, index, object, "min_length");
  reading.give(Field::spring_max_length, index, object, "max_length");
  reading.give(Field::spring_max_load, index, object, "max_load");
}

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

ObjectReader spring_reader(const JsonValue& value, SpringType type) {
  switch (type) {
    case SpringType::torsion:
      return {value,
              "a torsion spring",
              {"name", "type", "joint", "rate", "free_angle", "preload", "min_length", "max_length",
               "max_load", "source", "note"}};
    case SpringType::gas:
      return {value,
              "a gas spring",
              {"name", "type", "connect", "initial_tension", "min_length", "max_length", "max_load",
               "acts", "source", "note"}};
    default:
      return {value,
              "a spring",
              {"name", "type", "connect", "rate", "free_length", "initial_tension", "min_length",
               "max_length", "max_load", "acts", "source", "note"}};
  }
}

/// The mass of one half of a linear actuator.
void read_part(const ObjectReader& actuator, std::string_view key,
               const std::array<Field, 3>& fields, int index, ModelReading& reading) {
  const JsonValue* value = actuator.find(key);
  if (value == nullptr) return;
  if (actuator.find("connect") == nullptr)
    throw InputError(value->location(),
                     fmt::format("found a {} of an actuator on a joint, expected connect", key));
  const ObjectReader part(*value, fmt::format("a {}", key), {"mass", "com", "inertia"});
  reading.give(fields[0], index, part, "mass");
  reading.give(fields[1], index, part, "com");
  reading.give(fields[2], index, part, "inertia", "two moments of inertia [transverse, axial]");
}

constexpr std::string_view what = "a component of a reaction, \"body.fx\" or \"loop.mz\"";

/// "trunk.fx": a body's joint, or else a loop.
WrenchComponent component_of(const JsonValue& value, const Mechanism& mechanism) {
  const std::string& text = string_of(value, what);
  const std::size_t dot = text.find('.');
  const std::string owner = text.substr(0, dot);
  const std::string number = dot == std::string::npos ? "" : text.substr(dot + 1);
  const auto component = std::find(wrench_components.begin(), wrench_components.end(), number);
  if (component == wrench_components.end()) {
    std::vector<std::string> known;
    for (const std::string_view c : wrench_components)
      known.push_back(fmt::format("{}.{}", owner, c));
    refuse_name(value, text, what, known);
  }
  WrenchComponent part;
  part.component = static_cast<int>(component - wrench_components.begin());
  part.element = find_body(mechanism, owner);
  const bool also_loop = std::any_of(mechanism.loops.begin(), mechanism.loops.end(),
                                     [&owner](const Loop& loop) { return loop.name == owner; });
  if (part.element >= 0 && also_loop)
    throw InputError(
        value.location(),
        fmt::format("{} is a body and a loop, expected a name that only one of them has",
                    in_quotes(owner)));
  if (part.element >= 0) return part;

  std::vector<std::string> known;
  for (const Body& body : mechanism.bodies) known.push_back(body.name + "." + number);
  for (std::size_t i = 0; i < mechanism.loops.size(); ++i) {
    known.push_back(mechanism.loops[i].name + "." + number);
    if (mechanism.loops[i].name != owner) continue;
    part.owner = WrenchComponent::Owner::loop;
    part.element = static_cast<int>(i);
    return part;
  }
  refuse_name(value, text, what, known);
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
    const bool torsion = spring.type == SpringType::torsion;
    spring.acts = spring_acts(object.find("acts"), spring.type);
    if (torsion)
      spring.joint = reading.moving_joint(object.required("joint"));
    else
      spring.points = reading.points(object.required("connect"));
    const auto index = static_cast<int>(reading.model.nominal.springs.size());
    reading.model.nominal.springs.push_back(std::move(spring));
    read_spring_numbers(object, index, torsion, reading);
  });
}

void read_actuators(const JsonValue& section, ModelReading& reading) {
  std::vector<std::string> names;
  read_each(array_of(section, "an array of actuators"), [&](const JsonValue& value) {
    const ObjectReader object(
        value, "an actuator",
        {"name", "joint", "connect", "min_position", "max_position", "max_load", "max_speed",
         "tube", "rod", "source", "note"},
        {"rotor_inertia", "ratio", "viscous", "coulomb", "friction", "forces"});
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
    reading.give(Field::actuator_min_position, index, object, "min_position");
    reading.give(Field::actuator_max_position, index, object, "max_position");
    reading.give(Field::actuator_max_load, index, object, "max_load");
    reading.give(Field::actuator_max_speed, index, object, "max_speed");
    read_part(object, "tube", {Field::tube_mass, Field::tube_com, Field::tube_inertia}, index,
              reading);
    read_part(object, "rod", {Field::rod_mass, Field::rod_com, Field::rod_inertia}, index, reading);
  });
}

void read_sharing_rules(const JsonValue& section, ModelReading& reading) {
  constexpr std::array<std::string_view, 2> keys = {"equal", "none"};
  constexpr std::array<std::size_t, 2> least = {2, 1};
  constexpr std::array<SharingRule::Kind, 2> kinds = {SharingRule::Kind::equal,
                                                      SharingRule::Kind::none};
  for (const JsonValue& value : array_of(section, "an array of sharing rules")) {
    const ObjectReader object(value, "a sharing rule", {"equal", "none", "note"});
    if (const JsonValue* note = object.find("note")) string_of(*note, "a note");
    const bool none = object.find("none") != nullptr;
    if (none == (object.find("equal") != nullptr)) refuse(value, "one of equal and none");
    const JsonValue& list = object.required(keys[none ? 1 : 0]);
    SharingRule rule{kinds[none ? 1 : 0], {}};
    for (const JsonValue& part : array_of(list, "components of reactions"))
      rule.components.push_back(component_of(part, reading.model.nominal));
    if (rule.components.size() < least[none ? 1 : 0])
      refuse(list, none ? "at least one component" : "at least two components");
    reading.model.nominal.sharing.push_back(std::move(rule));
  }
}

}  // namespace counterpoise
