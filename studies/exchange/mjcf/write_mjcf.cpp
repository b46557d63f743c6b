#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <set>
#include <variant>

#include "engine/evaluation/simulation.hpp"
#include "engine/math/rotation.hpp"
#include "engine/mechanism/finding.hpp"
#include "studies/exchange/mjcf/mjcf_writer.hpp"
#include "studies/exchange/xml/xml_writing.hpp"

namespace counterpoise {
namespace {

/// MuJoCo takes no body that moves without mass and inertia; these change no load that matters.
constexpr double least_inertial = 1e-13;  // [kg], [kg m^2]

/// The position of every joint in the zero configuration; 0 where fixed.
std::vector<double> zero_positions(const Model& model, const Mechanism& design) {
  Motion rest;
  rest.duration = rest.step = 1.0;
  const auto outcome = simulate(design, rest, {});
  if (const auto* finding = std::get_if<Finding>(&outcome))
    throw InputError(model.location("/bodies"), describe(*finding, design));
  std::vector<double> positions(design.bodies.size(), 0.0);
  for (std::size_t b = 0; b < positions.size(); ++b)
    for (const Series& series : std::get<Simulation>(outcome).columns)
      if (series.name == design.bodies[b].name + ".q") positions[b] = series.values.front();
  return positions;
}

std::string quaternion_text(const Mat3d& rotation) {
  const Eigen::Quaterniond q(rotation);
  return numbers_text(std::array{q.w(), q.x(), q.y(), q.z()});
}

}  // namespace

MjcfWriter::MjcfWriter(const Model& model, const Mechanism& design, std::vector<double> q)
    : model_(model), design_(design), q_(std::move(q)) {}

WrittenRobot MjcfWriter::write() {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("mujoco");
  check_depth();
  reserve_names();
  give(root, "model", model_.name);
  pugi::xml_node compiler = root.append_child("compiler");
  give(compiler, "angle", "radian");
  give(compiler, "inertiafromgeom", "false");
  give(root.append_child("option"), "gravity", vector_text(design_.gravity));
  add_bodies(root.append_child("worldbody"));
  tendons_ = root.append_child("tendon");
  equalities_ = root.append_child("equality");
  actuators_ = root.append_child("actuator");
  add_springs();
  add_loops();
  add_couplings();
  add_actuators();
  for (pugi::xml_node section : {tendons_, equalities_, actuators_})
    if (section.first_child().empty()) root.remove_child(section);
  note_left_out();
  written_.text = xml_text(document);
  return std::move(written_);
}

/// MuJoCo's parser has an end to nesting.
void MjcfWriter::check_depth() const {
  constexpr int most = 90;
  std::vector<int> depth(design_.bodies.size(), 1);
  for (std::size_t b = 0; b < depth.size(); ++b) {
    const BodyIndex parent = design_.bodies[b].parent;
    if (parent != world_body) depth[b] = depth[at(parent)] + 1;
    if (depth[b] > most)
      throw InputError(place("bodies", b),
                       fmt::format("found a chain of more than {} bodies, expected a shorter one: "
                                   "MuJoCo reads no deeper",
                                   most));
  }
}

/// Names of the model stay; those that are made give way.
void MjcfWriter::reserve_names() {
  for (const Actuator& actuator : design_.actuators) actuator_names_.valid(actuator.name);
  for (const Spring& spring : design_.springs)
    if (spring.type != SpringType::torsion) tendon_names_.valid(spring.name);
  for (const Loop& loop : design_.loops) equality_names_.valid(loop.name);
}

Location MjcfWriter::place(const char* list, std::size_t index) const {
  return model_.location(fmt::format("/{}/{}", list, index));
}

std::string MjcfWriter::body_name(BodyIndex body) const {
  return body == world_body ? "world" : design_.bodies[body].name;
}

void MjcfWriter::add_bodies(pugi::xml_node world) {
  std::set<int> used;  // points that something is attached to
  for (const Spring& spring : design_.springs)
    if (spring.type != SpringType::torsion) used.insert(spring.points.begin(), spring.points.end());
  for (const Actuator& actuator : design_.actuators)
    if (actuator.linear()) used.insert(actuator.points.begin(), actuator.points.end());
  nodes_.resize(design_.bodies.size());
  for (std::size_t b = 0; b < design_.bodies.size(); ++b) {
    const BodyIndex parent = design_.bodies[b].parent;
    nodes_[b] = (parent == world_body ? world : nodes_[at(parent)]).append_child("body");
    add_body(nodes_[b], b);
  }
  for (const int p : used) {
    const Point& point = design_.points[PointIndex(p)];
    pugi::xml_node site =
        (point.body == world_body ? world : nodes_[at(point.body)]).append_child("site");
    give(site, "name", point.name);
    give(site, "pos", vector_text(point.position));
  }
}

/// As the body stands at its joint's position in the zero configuration.
void MjcfWriter::add_body(pugi::xml_node node, std::size_t b) {
  const Body& body = design_.bodies[b];
  const Joint& joint = body.joint;
  const bool turns = joint.type == JointType::revolute, moves = joint.type != JointType::fixed;
  const Mat3d rotation =
      turns ? Mat3d(joint.rotation * rotation_about(joint.axis, q_[b])) : joint.rotation;
  const Vec3d origin = joint.type == JointType::prismatic
                           ? Vec3d(joint.origin + joint.rotation * joint.axis * q_[b])
                           : joint.origin;
  give(node, "name", body.name);
  give(node, "pos", vector_text(origin));
  give(node, "quat", quaternion_text(rotation));
  if (body.mass > 0.0 || moves || !body.inertia.isZero(0.0))
    add_inertial(node.append_child("inertial"), body, moves);
  if (!moves) return;
  pugi::xml_node element = node.append_child("joint");
  give(element, "name", body.name);
  give(element, "type", turns ? "hinge" : "slide");
  give(element, "axis", vector_text(joint.axis));
  if (q_[b] != 0.0) give(element, "ref", q_[b]);
}

void MjcfWriter::add_inertial(pugi::xml_node node, const Body& body, bool moves) {
  const Eigen::SelfAdjointEigenSolver<Mat3d> principal(body.inertia);
  Mat3d axes = principal.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(0) = -axes.col(0);
  const double least = moves ? least_inertial : 0.0;
  const Vec3d moments = principal.eigenvalues().cwiseMax(least);
  give(node, "pos", vector_text(body.com));
  give(node, "mass", std::max(body.mass, least));
  if (!body.inertia.isDiagonal(0.0)) give(node, "quat", quaternion_text(axes));
  give(node, "diaginertia",
       vector_text(body.inertia.isDiagonal(0.0) ? Vec3d(body.inertia.diagonal().cwiseMax(least))
                                                : moments));
  if (moves && (body.mass < least || principal.eigenvalues().minCoeff() < least))
    written_.remarks.push_back(
        fmt::format("{} moves without mass or inertia, which MuJoCo refuses: it has at least {} "
                    "kg and {} kg m^2",
                    body.name, least_inertial, least_inertial));
}

void MjcfWriter::note_left_out() {
  for (const Spring& spring : design_.springs)
    if (spring.min_length > -no_limit || spring.max_length < no_limit ||
        spring.max_load < no_limit || spring.acts == SpringActs::pull ||
        spring.acts == SpringActs::push)
      written_.remarks.push_back(fmt::format("the limits of {} are left out", spring.name));
  if (!model_.visuals.empty()) written_.remarks.emplace_back("meshes are left out");
}

WrittenRobot write_mjcf(const Model& model, const Mechanism& design) {
  return MjcfWriter(model, design, zero_positions(model, design)).write();
}

}  // namespace counterpoise
