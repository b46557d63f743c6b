#include "tests/oracles/energy.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace counterpoise::oracle {
namespace {

Eigen::Matrix4d joint_pose(const Joint& joint, double q) {
  Eigen::Matrix4d at_zero = Eigen::Matrix4d::Identity();
  at_zero.topLeftCorner<3, 3>() = joint.rotation;
  at_zero.topRightCorner<3, 1>() = joint.origin;
  Eigen::Matrix4d moved = Eigen::Matrix4d::Identity();
  if (joint.type == JointType::revolute)
    moved.topLeftCorner<3, 3>() =
        Eigen::Quaterniond(Eigen::AngleAxisd(q, joint.axis)).toRotationMatrix();
  if (joint.type == JointType::prismatic) moved.topRightCorner<3, 1>() = q * joint.axis;
  return at_zero * moved;
}

Vec3d apply(const Eigen::Matrix4d& pose, const Vec3d& position) {
  return (pose * position.homogeneous()).head<3>();
}

double spring_energy(const Mechanism& mechanism, const Spring& spring,
                     std::span<const Eigen::Matrix4d> poses, std::span<const double> q) {
  const auto stretch_energy = [&](double stretch) {
    return stretch * (spring.initial_tension + spring.rate * stretch / 2.0);
  };
  if (spring.type == SpringType::torsion)
    return stretch_energy(q[spring.joint] - spring.free_length);
  const double length = (world_point(mechanism, poses, spring.points[1]) -
                         world_point(mechanism, poses, spring.points[0]))
                            .norm();
  if (spring.type == SpringType::gas) return spring.initial_tension * length;
  return stretch_energy(length - spring.free_length);
}

struct BodyMotion {
  Vec3d centre;
  Vec3d velocity = Vec3d::Zero();  // of the centre of mass
  Vec3d spin = Vec3d::Zero();
  Mat3d inertia;  // about the centre of mass, world axes
};

/// The sum of the contributions of all joints between the world and the body.
BodyMotion body_motion(const Mechanism& mechanism, std::span<const Eigen::Matrix4d> poses,
                       std::span<const double> v, std::size_t b) {
  const Body& body = mechanism.bodies[b];
  BodyMotion motion;
  motion.centre = apply(poses[b], body.com);
  const Mat3d turn = poses[b].topLeftCorner<3, 3>();
  motion.inertia = turn * body.inertia * turn.transpose();
  for (int j = static_cast<int>(b); j != world_body;) {
    const auto i = static_cast<std::size_t>(j);
    const Body& below = mechanism.bodies[i];
    const Vec3d axis = poses[i].topLeftCorner<3, 3>() * below.joint.axis;
    const Vec3d place = poses[i].topRightCorner<3, 1>();
    if (below.joint.type == JointType::prismatic) motion.velocity += v[i] * axis;
    if (below.joint.type == JointType::revolute) {
      motion.spin += v[i] * axis;
      motion.velocity += v[i] * axis.cross(motion.centre - place);
    }
    j = below.parent;
  }
  return motion;
}

/// Where and how fast a point moves.
struct Moving {
  Vec3d place;
  Vec3d velocity = Vec3d::Zero();
};

Moving moving_point(const Mechanism& mechanism, std::span<const Eigen::Matrix4d> poses,
                    std::span<const double> v, int point) {
  Moving moving{world_point(mechanism, poses, point)};
  for (int j = mechanism.points[point].body; j != world_body;) {
    const auto i = static_cast<std::size_t>(j);
    const Joint& joint = mechanism.bodies[i].joint;
    const Vec3d axis = poses[i].topLeftCorner<3, 3>() * joint.axis;
    const Vec3d arm = moving.place - poses[i].topRightCorner<3, 1>();
    if (joint.type == JointType::prismatic) moving.velocity += v[i] * axis;
    if (joint.type == JointType::revolute) moving.velocity += v[i] * axis.cross(arm);
    j = mechanism.bodies[i].parent;
  }
  return moving;
}

/// Tube and rod of a linear actuator as two bodies that turn with its line, without spin.
std::array<BodyMotion, 2> leg_motion(const Mechanism& mechanism,
                                     std::span<const Eigen::Matrix4d> poses,
                                     std::span<const double> v, const Actuator& actuator) {
  const Moving first = moving_point(mechanism, poses, v, actuator.points[0]);
  const Moving second = moving_point(mechanism, poses, v, actuator.points[1]);
  const Vec3d along = second.place - first.place;
  const Vec3d e = along.normalized();
  const Vec3d spin = along.cross(second.velocity - first.velocity) / along.squaredNorm();
  const auto part = [&](const LegPart& leg, const Moving& end, double way) {
    BodyMotion motion;
    motion.centre = end.place + way * e;
    motion.velocity = end.velocity + spin.cross(way * e);
    motion.spin = spin;
    motion.inertia =
        leg.transverse * (Mat3d::Identity() - e * e.transpose()) + leg.axial * e * e.transpose();
    return motion;
  };
  return {part(actuator.tube, first, actuator.tube.com),
          part(actuator.rod, second, -actuator.rod.com)};
}

bool carries(const Mechanism& mechanism, int body, int other) {
  while (other != world_body && other != body) other = mechanism.bodies[other].parent;
  return other == body;
}

}  // namespace

