#include <fmt/format.h>

#include <array>

#include "engine/mechanism/finding.hpp"
#include "studies/reading/model_reading.hpp"
#include "studies/reading/read.hpp"

namespace counterpoise {
namespace {

/// Finds which member of a body makes it impossible: the first whose addition to a faultless body
/// does.
std::string_view impossible_member(const Body& body) {
  struct Member {
    std::string_view pointer;
    void (*copy)(const Body&, Body&);
  };
  static constexpr std::array<Member, 7> members = {{
      {"/joint/axis", [](const Body& from, Body& to) { to.joint.axis = from.joint.axis; }},
      {"/joint/origin", [](const Body& from, Body& to) { to.joint.origin = from.joint.origin; }},
      {"/joint/rotation",
       [](const Body& from, Body& to) { to.joint.rotation = from.joint.rotation; }},
      {"/joint/guess", [](const Body& from, Body& to) { to.joint.guess = from.joint.guess; }},
      {"/mass", [](const Body& from, Body& to) { to.mass = from.mass; }},
      {"/com", [](const Body& from, Body& to) { to.com = from.com; }},
      {"/inertia", [](const Body& from, Body& to) { to.inertia = from.inertia; }},
  }};
  Body probe;
  for (const Member& member : members) {
    member.copy(body, probe);
    if (find_impossible_number(probe)) return member.pointer;
  }
  return "";
}

std::string_view impossible_member(Spring spring) {
  spring.rate = 0.0;
  return find_impossible_number(spring) ? "/free_length" : "/rate";
}

/// The place of what find_impossible_number complains about.
std::string impossible_pointer(const Model& model, const Mechanism& mechanism) {
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i)
    if (find_impossible_number(mechanism.bodies[i]))
      return fmt::format("/bodies/{}{}", model.file_order[i],
                         impossible_member(mechanism.bodies[i]));
  for (std::size_t i = 0; i < mechanism.loops.size(); ++i)
    if (find_impossible_number(mechanism.loops[i]))
      return fmt::format("/loops/{}/{}", i,
                         mechanism.loops[i].keep == LoopKeep::weld ? "rotation" : "axes");
  for (std::size_t i = 0; i < mechanism.couplings.size(); ++i)
    if (find_impossible_number(mechanism.couplings[i]))
      return fmt::format("/couplings/{}/ratio", i);
  for (std::size_t i = 0; i < mechanism.springs.size(); ++i)
    if (find_impossible_number(mechanism.springs[i]))
      return fmt::format("/springs/{}{}", i, impossible_member(mechanism.springs[i]));
  for (std::size_t i = 0; i < mechanism.actuators.size(); ++i) {
    Actuator actuator = mechanism.actuators[i];
    if (!find_impossible_number(actuator)) continue;
    actuator.rod = {};
    return fmt::format("/actuators/{}/{}", i, find_impossible_number(actuator) ? "tube" : "rod");
  }
  return "";
}

/// The design of the file itself must be possible.
void bind_nominal(Model& model) {
  if (auto reason = find_impossible_number(model.nominal))  // fixed numbers
    throw InputError(model.location(impossible_pointer(model, model.nominal)), *reason);
  ModelBinder binder(model);
  if (auto reason = binder.bind({})) {
    const int parameter = binder.refused_parameter();
    throw InputError(parameter >= 0 ? model.parameters[static_cast<std::size_t>(parameter)].where
                                    : model.location(impossible_pointer(model, binder.mechanism())),
                     *reason);
  }
  model.nominal = binder.mechanism();
  model.nominal_values.assign(binder.values().begin(), binder.values().end());
}

}  // namespace

Model read_model(const std::filesystem::path& path, const FileProvider& files) {
  Model model;
  model.document = parse_json(files(path), path.string());
  const ObjectReader top =
      ObjectReader::of_file(model.document, "counterpoise-model/1", "a model",
                            {"gravity", "parameters", "world", "bodies", "loops", "couplings",
                             "springs", "actuators", "reactions"},
                            {"forces", "friction"});
  const JsonValue* name = top.find("name");
  model.name = name == nullptr ? path.stem().string() : name->text;

  if (const JsonValue* section = top.find("parameters")) read_parameters(*section, model);
  ModelReading reading(model);
  reading.give(Field::gravity, -1, top, "gravity", "a vector [x, y, z]");
  read_bodies(top.required("bodies"), reading);
  if (const JsonValue* world = top.find("world")) {
    const ObjectReader object(*world, "the world", {"points"});
    if (const JsonValue* points = object.find("points")) read_points(*points, world_body, reading);
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

}  // namespace counterpoise
