#include "exchange/mjcf/flattener.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "exchange/mjcf/shapes.hpp"
#include "exchange/xml_writing.hpp"

namespace counterpoise {
namespace {

/// Sets an attribute, and replaces its value if the element has it already.
void say_attribute(XmlElement& element, const std::string& name, const std::string& value) {
  for (XmlAttribute& attribute : element.attributes)
    if (attribute.name == name) {
      attribute.value = value;
      return;
    }
  element.attributes.push_back({name, value});
}

/// An element without attributes, at the place of another.
XmlElement section_at(const std::string& name, const Location& where) {
  return {.name = name, .attributes = {}, .children = {}, .text = {}, .where = where};
}

/// Calls work(element, default class) for the elements of a body, in its frames and copies too, but
/// not for elements of other bodies.
template <class Work>
void for_each_in_body(const XmlElement& body, const std::string& around, const Work& work) {
  for (const XmlElement& child : body.children) {
    if (child.name == "frame" || child.name == "replicate") {
      const std::string* own = child.attribute("childclass");
      for_each_in_body(child, own != nullptr ? *own : around, work);
    } else {
      work(child, around);
    }
  }
}

bool is_joint(const XmlElement& element) {
  return element.name == "joint" || element.name == "freejoint";
}

std::string joint_type(const XmlElement& joint) {
  if (joint.name == "freejoint") return "free";
  return mjcf_word(joint, "type", {"free", "ball", "slide", "hinge"}).value_or("hinge");
}

/// How many half sizes a shape of this type has.
std::size_t sizes_of(const std::string& type) {
  return type == "sphere" ? 1 : type == "capsule" || type == "cylinder" ? 2 : 3;
}

/// The pose of a shape that is given by its two ends. Sets its half sizes.
MjcfPose pose_of_ends(const XmlElement& geom, const std::string& type,
                      const std::vector<double>& ends, Vec3d& size) {
  const Vec3d first(ends.data()), second(ends.data() + 3), along = first - second;
  if (type == "sphere" || along.norm() < 1e-14)
    throw InputError(geom.where,
                     "found fromto of a sphere or of two equal points, expected a "
                     "capsule, cylinder, box or ellipsoid between two points");
  size[1] = along.norm() / 2.0;
  if (type == "box" || type == "ellipsoid") {
    size[2] = size[1];
    size[1] = size[0];
  }
  return {0.5 * (first + second), mjcf_turn_of_z(along.normalized())};
}

/// The half sizes of the primitive that fits a mesh.
Vec3d fitted(const std::string& type, const MjcfMeshShape& mesh, bool to_box) {
  const Vec3d box = to_box ? Vec3d(0.5 * (mesh.most - mesh.least)) : mesh.box;
  if (type == "sphere") return Vec3d::Constant(to_box ? box.maxCoeff() : box.sum() / 3.0);
  if (type == "capsule" || type == "cylinder") {
    const double radius = to_box ? std::max(box.x(), box.y()) : (box.x() + box.y()) / 2.0;
    const double cap = type == "cylinder" ? 0.0 : to_box ? radius : radius / 2.0;
    return {radius, to_box ? box.z() - cap : std::max(0.0, box.z() - cap), 0.0};
  }
  return box;
}

bool is_file_shape(const std::string& type) {
  return type == "mesh" || type == "sdf" || type == "hfield";
}

std::string geom_type(const XmlElement& geom) {
  return mjcf_word(geom, "type",
                   {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh",
                    "sdf"})
      .value_or("sphere");
}

}  // namespace

XmlElement plain_element(const std::string& kind, const XmlElement& from,
                         const MjcfContext& context) {
  XmlElement element = section_at(kind, from.where);
  if (const std::string* name = from.attribute("name"); name != nullptr && !name->empty())
    element.attributes.push_back({"name", context.named(*name)});
  return element;
}

void put_numbers(XmlElement& element, const std::string& name, std::span<const double> numbers) {
  say_attribute(element, name, numbers_text(numbers));
}

void put_pose(XmlElement& element, const MjcfPose& pose) {
  const Eigen::Quaterniond& q = pose.rotation;
  if (!pose.position.isZero(0.0)) say_attribute(element, "pos", vector_text(pose.position));
  if (q.w() != 1.0) put_numbers(element, "quat", std::array{q.w(), q.x(), q.y(), q.z()});
}

void put_damping(const XmlElement& from, XmlElement& plain) {
  if (const auto damping = mjcf_numbers(from, "damping", 1, 3))
    put_numbers(
        plain, "damping",
        std::array{*std::max_element(damping->begin(), damping->end(), [](double a, double b) {
          return std::abs(a) < std::abs(b);
        })});
}

void put_same(XmlElement& element, const XmlElement& from,
              std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const std::string* value = from.attribute(name)) say_attribute(element, name, *value);
}

