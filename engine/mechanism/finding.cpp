#include "engine/mechanism/finding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string_view>

#include "engine/math/segment_distance.hpp"

namespace counterpoise {
namespace {

bool counts_turns(const Mechanism& mechanism, const Spring& spring) {
  return std::any_of(spring.points.begin(), spring.points.end(),
                     [&](PointIndex point) { return mechanism.points[point].start.has_value(); });
}

/// Strings one after the other. Hundreds of thousands of designs of a run may have a reason each,
/// so this allocates once.
std::string joined(std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  std::string text;
  text.reserve(size);
  for (const std::string_view part : parts) text += part;
  return text;
}

/// A number that is held against a limit: "spring lift longer than max_length at t=1.5 s (0.077 m
/// against 0.071 m)".
std::string held_against(std::string_view kind, const std::string& name, std::string_view how,
                         const std::string& where, const Finding& finding, std::string_view unit) {
  const std::string_view space = unit.empty() ? "" : " ";
  return joined({kind, name, how, where, " (", number_text(finding.value), space, unit, " against ",
                 number_text(finding.limit), space, unit, ")"});
}

std::string_view axis_name(const Coordinate& coordinate) {
  constexpr std::array<std::string_view, 3> axes = {"x", "y", "z"};
  constexpr std::array<std::string_view, 3> turns = {"roll", "pitch", "yaw"};
  return (coordinate.point >= 0 ? axes : turns)[static_cast<std::size_t>(coordinate.axis)];
}

std::string pose_number(int k, const Motion& motion) {
  return "pose " + std::to_string(k + 1) + " of " + std::to_string(motion.sample_count());
}

/// " at t=1.5 s", or " in pose 38 of 1369: shoulder 0.35 rad".
std::string place_of(double time, const Mechanism& mechanism, const Motion* motion) {
  if (motion == nullptr || !motion->poses) return " at t=" + number_text(time) + " s";
  const int k = static_cast<int>(std::lround(time));
  return joined({" in ", pose_number(k, *motion), ": ", pose_text(pose_of(*motion, mechanism, k))});
}

/// The same of a pose between two samples.
std::string place_between(double time, const Mechanism& mechanism, const Motion* motion) {
  if (motion == nullptr || !motion->poses)
    return place_of(time, mechanism, motion) + ", between two samples";
  const int k = static_cast<int>(std::floor(time));
  return joined({" between ", pose_number(k, *motion),
                 " and the next: ", pose_text(pose_of(*motion, mechanism, k))});
}

/// Where the motion has the point of a finding: ", with x 0.9 m, z 0.3 m".
std::string place_of_point(const Finding& finding, const Motion* motion) {
  std::string text;
  if (motion == nullptr || motion->poses || finding.element < 0) return text;
  for (const Drive& drive : motion->drives)
    if (drive.point == finding.element) {
      const double position = evaluate(drive.profile, finding.time, motion->duration).position;
      text += text.empty() ? ", with " : ", ";
      text += joined({axis_name(drive), " ", number_text(position), " m"});
    }
  return text;
}

/// What is to be said where a spring is too near to an obstacle of a body that it is mounted on
/// because its mount is: no pose changes that.
std::string near_mount(const Finding& finding, const Mechanism& mechanism) {
  const Spring& spring = mechanism.springs[SpringIndex(finding.element)];
  const Obstacle& obstacle = mechanism.obstacles[ObstacleIndex(finding.obstacle)];
  for (const PointIndex index : spring.points) {
    const Point& mount = mechanism.points[index];
    if (mount.body != obstacle.body) continue;
    const SegmentDistance<double> apart = segment_distance<double>(
        {mount.position, mount.position},
        {place_of(mechanism, obstacle, 0), place_of(mechanism, obstacle, 1)});
    const double clearance = std::sqrt(apart.square) - obstacle.radius - spring.radius;
    if (clearance <= finding.value + slack_of(finding.limit, mount.position.norm()))
      return joined(
          {"; its mount ", mount.name,
           " is as near to it in any pose: move it, or list under \"ignore\" what it may touch"});
  }
  return {};
}

std::string askew(LoopKeep keep) {
  if (keep == LoopKeep::parallel) return "its axes are off parallel";
  if (keep == LoopKeep::perpendicular) return "its axes are off perpendicular";
  return "its bodies are turned against each other";
}

std::string describe(const Finding& finding, const Mechanism& mechanism, const Motion* motion) {
  const auto i = static_cast<std::size_t>(finding.element);
  const std::string at = place_of(finding.time, mechanism, motion);
  const auto passed = [&] { return place_between(finding.time, mechanism, motion); };
  const auto jumps = [&] {
    if (finding.time == 0.0)
      return " jumps to another branch on the way from the zero configuration to " +
             at.substr(at.find(' ', 1) + 1);
    if (motion != nullptr && motion->poses)  // steps may be too coarse to know
      return " may jump to another branch on the way to " + at.substr(at.find(' ', 1) + 1) +
             "; poses nearer to each other would tell";
    return " jumps to another branch" + at + "; it passed a singular pose since the sample before";
  };
  const auto loop = [&] { return "loop " + mechanism.loops[i].name; };
  const auto spring = [&] { return "spring " + mechanism.springs[i].name; };
  const auto actuator = [&] { return "actuator " + mechanism.actuators[i].name; };
  const auto tool = [&]() -> std::string {
    if (finding.element < 0) return "the tool";
    return "point " + mechanism.points[i].name;
  };
  const auto guess = [&] {  // at the start
    return finding.time == 0.0 ? "; a \"guess\" of the joints there says on which branch it begins"
                               : "";
  };
  const auto target = [&] { return place_of_point(finding, motion); };
  const bool angular =  // as far as it is about a spring
      i < mechanism.springs.size() && turns(mechanism, mechanism.springs[i]);
  const char* length = angular ? "rad" : "m";
  const auto held_spring = [&](std::string_view how, std::string_view unit) {
    return held_against("spring ", mechanism.springs[i].name, how, at, finding, unit);
  };
  const auto held_actuator = [&](std::string_view how) {
    return held_against("actuator ", mechanism.actuators[i].name, how, at, finding, "");
  };
  switch (finding.kind) {
    case FindingKind::loop_open:
      return loop() + " cannot close" + at + " (misses by " + number_text(finding.value) + " m)";
    case FindingKind::loop_askew:
      return loop() + " cannot close" + at + " (" + askew(mechanism.loops[i].keep) + " by " +
             number_text(finding.value) + " rad)";
    case FindingKind::actuator_unreachable:
      return actuator() + " cannot reach its prescribed length" + at + " (misses by " +
             number_text(finding.value) + " m)";
    case FindingKind::singular_loop:
      return loop() + " is in a singular pose" + at + " (smallest singular value " +
             number_text(finding.value) + ")";
    case FindingKind::singular_actuator:
      return actuator() + " meets a singular pose" + at + " (smallest singular value " +
             number_text(finding.value) + ")";
    case FindingKind::singular_loop_passed:
      return loop() + " passes a singular pose" + passed();
    case FindingKind::singular_actuator_passed:
      return actuator() + " passes a singular pose" + passed();
    case FindingKind::coupling_open:
      return "coupling " + mechanism.couplings[i].name + " cannot be met" + at + " (misses by " +
             number_text(finding.value) + ")";
    case FindingKind::loop_jump:
      return loop() + jumps();
    case FindingKind::actuator_jump:
      return actuator() + jumps();
    case FindingKind::transmission_singular:
      return "the actuators cannot hold the mechanism" + at +
             (finding.element < 0 ? "; the pose" : "; " + loop()) +
             " is singular (smallest singular value " + number_text(finding.value) + ")";
    case FindingKind::transmission_loop_passed:
      return "the actuators cannot hold the mechanism" + passed() + ", where " + loop() +
             " passes a singular pose";
    case FindingKind::transmission_actuator_passed:
      return "the actuators cannot hold the mechanism" + passed() + ", where " + actuator() +
             " passes a singular pose";
    case FindingKind::point_unreachable:
      return tool() + " cannot be reached on its branch" + at + target() + " (misses by " +
             number_text(finding.value) + " m)";
    case FindingKind::turn_unreachable:
      return "body " + mechanism.bodies[i].name + " cannot be turned as the motion has it" + at +
             " (misses by " + number_text(finding.value) + " rad)";
    case FindingKind::singular_tool:
      return tool() + " is in a singular pose of the arm" + at + target() +
             " (smallest singular value " + number_text(finding.value) + ")" + guess();
    case FindingKind::singular_tool_passed:
      return tool() + " passes a singular pose of the arm" + passed() + target();
    case FindingKind::tool_jump:
      return tool() + jumps() + guess();
    case FindingKind::spring_too_short:
      return held_spring(" shorter than min_length", length);
    case FindingKind::spring_too_long:
      return held_spring(" longer than max_length", length);
    case FindingKind::spring_overloaded:
      return held_spring(" loaded beyond max_load", angular ? "N m" : "N");
    case FindingKind::spring_pushes:
    case FindingKind::spring_pulls:
      return spring() + " would have to " +
             (finding.kind == FindingKind::spring_pushes ? "push" : "pull") + at + " (tension " +
             number_text(finding.value) + " N)";
    case FindingKind::spring_below_free_length:
      return held_spring(" shorter than free_length", length);
    case FindingKind::spring_above_free_length:
      return held_spring(" longer than free_length", length);
    case FindingKind::spring_without_direction:
      return spring() + " has no direction" + at + ": its length of " + number_text(finding.value) +
             " m is at most " + number_text(finding.limit) +
             " m, where its ends count as meeting, and it " +
             (mechanism.springs[i].friction != 0.0 ? "has friction" : "is under tension");
    case FindingKind::cable_in_pulley:
      return spring() + " has a cable that cannot go round a pulley" + at +
             ": what it comes from or goes to is " + number_text(finding.value) +
             " m from the pulley's axis, where " + number_text(finding.limit) + " m is the least";
    case FindingKind::cable_askew:
      return spring() +
             " has a cable over pulleys without a point between them whose axes are not parallel" +
             at;
    case FindingKind::cable_without_course:
      return spring() + " has a cable without a course" + at +
             (counts_turns(mechanism, mechanism.springs[i])
                  ? ": it would have to lie on another turn of its cam than \"start\" and the "
                    "joints "
                    "that turn the cam say, or on a pulley by more than a turn or on its other side"
                  : ": it would have to lie on a pulley by more than a turn, or on its other side");
    case FindingKind::cable_off_cam:
      return spring() + " has a cable that leaves its cam" + at +
             ": no tangent to it, or more than one, is in the profile, whose angles are " +
             number_text(finding.value) + " to " + number_text(finding.limit) + " rad" +
             (counts_turns(mechanism, mechanism.springs[i])
                  ? ", near where \"start\" and the joints that turn the cam say"
                  : "");
    case FindingKind::position_too_small:
      return held_actuator(" below min_position");
    case FindingKind::position_too_large:
      return held_actuator(" above max_position");
    case FindingKind::actuator_overloaded:
      return held_actuator(" loaded beyond max_load");
    case FindingKind::actuator_too_fast:
      return held_actuator(" faster than max_speed");
    case FindingKind::spring_too_near:
      return held_spring(" nearer than min_clearance to obstacle " +
                             mechanism.obstacles[ObstacleIndex(finding.obstacle)].name,
                         "m") +
             near_mount(finding, mechanism);
    case FindingKind::joint_locks:
      return "the friction of joint " + mechanism.bodies[i].name +
             ", which grows with its reaction, may lock the mechanism" + at +
             " (what it adds to reactions adds " + number_text(finding.value) +
             " times as much friction again; below 1 there is one set of loads, from 1 on there "
             "may be none or several)";
    case FindingKind::sharing_contradicted:
      return "rule " + std::to_string(finding.element + 1) +
             " of \"reactions\" cannot hold together with the equilibrium of the bodies and the "
             "rules before it" +
             at + ", so that friction which grows with reactions is not known";
    case FindingKind::not_finite:
      return (finding.element < 0 ? "a load" : "the position or velocity of " + actuator()) +
             " is not a finite number" + at;
  }
  return "unknown finding";
}

}  // namespace

std::string describe(const Finding& finding, const Mechanism& mechanism) {
  return describe(finding, mechanism, nullptr);
}

std::string describe(const Finding& finding, const Mechanism& mechanism, const Motion& motion) {
  return describe(finding, mechanism, &motion);
}

std::string name_of(const Coordinate& coordinate, const Mechanism& mechanism) {
  if (coordinate.actuator >= 0) return mechanism.actuators[coordinate.actuator].name;
  if (coordinate.joint >= 0) return mechanism.bodies[coordinate.joint].name;
  return joined({coordinate.point >= 0 ? mechanism.points[coordinate.point].name
                                       : mechanism.bodies[coordinate.turned].name,
                 ".", axis_name(coordinate)});
}

const char* position_unit(const Mechanism& mechanism, const Coordinate& coordinate) {
  if (coordinate.is_of_tool()) return coordinate.point >= 0 ? "m" : "rad";
  const BodyIndex joint =
      coordinate.actuator >= 0 ? mechanism.actuators[coordinate.actuator].joint : coordinate.joint;
  // -1 of an actuator between two points
  const bool turns = joint >= 0 && mechanism.bodies[joint].joint.type == JointType::revolute;
  return turns ? "rad" : "m";
}

std::vector<PosePosition> pose_of(const Motion& motion, const Mechanism& mechanism, int k) {
  std::vector<PosePosition> pose;
  if (!motion.poses) return pose;
  for (const Drive& drive : motion.drives)
    pose.push_back({name_of(drive, mechanism),
                    evaluate(drive.profile, k * motion.step, motion.duration).position,
                    position_unit(mechanism, drive)});
  return pose;
}

std::string pose_text(const std::vector<PosePosition>& pose) {
  std::string text;
  for (const PosePosition& of : pose) {
    if (!text.empty()) text += ", ";
    text += of.coordinate + ' ' + number_text(of.position) + ' ' + of.unit;
  }
  return text;
}

}  // namespace counterpoise
