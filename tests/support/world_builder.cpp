#include "tests/support/world_builder.hpp"

#include "tests/support/numbered.hpp"

namespace counterpoise::test {

Eigen::Isometry3d WorldBuilder::pose(int body) const {
  return body == world_body ? Eigen::Isometry3d::Identity() : poses_[body];
}

int WorldBuilder::add_body(int parent, JointType type, const Vec3d& axis, const Vec3d& origin,
                           bool massive) {
  Eigen::Isometry3d here = Eigen::Isometry3d::Identity();
  here.linear() = random_->rotation();
  here.translation() = origin;

  const int index = mechanism.body_count();
  Body body;
  body.name = numbered("b", mechanism.bodies.size());
  body.parent = parent;
  body.joint.type = type;
  body.joint.axis = (here.linear().transpose() * axis).normalized();
  body.joint.guess = type == JointType::fixed      ? 0.0
                     : type == JointType::revolute ? random_->uniform(-1.5, 1.5)
                                                   : random_->uniform(-0.5, 0.5);
  // where the body would be at joint position 0
  Eigen::Isometry3d back = Eigen::Isometry3d::Identity();
  if (type == JointType::revolute)
    back.linear() = Eigen::AngleAxisd(-body.joint.guess, body.joint.axis).toRotationMatrix();
  if (type == JointType::prismatic) back.translation() = -body.joint.guess * body.joint.axis;
  const Eigen::Isometry3d at_zero = pose(parent).inverse() * here * back;
  body.joint.rotation = at_zero.linear();
  body.joint.origin = at_zero.translation();
  if (massive) {
    body.mass = random_->uniform(0.2, 5.0);
    body.com = random_->vector(0.2);
    body.inertia = random_->inertia(body.mass, 0.2);
  }
  mechanism.bodies.push_back(body);
  poses_.push_back(here);
  return index;
}

int WorldBuilder::add_point(int body, const Vec3d& place) {
  const int index = static_cast<int>(mechanism.points.size());
  mechanism.points.push_back(
      {numbered("p", mechanism.points.size()), body, pose(body).inverse() * place});
  return index;
}

void WorldBuilder::add_loop(int first, int second, const Vec3d& place) {
  const int a = add_point(first, place);
  const int b = add_point(second, place);
  mechanism.loops.push_back({numbered("loop", mechanism.loops.size()), {a, b}});
}

void WorldBuilder::keep_axes(LoopKeep keep, const Vec3d& first, const Vec3d& second) {
  Loop& loop = mechanism.loops.back();
  loop.keep = keep;
  const std::array<Vec3d, 2> axes = {first, second};
  for (std::size_t end : {0u, 1u}) {
    const Point& point = mechanism.points[loop.points[end]];
    loop.axes[end] = (pose(point.body).linear().transpose() * axes[end]).normalized();
  }
}

void WorldBuilder::keep_orientation() {
  Loop& loop = mechanism.loops.back();
  loop.keep = LoopKeep::weld;
  const auto body = [&](std::size_t end) { return mechanism.points[loop.points[end]].body; };
  loop.rotation = pose(body(0)).linear().transpose() * pose(body(1)).linear();
}

void WorldBuilder::add_coupling(int joint, int of, double ratio) {
  const auto guess = [&](int b) { return mechanism.bodies[b].joint.guess; };
  mechanism.couplings.push_back({numbered("coupling", mechanism.couplings.size()),
                                 joint,
                                 {{of, ratio}},
                                 guess(joint) - ratio * guess(of)});
}

int WorldBuilder::add_joint_actuator(int joint) {
  const int index = static_cast<int>(mechanism.actuators.size());
  Actuator actuator;
  actuator.name = numbered("a", mechanism.actuators.size());
  actuator.joint = joint;
  mechanism.actuators.push_back(actuator);
  return index;
}

int WorldBuilder::add_line_actuator(int first_point, int second_point) {
  const int index = static_cast<int>(mechanism.actuators.size());
  Actuator actuator;
  actuator.name = numbered("a", mechanism.actuators.size());
  actuator.points = {first_point, second_point};
  if (random_->chance(0.3))
    for (LegPart* part : {&actuator.tube, &actuator.rod})
      *part = {random_->uniform(0.1, 1.0), random_->uniform(-0.1, 0.3),
               random_->uniform(0.001, 0.02), random_->uniform(0.0, 0.001)};
  mechanism.actuators.push_back(actuator);
  return index;
}

void WorldBuilder::add_spring(SpringType type, int first_point, int second_point) {
  Spring spring;
  spring.name = numbered("s", mechanism.springs.size());
  spring.type = type;
  spring.points = {first_point, second_point};
  spring.rate = type == SpringType::gas ? 0.0 : random_->uniform(50.0, 2000.0);
  spring.free_length = type == SpringType::gas ? 0.0 : random_->uniform(0.0, 0.5);
  spring.initial_tension = random_->uniform(-40.0, 40.0);
  mechanism.springs.push_back(spring);
}

void WorldBuilder::add_torsion_spring(int joint) {
  Spring spring;
  spring.name = numbered("s", mechanism.springs.size());
  spring.type = SpringType::torsion;
  spring.joint = joint;
  spring.rate = random_->uniform(1.0, 50.0);
  spring.free_length = random_->uniform(-1.0, 1.0);
  spring.initial_tension = random_->uniform(-5.0, 5.0);
  mechanism.springs.push_back(spring);
}

Vec3d WorldBuilder::place(int point) const {
  const Point& p = mechanism.points[point];
  return pose(p.body) * p.position;
}

Vec3d WorldBuilder::origin(int body) const {
  return pose(body).translation();
}

Vec3d WorldBuilder::axis(int body) const {
  return pose(body).linear() * mechanism.bodies[body].joint.axis;
}

double WorldBuilder::distance(int first_point, int second_point) const {
  return (place(first_point) - place(second_point)).norm();
}

double WorldBuilder::reference(int actuator) const {
  const Actuator& a = mechanism.actuators[actuator];
  return a.linear() ? distance(a.points[0], a.points[1]) : mechanism.bodies[a.joint].joint.guess;
}

}  // namespace counterpoise::test
