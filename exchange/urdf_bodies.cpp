#include "exchange/urdf_bodies.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

namespace counterpoise {
namespace {

using OrderedJson = ModelDraft::Json;

OrderedJson vector_json(const urdf::Vector3& v) {
  return {v.x, v.y, v.z};
}

Eigen::Matrix3d rotation_of(const urdf::Pose& pose) {
  const urdf::Rotation& r = pose.rotation;
  return Eigen::Quaterniond(r.w, r.x, r.y, r.z).normalized().toRotationMatrix();
}

bool is_zero(const urdf::Vector3& v) {
  return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

/// Roll, pitch and yaw as the file has them, or nothing where they are 0 or not there.
OrderedJson rpy_of(const XmlElement* owner) {
  const XmlElement* origin = owner == nullptr ? nullptr : owner->child("origin");
  const std::string* text = origin == nullptr ? nullptr : origin->attribute("rpy");
  if (text == nullptr) return {};
  urdf::Vector3 rpy;
  rpy.init(*text);
  return is_zero(rpy) ? OrderedJson() : vector_json(rpy);
}

/// About the centre of mass, in the link's axes.
Eigen::Matrix3d inertia_of(const urdf::Inertial& inertial) {
  Eigen::Matrix3d own;
  own << inertial.ixx, inertial.ixy, inertial.ixz,  //
      inertial.ixy, inertial.iyy, inertial.iyz,     //
      inertial.ixz, inertial.iyz, inertial.izz;
  const Eigen::Matrix3d r = rotation_of(inertial.origin);
  return r.isIdentity(0.0) ? own : Eigen::Matrix3d(r * own * r.transpose());
}

}  // namespace

UrdfBodies::UrdfBodies(const urdf::ModelInterface& robot, const UrdfPlaces& places,
                       const ImportOptions& options)
    : robot_(robot),
      places_(places),
      options_(options),
      draft_(places.link(robot.getRoot()->name).where) {
  const auto& joints = robot.joints_;
  const bool own_base = std::any_of(joints.begin(), joints.end(), [](const auto& joint) {
    return joint.second->type == urdf::Joint::PLANAR || joint.second->type == urdf::Joint::FLOATING;
  });
  root_floats_ = options.base == Base::floating && !own_base;
}

void UrdfBodies::add_all() {
  // names first, in the order of the file, so that they do not depend on the tree
  for (const XmlElement* element : places_.links()) {
    const std::string& name = *element->attribute("name");
    const bool is_world = name == "world" && robot_.getRoot()->name == name && !root_floats_ &&
                          element->child("inertial") == nullptr;
    body_of_link_[name] = is_world ? name : body_names_.valid(name);
  }
  add_tree(*robot_.getRoot());
}

void UrdfBodies::add_tree(const urdf::Link& root) {
  std::vector<const urdf::Link*> open = {&root};  // a stack: chains may be long
  while (!open.empty()) {
    const urdf::Link& link = *open.back();
    open.pop_back();
    const urdf::Joint* joint = link.parent_joint.get();
    if (joint == nullptr) {
      if (root_floats_) {
        add_on_chain(link, nullptr, "world");
      } else if (body_of_link_.at(link.name) != "world") {
        OrderedJson body;
        body["name"] = body_of_link_.at(link.name);
        body["parent"] = "world";
        body["joint"] = {{"type", "fixed"}};
        add_body(std::move(body), link);
      }
    } else {
      const std::string& parent = body_of_link_.at(joint->parent_link_name);
      const bool chain = joint->type == urdf::Joint::PLANAR || joint->type == urdf::Joint::FLOATING;
      if (chain && options_.base == Base::floating)
        add_on_chain(link, joint, parent);
      else
        add_on_joint(link, *joint, parent);
    }
    const std::vector<const XmlElement*>& behind = places_.joints_on(link.name);
    for (auto next = behind.rbegin(); next != behind.rend(); ++next)
      open.push_back(robot_.getLink(*(*next)->child("child")->attribute("link")).get());
  }
}

UrdfBodies::Json UrdfBodies::joint_of(std::string_view type, const urdf::Joint& joint) const {
  Json made;
  made["type"] = type;
  if (type != "fixed") made["axis"] = vector_json(joint.axis);
  const urdf::Vector3& origin = joint.parent_to_joint_origin_transform.position;
  if (!is_zero(origin)) made["origin"] = vector_json(origin);
  const Json rpy = rpy_of(&places_.joint(joint.name));
  if (!rpy.is_null()) made["rotation"] = {{"rpy", rpy}};
  return made;
}

void UrdfBodies::add_body(Json body, const urdf::Link& link) {
  if (link.inertial) {
    body["mass"] = link.inertial->mass;
    body["com"] = vector_json(link.inertial->origin.position);
    body["inertia"] = inertia_json(inertia_of(*link.inertial));
  }
  if (options_.meshes)
    if (Json visual = visual_of(link); !visual.is_null()) body["visual"] = std::move(visual);
  body["source"] = "urdf";
  note_name(body, "link", link.name, body_of_link_.at(link.name));
  draft_.add("bodies", std::move(body), places_.link(link.name).where);
}

void UrdfBodies::add_on_joint(const urdf::Link& link, const urdf::Joint& joint,
                              const std::string& parent) {
  const std::string& name = body_of_link_.at(link.name);
  std::string_view type = "fixed";
  if (joint.type == urdf::Joint::PRISMATIC) type = "prismatic";
  if (joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::CONTINUOUS)
    type = "revolute";
  if (joint.type == urdf::Joint::PLANAR || joint.type == urdf::Joint::FLOATING)
    note(places_.joint(joint.name).where,
         fmt::format("the {} joint stands still at position 0; --base floating lets it move",
                     joint.type == urdf::Joint::PLANAR ? "planar" : "floating"));
  Json body;
  body["name"] = name;
  body["parent"] = parent;
  body["joint"] = joint_of(type, joint);
  add_body(std::move(body), link);
  if (type == "fixed") return;
  note_dynamics(joint);
  if (joint.mimic)
    add_coupling(joint, name);
  else
    add_actuator(joint, name);
}

void UrdfBodies::add_on_chain(const urdf::Link& link, const urdf::Joint* joint,
                              const std::string& parent) {
  struct Axis {
    std::string_view name, type;
    Eigen::Vector3d axis;
  };
  std::vector<Axis> axes;
  if (joint != nullptr && joint->type == urdf::Joint::PLANAR) {
    const Eigen::Vector3d normal =
        Eigen::Vector3d(joint->axis.x, joint->axis.y, joint->axis.z).normalized();
    Eigen::Index across = 0;
    normal.cwiseAbs().minCoeff(&across);
    const Eigen::Vector3d unit = Eigen::Vector3d::Unit(across);
    const Eigen::Vector3d first = (unit - normal.dot(unit) * normal).normalized();
    axes = {{"first", "prismatic", first},
            {"second", "prismatic", normal.cross(first)},
            {"turn", "revolute", normal}};
  } else {
    const auto x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY(),
               z = Eigen::Vector3d::UnitZ();
    axes = {{"x", "prismatic", x},  {"y", "prismatic", y},    {"z", "prismatic", z},
            {"yaw", "revolute", z}, {"pitch", "revolute", y}, {"roll", "revolute", x}};
  }
  const std::string& name = body_of_link_.at(link.name);
  const std::string base = joint == nullptr ? name : joint->name;
  const Location where =
      joint == nullptr ? places_.link(link.name).where : places_.joint(joint->name).where;
  std::string before = parent;
  for (const Axis& axis : axes) {
    const bool last = &axis == &axes.back();
    Json body;
    body["name"] = last ? name : body_names_.valid(fmt::format("{}_{}", name, axis.name));
    body["parent"] = before;
    body["joint"] = {{"type", axis.type}, {"axis", vector_json(axis.axis)}};
    if (&axis == &axes.front() && joint != nullptr) {
      Json placed = joint_of("fixed", *joint);
      placed.erase("type");
      body["joint"].update(placed);
    }
    before = body["name"];
    Json actuator;
    const std::string actuator_name = fmt::format("{}_{}", base, axis.name);
    actuator["name"] = actuator_names_.valid(actuator_name);
    note_name(actuator, "joint", actuator_name, actuator["name"]);
    actuator["joint"] = before;
    actuator["source"] = "inferred";
    if (last) {
      add_body(std::move(body), link);
    } else {
      body["source"] = "inferred";
      draft_.add("bodies", std::move(body), where);
    }
    draft_.add("actuators", std::move(actuator), where);
  }
  if (axes.size() == 6)
    note(where, fmt::format("{} moves along x, y, z and about z, y, x in turn, on massless bodies; "
                            "a pitch of 90 degrees is singular",
                            in_quotes(link.name)));
}

void UrdfBodies::add_actuator(const urdf::Joint& joint, const std::string& body) {
  const Location& where = places_.joint(joint.name).where;
  Json actuator;
  actuator["name"] = actuator_names_.valid(joint.name);
  actuator["joint"] = body;
  if (joint.limits) {
    if (joint.type != urdf::Joint::CONTINUOUS) {
      actuator["min_position"] = joint.limits->lower;
      actuator["max_position"] = joint.limits->upper;
    }
    const auto give = [&](const char* key, const char* word, double limit) {
      if (limit > 0.0)
        actuator[key] = limit;
      else
        note(where, fmt::format("{} {} is taken as no limit", word, limit));
    };
    give("max_load", "effort", joint.limits->effort);
    give("max_speed", "velocity", joint.limits->velocity);
  }
  actuator["source"] = "urdf";
  note_name(actuator, "joint", joint.name, actuator["name"]);
  draft_.add("actuators", std::move(actuator), where);
}

void UrdfBodies::add_coupling(const urdf::Joint& joint, const std::string& body) {
  const Location& where = places_.joint(joint.name).where;
  Json coupling;
  coupling["name"] = coupling_names_.valid(joint.name);
  coupling["joint"] = body;
  coupling["ratio"] = joint.mimic->multiplier;
  coupling["of"] = body_of_link_.at(robot_.getJoint(joint.mimic->joint_name)->child_link_name);
  if (joint.mimic->offset != 0.0) coupling["offset"] = joint.mimic->offset;
  coupling["source"] = "urdf";
  note_name(coupling, "joint", joint.name, coupling["name"]);
  draft_.add("couplings", std::move(coupling), where);
  if (joint.limits) note(where, "the limits are left out: the joint mimics another");
}

void UrdfBodies::note_dynamics(const urdf::Joint& joint) {
  const XmlElement& place = places_.joint(joint.name);
  if (joint.dynamics && (joint.dynamics->damping != 0.0 || joint.dynamics->friction != 0.0))
    note(place.child("dynamics")->where,
         fmt::format("damping {} and friction {} are left out: models have neither",
                     joint.dynamics->damping, joint.dynamics->friction));
  for (const char* part : {"safety_controller", "calibration"})
    if (const XmlElement* element = place.child(part))
      note(element->where, fmt::format("<{}> is left out", part));
}

namespace {

constexpr std::string_view package_scheme = "package://";
constexpr std::string_view file_scheme = "file://";

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

}  // namespace

std::filesystem::path UrdfBodies::mesh_file(const std::string& name, const Location& where) const {
  std::filesystem::path file;
  if (name.starts_with(package_scheme)) {
    const std::string rest = name.substr(package_scheme.size());
    const std::string package = rest.substr(0, rest.find('/'));
    const auto folder = options_.packages.find(package);
    if (folder == options_.packages.end())
      throw InputError(
          where, fmt::format("found the package {}, expected one of --package; give --package "
                             "{}=FOLDER, or --no-meshes to leave meshes out",
                             in_quotes(package), package));
    file = folder->second / rest.substr(std::min(package.size() + 1, rest.size()));
  } else if (name.starts_with(file_scheme)) {
    file = name.substr(file_scheme.size());
  } else {
    file = std::filesystem::path(where.file).parent_path() / name;
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw InputError(where, fmt::format("found the mesh {}, expected a file: there is no {}; "
                                        "--no-meshes leaves meshes out",
                                        in_quotes(name), file.string()));
  return file;
}

UrdfBodies::Json UrdfBodies::visual_of(const urdf::Link& link) {
  Json visual;
  const std::vector<const XmlElement*> places = places_.link(link.name).children_named("visual");
  if (link.visual_array.size() < places.size())  // it stops at the first that it does not read
    note(places[link.visual_array.size()]->where,
         fmt::format("{} of the link's looks are left out: urdfdom cannot read this one",
                     places.size() - link.visual_array.size()));
  for (std::size_t i = 0; i < link.visual_array.size() && i < places.size(); ++i) {
    const urdf::Visual& looks = *link.visual_array[i];
    const Location& where = places[i]->where;
    if (!looks.geometry || looks.geometry->type != urdf::Geometry::MESH) {
      note(where, "the box, cylinder or sphere is left out: bodies look like meshes");
      continue;
    }
    const auto& mesh = static_cast<const urdf::Mesh&>(*looks.geometry);
    const std::filesystem::path file = mesh_file(mesh.filename, where);
    files_.push_back(file);
    const std::string kind = lower_case(file.extension().string());
    const bool uniform = mesh.scale.x == mesh.scale.y && mesh.scale.y == mesh.scale.z;
    if (kind != ".stl" && kind != ".obj") {
      note(where, fmt::format("the mesh {} is left out: bodies look like STL or OBJ meshes",
                              in_quotes(mesh.filename)));
    } else if (!uniform || mesh.scale.x <= 0.0) {
      note(where, "the mesh is left out: it has different scales along its axes");
    } else if (!visual.is_null()) {
      note(where, "the mesh is left out: a body looks like one mesh, and has one already");
    } else {
      const std::filesystem::path beside = options_.output.parent_path();
      visual["mesh"] = std::filesystem::proximate(file, beside.empty() ? "." : beside).string();
      if (mesh.scale.x != 1.0) visual["scale"] = mesh.scale.x;
      const urdf::Vector3& at = looks.origin.position;
      visual["origin"] = {at.x, at.y, at.z};
      double roll = 0.0, pitch = 0.0, yaw = 0.0;
      looks.origin.rotation.getRPY(roll, pitch, yaw);
      visual["rpy"] = {roll, pitch, yaw};
    }
  }
  return visual;
}

UrdfPlaces::UrdfPlaces(const XmlElement& robot)
    : links_(robot.children_named("link")), joints_(robot.children_named("joint")) {
  for (const XmlElement* link : links_) {
    link_by_name_.emplace(*link->attribute("name"), link);
    joints_on_.emplace(*link->attribute("name"), std::vector<const XmlElement*>());
  }
  for (const XmlElement* joint : joints_) {
    joint_by_name_.emplace(*joint->attribute("name"), joint);
    joints_on_.at(*joint->child("parent")->attribute("link")).push_back(joint);
  }
}

}  // namespace counterpoise
