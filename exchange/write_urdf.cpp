#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "engine/math/rotation.hpp"
#include "exchange/written_robot.hpp"
#include "exchange/xml_writing.hpp"

namespace counterpoise {
namespace {

void give_origin(pugi::xml_node owner, const Vec3d& origin, const Mat3d& rotation) {
  pugi::xml_node element = owner.append_child("origin");
  give(element, "xyz", vector_text(origin));
  if (!rotation.isIdentity(0.0)) give(element, "rpy", vector_text(rpy_of(rotation)));
}

void add_link(pugi::xml_node robot, const Body& body) {
  pugi::xml_node link = robot.append_child("link");
  give(link, "name", body.name);
  if (body.mass == 0.0 && body.inertia.isZero(0.0)) return;
  pugi::xml_node inertial = link.append_child("inertial");
  give_origin(inertial, body.com, Mat3d::Identity());
  give(inertial.append_child("mass"), "value", body.mass);
  pugi::xml_node inertia = inertial.append_child("inertia");
  for (const auto& [name, moment] : named_moments(body.inertia)) give(inertia, name, moment);
}

/// The limits of an actuator, or of none: URDF asks for all four of a joint that has ends.
void give_limit(pugi::xml_node joint, const Actuator& actuator, bool has_ends,
                WrittenRobot& written) {
  constexpr double far = 1e3;  // [rad], [m]
  const std::string name = joint.attribute("name").value();
  pugi::xml_node limit = joint.append_child("limit");
  if (has_ends) {
    const bool below = actuator.min_position > -no_limit, above = actuator.max_position < no_limit;
    const double lower =
        below ? actuator.min_position : std::min(-far, actuator.max_position - far);
    const double upper = above ? actuator.max_position : std::max(far, actuator.min_position + far);
    give(limit, "lower", lower);
    give(limit, "upper", upper);
    if (!below || !above)
      written.remarks.push_back(
          fmt::format("{} has no end{}, which URDF does not have: {}", name,
                      below   ? " above"
                      : above ? " below"
                              : "s",
                      below   ? fmt::format("it ends at {}", upper)
                      : above ? fmt::format("it ends at {}", lower)
                              : fmt::format("it ends at {} and {}", lower, upper)));
  }
  const auto give_most = [&](const char* what, double most) {
    if (most == 0.0)
      written.remarks.push_back(
          fmt::format("the {} of 0 of {} is read as no limit by many programs", what, name));
    give(limit, what, most < no_limit ? most : 0.0);
  };
  give_most("effort", actuator.max_load);
  give_most("velocity", actuator.max_speed);
}

void add_joint(pugi::xml_node robot, const TreeDesign& tree, BodyIndex b, WrittenRobot& written) {
  const Mechanism& design = tree.design;
  const Body& body = design.bodies[b];
  const Actuator* driving = tree.actuator_of(b);
  const Actuator limits = driving == nullptr ? Actuator{} : *driving;
  const bool has_ends = limits.min_position > -no_limit || limits.max_position < no_limit;
  const bool slides = body.joint.type == JointType::prismatic;
  const bool turns = body.joint.type == JointType::revolute;
  pugi::xml_node joint = robot.append_child("joint");
  give(joint, "name", tree.joint_name(b));
  give(joint, "type",
       slides     ? "prismatic"
       : !turns   ? "fixed"
       : has_ends ? "revolute"
                  : "continuous");
  give_origin(joint, body.joint.origin, body.joint.rotation);
  give(joint.append_child("parent"), "link",
       body.parent == world_body ? "world" : design.bodies[body.parent].name);
  give(joint.append_child("child"), "link", body.name);
  if (!slides && !turns) return;
  give(joint.append_child("axis"), "xyz", vector_text(body.joint.axis));
  give_limit(joint, limits, slides || has_ends, written);
  if (body.friction.viscous != 0.0 || body.friction.coulomb != 0.0) {
    pugi::xml_node dynamics = joint.append_child("dynamics");
    give(dynamics, "damping", body.friction.viscous);
    give(dynamics, "friction", body.friction.coulomb);
  }
  for (const Mimic& mimic : tree.mimics) {
    if (mimic.follower != b) continue;
    pugi::xml_node element = joint.append_child("mimic");
    give(element, "joint", tree.joint_name(mimic.leader));
    give(element, "multiplier", mimic.multiplier);
    give(element, "offset", mimic.offset);
  }
}

/// A loop as a frame in each of two links, which turn against each other about its axis z.
void add_loop(pugi::xml_node robot, const Model& model, const TreeDesign& tree, std::size_t l) {
  const Loop& loop = tree.design.loops[l];
  if (loop.keep == LoopKeep::perpendicular)
    throw InputError(
        model.location(fmt::format("/loops/{}", l)),
        fmt::format("found the loop {} that keeps axes perpendicular, expected another: "
                    "URDF holds no such loop; --to sdf writes it",
                    in_quotes(loop.name)));
  pugi::xml_node element = robot.append_child("loop");
  give(element, "name", tree.free_name(loop.name));
  give(element, "type",
       loop.keep == LoopKeep::weld       ? "fixed"
       : loop.keep == LoopKeep::parallel ? "continuous"
                                         : "ball");
  for (std::size_t end = 0; end < 2; ++end) {
    const Point& point = tree.design.points[loop.points[end]];
    pugi::xml_node link = element.append_child(end == 0 ? "predecessor" : "successor");
    give(link, "link", point.body == world_body ? "world" : tree.design.bodies[point.body].name);
    Mat3d rotation = Mat3d::Identity();
    if (loop.keep == LoopKeep::parallel)
      rotation = rotation_between(Vec3d::UnitZ(), loop.axes[end]);
    if (loop.keep == LoopKeep::weld && end == 0) rotation = loop.rotation;
    give_origin(link, point.position, rotation);
  }
  if (loop.keep == LoopKeep::parallel) give(element.append_child("axis"), "xyz", "0 0 1");
}

void add_spring(pugi::xml_node robot, const TreeDesign& tree, const Spring& spring) {
  pugi::xml_node gazebo = robot.append_child("gazebo");
  give(gazebo, "reference", tree.joint_name(spring.joint));
  const auto add = [&](const char* name, double number) {
    gazebo.append_child(name).text().set(numbers_text(std::array{number}).c_str());
  };
  add("springStiffness", spring.rate);
  add("springReference", spring.free_length);
}

}  // namespace

WrittenRobot write_urdf(const Model& model, const Mechanism& design, bool with_springs) {
  const TreeDesign tree = tree_design(model, design, "URDF", with_springs);
  WrittenRobot written;
  written.remarks = tree.remarks;
  pugi::xml_document document;
  pugi::xml_node robot = document.append_child("robot");
  give(robot, "name", model.name.empty() ? "robot" : model.name);
  give(robot.append_child("link"), "name", "world");
  for (BodyIndex b = 0; b < tree.design.body_count(); ++b) {
    add_link(robot, tree.design.bodies[b]);
    add_joint(robot, tree, b, written);
  }
  for (std::size_t l = 0; l < tree.design.loops.size(); ++l) add_loop(robot, model, tree, l);
  if (!tree.design.loops.empty())
    written.remarks.emplace_back("loops are <loop> elements, which many programs do not read");
  for (const Spring& spring : tree.design.springs) add_spring(robot, tree, spring);
  if (design.gravity != Vec3d(0.0, 0.0, -9.81))
    written.remarks.emplace_back("gravity is left out: URDF has none");
  if (!model.visuals.empty()) written.remarks.emplace_back("meshes are left out");
  written.text = xml_text(document);
  return written;
}

}  // namespace counterpoise
