#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/math/rotation.hpp"
#include "engine/mechanism/finding.hpp"
#include "input/reading/model_reading.hpp"
#include "input/reading/read.hpp"

namespace counterpoise {
namespace {

/// A member of an element, and how to copy it to another one.
template <class Element>
struct Member {
  std::string_view pointer;
  void (*copy)(const Element&, Element&);
};

/// Finds which member makes an element impossible: the first whose addition to a faultless element
/// does.
template <class Element, std::size_t count>
std::string_view impossible_member(const Element& element,
                                   const std::array<Member<Element>, count>& members) {
  Element probe;
  for (const Member<Element>& member : members) {
    member.copy(element, probe);
    if (find_impossible_number(probe)) return member.pointer;
  }
  return "";
}

std::string_view impossible_member(const Body& body) {
  static constexpr auto members = std::to_array<Member<Body>>({
      {"/joint/axis", [](const Body& from, Body& to) { to.joint.axis = from.joint.axis; }},
      {"/joint/origin", [](const Body& from, Body& to) { to.joint.origin = from.joint.origin; }},
      {"/joint/rotation",
       [](const Body& from, Body& to) { to.joint.rotation = from.joint.rotation; }},
      {"/joint/guess", [](const Body& from, Body& to) { to.joint.guess = from.joint.guess; }},
      {"/joint/friction", [](const Body& from, Body& to) { to.friction = from.friction; }},
      {"/mass", [](const Body& from, Body& to) { to.mass = from.mass; }},
      {"/com", [](const Body& from, Body& to) { to.com = from.com; }},
      {"/inertia", [](const Body& from, Body& to) { to.inertia = from.inertia; }},
  });
  return impossible_member(body, members);
}

template <double MotorSide::*number>
void copy_motor(const Actuator& from, Actuator& to) {
  to.motor.*number = from.motor.*number;
}

std::string_view impossible_member(const Actuator& actuator) {
  static constexpr auto members = std::to_array<Member<Actuator>>({
      {"/holding_load",
       [](const Actuator& from, Actuator& to) { to.holding_load = from.holding_load; }},
      {"/ratio", copy_motor<&MotorSide::ratio>},
      {"/rotor_inertia", copy_motor<&MotorSide::rotor_inertia>},
      {"/friction",
       [](const Actuator& from, Actuator& to) { to.motor.friction = from.motor.friction; }},
      {"/efficiency", copy_motor<&MotorSide::efficiency>},
      {"/back_efficiency", copy_motor<&MotorSide::back_efficiency>},
      {"/torque_constant", copy_motor<&MotorSide::torque_constant>},
      {"/resistance", copy_motor<&MotorSide::resistance>},
      {"/tube", [](const Actuator& from, Actuator& to) { to.tube = from.tube; }},
      {"/rod", [](const Actuator& from, Actuator& to) { to.rod = from.rod; }},
  });
  return impossible_member(actuator, members);
}

std::string impossible_member(const Model& model, std::size_t index, Spring spring) {
  if (const auto part = find_impossible_part(spring.group, spring.pushes()))
    return fmt::format(
        "{}/{}",
        pointer_to_part(model.document.at_or_above(fmt::format("/springs/{}", index)), part->part),
        part->key);
  Spring light = spring;
  light.friction = light.mass = 0.0;
  if (!find_impossible_number(light))
    return spring.friction >= 0.0 && std::isfinite(spring.friction) ? "/mass" : "/friction";
  if (!(spring.radius >= 0.0 && std::isfinite(spring.radius))) return "/radius";
  if (!std::isfinite(spring.min_clearance) && spring.min_clearance != -no_limit)
    return "/min_clearance";
  spring.rate = 0.0;
  return find_impossible_number(spring) ? "/free_length" : "/rate";
}

/// "/world" or the body in the file.
std::string pointer_to_owner(const Model& model, BodyIndex owner) {
  return owner == world_body ? "/world" : fmt::format("/bodies/{}", model.file_order[int{owner}]);
}

std::string impossible_pointer(const Model& model, const Obstacle& obstacle) {
  Obstacle places = obstacle;
  places.radius = 0.0;
  const char* member = !find_impossible_number(places)  ? "radius"
                       : !obstacle.is_segment           ? "centre"
                       : obstacle.places[0].allFinite() ? "to"
                                                        : "from";
  return fmt::format("{}/obstacles/{}/{}", pointer_to_owner(model, obstacle.body),
                     obstacle.name.substr(obstacle.name.find('.') + 1), member);
}

/// The place of the number that find_impossible_number() reports.
std::string impossible_pointer(const Model& model, const Mechanism& mechanism) {
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i)
    if (find_impossible_number(mechanism.bodies[i]))
      return fmt::format("/bodies/{}{}", model.file_order[i],
                         impossible_member(mechanism.bodies[i]));
  for (const Point& point : mechanism.points)
    if (point.is_pulley && find_impossible_number(point)) {
      const std::string name = point.name.substr(point.name.find('.') + 1);
      const bool of_axis = !(std::abs(point.axis.norm() - 1.0) < 1e-9);
      return fmt::format("{}/pulleys/{}{}", pointer_to_owner(model, point.body), name,
                         of_axis                 ? "/axis"
                         : !point.no_cam.empty() ? "/profile"
                         : point.is_cam          ? "/zero"
                                                 : "/radius");
    }
  for (std::size_t i = 0; i < mechanism.loops.size(); ++i)
    if (find_impossible_number(mechanism.loops[i]))
      return fmt::format("/loops/{}/{}", i,
                         mechanism.loops[i].keep == LoopKeep::weld ? "rotation" : "axes");
  for (std::size_t i = 0; i < mechanism.couplings.size(); ++i)
    if (find_impossible_number(mechanism.couplings[i]))
      return fmt::format("/couplings/{}/ratio", i);
  for (std::size_t i = 0; i < mechanism.springs.size(); ++i)
    if (find_impossible_number(mechanism.springs[i]))
      return fmt::format("/springs/{}{}", i, impossible_member(model, i, mechanism.springs[i]));
  for (std::size_t i = 0; i < mechanism.actuators.size(); ++i)
    if (find_impossible_number(mechanism.actuators[i]))
      return fmt::format("/actuators/{}{}", i, impossible_member(mechanism.actuators[i]));
  for (std::size_t i = 0; i < mechanism.forces.size(); ++i)
    if (find_impossible_number(mechanism.forces[i]))
      return fmt::format("/forces/{}/{}", i,
                         mechanism.forces[i].force.allFinite() ? "moment" : "force");
  for (const Obstacle& obstacle : mechanism.obstacles)
    if (find_impossible_number(obstacle)) return impossible_pointer(model, obstacle);
  return "";
}

/// The design of the file itself must be possible.
void bind_nominal(Model& model) {
  if (auto reason = find_impossible_number(model.nominal))  // fixed numbers
    throw InputError(model.location(impossible_pointer(model, model.nominal)), *reason);
  ModelBinder binder(model);
  if (auto reason = binder.bind({})) {
    const int parameter = binder.refused_parameter();
    throw InputError(parameter >= 0 ? model.parameters[parameter].where
                                    : model.location(impossible_pointer(model, binder.mechanism())),
                     *reason);
  }
  model.nominal = binder.mechanism();
  model.nominal_values.assign(binder.values().begin(), binder.values().end());
}

}  // namespace

