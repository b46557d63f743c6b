#pragma once

#include <cmath>
#include <initializer_list>

#include "tests/support/linkage.hpp"

namespace counterpoise::test {

/// A linkage in its plane: places by coordinates along two directions.
class LinkagePlane {
 public:
  LinkagePlane(WorldBuilder& builder, Random& random, int base, const Vec3d& place)
      : builder_(builder), random_(random), base_(base), axes_(random.rotation()), place_(place) {}

  [[nodiscard]] Vec3d at(double x, double y) const { return place_ + axes_ * Vec3d(x, y, 0.0); }
  [[nodiscard]] Vec3d direction(double angle) const {
    return axes_ * Vec3d(std::cos(angle), std::sin(angle), 0.0);
  }
  /// Revolute about the normal through `pin`; its frame anywhere along the axis.
  int hinge(int parent, const Vec3d& pin) {
    const Vec3d normal = axes_.col(2);
    return builder_.add_body(parent, JointType::revolute, random_.chance(0.5) ? normal : -normal,
                             pin + random_.uniform(-0.1, 0.1) * normal, massive());
  }
  /// Prismatic along `along`; its frame anywhere.
  int slide(int parent, const Vec3d& along, const Vec3d& near) {
    return builder_.add_body(parent, JointType::prismatic, along, near + random_.vector(0.1),
                             massive());
  }
  /// A pin that two links from `a` and `b` can share at a good angle; a and b 0.2 m apart or more.
  Vec3d tip(const Vec3d& a, const Vec3d& b) {
    for (;;) {
      const Vec3d c = (a + b) / 2.0 +
                      axes_ * Vec3d(random_.uniform(-0.5, 0.5), random_.uniform(-0.5, 0.5), 0.0);
      const Vec3d to_a = a - c, to_b = b - c;
      const double sine = to_a.cross(to_b).norm() / (to_a.norm() * to_b.norm());
      if (sine > 0.6 && to_a.norm() > 0.15 && to_b.norm() > 0.15) return c;
    }
  }
  /// A pin between two links.
  void join(int first, int second, const Vec3d& pin) {
    builder_.add_loop(first, second, pin);
    if (random_.chance(0.5)) builder_.keep_axes(LoopKeep::parallel, axes_.col(2), axes_.col(2));
  }
  Vec3d crank_pin(double angle) {
    const double radius = random_.uniform(0.08, 0.2);
    return at(radius * std::cos(angle), radius * std::sin(angle));
  }
  /// Any one of the joints, by its own motor or by a two-point actuator on the base.
  void drive_one_of(std::initializer_list<int> joints) {
    const int joint = *(joints.begin() + random_.below(static_cast<int>(joints.size())));
    const auto& body = builder_.mechanism.bodies[joint];
    if (body.parent == base_ && random_.chance(0.4))
      add_line_actuator_across(builder_, random_, joint, base_);
    else
      builder_.add_joint_actuator(joint);
  }

  void four_bar();
  void slider_crank();
  void scotch_yoke();
  void slotted_rocker();
  void slide_and_rod();
  void five_bar();
  void six_bar();
  void spatial();
  void watt();
  void stevenson();
  void cardan();
  void seven_bar();

 private:
  struct FourBar {
    int crank, coupler, rocker;
    Vec3d pin;  // between coupler and rocker
  };
  FourBar add_four_bar();
  /// Two links from a place near `near` on `first` to one on `second`; the latter's joint.
  int add_dyad(int first, int second, const Vec3d& near);

  bool massive() { return random_.chance(0.7); }
  double angle() { return random_.uniform(-3.1, 3.1); }

  WorldBuilder& builder_;
  Random& random_;
  int base_;
  Mat3d axes_;
  Vec3d place_;
};

}  // namespace counterpoise::test
