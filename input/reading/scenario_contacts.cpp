#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "input/definition/mechanism_units.hpp"
#include "input/reading/model_reading.hpp"
#include "input/reading/scenario_reading.hpp"

namespace counterpoise {
namespace {

constexpr std::string_view contact_or_stop = "name of a contact or stop";

std::array<NumberInUnit, 3> read_vector(const JsonValue& value, std::string_view what,
                                        const TextUnit& allowed, const ScenarioReading& reading) {
  const auto items = array_of(value, 3, what);
  return {reading.number(items[0], allowed), reading.number(items[1], allowed),
          reading.number(items[2], allowed)};
}

void read_direction(const JsonValue& value, const ScenarioReading& reading, ContactNumbers& out) {
  constexpr std::string_view what = "a direction: \"x\", \"y\", \"z\" or [x, y, z]";
  out.direction_where = value.location();
  if (value.kind != JsonValue::Kind::string) {
    out.direction = read_vector(value, what, TextUnit::none(), reading);
    return;
  }
  const auto axis = std::string_view("xyz").find(value.text);
  if (value.text.size() != 1 || axis == std::string_view::npos) refuse(value, what);
  out.direction[axis].number.value = 1.0;
}

/// The body that carries a surface.
BodyIndex carrier(const JsonValue& value, const Model* model) {
  const std::string& name = string_of(value, "the name of a body");
  if (model == nullptr || name == "world") return world_body;
  const BodyIndex body = find_body(model->nominal, name);
  if (body >= 0) return body;
  std::vector<std::string> known = {"world"};
  for (const Body& candidate : model->nominal.bodies) known.push_back(candidate.name);
  refuse_name(value, name, "a body", known);
}

void read_surface(const JsonValue& value, const ScenarioReading& reading, ContactNumbers& out) {
  constexpr std::array<std::string_view, 3> kinds = {"plane", "sphere", "cylinder"};
  constexpr std::array<std::string_view, 2> sides = {"outside", "inside"};
  object_of(value, "a surface");
  const JsonValue* type = value.find("type");
  if (type == nullptr)
    throw InputError(value.location(), "the key \"type\" of a surface is missing");
  Surface& surface = out.nominal.surface;
  surface.kind = static_cast<Surface::Kind>(choice_of(*type, kinds));
  const bool plane = surface.kind == Surface::Kind::plane;
  const bool sphere = surface.kind == Surface::Kind::sphere;
  const ObjectReader object =
      plane ? ObjectReader(value, "a plane", {"type", "on", "point", "normal"})
      : sphere
          ? ObjectReader(value, "a sphere", {"type", "on", "center", "radius", "side"})
          : ObjectReader(value, "a cylinder", {"type", "on", "point", "axis", "radius", "side"});
  if (const JsonValue* on = object.find("on")) surface.body = carrier(*on, reading.model);
  if (const JsonValue* point = object.find(sphere ? "center" : "point"))
    out.point = read_vector(*point, "a point [x, y, z]", TextUnit::of("m", "point"), reading);
  if (!sphere) read_direction(object.required(plane ? "normal" : "axis"), reading, out);
  if (plane) return;
  out.radius = reading.number(object.required("radius"), TextUnit::of("m", "radius"));
  surface.inside = choice_of(object.required("side"), sides) == 1;
}

void read_contact_points(const JsonValue& value, const ScenarioReading& reading, Contact& out) {
  constexpr std::string_view what = "a point, \"body.point\"";
  std::vector<std::string> seen;
  read_each(array_of(value, "an array of points"), [&](const JsonValue& item) {
    const std::string& name = string_of(item, what);
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      throw InputError(item.location(), fmt::format("the point {} twice", in_quotes(name)));
    seen.push_back(name);
    if (reading.model == nullptr) return;
    std::vector<std::string> known;
    for (const Point& point : reading.model->nominal.points) known.push_back(point.name);
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) refuse_name(item, name, what, known);
    out.points.emplace_back(found - known.begin());
    if (reading.model->nominal.points[out.points.back()].body == out.surface.body)
      throw InputError(item.location(),
                       fmt::format("the point {} is on the body that carries the surface, expected "
                                   "a point that moves against it",
                                   in_quotes(name)));
  });
  if (value.items.empty()) refuse(value, "at least one point");
}

/// Finds the actuator, joint or spring that a stop limits; returns the SI unit of its coordinate,
/// empty without a model.
std::string find_stopped(const JsonValue& value, const Model* model, Stop& out) {
  const std::string& name = string_of(value, "the name of an actuator, joint or spring");
  if (model == nullptr) return "";
  const Mechanism& mechanism = model->nominal;
  out.of = Stop::Of::actuator;
  out.element = find_actuator(mechanism, name);
  if (out.element >= 0) return position_unit(mechanism, {.actuator = out.element});
  const BodyIndex joint = find_body(mechanism, name);
  if (joint >= 0 && mechanism.moves(joint)) {
    out.of = Stop::Of::joint;
    out.element = joint;
    return position_unit(mechanism, {.joint = joint});
  }
  out.of = Stop::Of::spring;
  out.element = find_spring(mechanism, name);
  if (out.element >= 0) {
    const Spring& spring = mechanism.springs[out.element];
    if (spring.is_cable())
      throw InputError(
          value.location(),
          fmt::format("spring {} has a cable over points or pulleys, expected a spring "
                      "between two points, whose length a stop can end",
                      in_quotes(name)));
    return turns(mechanism, spring) ? "rad" : "m";
  }
  constexpr std::string_view what = "an actuator, a joint that moves or a spring";
  if (joint >= 0)
    throw InputError(value.location(),
                     fmt::format("the joint of {} is fixed, expected {}", in_quotes(name), what));
  std::vector<std::string> known;
  for (const Actuator& actuator : mechanism.actuators) known.push_back(actuator.name);
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b)
    if (mechanism.moves(b)) known.push_back(mechanism.bodies[b].name);
  for (const Spring& spring : mechanism.springs) known.push_back(spring.name);
  refuse_name(value, name, what, known);
}

