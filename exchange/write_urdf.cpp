#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "exchange/written_robot.hpp"
#include "exchange/xml_writing.hpp"

namespace counterpoise {
namespace {

/// Roll, pitch and yaw of a rotation, R = Rz(yaw) Ry(pitch) Rx(roll).
Vec3d rpy_of(const Mat3d& r) {
  const double pitch = std::atan2(-r(2, 0), std::hypot(r(0, 0), r(1, 0)));
  const double yaw = std::atan2(r(1, 0), r(0, 0));
  // what is left behind the two, which is well determined where the pitch is a right angle too
  const Mat3d before = Eigen::AngleAxisd(yaw, Vec3d::UnitZ()).toRotationMatrix() *
                       Eigen::AngleAxisd(pitch, Vec3d::UnitY()).toRotationMatrix();
  const Mat3d rest = before.transpose() * r;
  return {std::atan2(rest(2, 1), rest(1, 1)), pitch, yaw};
}

void give_origin(pugi::xml_node owner, const Vec3d& origin, const Mat3d& rotation) {
  pugi::xml_node element = owner.append_child("origin");
  give(element, "xyz", vector_text(origin));
  if (!rotation.isIdentity(0.0)) give(element, "rpy", vector_text(rpy_of(rotation)));
}

[[noreturn]] void refuse_element(const Model& model, const char* list, std::size_t index,
                                 const std::string& what) {
  throw InputError(model.location(fmt::format("/{}/{}", list, index)),
                   fmt::format("found {}, expected none: URDF holds trees without them; --to mjcf "
                               "writes them",
                               what));
}

void refuse_what_urdf_lacks(const Model& model, const Mechanism& design) {
  for (std::size_t i = 0; i < design.springs.size(); ++i)
    refuse_element(model, "springs", i, "the spring " + in_quotes(design.springs[i].name));
  for (std::size_t i = 0; i < design.loops.size(); ++i)
    refuse_element(model, "loops", i, "the loop " + in_quotes(design.loops[i].name));
  for (std::size_t i = 0; i < design.actuators.size(); ++i)
    if (design.actuators[i].linear())
      refuse_element(
          model, "actuators", i,
          fmt::format("the actuator {} between two points", in_quotes(design.actuators[i].name)));
  for (std::size_t i = 0; i < design.couplings.size(); ++i)
    if (design.couplings[i].terms.size() > 1)
      refuse_element(
          model, "couplings", i,
          fmt::format("the coupling {} to several joints", in_quotes(design.couplings[i].name)));
}

void add_link(pugi::xml_node robot, const Body& body) {
  pugi::xml_node link = robot.append_child("link");
  give(link, "name", body.name);
  const Mat3d& i = body.inertia;
  if (body.mass == 0.0 && i.isZero(0.0)) return;
  pugi::xml_node inertial = link.append_child("inertial");
  give_origin(inertial, body.com, Mat3d::Identity());
  give(inertial.append_child("mass"), "value", body.mass);
  pugi::xml_node inertia = inertial.append_child("inertia");
  give(inertia, "ixx", i(0, 0));
  give(inertia, "ixy", i(0, 1));
  give(inertia, "ixz", i(0, 2));
  give(inertia, "iyy", i(1, 1));
  give(inertia, "iyz", i(1, 2));
  give(inertia, "izz", i(2, 2));
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

/// A joint that follows another in URDF's sense: it has no actuator.
struct Mimic {
  BodyIndex follower, leader;
  double multiplier = 1.0, offset = 0.0;
};

const Actuator* actuator_of(const Mechanism& design, BodyIndex joint) {
  const auto found = std::find_if(design.actuators.begin(), design.actuators.end(),
                                  [joint](const Actuator& a) { return a.joint == joint; });
  return found == design.actuators.end() ? nullptr : &*found;
}

/// That of its actuator, else the body's with something behind it that no actuator has.
std::string joint_name(const Mechanism& design, BodyIndex joint) {
  if (const Actuator* actuator = actuator_of(design, joint)) return actuator->name;
  std::string made = design.bodies[joint].name + "_joint";
  while (find_actuator(design, made) >= 0) made += '_';
  return made;
}

/// Couplings hold both ways: from every joint that an actuator drives, and where none is left from
/// the first, mimics lead to all that are coupled to it.
std::vector<Mimic> mimics_of(const Mechanism& design) {
  std::vector<Mimic> mimics;
  std::vector<char> reached(design.bodies.size(), 0), used(design.couplings.size(), 0);
  std::vector<BodyIndex> open;
  const auto follow = [&](BodyIndex leader) {
    if (reached[at(leader)] != 0) return;
    reached[at(leader)] = 1;
    open.push_back(leader);
    while (!open.empty()) {
      const BodyIndex here = open.back();
      open.pop_back();
      for (std::size_t c = 0; c < design.couplings.size(); ++c) {
        const Coupling& coupling = design.couplings[c];
        const CouplingTerm& term = coupling.terms.front();
        if (used[c] != 0 || (coupling.joint != here && term.of != here)) continue;
        used[c] = 1;
        const bool forwards = term.of == here;
        const BodyIndex follower = forwards ? coupling.joint : term.of;
        if (reached[at(follower)] != 0) continue;  // says what others say
        reached[at(follower)] = 1;
        open.push_back(follower);
        if (forwards)
          mimics.push_back({follower, here, term.ratio, coupling.offset});
        else
          mimics.push_back({follower, here, 1.0 / term.ratio, -coupling.offset / term.ratio});
      }
    }
  };
  for (const Actuator& actuator : design.actuators) follow(actuator.joint);
  for (const Coupling& coupling : design.couplings) follow(coupling.terms.front().of);
  return mimics;
}

void add_joint(pugi::xml_node robot, const Mechanism& design, BodyIndex b,
               const std::vector<Mimic>& mimics, WrittenRobot& written) {
  const Body& body = design.bodies[b];
  const Actuator* driving = actuator_of(design, b);
  const Actuator limits = driving == nullptr ? Actuator{} : *driving;
  const bool has_ends = limits.min_position > -no_limit || limits.max_position < no_limit;
  const bool slides = body.joint.type == JointType::prismatic;
  const bool turns = body.joint.type == JointType::revolute;
  pugi::xml_node joint = robot.append_child("joint");
  give(joint, "name", joint_name(design, b));
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
  for (const Mimic& mimic : mimics) {
    if (mimic.follower != b) continue;
    pugi::xml_node element = joint.append_child("mimic");
    give(element, "joint", joint_name(design, mimic.leader));
    give(element, "multiplier", mimic.multiplier);
    give(element, "offset", mimic.offset);
  }
}

}  // namespace

WrittenRobot write_urdf(const Model& model, const Mechanism& design) {
  refuse_what_urdf_lacks(model, design);
  WrittenRobot written;
  pugi::xml_document document;
  pugi::xml_node robot = document.append_child("robot");
  give(robot, "name", model.name.empty() ? "robot" : model.name);
  give(robot.append_child("link"), "name", "world");
  const std::vector<Mimic> mimics = mimics_of(design);
  for (int b = 0; b < design.body_count(); ++b) {
    add_link(robot, design.bodies[BodyIndex(b)]);
    add_joint(robot, design, b, mimics, written);
  }
  if (design.gravity != Vec3d(0.0, 0.0, -9.81))
    written.remarks.emplace_back("gravity is left out: URDF has none");
  for (const Body& body : design.bodies)
    if (body.joint.guess != 0.0)
      written.remarks.push_back(
          fmt::format("{} is at 0 in the zero configuration, not at {}: URDF has no guess",
                      body.name, body.joint.guess));
  if (!model.visuals.empty()) written.remarks.emplace_back("meshes are left out");
  written.text = xml_text(document);
  return written;
}

}  // namespace counterpoise