std::string counted_things(int count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

MjcfFlattener::MjcfFlattener(const MjcfSource& source, const ImportOptions& options)
    : source_(source), options_(options), newer_(source.newer) {
  plain_.root = section_at("mujoco", source.root.where);
  world_ = section_at("worldbody", source.root.where);
  tendons_ = section_at("tendon", source.root.where);
  equalities_ = section_at("equality", source.root.where);
  actuators_ = section_at("actuator", source.root.where);
}

PlainMjcf MjcfFlattener::write() {
  add_settings();
  const MjcfContext whole{
      .source = &source_, .prefix = {}, .suffix = {}, .around = {}, .frame = {}};
  contexts_.push_back(whole);
  OpenBody world{world_, true, false};
  for (const XmlElement* section : source_.root.children_named("worldbody"))
    add_children(*section, whole, world);
  name_bodies(world_);
  for (const MjcfContext& context : contexts_) add_sections(context);
  name_section(tendons_, "tendon");
  name_section(equalities_, "loop");
  name_section(actuators_, "actuator");
  note_left_out();
  for (XmlElement* section : {&world_, &tendons_, &equalities_, &actuators_})
    if (section == &world_ || !section->children.empty())
      plain_.root.children.push_back(std::move(*section));
  return std::move(plain_);
}

void MjcfFlattener::add_settings() {
  XmlElement compiler = section_at("compiler", source_.root.where);
  compiler.attributes = {{"angle", "radian"}, {"autolimits", "true"}, {"inertiafromgeom", "false"}};
  for (const auto& [name, value] : source_.bounds) compiler.attributes.push_back({name, value});
  XmlElement plain = section_at("option", source_.root.where);
  for (const XmlElement* option : source_.root.children_named("option")) {
    plain.where = option->where;
    put_same(plain, *option, {"gravity", "density", "viscosity"});
    add_flags(*option, plain);
    if (const auto groups = mjcf_numbers(*option, "actuatorgroupdisable", 0, 31))
      for (const double group : *groups) disabled_groups_.insert(static_cast<int>(group));
  }
  plain_.root.children = {compiler, plain};
}

void MjcfFlattener::add_flags(const XmlElement& option, XmlElement& plain) {
  const XmlElement* flag = option.child("flag");
  if (flag == nullptr) return;
  if (plain.children.empty()) plain.children.push_back(section_at("flag", flag->where));
  XmlElement& flags = plain.children.front();
  for (const char* name : {"constraint", "equality", "gravity", "actuation", "passive", "spring"})
    if (const auto word = mjcf_word(*flag, name, {"enable", "disable"}))
      say_attribute(flags, std::string(name) == "spring" ? "passive" : name, *word);
}

/// Adds an element to the file for MuJoCo 2.2; throws if there are too many.
void MjcfFlattener::add_element(XmlElement& to, XmlElement element) {
  constexpr int most = 200'000;
  if (++elements_ > most)
    throw InputError(
        element.where,
        fmt::format("found more than {} elements with all copies, expected fewer", most));
  to.children.push_back(std::move(element));
}

void MjcfFlattener::define(const std::string& kind, const XmlElement& from,
                           const MjcfContext& context) {
  if (const std::string* name = from.attribute("name"); name != nullptr && !name->empty())
    defined_.insert(kind + "/" + context.named(*name));
}

void MjcfFlattener::add_children(const XmlElement& from, const MjcfContext& context,
                                 OpenBody& body) {
  constexpr int deepest = 200;
  if (++depth_ > deepest)
    throw InputError(from.where, fmt::format("found elements nested more than {} deep, with "
                                             "attached models",
                                             deepest));
  for (const XmlElement& child : from.children) add_child(child, context, body);
  --depth_;
}

void MjcfFlattener::add_child(const XmlElement& child, const MjcfContext& context, OpenBody& body) {
  const std::string& name = child.name;
  if (body.is_world && (name == "inertial" || is_joint(child)))
    throw InputError(child.where,
                     fmt::format("found <{}> of the world, expected it in a <body>", name));
  if (name == "body") {
    add_body(child, context, body);
  } else if (name == "frame") {
    MjcfContext inside = context;
    inside.frame = context.frame * mjcf_pose(child, context.source->angles);
    context.source->defaults.check_class(child, "childclass");
    if (const std::string* own = child.attribute("childclass")) inside.around = *own;
    add_children(child, inside, body);
  } else if (name == "replicate") {
    add_copies(child, context, body);
  } else if (name == "attach") {
    attach(child, context, body);
  } else if (name == "inertial") {
    add_inertial(child, context, body);
  } else if (is_joint(child)) {
    add_joint(child, context, body);
  } else if (name == "geom") {
    add_geom(child, context, body);
  } else if (name == "site") {
    add_site(child, context, body);
  } else if (name == "camera" || name == "light") {
    ++left_out_["camera or light|cameras and lights"];
  } else if (name == "composite" || name == "flexcomp") {
    throw InputError(
        child.where,
        fmt::format("found <{}>, whose bodies bend, expected rigid bodies: models have "
                    "no other",
                    name));
  } else {
    throw InputError(child.where,
                     "found <plugin> of a body, which adds forces that MuJoCo computes "
                     "elsewhere; expected tendons and joints with stiffness");
  }
}

void MjcfFlattener::add_body(const XmlElement& from, const MjcfContext& context, OpenBody& parent) {
  const MjcfSource& source = *context.source;
  MjcfContext inside = context;
  inside.frame = {};
  source.defaults.check_class(from, "childclass");
  if (const std::string* own = from.attribute("childclass")) inside.around = *own;
  bool says_inertia = false;
  for_each_in_body(from, inside.around, [&](const XmlElement& child, const std::string& around) {
    says_inertia = says_inertia || child.name == "inertial";
    if (!is_joint(child)) return;
    inside.jointed = true;
    const XmlElement joint = source.defaults.resolved(child, around);
    if (joint_type(joint) == "free" && options_.base == Base::fixed) return;
    inside.spared = inside.spared || !mjcf_flag(joint, "actuatorgravcomp", false);
  });
  XmlElement plain = plain_element("body", from, context);
  define("body", from, context);
  put_pose(plain, context.frame * mjcf_pose(from, source.angles));
  put_same(plain, from, {"mocap"});
  OpenBody body{plain, false,
                source.inertia == InertiaFrom::geoms ||
                    (source.inertia == InertiaFrom::either && !says_inertia)};
  add_children(from, inside, body);
  check_gravity_compensation(from, inside);
  if (!body.masses.empty()) {
    std::erase_if(plain.children, [](const XmlElement& e) { return e.name == "inertial"; });
    const MassProperties sum = together(body.masses);
    const MjcfPrincipal principal = mjcf_principal(sum.inertia);
    XmlElement inertial = section_at("inertial", from.where);
    put_numbers(inertial, "mass", std::array{sum.mass});
    say_attribute(inertial, "pos", vector_text(sum.com));
    put_pose(inertial, {Vec3d::Zero(), principal.axes});
    say_attribute(inertial, "diaginertia", vector_text(principal.moments));
    plain.children.insert(plain.children.begin(), std::move(inertial));
  }
  add_element(parent.element, std::move(plain));
}

/// Gravity compensation takes the weight from actuators, unless the joints' actuators give it.
void MjcfFlattener::check_gravity_compensation(const XmlElement& body, const MjcfContext& context) {
  const auto share = mjcf_number(body, "gravcomp");
  if (!share || *share == 0.0 || !context.spared) return;
  if (!options_.ignore_gravcomp)
    throw InputError(body.where,
                     fmt::format("found gravcomp={}, which takes the weight of the body from the "
                                 "actuators without springs, expected none; --ignore-gravcomp "
                                 "makes actuators carry it",
                                 in_quotes(*body.attribute("gravcomp"))));
  ++compensated_;
}

void MjcfFlattener::add_inertial(const XmlElement& from, const MjcfContext& context,
                                 OpenBody& body) {
  XmlElement plain = section_at("inertial", from.where);
  put_same(plain, from, {"mass", "diaginertia"});
  const MjcfPose own = mjcf_pose(from, context.source->angles);
  MjcfPose pose = context.frame * own;
  const auto full = mjcf_numbers(from, "fullinertia", 6, 6);
  if (full && own.rotation.w() == 1.0) {  // MuJoCo takes it in the body's axes only
    const std::vector<double>& i = *full;
    Mat3d inertia;
    inertia << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
    const Mat3d axes = context.frame.rotation.toRotationMatrix();
    inertia = axes * inertia * axes.transpose();
    const MjcfPrincipal principal = mjcf_principal(inertia);
    constexpr double least = 1e-15;  // of a moment in MuJoCo, which refuses smaller ones
    if (!inertia.isDiagonal(0.0) && principal.moments[2] >= least &&
        from.attribute("diaginertia") == nullptr) {
      // MuJoCo 2.2 leaves products of up to 1e-6 of the moments out
      say_attribute(plain, "diaginertia", vector_text(principal.moments));
      pose.rotation = principal.axes;
    } else {
      put_numbers(plain, "fullinertia",
                  std::array{inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1),
                             inertia(0, 2), inertia(1, 2)});
      pose.rotation = Eigen::Quaterniond::Identity();
    }
  } else {
    put_same(plain, from, {"fullinertia"});
  }
  if (from.attribute("pos") != nullptr) say_attribute(plain, "pos", vector_text(pose.position));
  put_pose(plain, {Vec3d::Zero(), pose.rotation});
  add_element(body.element, std::move(plain));
}