/// Events of actuators that are stopped, where they are held or at the end of a path, bear their
/// names, so that nothing else may that has events beside these. `stop` is null of a contact.
void refuse_name_of_stopped(const JsonValue& value, const Stop* stop,
                            const ScenarioReading& reading) {
  if (reading.model == nullptr) return;
  const int named = find_actuator(reading.model->nominal, value.text);
  const auto& rules = reading.out.actuators;
  if (named < 0 || static_cast<std::size_t>(named) >= rules.size()) return;
  const ActuatorMode mode = rules[named].mode;
  const bool held =
      mode == ActuatorMode::held || locks(reading.model->nominal.actuators[named], mode);
  if (!held && mode != ActuatorMode::follow) return;
  // a stop on a held coordinate is never hit
  if (held && stop != nullptr && stop->of == Stop::Of::actuator && stop->element == named) return;
  throw InputError(value.location(),
                   fmt::format("found {}, the name of an actuator that {}, which its events bear; "
                               "choose another name for the {}",
                               in_quotes(value.text), held ? "is held" : "follows a path",
                               stop == nullptr ? "contact" : "stop"));
}

}  // namespace

void read_contacts(const JsonValue& array, std::vector<std::string>& names,
                   ScenarioReading& reading) {
  read_each(array_of(array, "an array of contacts"), [&](const JsonValue& value) {
    const ObjectReader object(value, "a contact", {"name", "points", "surface", "restitution"});
    ContactNumbers contact;
    Mistakes mistakes;
    const std::size_t before = reading.expression_count();
    mistakes.attempt([&] {
      const JsonValue& name = object.required("name");
      contact.nominal.name = unique_name(name, names, contact_or_stop);
      refuse_name_of_stopped(name, nullptr, reading);
    });
    mistakes.attempt([&] { read_surface(object.required("surface"), reading, contact); });
    mistakes.attempt(
        [&] { read_contact_points(object.required("points"), reading, contact.nominal); });
    mistakes.attempt([&] { contact.restitution = reading.number(object, "restitution", 0.0); });
    mistakes.raise();
    reading.make(before, [&](const ScenarioValues& values) {
      return make_contact(contact, values, contact.nominal);
    });
    reading.out.contacts.push_back(std::move(contact));
  });
}

void read_stops(const JsonValue& array, std::vector<std::string>& names, ScenarioReading& reading) {
  read_each(array_of(array, "an array of stops"), [&](const JsonValue& value) {
    const ObjectReader object(value, "a stop", {"name", "of", "min", "max", "unit", "restitution"});
    StopNumbers stop;
    stop.where = value.location();
    const std::size_t before = reading.expression_count();
    Mistakes mistakes;
    mistakes.attempt(
        [&] { stop.nominal.name = unique_name(object.required("name"), names, contact_or_stop); });
    mistakes.attempt([&] {
      const JsonValue& of = object.required("of");
      const std::string si = find_stopped(of, reading.model, stop.nominal);
      Unit unit;
      if (const JsonValue* given = object.find("unit")) {
        unit = unit_in(*given);
        require_measure(unit, {.si = si}, of.text, given->location());
      }
      for (const bool least : {true, false})
        if (const JsonValue* end = object.find(least ? "min" : "max")) {
          std::optional<NumberInUnit>& out = least ? stop.min : stop.max;
          out = reading.number(
              *end, object.find("unit") != nullptr ? TextUnit::none() : TextUnit::of(si, of.text));
          out->unit = unit;
        }
      if (!stop.min && !stop.max)
        throw InputError(value.location(),
                         "the stop has neither min nor max, expected one at "
                         "least");
    });
    mistakes.attempt([&] { stop.restitution = reading.number(object, "restitution", 0.0); });
    mistakes.raise();
    refuse_name_of_stopped(object.required("name"), &stop.nominal, reading);
    reading.make(before, [&](const ScenarioValues& values) {
      return make_stop(stop, values, stop.nominal);
    });
    reading.out.stops.push_back(std::move(stop));
  });
}

}  // namespace counterpoise