Model read_model(const std::filesystem::path& path, const FileProvider& files, Cams cams) {
  return read_model(parse_json(files(path), path.string()), path, files, cams);
}

Model read_model(JsonValue document, const std::filesystem::path& path, const FileProvider& files,
                 Cams cams) {
  Model model;
  model.document = std::move(document);
  const ObjectReader top =
      ObjectReader::of_file(model.document, "counterpoise-model/1", "a model",
                            {"gravity", "parameters", "world", "bodies", "loops", "couplings",
                             "springs", "actuators", "forces", "reactions"});
  const JsonValue* name = top.find("name");
  model.name = name == nullptr ? path.stem().string() : name->text;

  if (const JsonValue* section = top.find("parameters")) read_parameters(*section, model);
  ModelReading reading(model, path.parent_path(), files);
  reading.cams_to_be_made = cams == Cams::to_be_made;
  reading.give(Field::gravity, -1, top, "a vector [x, y, z]");
  read_bodies(top.required("bodies"), reading);
  if (const JsonValue* world = top.find("world")) {
    const ObjectReader object(*world, "the world", {"points", "pulleys", "obstacles"});
    if (const JsonValue* points = object.find("points")) read_points(*points, world_body, reading);
    if (const JsonValue* pulleys = object.find("pulleys"))
      read_pulleys(*pulleys, world_body, reading);
    if (const JsonValue* obstacles = object.find("obstacles"))
      read_obstacles(*obstacles, world_body, reading);
  }
  Mistakes mistakes;
  const auto read = [&](std::string_view key, void (*reader)(const JsonValue&, ModelReading&)) {
    if (const JsonValue* section = top.find(key))
      mistakes.attempt([&] { reader(*section, reading); });
  };
  read("loops", read_loops);
  read("couplings", read_couplings);
  read("springs", read_springs);
  read("actuators", read_actuators);
  read("forces", read_forces);
  read("reactions", read_sharing_rules);
  mistakes.raise();
  model.readers = find_readers(model);
  bind_nominal(model);
  return model;
}

