#include "tests/support/plane.hpp"

namespace counterpoise::test {
namespace {

/// Slope of a two-point length by the joint's position, over the largest possible.
double lever(const WorldBuilder& builder, int joint, const Vec3d& on_body, const Vec3d& elsewhere) {
  const Vec3d line = (on_body - elsewhere).normalized();
  const Vec3d axis = builder.axis(joint);
  const auto& body = builder.mechanism.bodies[joint];
  if (body.joint.type == JointType::prismatic) return std::abs(line.dot(axis));
  const Vec3d arm = on_body - builder.origin(joint);
  const Vec3d across = axis.cross(arm);
  return across.norm() < 0.05 ? 0.0 : std::abs(line.dot(across)) / across.norm();
}

}  // namespace

void LinkagePlane::spatial() {
  const Vec3d b = crank_pin(angle());
  const Vec3d d = at(random_.uniform(0.3, 0.6), random_.uniform(-0.2, 0.2)) +
                  random_.uniform(-0.2, 0.2) * axes_.col(2);
  const int crank = hinge(base_, at(0.0, 0.0));
  const Vec3d rocker_axis =
      (axes_.col(2) + random_.uniform(0.3, 1.0) * random_.direction()).normalized();
  const int rocker = builder_.add_body(base_, JointType::revolute, rocker_axis, d, massive());
  const Vec3d c = d + random_.uniform(0.2, 0.4) * random_.direction();
  const Vec3d along = (c - b).normalized();
  Vec3d first_axis = random_.direction();
  while (first_axis.cross(along).norm() < 0.7) first_axis = random_.direction();
  const int cross = builder_.add_body(crank, JointType::revolute, first_axis, b, false);
  const int rod = builder_.add_body(cross, JointType::revolute,
                                    first_axis.cross(along).normalized(), b, massive());
  builder_.add_loop(rod, rocker, c);
  drive_one_of({crank});
}

void LinkagePlane::cardan() {
  const Vec3d along = direction(angle());
  const Vec3d start = at(0.0, 0.0), end = start + 0.5 * along + random_.vector(0.1);
  const Vec3d line = (end - start).normalized();
  const auto across = [&](const Vec3d& direction) {
    Vec3d axis = random_.direction().cross(direction);
    while (axis.norm() < 0.5) axis = random_.direction().cross(direction);
    return Vec3d(axis.normalized());
  };
  const auto shaft_axis = [&] { return Vec3d((line + 0.4 * random_.direction()).normalized()); };
  const int input = builder_.add_body(base_, JointType::revolute, shaft_axis(), start, massive());
  const int output = builder_.add_body(base_, JointType::revolute, shaft_axis(), end, massive());
  const Vec3d first = across(builder_.axis(input));
  const int cross = builder_.add_body(input, JointType::revolute, first, start, massive());
  const int tube = builder_.add_body(cross, JointType::revolute, first.cross(line).normalized(),
                                     start, massive());
  const int rod = builder_.add_body(tube, JointType::prismatic, line, start, massive());
  const Vec3d on_output = across(builder_.axis(output));
  builder_.add_loop(rod, output, end);
  builder_.keep_axes(LoopKeep::perpendicular, on_output.cross(line).normalized(), on_output);
  builder_.add_joint_actuator(random_.chance(0.7) ? input : output);
}

void LinkagePlane::seven_bar() {
  Vec3d place = at(0.0, 0.0);
  int left = base_, right = base_;
  const auto link = [&](int parent) {
    place += random_.vector(0.3);
    return builder_.add_body(parent, JointType::revolute, random_.direction(), place, massive());
  };
  int crank = -1;
  for (int i = 0; i < 4; ++i) {
    left = link(left);
    if (i == 0) crank = left;
  }
  place = at(0.5, 0.2);
  for (int i = 0; i < 3; ++i) right = link(right);
  builder_.add_loop(left, right, place + random_.vector(0.2));
  builder_.keep_orientation();
  builder_.add_joint_actuator(crank);
}

void add_line_actuator_across(WorldBuilder& builder, Random& random, int joint, int other_body) {
  for (;;) {
    const Vec3d on_body = builder.origin(joint) + random.vector(0.3);
    const Vec3d elsewhere = builder.origin(joint) + random.vector(0.5);
    if ((on_body - elsewhere).norm() < 0.25 || lever(builder, joint, on_body, elsewhere) < 0.5)
      continue;
    const int first = builder.add_point(joint, on_body);
    const int second = builder.add_point(other_body, elsewhere);
    if (random.chance(0.5))
      builder.add_line_actuator(first, second);
    else
      builder.add_line_actuator(second, first);
    return;
  }
}

void add_linkage(WorldBuilder& builder, Random& random, Linkage kind, int base,
                 const Vec3d& place) {
  LinkagePlane plane(builder, random, base, place);
  switch (kind) {
    case Linkage::four_bar:
      return plane.four_bar();
    case Linkage::slider_crank:
      return plane.slider_crank();
    case Linkage::scotch_yoke:
      return plane.scotch_yoke();
    case Linkage::slotted_rocker:
      return plane.slotted_rocker();
    case Linkage::slide_and_rod:
      return plane.slide_and_rod();
    case Linkage::five_bar:
      return plane.five_bar();
    case Linkage::six_bar:
      return plane.six_bar();
    case Linkage::spatial:
      return plane.spatial();
    case Linkage::watt:
      return plane.watt();
    case Linkage::stevenson:
      return plane.stevenson();
    case Linkage::cardan:
      return plane.cardan();
    case Linkage::seven_bar:
      return plane.seven_bar();
  }
}

}  // namespace counterpoise::test
