#include "engine/evaluation/structure.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "engine/evaluation/simulation.hpp"
#include "engine/kinematics/closure/cable.hpp"
#include "engine/kinematics/closure/joint_frame.hpp"
#include "engine/kinematics/closure/path.hpp"
#include "engine/kinematics/transmission.hpp"
#include "engine/kinematics/zero_configuration.hpp"

namespace counterpoise {
namespace {

/// Moves every actuator a little about its position in the zero configuration, each at its own
/// pace, and computes the reactions at rest: rules that contradict equilibrium there do so in any
/// motion.
void try_sharing_rules(const Paths& paths, const DesignGeometry& geometry,
                       const JointView<double>& zero) {
  const Mechanism& mechanism = geometry.mechanism;
  Motion motion;
  motion.duration = 0.4;
  motion.step = 0.1;
  motion.inertia = false;
  Line<double> line;
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const Actuator& actuator = mechanism.actuators[a];
    double position = 0.0;
    if (actuator.linear()) {
      line.resize(paths.actuators[a]);
      trace_line(geometry, paths.actuators[a], zero, line);
      position = line.length;
    } else {
      position = zero.q[actuator.joint];
    }
    const double period = 1.0 + 0.1 * static_cast<double>(a % 7);
    motion.drives.push_back({{.actuator = static_cast<int>(a)}, Sine{position, 1e-3, period, 0.3}});
  }
  simulate(mechanism, motion, {.reactions = true});
}

}  // namespace

Structure examine_structure(const Mechanism& mechanism) {
  Structure structure;
  structure.bodies = mechanism.body_count();
  for (const Body& body : mechanism.bodies) {
    structure.fixed_joints += body.joint.type == JointType::fixed ? 1 : 0;
    structure.revolute_joints += body.joint.type == JointType::revolute ? 1 : 0;
    structure.prismatic_joints += body.joint.type == JointType::prismatic ? 1 : 0;
  }
  for (const Loop& loop : mechanism.loops) {
    structure.revolute_joints += loop.keep == LoopKeep::parallel ? 1 : 0;
    structure.universal_joints += loop.keep == LoopKeep::perpendicular ? 1 : 0;
    structure.fixed_joints += loop.keep == LoopKeep::weld ? 1 : 0;
    structure.point_closures += loop.keep == LoopKeep::point ? 1 : 0;
  }
  structure.loops = static_cast<int>(mechanism.loops.size());
  structure.couplings = static_cast<int>(mechanism.couplings.size());
  structure.springs = static_cast<int>(mechanism.springs.size());
  structure.actuators = static_cast<int>(mechanism.actuators.size());

  const Paths paths(mechanism);
  const Mobility mobility(mechanism, paths);
  structure.degrees_of_freedom = mobility.degrees_of_freedom();
  structure.redundant_equations = mobility.redundant_equations();
  const Plan plan = plan_actuators(mechanism, paths, mobility, Closure::closed_form);
  std::vector<JointFrame> frames;
  prepare_frames(mechanism, frames);
  const DesignGeometry geometry{mechanism, frames};
  ZeroConfiguration zero(mechanism, paths, plan);
  if (const auto finding = zero.solve(geometry))
    throw MechanismError(*finding, mechanism, ", the zero configuration");
  if (!mechanism.sharing.empty()) try_sharing_rules(paths, geometry, zero.state().view());
  return structure;
}

std::vector<Vec3d> points_in_zero_configuration(const Mechanism& mechanism) {
  const Paths paths(mechanism);
  const Mobility mobility(mechanism, paths);
  const Plan plan = plan_actuators(mechanism, paths, mobility, Closure::closed_form);
  std::vector<JointFrame> frames;
  prepare_frames(mechanism, frames);
  ZeroConfiguration zero(mechanism, paths, plan);
  if (const auto finding = zero.solve(DesignGeometry{mechanism, frames}))
    throw MechanismError(*finding, mechanism, ", the zero configuration");
  std::vector<Pose> poses;
  place_bodies(frames, zero.state().view(), poses);
  std::vector<Vec3d> places;
  for (const Point& point : mechanism.points) {
    const Pose pose = point.body < 0 ? Pose() : poses[point.body];
    places.emplace_back(pose.rotation * point.position + pose.origin);
  }
  return places;
}

std::vector<StraightPart> straight_parts(const Mechanism& mechanism, const Spring& spring,
                                         std::span<const double> q) {
  if (!spring.is_cable()) return {};
  std::vector<Pose> poses;
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b) {
    const Joint& joint = mechanism.bodies[b].joint;
    const BodyIndex parent = mechanism.bodies[b].parent;
    const Pose before = parent < 0 ? Pose() : poses[at(parent)];
    Vec3d origin = joint.origin;
    Mat3d rotation = joint.rotation;
    if (joint.type == JointType::prismatic) origin += joint.rotation * joint.axis * q[at(b)];
    if (joint.type == JointType::revolute)
      rotation = joint.rotation * Eigen::AngleAxisd(q[at(b)], joint.axis).toRotationMatrix();
    Pose& pose = poses.emplace_back();
    pose.rotation = before.rotation * rotation;
    pose.origin = before.rotation * origin + before.origin;
  }
  std::vector<CableStop> stops;
  for (const PointIndex index : points_along(spring)) {
    const Point& point = mechanism.points[index];
    const Pose pose = point.body < 0 ? Pose() : poses[at(point.body)];
    stops.push_back({.place = pose.rotation * point.position + pose.origin,
                     .axis = pose.rotation * point.axis,
                     .radius = point.radius,
                     .zero = pose.rotation * point.zero,
                     .cam = point.cam.get()});
  }
  CableCourse course;
  course.resize(stops.size());
  if (course.lay(stops)) return {};
  std::vector<StraightPart> parts;
  std::size_t from = 0;
  for (std::size_t i = 1; i < stops.size(); ++i) {
    const bool lifted_off = i + 1 < stops.size() && stops[i].radius > 0.0 && course.wrap[i] == 0.0;
    if (lifted_off) continue;
    parts.push_back({from, i, (course.in[i] - course.out[from]).norm()});
    from = i;
  }
  return parts;
}

std::vector<std::vector<ActuatorIndex>> actuators_loaded_by_springs(const Mechanism& mechanism) {
  const Paths paths(mechanism);
  const Mobility mobility(mechanism, paths);
  const Plan plan = plan_actuators(mechanism, paths, mobility, Closure::closed_form);
  const auto shares = find_force_shares(mechanism, paths, plan);
  std::vector<std::vector<ActuatorIndex>> loaded;
  for (std::size_t s = 0; s < mechanism.springs.size(); ++s) {
    std::vector<ActuatorIndex>& actuators = loaded.emplace_back();
    for (BodyIndex joint : joints_of_spring(mechanism, paths, static_cast<int>(s)))
      for (const ForceShare& share : shares[joint]) actuators.push_back(share.actuator);
    std::sort(actuators.begin(), actuators.end());
    actuators.erase(std::unique(actuators.begin(), actuators.end()), actuators.end());
  }
  return loaded;
}

}  // namespace counterpoise