void MjcfFlattener::give_range(const XmlElement& from, const MjcfContext& context,
                               const std::string& prefix, double factor, XmlElement& plain) const {
  const std::string limited = prefix + "limited", range_name = prefix + "range";
  const std::string word =
      mjcf_word(from, limited.c_str(), {"true", "false", "auto"}).value_or("auto");
  const auto range = mjcf_numbers(from, range_name.c_str(), 2, 2);
  const bool has = range && ((*range)[0] != 0.0 || (*range)[1] != 0.0);
  if (has && word == "auto" && !context.source->auto_limits)
    throw InputError(from.where,
                     fmt::format("found {} without {} where autolimits is false, expected "
                                 "{}=\"true\" or \"false\"",
                                 range_name, limited, limited));
  if (word == "false" || (word == "auto" && !(has && (*range)[0] < (*range)[1]))) return;
  if (!range || !((*range)[0] < (*range)[1]))
    throw InputError(from.where, fmt::format("found {}=\"true\" without a {} from a smaller number "
                                             "to a larger one",
                                             limited, range_name));
  say_attribute(plain, limited, "true");
  put_numbers(plain, range_name, std::array{factor * (*range)[0], factor * (*range)[1]});
}

void MjcfFlattener::add_joint(const XmlElement& from, const MjcfContext& context, OpenBody& body) {
  const MjcfSource& source = *context.source;
  XmlElement plain = plain_element("joint", from, context);
  define("joint", from, context);
  if (from.name == "freejoint") {
    say_attribute(plain, "type", "free");
    add_element(body.element, std::move(plain));
    return;
  }
  const XmlElement joint = source.defaults.resolved(from, context.around);
  const std::string type = joint_type(joint);
  say_attribute(plain, "type", type);
  const bool turns = type == "hinge" || type == "ball";
  const double unit = turns && source.angles.degrees ? source.angles.radians(1.0) : 1.0;
  if (type != "free") {
    const Vec3d position = context.frame * mjcf_vector(joint, "pos").value_or(Vec3d::Zero());
    if (!position.isZero(0.0)) say_attribute(plain, "pos", vector_text(position));
    give_range(joint, context, "", unit, plain);
  }
  if (type == "hinge" || type == "slide") {
    const Vec3d axis = mjcf_vector(joint, "axis").value_or(Vec3d::UnitZ());
    say_attribute(plain, "axis", vector_text(context.frame.rotation * axis));
    give_range(joint, context, "actuatorfrc", 1.0, plain);
    if (const auto reference = mjcf_number(joint, "ref"))
      put_numbers(plain, "ref", std::array{unit * *reference});
  }
  add_spring(joint, context, turns, plain);
  put_same(plain, joint, {"armature", "frictionloss"});
  put_damping(joint, plain);
  add_element(body.element, std::move(plain));
}

