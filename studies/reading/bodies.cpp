#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/math/rotation.hpp"
#include "studies/reading/model_reading.hpp"

namespace counterpoise {
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
  return {
      value,
      "a body",
      {"name", "parent", "joint", "mass", "com", "inertia", "points", "visual", "source", "note"},
      {"forces", "friction"}};
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
  const ObjectReader object(value, "a visual", {"mesh", "scale", "origin", "rpy"});
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
    for (int i = 0; i < 3; ++i)
      v(i) = number_of(array_of(numbers, 3, what)[static_cast<std::size_t>(i)], "a number");
    return v;
  };
  if (const JsonValue* origin = object.find("origin"))
    visual.origin = three(*origin, "a point [x, y, z]");
  if (const JsonValue* rpy = object.find("rpy")) {
    const Vec3d angles = three(*rpy, "three angles [roll, pitch, yaw]");
    visual.rotation = rotation_from_rpy(angles.x(), angles.y(), angles.z());
  }
  reading.model.visuals.push_back(std::move(visual));
}

void read_joint(const JsonValue& value, int index, ModelReading& reading) {
  const ObjectReader object(value, "a joint", {"type", "axis", "origin", "rotation", "guess"},
                            {"friction"});
  constexpr std::array<std::string_view, 3> types = {"fixed", "revolute", "prismatic"};
  constexpr std::array<JointType, 3> meanings = {JointType::fixed, JointType::revolute,
                                                 JointType::prismatic};
  Joint& joint = reading.model.nominal.bodies[static_cast<std::size_t>(index)].joint;
  joint.type = meanings[choice_of(object.required("type"), types)];
  const bool moves = joint.type != JointType::fixed;
  const JsonValue* axis = moves ? &object.required("axis") : object.find("axis");
  if (axis != nullptr) reading.give_axis(Field::axis, index, *axis);
  reading.give(Field::origin, index, object, "origin", "a point [x, y, z]");
  if (const JsonValue* rotation = object.find("rotation"))
    reading.give_rotation({Field::zxz, Field::rpy, Field::quaternion}, index, *rotation);
  reading.give(Field::guess, index, object, "guess");
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
    mechanism.bodies.push_back(body);
    reading.model.file_order.push_back(static_cast<int>(listed_body - all.data()));

    const ObjectReader object = body_reader(*listed_body->value);
    check_remarks(object);
    read_joint(object.required("joint"), index, reading);
    reading.give(Field::mass, index, object, "mass");
    reading.give(Field::com, index, object, "com", "a point [x, y, z]");
    reading.give(Field::inertia, index, object, "inertia",
                 "six numbers [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]");
    if (const JsonValue* points = object.find("points")) read_points(*points, index, reading);
    if (const JsonValue* visual = object.find("visual")) read_visual(*visual, index, reading);
  }
}

void read_points(const JsonValue& section, int owner, ModelReading& reading) {
  Mechanism& mechanism = reading.model.nominal;
  const std::string prefix =
      owner == world_body ? "world" : mechanism.bodies[static_cast<std::size_t>(owner)].name;
  for (const JsonValue& member : object_of(section, "name -> [x, y, z]")) {
    if (!is_name(member.key))
      throw InputError(member.key_location(), fmt::format("found {}, expected the name of a point",
                                                          in_quotes(member.key)));
    mechanism.points.push_back({prefix + "." + member.key, owner, Vec3d::Zero()});
    reading.give(Field::point, static_cast<int>(mechanism.points.size()) - 1, member,
                 "a point [x, y, z]");
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
    reading.give(Field::coupling_offset, index, object, "offset");
  });
}

}  // namespace counterpoise
