#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exchange/written_robot.hpp"
#include "exchange/xml_writing.hpp"

namespace counterpoise {
namespace {

pugi::xml_node add_text(pugi::xml_node owner, const char* name, const std::string& text) {
  pugi::xml_node element = owner.append_child(name);
  element.text().set(text.c_str());
  return element;
}

pugi::xml_node add_number(pugi::xml_node owner, const char* name, double number) {
  return add_text(owner, name, numbers_text(std::array{number}));
}

pugi::xml_node add_pose(pugi::xml_node owner, const Vec3d& position, const Mat3d& rotation) {
  return add_text(owner, "pose", vector_text(position) + " " + vector_text(rpy_of(rotation)));
}

class SdfWriter {
 public:
  SdfWriter(const Model& model, const TreeDesign& tree)
      : model_(model), tree_(tree), design_(tree.design) {}

  WrittenRobot write() {
    pugi::xml_document document;
    pugi::xml_node sdf = document.append_child("sdf");
    give(sdf, "version", "1.11");
    robot_ = sdf.append_child("model");
    give(robot_, "name", model_.name.empty() ? "robot" : model_.name);
    for (BodyIndex b = 0; b < design_.body_count(); ++b) {
      add_link(b);
      add_joint(b);
    }
    for (std::size_t l = 0; l < design_.loops.size(); ++l) add_loop(l);
    written_.remarks = tree_.remarks;
    if (design_.gravity != Vec3d(0.0, 0.0, -9.81))
      written_.remarks.emplace_back("gravity is left out: it belongs to the <world> of SDF");
    if (!model_.visuals.empty()) written_.remarks.emplace_back("meshes are left out");
    written_.text = xml_text(document);
    return std::move(written_);
  }

 private:
  [[nodiscard]] const std::string& name_of(BodyIndex body) const {
    static const std::string world = "world";
    return body == world_body ? world : design_.bodies[body].name;
  }

  void add_link(BodyIndex b) {
    const Body& body = design_.bodies[b];
    pugi::xml_node link = robot_.append_child("link");
    give(link, "name", body.name);
    pugi::xml_node pose = add_pose(link, body.joint.origin, body.joint.rotation);
    if (body.parent != world_body) give(pose, "relative_to", name_of(body.parent));
    pugi::xml_node inertial = link.append_child("inertial");
    add_pose(inertial, body.com, Mat3d::Identity());
    add_number(inertial, "mass", body.mass);
    pugi::xml_node inertia = inertial.append_child("inertia");
    for (const auto& [name, moment] : named_moments(body.inertia))
      add_number(inertia, name, moment);
  }

  void add_joint(BodyIndex b) {
    const Body& body = design_.bodies[b];
    pugi::xml_node joint = robot_.append_child("joint");
    give(joint, "name", tree_.joint_name(b));
    const bool slides = body.joint.type == JointType::prismatic;
    const bool moves = body.joint.type != JointType::fixed;
    give(joint, "type", !moves ? "fixed" : slides ? "prismatic" : "revolute");
    add_text(joint, "parent", name_of(body.parent));
    add_text(joint, "child", body.name);
    if (!moves) return;
    pugi::xml_node axis = joint.append_child("axis");
    add_text(axis, "xyz", vector_text(body.joint.axis));
    if (const Actuator* actuator = tree_.actuator_of(b)) {
      pugi::xml_node limit = axis.append_child("limit");
      const auto bound = [&](const char* name, double number) {
        if (std::abs(number) < no_limit) add_number(limit, name, number);
      };
      bound("lower", actuator->min_position);
      bound("upper", actuator->max_position);
      bound("effort", actuator->max_load);
      bound("velocity", actuator->max_speed);
    }
    pugi::xml_node dynamics = axis.append_child("dynamics");
    if (body.friction.viscous != 0.0 || body.friction.coulomb != 0.0) {
      add_number(dynamics, "damping", body.friction.viscous);
      add_number(dynamics, "friction", body.friction.coulomb);
    }
    for (const Spring& spring : design_.springs) {
      if (spring.joint != b) continue;
      add_number(dynamics, "spring_reference", spring.free_length);
      add_number(dynamics, "spring_stiffness", spring.rate);
    }
    if (dynamics.first_child().empty()) axis.remove_child(dynamics);
    for (const Mimic& mimic : tree_.mimics) {
      if (mimic.follower != b) continue;
      pugi::xml_node element = axis.append_child("mimic");
      give(element, "joint", tree_.joint_name(mimic.leader));
      add_number(element, "multiplier", mimic.multiplier);
      add_number(element, "offset", mimic.offset);
      add_number(element, "reference", 0.0);
    }
  }

  /// A joint whose child has a joint of its own already.
  void add_loop(std::size_t l) {
    const Loop& loop = design_.loops[l];
    const auto& [first, second] = loop.points;
    const bool swaps =
        design_.points[second].body == world_body;  // no joint has the world as child
    const std::size_t child = swaps ? 0 : 1;
    pugi::xml_node joint = robot_.append_child("joint");
    give(joint, "name", tree_.free_name(loop.name));
    give(joint, "type",
         loop.keep == LoopKeep::weld            ? "fixed"
         : loop.keep == LoopKeep::point         ? "ball"
         : loop.keep == LoopKeep::perpendicular ? "universal"
                                                : "revolute");
    add_text(joint, "parent", name_of(design_.points[swaps ? second : first].body));
    add_text(joint, "child", name_of(design_.points[loop.points[child]].body));
    add_pose(joint, design_.points[loop.points[child]].position, Mat3d::Identity());
    if (loop.keep == LoopKeep::parallel)
      add_text(joint.append_child("axis"), "xyz", vector_text(loop.axes[child]));
    if (loop.keep == LoopKeep::perpendicular) {
      // the first axis belongs to the parent; both are written in the child's axes
      const std::vector<Mat3d> turned = tree_.rotations();
      const auto of_body = [&](std::size_t end) {
        const BodyIndex body = design_.points[loop.points[end]].body;
        return body == world_body ? Mat3d::Identity().eval() : turned[at(body)];
      };
      add_text(joint.append_child("axis"), "xyz",
               vector_text(of_body(child).transpose() * of_body(1 - child) * loop.axes[1 - child]));
      add_text(joint.append_child("axis2"), "xyz", vector_text(loop.axes[child]));
    }
  }

  const Model& model_;
  const TreeDesign& tree_;
  const Mechanism& design_;
  pugi::xml_node robot_;
  WrittenRobot written_;
};

}  // namespace

WrittenRobot write_sdf(const Model& model, const Mechanism& design, bool with_springs) {
  return SdfWriter(model, tree_design(model, design, "SDF", with_springs)).write();
}

}  // namespace counterpoise