void MjcfFlattener::add_spring(const XmlElement& joint, const MjcfContext& context, bool turns,
                               XmlElement& plain) {
  if (const auto stiffness = mjcf_numbers(joint, "stiffness", 1, 3)) {
    for (std::size_t i = 1; i < stiffness->size(); ++i)
      if ((*stiffness)[i] != 0.0)
        throw InputError(joint.where,
                         fmt::format("found stiffness={}, which grows with the deflection, "
                                     "expected one number: a spring here has one rate",
                                     in_quotes(*joint.attribute("stiffness"))));
    put_numbers(plain, "stiffness", std::array{stiffness->front()});
  }
  if (const auto rest = mjcf_number(joint, "springref"))
    put_numbers(plain, "springref",
                std::array{turns ? context.source->angles.radians(*rest) : *rest});
  const auto damper = mjcf_numbers(joint, "springdamper", 2, 2);
  if (damper && (*damper)[0] > 0.0 && (*damper)[1] > 0.0) spring_dampers_.push_back(joint.where);
  put_same(plain, joint, {"springdamper"});
}

void MjcfFlattener::add_geom(const XmlElement& from, const MjcfContext& context, OpenBody& body) {
  const XmlElement geom = context.source->defaults.resolved(from, context.around);
  define("geom", from, context);
  const double touches =
      mjcf_number(geom, "contype").value_or(1.0) + mjcf_number(geom, "conaffinity").value_or(1.0);
  ++left_out_[touches != 0.0 ? "geom that touches|geoms that touch"
                             : "geom that only looks|geoms that only look"];
  const std::string type = geom_type(geom);
  if (body.takes_geoms && !body.is_world) take_mass(geom, context, body);
  const bool wraps = (type == "sphere" || type == "cylinder") &&
                     geom.attribute("name") != nullptr && geom.attribute("mesh") == nullptr &&
                     context.source->root.child("tendon") != nullptr;
  if (!wraps) return;
  Vec3d size = Vec3d::Zero();
  if (const auto said = mjcf_numbers(geom, "size", 1, 3))
    std::copy(said->begin(), said->end(), size.data());
  const auto ends = mjcf_numbers(geom, "fromto", 6, 6);
  const MjcfPose pose =
      ends ? pose_of_ends(geom, type, *ends, size) : mjcf_pose(geom, context.source->angles);
  XmlElement plain = plain_element("geom", from, context);
  say_attribute(plain, "type", type);
  put_numbers(plain, "size", std::span(size.data(), sizes_of(type)));
  put_pose(plain, context.frame * pose);
  add_element(body.element, std::move(plain));
}

