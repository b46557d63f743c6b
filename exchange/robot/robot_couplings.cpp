// Joints that follow others.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "exchange/robot/robot_description.hpp"

namespace counterpoise {
namespace {

using Joints = std::vector<std::size_t>;

/// All joints that move between a link and the world, from below, as places in the description.
Joints joints_to(const RobotDescription& robot, LinkIndex link) {
  const std::vector<const RobotJoint*> above = robot.joints_above();
  Joints joints;
  while (link != world_link && above[link] != nullptr) {
    const RobotJoint* joint = above[link];
    if (joint->type != RobotJoint::Type::fixed) joints.push_back(joint - robot.joints.data());
    link = joint->parent;
  }
  return joints;
}

/// The joint that is to follow the others, or nothing: one that the file says to follow before
/// others, and none of which it says that it does not.
std::optional<std::size_t> follower(const RobotDescription& robot, const Joints& joints) {
  const auto is_free = [&](std::size_t j) { return !robot.joints[j].mimic; };
  for (const auto& wanted :
       {std::function<bool(const RobotJoint&)>([](const auto& joint) { return joint.dependent; }),
        std::function<bool(const RobotJoint&)>([](const auto& joint) { return !joint.has_motor; }),
        std::function<bool(const RobotJoint&)>([](const auto&) { return true; })})
    for (const std::size_t j : joints)
      if (is_free(j) && wanted(robot.joints[j])) return j;
  return std::nullopt;
}

}  // namespace

void check_mimics(const RobotDescription& robot) {
  enum class State : char { unknown, open, settled };
  std::vector<State> states(robot.joints.size(), State::unknown);
  for (std::size_t first = 0; first < robot.joints.size(); ++first) {
    Joints open = {first};  // a stack: chains may be long
    while (!open.empty()) {
      const std::size_t j = open.back();
      const RobotJoint& joint = robot.joints[j];
      if (states[j] != State::unknown || !joint.mimic) {
        states[j] = State::settled;
        open.pop_back();
        continue;
      }
      states[j] = State::open;
      for (const RobotJoint::Mimic::Term& term : joint.mimic->terms) {
        if (states[term.joint] == State::open)
          throw InputError(joint.mimic->where,
                           "found joints that mimic each other in a circle, expected one of them "
                           "to mimic none");
        if (states[term.joint] == State::unknown) open.push_back(term.joint);
      }
    }
  }
}

void couple_joints(RobotDescription& robot, const std::array<LinkIndex, 2>& links, double ratio,
                   const std::string& name, const Location& where) {
  std::array<Joints, 2> chains = {joints_to(robot, links[0]), joints_to(robot, links[1])};
  while (!chains[0].empty() && !chains[1].empty() && chains[0].back() == chains[1].back())
    for (Joints& chain : chains) chain.pop_back();
  if (chains[0].empty() || chains[1].empty())
    throw InputError(where,
                     "found a coupling of a link with one above it, expected two links that joints "
                     "let turn on their own");
  if (ratio == 0.0) throw InputError(where, "found a coupling with the ratio 0, expected another");
  Joints joints = chains[1];
  joints.insert(joints.end(), chains[0].begin(), chains[0].end());
  for (const std::size_t j : joints)
    if (!robot.joints[j].moves_by_one())
      throw InputError(where, fmt::format("found a coupling over the joint {}, expected revolute, "
                                          "continuous or prismatic joints between its links",
                                          in_quotes(robot.joints[j].name)));
  if (joints.size() > Coupling::most_terms + 1)
    throw InputError(where, fmt::format("found a coupling of {} joints, expected at most {}",
                                        joints.size(), Coupling::most_terms + 1));
  const std::optional<std::size_t> follows = follower(robot, joints);
  if (!follows)
    throw InputError(where,
                     "found a coupling of joints that all follow others, expected one that "
                     "follows none yet");
  const auto factor = [&](std::size_t j) {  // in 0 = the sum of all factor * q
    return std::find(chains[0].begin(), chains[0].end(), j) == chains[0].end() ? -1.0 : ratio;
  };
  RobotJoint::Mimic mimic{.where = where, .name = name};
  for (const std::size_t j : joints)
    if (j != *follows) mimic.terms.push_back({j, -factor(j) / factor(*follows)});
  robot.joints[*follows].mimic = std::move(mimic);
}

}  // namespace counterpoise
