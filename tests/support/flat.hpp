#pragma once

#include "engine/mechanism/mechanism.hpp"
#include "engine/mechanism/motion.hpp"
#include "tests/support/numbered.hpp"

namespace counterpoise::test {

/// A mechanism in the x-y plane, y up, joints along z or within the plane, made by hand.
struct Flat {
  static constexpr double g = 9.81;  // [m/s^2]
  Mechanism mechanism;

  Flat() { mechanism.gravity = Vec3d(0.0, -g, 0.0); }

  int revolute(int parent, double x, double y, double guess = 0.0) {
    return add(parent, JointType::revolute, Vec3d::UnitZ(), x, y, guess);
  }
  int prismatic(int parent, double x, double y, const Vec3d& axis, double guess = 0.0) {
    return add(parent, JointType::prismatic, axis, x, y, guess);
  }
  /// Mass at x along the body, with this moment of inertia across the plane.
  void load(int body, double mass, double x, double inertia = 0.0) {
    Body& b = mechanism.bodies[body];
    b.mass = mass;
    b.com = Vec3d(x, 0.0, 0.0);
    b.inertia = Vec3d(0.0, inertia, inertia).asDiagonal();
  }
  int point(int body, double x, double y) {
    const auto index = static_cast<int>(mechanism.points.size());
    mechanism.points.push_back({numbered("p", mechanism.points.size()), body, Vec3d(x, y, 0.0)});
    return index;
  }
  void motor(int joint) {
    Actuator actuator;
    actuator.name = numbered("a", mechanism.actuators.size());
    actuator.joint = joint;
    mechanism.actuators.push_back(actuator);
  }
  void ram(int first_point, int second_point) {
    motor(-1);
    mechanism.actuators.back().points = {first_point, second_point};
  }
  void loop(int first_point, int second_point) {
    mechanism.loops.push_back(
        {numbered("loop", mechanism.loops.size()), {first_point, second_point}});
  }

 private:
  int add(int parent, JointType type, const Vec3d& axis, double x, double y, double guess) {
    Body body;
    body.name = numbered("b", mechanism.bodies.size());
    body.parent = parent;
    body.joint.type = type;
    body.joint.axis = axis;
    body.joint.origin = Vec3d(x, y, 0.0);
    body.joint.guess = guess;
    mechanism.bodies.push_back(body);
    return mechanism.body_count() - 1;
  }
};

/// Crank of length a at the origin, coupler b on it, rocker c at (d, 0), bodies 0 to 2, with
/// guesses of their joints; motor on the crank.
inline Flat four_bar(double a, double b, double c, double d, double crank, double coupler,
                     double rocker) {
  Flat flat;
  const int first = flat.revolute(world_body, 0.0, 0.0, crank);
  const int second = flat.revolute(first, a, 0.0, coupler);
  const int third = flat.revolute(world_body, d, 0.0, rocker);
  flat.loop(flat.point(second, b, 0.0), flat.point(third, c, 0.0));
  flat.motor(first);
  return flat;
}

/// A motion that drives the first actuators with these profiles.
inline Motion drive(double duration, double step, std::vector<Profile> profiles) {
  Motion motion;
  motion.duration = duration;
  motion.step = step;
  for (Profile& profile : profiles)
    motion.drives.push_back({{static_cast<int>(motion.drives.size()), -1}, std::move(profile)});
  return motion;
}

}  // namespace counterpoise::test