/// What a geom adds to the inertia of its body.
void MjcfFlattener::take_mass(const XmlElement& geom, const MjcfContext& context, OpenBody& body) {
  const MjcfSource& source = *context.source;
  const double group = mjcf_number(geom, "group").value_or(0.0);
  const auto mass = mjcf_number(geom, "mass");
  const double density = mjcf_number(geom, "density").value_or(1000.0);
  const std::string type = geom_type(geom);
  const std::string* mesh_name = geom.attribute("mesh");
  if (mass.value_or(density) < 0.0 || density < 0.0)
    throw InputError(geom.where, "found a negative mass or density, expected none below 0");
  if (group < source.groups[0] || group > source.groups[1] || mass.value_or(density) == 0.0 ||
      type == "plane")
    return;
  const bool from_file = is_file_shape(type) || mesh_name != nullptr;
  if (from_file && !context.jointed) return;  // it stands still, whatever it weighs
  if (type == "hfield" || (type == "sdf" && mesh_name == nullptr))
    throw InputError(geom.where, fmt::format("found a geom of type {}, from which the inertia of a "
                                             "body follows; expected an <inertial> of the body",
                                             in_quotes(type)));
  if (is_file_shape(type) && mesh_name == nullptr)
    throw InputError(geom.where,
                     "found a geom of type \"mesh\" without mesh, expected the name of "
                     "an asset");
  Vec3d size = Vec3d::Zero();
  if (const auto said = mjcf_numbers(geom, "size", 1, 3))
    std::copy(said->begin(), said->end(), size.data());
  const auto ends = mjcf_numbers(geom, "fromto", 6, 6);
  MjcfPose pose = context.frame *
                  (ends ? pose_of_ends(geom, type, *ends, size) : mjcf_pose(geom, source.angles));
  const MjcfMeshShape* mesh = mesh_name == nullptr ? nullptr : &source.mesh(*mesh_name, geom.where);
  MassProperties solid;
  if (is_file_shape(type)) {
    solid = mesh->solid;
  } else {
    if (mesh != nullptr) {
      size = fitted(type, *mesh, source.fit_box) * mjcf_number(geom, "fitscale").value_or(1.0);
      pose = pose * mesh->pose;
      if (source.fit_box) pose.position = pose * Vec3d(0.5 * (mesh->most + mesh->least));
    }
    for (std::size_t i = 0; i < sizes_of(type); ++i)
      if (!(size[static_cast<int>(i)] > 0.0))
        throw InputError(geom.where,
                         fmt::format("found a geom of type {} without {} above 0", in_quotes(type),
                                     counted_things(static_cast<int>(sizes_of(type)), "size")));
    solid = mjcf_shape(type, size, mjcf_flag(geom, "shellinertia", false));
  }
  constexpr double least = 1e-14;
  const double weight = mass ? (solid.volume > least ? *mass : 0.0) : density * solid.volume;
  if (weight > least)
    body.masses.push_back(
        placed(with_mass(solid, weight), pose.position, pose.rotation.toRotationMatrix()));
}

void MjcfFlattener::add_site(const XmlElement& from, const MjcfContext& context, OpenBody& body) {
  if (from.attribute("name") == nullptr) return;
  define("site", from, context);
  const XmlElement site = context.source->defaults.resolved(from, context.around);
  XmlElement plain = plain_element("site", from, context);
  Vec3d size = Vec3d::Zero();
  const auto ends = mjcf_numbers(site, "fromto", 6, 6);
  put_pose(plain, context.frame * (ends ? pose_of_ends(site, "capsule", *ends, size)
                                        : mjcf_pose(site, context.source->angles)));
  add_element(body.element, std::move(plain));
}

}  // namespace counterpoise