std::string pointer_to(const MechanismError& error) {
  constexpr std::array<std::string_view, 4> lists = {"/actuators", "/loops", "/couplings",
                                                     "/reactions"};
  const std::string_view list = lists[static_cast<std::size_t>(error.part)];
  return error.element == MechanismError::no_element ? std::string(list)
                                                     : fmt::format("{}/{}", list, error.element);
}

Structure examine_model(const Model& model) {
  try {
    return examine_structure(model.nominal);
  } catch (const MechanismError& error) {
    throw InputError(model.location(pointer_to(error)), error.what());
  }
}

namespace {

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

namespace {

constexpr int not_placed = -2;

/// A body of the file before it has its index.
struct ListedBody {
  const JsonValue* value = nullptr;
  std::string name;
  std::string parent;
  int index = not_placed;
};

ObjectReader body_reader(const JsonValue& value) {
  return {value,
          "a body",
          {"name", "parent", "joint", "mass", "com", "inertia", "any_inertia", "points", "pulleys",
           "obstacles", "visual", "source", "note"}};
}

std::vector<ListedBody> list_bodies(const JsonValue& section) {
  std::vector<ListedBody> listed_bodies;
  std::vector<std::string> names;
  for (const JsonValue& value : array_of(section, "an array of bodies")) {
    const ObjectReader object = body_reader(value);
    const JsonValue& name = object.required("name");
    if (unique_name(name, names, "body") == "world") refuse(name, "another name than the world's");
    listed_bodies.push_back({&value, name.text, string_of(object.required("parent"), "a body")});
  }
  names.emplace_back("world");
  for (const ListedBody& body : listed_bodies)
    if (std::find(names.begin(), names.end(), body.parent) == names.end())
      refuse_name(*body.value->find("parent"), body.parent, "a body or \"world\"", names);
  return listed_bodies;
}

ListedBody& parent_of(const ListedBody& body, std::vector<ListedBody>& all) {
  return *std::find_if(all.begin(), all.end(),
                       [&](const ListedBody& other) { return other.name == body.parent; });
}

[[noreturn]] void refuse_cycle(std::vector<ListedBody>& all) {
  // from a body that could not be placed, as many steps up as there are bodies lead into the cycle
  const ListedBody* body = &*std::find_if(
      all.begin(), all.end(), [](const ListedBody& b) { return b.index == not_placed; });
  for (std::size_t i = 0; i < all.size(); ++i) body = &parent_of(*body, all);
  const ListedBody* const first = body;
  std::string cycle = first->name;
  do {
    body = &parent_of(*body, all);
    cycle += " -> " + body->name;
  } while (body != first);
  throw InputError(first->value->find("parent")->location(),
                   "the body is its own ancestor: " + cycle);
}

/// Numbers the bodies base to tips, otherwise in the order of the file.
std::vector<const ListedBody*> sort_bodies(std::vector<ListedBody>& all) {
  std::vector<const ListedBody*> sorted;
  while (sorted.size() < all.size()) {
    const std::size_t before = sorted.size();
    for (ListedBody& body : all) {
      if (body.index != not_placed) continue;
      if (body.parent != "world" && parent_of(body, all).index == not_placed) continue;
      body.index = static_cast<int>(sorted.size());
      sorted.push_back(&body);
    }
    if (sorted.size() == before) refuse_cycle(all);
  }
  return sorted;
}

/// How a mesh is placed: fixed numbers, because no design changes what a body looks like.
void read_visual(const JsonValue& value, int index, ModelReading& reading) {
  const ObjectReader object(value, "a visual", {"mesh", "scale", "origin", "rpy", "color"});
  const JsonValue& mesh = object.required("mesh");
  Visual visual;
  visual.body = index;
  visual.where = mesh.location();
  visual.file = std::filesystem::path(visual.where.file).parent_path() /
                string_of(mesh, "the name of an STL or OBJ file");
  if (const JsonValue* scale = object.find("scale")) {
    visual.scale = number_of(*scale, "a scale");
    if (!(visual.scale > 0.0)) refuse(*scale, "a scale above 0");
  }
  const auto three = [](const JsonValue& numbers, std::string_view what) {
    Vec3d v;
    for (int i = 0; i < 3; ++i) v(i) = number_of(array_of(numbers, 3, what)[i], "a number");
    return v;
  };
  if (const JsonValue* origin = object.find("origin"))
    visual.origin = three(*origin, "a point [x, y, z]");
  if (const JsonValue* rpy = object.find("rpy")) {
    const Vec3d angles = three(*rpy, "three angles [roll, pitch, yaw]");
    visual.rotation = rotation_from_rpy(angles.x(), angles.y(), angles.z());
  }
  if (const JsonValue* colour = object.find("color")) {
    visual.colour = three(*colour, "a colour [red, green, blue]");
    if (visual.colour->minCoeff() < 0.0 || visual.colour->maxCoeff() > 1.0)
      refuse(*colour, "numbers from 0 to 1");
  }
  reading.model.visuals.push_back(std::move(visual));
}

void read_joint(const JsonValue& value, int index, ModelReading& reading) {
  const ObjectReader object(value, "a joint",
                            {"type", "axis", "origin", "rotation", "guess", "friction"});
  constexpr std::array<std::string_view, 3> types = {"fixed", "revolute", "prismatic"};
  constexpr std::array<JointType, 3> meanings = {JointType::fixed, JointType::revolute,
                                                 JointType::prismatic};
  Joint& joint = reading.model.nominal.bodies[index].joint;
  joint.type = meanings[choice_of(object.required("type"), types)];
  const bool moves = joint.type != JointType::fixed;
  const JsonValue* axis = moves ? &object.required("axis") : object.find("axis");
  if (axis != nullptr) reading.give_axis(Field::axis, index, *axis);
  reading.give(Field::origin, index, object, "a point [x, y, z]");
  if (const JsonValue* rotation = object.find("rotation"))
    reading.give_rotation({Field::zxz, Field::rpy, Field::quaternion}, index, *rotation);
  reading.give(Field::guess, index, object);
  if (const JsonValue* friction = object.find("friction")) {
    if (!moves) refuse(*friction, "no friction in a fixed joint");
    read_friction_of_joint(*friction, index, reading);
  }
}

LoopKeep keep_of(const JsonValue* value) {
  constexpr std::array<std::string_view, 3> kinds = {"parallel", "perpendicular", "weld"};
  constexpr std::array<LoopKeep, 3> meanings = {LoopKeep::parallel, LoopKeep::perpendicular,
                                                LoopKeep::weld};
  return value == nullptr ? LoopKeep::point : meanings[choice_of(*value, kinds)];
}

/// Each kind of closure has its own keys besides name, connect and keep.
void read_kept_axes(const ObjectReader& object, const JsonValue& value, const Loop& loop, int index,
                    ModelReading& reading) {
  const JsonValue* axes = object.find("axes");
  const JsonValue* rotation = object.find("rotation");
  const bool has_axes = loop.keep == LoopKeep::parallel || loop.keep == LoopKeep::perpendicular;
  if (has_axes && axes == nullptr)
    throw InputError(value.location(),
                     fmt::format("the loop {} keeps its axes but has none, expected axes",
                                 in_quotes(loop.name)));
  if (!has_axes && axes != nullptr)
    refuse(*axes, loop.keep == LoopKeep::weld ? "no axes where keep is \"weld\""
                                              : "keep \"parallel\" or \"perpendicular\" with axes");
  if (rotation != nullptr && loop.keep != LoopKeep::weld)
    refuse(*rotation, "a rotation only where keep is \"weld\"");
  if (rotation != nullptr)
    reading.give_rotation({Field::loop_zxz, Field::loop_rpy, Field::loop_quaternion}, index,
                          *rotation);
  if (axes == nullptr) return;
  const auto pair = array_of(*axes, 2, "two axes, one of each point's body");
  reading.give_axis(Field::loop_first_axis, index, pair[0]);
  reading.give_axis(Field::loop_second_axis, index, pair[1]);
}

/// `of`: one joint or several, all different.
void read_terms(const JsonValue& of, Coupling& coupling, const ModelReading& reading) {
  const bool several = of.kind == JsonValue::Kind::array;
  const auto joints = several ? array_of(of, "joints") : std::span<const JsonValue>(&of, 1);
  if (joints.empty() || joints.size() > Coupling::most_terms)
    refuse(of, fmt::format("one to {} joints", Coupling::most_terms));
  for (const JsonValue& value : joints) {
    const int joint = reading.moving_joint(value);
    const bool again = joint == coupling.joint ||
                       std::any_of(coupling.terms.begin(), coupling.terms.end(),
                                   [joint](const CouplingTerm& term) { return term.of == joint; });
    if (again) refuse(value, "another joint");
    coupling.terms.push_back({joint, 1.0});
  }
}

void read_ratios(const JsonValue& ratio, bool several, std::size_t terms, int index,
                 ModelReading& reading) {
  FieldNumbers given{.field = Field::coupling_ratio, .element = index, .numbers = {}};
  if (several)
    reading.numbers.read(ratio, std::span(given.numbers).first(terms),
                         fmt::format("{} ratios, as many as joints", terms));
  else
    given.numbers[0] = reading.numbers.read(ratio);
  reading.give(given);
}

}  // namespace

void read_bodies(const JsonValue& section, ModelReading& reading) {
  Mechanism& mechanism = reading.model.nominal;
  std::vector<ListedBody> all = list_bodies(section);
  for (const ListedBody* listed_body : sort_bodies(all)) {
    Body body;
    body.name = listed_body->name;
    if (listed_body->parent != "world") body.parent = parent_of(*listed_body, all).index;
    const int index = listed_body->index;
    const ObjectReader object = body_reader(*listed_body->value);
    if (const JsonValue* any = object.find("any_inertia"))
      body.any_inertia = boolean_of(*any, "true or false");
    mechanism.bodies.push_back(body);
    reading.model.file_order.push_back(static_cast<int>(listed_body - all.data()));

    check_remarks(object);
    read_joint(object.required("joint"), index, reading);
    reading.give(Field::mass, index, object);
    reading.give(Field::com, index, object, "a point [x, y, z]");
    reading.give(Field::inertia, index, object, "six numbers [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]");
    if (const JsonValue* points = object.find("points")) read_points(*points, index, reading);
    if (const JsonValue* pulleys = object.find("pulleys")) read_pulleys(*pulleys, index, reading);
    if (const JsonValue* obstacles = object.find("obstacles"))
      read_obstacles(*obstacles, index, reading);
    if (const JsonValue* visual = object.find("visual")) read_visual(*visual, index, reading);
  }
}

std::string place_name(const JsonValue& member, int owner, const Mechanism& mechanism,
                       std::string_view what) {
  if (!is_name(member.key))
    throw InputError(member.key_location(),
                     fmt::format("found {}, expected the name of {}", in_quotes(member.key), what));
  return fmt::format("{}.{}", owner == world_body ? "world" : mechanism.bodies[owner].name,
                     member.key);
}

void read_points(const JsonValue& section, int owner, ModelReading& reading) {
  Mechanism& mechanism = reading.model.nominal;
  for (const JsonValue& member : object_of(section, "name -> [x, y, z]")) {
    mechanism.points.push_back({place_name(member, owner, mechanism, "a point"), owner});
    reading.give(Field::point, static_cast<int>(mechanism.points.size()) - 1, member,
                 "a point [x, y, z]");
  }
}

void read_pulleys(const JsonValue& section, int owner, ModelReading& reading) {
  Mechanism& mechanism = reading.model.nominal;
  for (const JsonValue& member :
       object_of(section, "name -> {\"centre\": [x, y, z], \"axis\": ..., \"radius\": ...}")) {
    Point pulley{place_name(member, owner, mechanism, "a pulley"), owner};
    if (find_point(mechanism, pulley.name) >= 0)
      throw InputError(
          member.key_location(),
          fmt::format("found a pulley with the name of point {}, expected another name",
                      in_quotes(pulley.name)));
    pulley.is_pulley = true;
    pulley.is_cam = member.find("profile") != nullptr;
    if (!pulley.is_cam) pulley.radius = 1.0;  // until a parameter gives another
    const auto index = static_cast<int>(mechanism.points.size());
    mechanism.points.push_back(std::move(pulley));
    const bool cam = mechanism.points[index].is_cam;
    const ObjectReader object =
        cam ? ObjectReader(member, "a cam", {"centre", "axis", "zero", "profile", "note"})
            : ObjectReader(member, "a pulley", {"centre", "axis", "radius", "note"});
    if (const JsonValue* note = object.find("note")) string_of(*note, "a note");
    reading.give(Field::point, index, object.required("centre"), "a point [x, y, z]");
    reading.give_axis(Field::pulley_axis, index, object.required("axis"));
    if (cam)
      read_cam(object, index, reading);
    else
      reading.give(Field::pulley_radius, index, object.required("radius"));
  }
}

void read_loops(const JsonValue& section, ModelReading& reading) {
  std::vector<std::string> names;
  read_each(array_of(section, "an array of loops"), [&](const JsonValue& value) {
    const ObjectReader object(value, "a loop",
                              {"name", "connect", "axes", "keep", "rotation", "source", "note"});
    check_remarks(object);
    Loop loop;
    loop.name = unique_name(object.required("name"), names, "loop");
    loop.points = reading.points(object.required("connect"));
    loop.keep = keep_of(object.find("keep"));
    const auto index = static_cast<int>(reading.model.nominal.loops.size());
    reading.model.nominal.loops.push_back(loop);
    read_kept_axes(object, value, loop, index, reading);
  });
}

void read_couplings(const JsonValue& section, ModelReading& reading) {
  std::vector<std::string> names;
  read_each(array_of(section, "an array of couplings"), [&](const JsonValue& value) {
    const ObjectReader object(value, "a coupling",
                              {"name", "joint", "ratio", "of", "offset", "source", "note"});
    check_remarks(object);
    Coupling coupling;
    coupling.name = unique_name(object.required("name"), names, "coupling");
    coupling.joint = reading.moving_joint(object.required("joint"));
    const JsonValue& of = object.required("of");
    read_terms(of, coupling, reading);
    const std::size_t terms = coupling.terms.size();
    const auto index = static_cast<int>(reading.model.nominal.couplings.size());
    reading.model.nominal.couplings.push_back(std::move(coupling));
    if (const JsonValue* ratio = object.find("ratio"))
      read_ratios(*ratio, of.kind == JsonValue::Kind::array, terms, index, reading);
    reading.give(Field::coupling_offset, index, object);
  });
}

}  // namespace counterpoise
