#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "tests/oracles/charmie_reactions.hpp"
#include "tests/oracles/energy.hpp"

namespace counterpoise::oracle {
namespace {

template <class List>
std::size_t index_of(const List& list, const std::string& name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
  if (found == list.end()) throw std::runtime_error("no " + name);
  return static_cast<std::size_t>(found - list.begin());
}

const Body& body(const Mechanism& mechanism, const std::string& name) {
  return mechanism.bodies[index_of(mechanism.bodies, name)];
}

Vec3d point(const Mechanism& mechanism, const std::string& name) {
  return mechanism.points[index_of(mechanism.points, name)].position;
}

SpringNumbers spring(const Mechanism& mechanism, const std::string& name) {
  const Spring& s = mechanism.springs[index_of(mechanism.springs, name)];
  return {s.rate, s.free_length, s.initial_tension};
}

Mat3d about_x(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat3d rotation;
  rotation << 1, 0, 0, 0, c, -s, 0, s, c;
  return rotation;
}

Mat3d about_z(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat3d rotation;
  rotation << c, -s, 0, s, c, 0, 0, 0, 1;
  return rotation;
}

/// Eqs. 22-27 of paper 000, which turn the cranks of the other mechanism outwards: the sign of the
/// root in eq. 24 is `inwards` here. Eq. 25 prints one coordinate as equal to itself; the slider's
/// pin is straight above the crank's tip.
CharmieInstant::Crank place_crank(const Mechanism& mechanism, const std::string& side,
                                  double torso_height, double inwards) {
  const Vec3d F = body(mechanism, side + "_crank").joint.origin;
  const double b = std::abs(point(mechanism, side + "_crank.tip").x());
  const double a = std::abs(point(mechanism, side + "_crank.spring").x());
  const double H = torso_height + body(mechanism, side + "_slider").joint.origin.z();
  const double c = -point(mechanism, side + "_slider.pin").z();
  const double tip_z = H - c;                                                            // 22, 23
  const double tip_x = F.x() + inwards * std::sqrt(b * b - std::pow(tip_z - F.z(), 2));  // 24
  const Vec3d tip(tip_x, F.y(), tip_z);
  const Vec3d up(0, 0, torso_height);
  return {.pivot = F - up,
          .tip = tip - up,
          .spring_pin = F + a / b * (tip - F) - up,  // 26, 27
          .anchor = body(mechanism, side + "_lift_spring_upper").joint.origin - up};
}

}  // namespace

CharmieInstant charmie_instant(const Mechanism& mechanism, std::span<const double> q,
                               std::span<const double> v, std::span<const double> a) {
  const auto of = [&](std::span<const double> values, const char* name) {
    return values[index_of(mechanism.bodies, name)];
  };
  CharmieInstant now;
  const Body &torso = body(mechanism, "torso"), &trunk = body(mechanism, "trunk");
  const double yaw = of(q, "base"), yaw_rate = of(v, "base"), yaw_acc = of(a, "base");
  const double lean = of(q, "trunk"), lean_rate = of(v, "trunk"), lean_acc = of(a, "trunk");
  now.trunk_to_torso = about_x(lean);
  const Mat3d to_trunk = now.trunk_to_torso.transpose();

  // both origins stay on the axis of the yaw, one above the other
  const Vec3d of_origin(of(a, "carriage_x"), of(a, "carriage_y"),
                        of(a, "torso") - mechanism.gravity.z());
  const auto moving = [](const Body& part, const Vec3d& omega, const Vec3d& alpha,
                         const Vec3d& origin) {
    return MovingBody{
        part.mass, part.inertia,
        part.com,  omega,
        alpha,     origin + alpha.cross(part.com) + omega.cross(omega.cross(part.com))};
  };
  const Vec3d in_torso = about_z(yaw).transpose() * of_origin;
  now.torso = moving(torso, {0, 0, yaw_rate}, {0, 0, yaw_acc}, in_torso);
  // the lean's axis turns with the yaw: the second component
  now.trunk =
      moving(trunk, to_trunk * Vec3d(lean_rate, 0, yaw_rate),
             to_trunk * Vec3d(lean_acc, yaw_rate * lean_rate, yaw_acc), to_trunk * in_torso);

  const Mat3d world_to_trunk = to_trunk * about_z(yaw).transpose();
  const std::array<const char*, 3> children = {"left_arm_6", "right_arm_6", "neck_6"};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t child = index_of(mechanism.bodies, children[i]);
    const Load load = branch_force(mechanism, q, v, a, static_cast<int>(child));
    now.children[i] = {world_to_trunk * load.force, world_to_trunk * load.moment};
    now.child_origins[i] = mechanism.bodies[child].joint.origin;
  }

  now.hinge = trunk.joint.origin;
  const auto in_trunk = [&](const Vec3d& place) { return Vec3d(to_trunk * (place - now.hinge)); };
  now.lean_pin = point(mechanism, "trunk.lean_actuator");
  now.lean_foot = in_trunk(body(mechanism, "lean_tube").joint.origin);
  now.spring_pin = point(mechanism, "trunk.lean_spring");
  now.spring_foot = in_trunk(body(mechanism, "lean_spring_lower").joint.origin);
  const double height = torso.joint.origin.z() + of(q, "torso");
  now.lift_pin = point(mechanism, "torso.lift_actuator");
  now.lift_foot = body(mechanism, "lift_tube").joint.origin - Vec3d(0, 0, height);
  now.cranks = {place_crank(mechanism, "left", height, 1.0),
                place_crank(mechanism, "right", height, -1.0)};
  now.lean_spring = spring(mechanism, "lean_spring");
  now.lift_spring = spring(mechanism, "left_lift_spring");
  return now;
}

}  // namespace counterpoise::oracle