std::vector<Eigen::Matrix4d> world_poses(const Mechanism& mechanism, std::span<const double> q) {
  std::vector<Eigen::Matrix4d> poses;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const Body& body = mechanism.bodies[b];
    const Eigen::Matrix4d in_parent = joint_pose(body.joint, q[b]);
    poses.push_back(body.parent == world_body ? in_parent : poses[body.parent] * in_parent);
  }
  return poses;
}

Vec3d world_point(const Mechanism& mechanism, std::span<const Eigen::Matrix4d> poses, int point) {
  const Point& p = mechanism.points[point];
  return p.body == world_body ? p.position : apply(poses[p.body], p.position);
}

void Energy::add(double term) {
  value += term;
  size += std::abs(term);
}

Energy kinetic_energy(const Mechanism& mechanism, std::span<const double> q,
                      std::span<const double> v) {
  const std::vector<Eigen::Matrix4d> poses = world_poses(mechanism, q);
  Energy energy;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const BodyMotion motion = body_motion(mechanism, poses, v, b);
    energy.add(0.5 * mechanism.bodies[b].mass * motion.velocity.squaredNorm() +
               0.5 * motion.spin.dot(motion.inertia * motion.spin));
  }
  for (const Actuator& actuator : mechanism.actuators) {
    if (!actuator.linear()) continue;
    const auto parts = leg_motion(mechanism, poses, v, actuator);
    for (std::size_t i : {0u, 1u})
      energy.add(0.5 * (i == 0 ? actuator.tube : actuator.rod).mass *
                     parts[i].velocity.squaredNorm() +
                 0.5 * parts[i].spin.dot(parts[i].inertia * parts[i].spin));
  }
  return energy;
}

Momentum leg_momentum(const Mechanism& mechanism, std::span<const double> q,
                      std::span<const double> v, const Actuator& actuator, const Vec3d& about,
                      bool rod_only) {
  const std::vector<Eigen::Matrix4d> poses = world_poses(mechanism, q);
  const auto parts = leg_motion(mechanism, poses, v, actuator);
  Momentum momentum;
  for (std::size_t i = rod_only ? 1 : 0; i < 2; ++i) {
    const Vec3d linear = (i == 0 ? actuator.tube : actuator.rod).mass * parts[i].velocity;
    momentum.linear += linear;
    momentum.angular += (parts[i].centre - about).cross(linear) + parts[i].inertia * parts[i].spin;
  }
  return momentum;
}

Momentum branch_momentum(const Mechanism& mechanism, std::span<const double> q,
                         std::span<const double> v, int body, const Vec3d& about) {
  const std::vector<Eigen::Matrix4d> poses = world_poses(mechanism, q);
  Momentum momentum;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    if (!carries(mechanism, body, static_cast<int>(b))) continue;
    const BodyMotion motion = body_motion(mechanism, poses, v, b);
    const Vec3d linear = mechanism.bodies[b].mass * motion.velocity;
    momentum.linear += linear;
    momentum.angular += (motion.centre - about).cross(linear) + motion.inertia * motion.spin;
  }
  return momentum;
}

Energy potential_energy(const Mechanism& mechanism, std::span<const double> q, bool springs) {
  const std::vector<Eigen::Matrix4d> poses = world_poses(mechanism, q);
  Energy energy;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
    energy.add(-mechanism.bodies[b].mass *
               mechanism.gravity.dot(apply(poses[b], mechanism.bodies[b].com)));
  const std::vector<double> still(q.size(), 0.0);
  for (const Actuator& actuator : mechanism.actuators) {
    if (!actuator.linear()) continue;
    const auto parts = leg_motion(mechanism, poses, still, actuator);
    energy.add(-actuator.tube.mass * mechanism.gravity.dot(parts[0].centre));
    energy.add(-actuator.rod.mass * mechanism.gravity.dot(parts[1].centre));
  }
  if (springs)
    for (const Spring& spring : mechanism.springs)
      energy.add(spring_energy(mechanism, spring, poses, q));
  return energy;
}

}  // namespace counterpoise::oracle
