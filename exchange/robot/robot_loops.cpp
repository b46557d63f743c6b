#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <set>

#include "engine/kinematics/closure/mobility.hpp"
#include "exchange/robot/robot_bodies.hpp"
#include "input/reading/read.hpp"

namespace counterpoise {

using Json = ModelDraft::Json;

/// The ends of loops are points of bodies.
void RobotBodies::add_loop_points() {
  std::vector<ValidNames> names(robot_.links.size() + 1);
  for (const RobotLoop& loop : robot_.loops) {
    std::array<std::string, 2> ends;
    for (std::size_t end = 0; end < 2; ++end) {
      const LinkIndex link = loop.links[end];
      const std::string point = names[link + 1].valid(loop.name);
      const bool on_world = body_of(link) == "world";
      (on_world ? world_points_ : points_[link])[point] = vector_json(loop.points[end]);
      ends[end] = body_of(link) + "." + point;
    }
    loop_points_.push_back(ends);
  }
  for (const auto& [name, point] : world_points_.items())
    draft_.add("world_points", {{name, point}}, robot_.where);
}

void RobotBodies::add_loops() {
  for (std::size_t i = 0; i < robot_.loops.size(); ++i) {
    const RobotLoop& loop = robot_.loops[i];
    Json made;
    made["name"] = loop_names_.valid(loop.name);
    made["connect"] = {loop_points_[i][0], loop_points_[i][1]};
    if (loop.keep == LoopKeep::parallel || loop.keep == LoopKeep::perpendicular) {
      made["axes"] = {vector_json(loop.axes[0]), vector_json(loop.axes[1])};
      made["keep"] = loop.keep == LoopKeep::parallel ? "parallel" : "perpendicular";
    } else if (loop.keep == LoopKeep::weld) {
      made["keep"] = "weld";
      const Eigen::Quaterniond q(loop.rotation);
      made["rotation"] = {{"quaternion", {q.w(), q.x(), q.y(), q.z()}}};
    }
    made["source"] = robot_.format;
    note_name(made, "joint", loop.name, made["name"]);
    draft_.add("loops", std::move(made), loop.where);
  }
}

namespace {

/// Loops and couplings that share joints, those of these that are not driven, and how many of them
/// are held.
struct LinkedJoints {
  std::vector<Equation> equations{};
  std::set<BodyIndex> joints{};
  int held = 0;
};

std::vector<LinkedJoints> linked_joints(const Mechanism& mechanism, const Paths& paths) {
  std::vector<LinkedJoints> all;
  for (const Equation& equation : closing_equations(mechanism)) {
    LinkedJoints made{{equation}, {}};
    for (const BodyIndex joint : joints_of(equation, mechanism, paths)) made.joints.insert(joint);
    const auto apart = std::partition(all.begin(), all.end(), [&](const LinkedJoints& other) {
      return std::none_of(made.joints.begin(), made.joints.end(),
                          [&](BodyIndex joint) { return other.joints.contains(joint); });
    });
    for (auto other = apart; other != all.end(); ++other) {
      made.equations.insert(made.equations.end(), other->equations.begin(), other->equations.end());
      made.joints.merge(other->joints);
    }
    all.erase(apart, all.end());
    all.push_back(std::move(made));
  }
  return all;
}

}  // namespace

/// In a tree every joint has an actuator. Loops leave a choice: those that --actuate names, else
/// the first that are free of each other, those with a motor in the file before others. A joint is
/// free if loops and couplings hold the joints that are not driven as well without it.
void RobotBodies::drive_loops() {
  const auto joint_of = [&](const Json& actuator) -> const RobotJoint* {
    for (const RobotJoint& joint : robot_.joints)
      if (body_of(joint.child) == actuator["joint"]) return &joint;
    return nullptr;
  };
  if (!options_.actuate.empty()) {
    std::vector<std::pair<Json, Location>> named;
    for (const std::string& name : options_.actuate) {
      const auto found = std::find_if(actuators_.begin(), actuators_.end(), [&](const auto& made) {
        const RobotJoint* joint = joint_of(made.first);
        return made.first["name"] == name || (joint != nullptr && joint->name == name);
      });
      if (found == actuators_.end()) {
        std::vector<std::string> known;
        for (const auto& [actuator, _] : actuators_) known.push_back(actuator["name"]);
        throw InputError(
            {.file = "--actuate " + name},
            fmt::format("expected the name of a joint that moves and mimics no other{}",
                        did_you_mean(name, known)));
      }
      named.push_back(*found);
    }
    actuators_ = std::move(named);
    return;
  }
  if (robot_.loops.empty()) return;
  const Model model = draft_.read(robot_.name, options_);
  const Mechanism& mechanism = model.nominal;
  const Paths paths(mechanism);
  const Mobility mobility(mechanism, paths);
  const auto rank = [&](const LinkedJoints& of) {
    return mobility.rank(of.equations, {of.joints.begin(), of.joints.end()});
  };
  std::vector<LinkedJoints> linked = linked_joints(mechanism, paths);
  for (LinkedJoints& joints : linked) joints.held = rank(joints);
  std::stable_partition(actuators_.begin(), actuators_.end(), [&](const auto& made) {
    const RobotJoint* joint = joint_of(made.first);
    return joint != nullptr && joint->has_motor;
  });
  std::vector<std::pair<Json, Location>> driven;
  std::vector<std::string> in_loops, passive;
  for (auto& [actuator, where] : actuators_) {
    const BodyIndex body = find_body(mechanism, actuator["joint"].get<std::string>());
    const auto with = std::find_if(linked.begin(), linked.end(),
                                   [&](const auto& some) { return some.joints.contains(body); });
    if (with != linked.end()) with->joints.erase(body);
    if (with == linked.end() || rank(*with) == with->held) {
      in_loops.push_back(actuator["name"]);
      driven.emplace_back(std::move(actuator), where);
    } else {
      with->joints.insert(body);
      passive.push_back(actuator["name"]);
    }
  }
  if (!passive.empty())
    draft_.note(
        {robot_.loops.front().where,
         fmt::format("the loops leave a choice of what is driven: {}, and not {}; --actuate "
                     "names others",
                     first_of(in_loops), first_of(passive))});
  actuators_ = std::move(driven);
}

}  // namespace counterpoise
