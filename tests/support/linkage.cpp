#include "tests/support/linkage.hpp"

#include <cmath>

namespace counterpoise::test {
namespace {

/// Slope of a two-point length by the joint's position, over the largest possible.
double lever(const WorldBuilder& builder, int joint, const Vec3d& on_body, const Vec3d& elsewhere) {
  const Vec3d line = (on_body - elsewhere).normalized();
  const Vec3d axis = builder.axis(joint);
  const auto& body = builder.mechanism.bodies[static_cast<std::size_t>(joint)];
  if (body.joint.type == JointType::prismatic) return std::abs(line.dot(axis));
  const Vec3d arm = on_body - builder.origin(joint);
  const Vec3d across = axis.cross(arm);
  return across.norm() < 0.05 ? 0.0 : std::abs(line.dot(across)) / across.norm();
}

/// A linkage in its plane: places by coordinates along two directions.
class Plane {
 public:
  Plane(WorldBuilder& builder, Random& random, int base, const Vec3d& place)
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
  Vec3d crank_pin(double angle) {
    const double radius = random_.uniform(0.08, 0.2);
    return at(radius * std::cos(angle), radius * std::sin(angle));
  }
  /// Any one of the joints, by its own motor or by a two-point actuator on the base.
  void drive_one_of(std::initializer_list<int> joints) {
    const int joint = *(joints.begin() + random_.below(static_cast<int>(joints.size())));
    const auto& body = builder_.mechanism.bodies[static_cast<std::size_t>(joint)];
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

 private:
  bool massive() { return random_.chance(0.7); }
  double angle() { return random_.uniform(-3.1, 3.1); }

  WorldBuilder& builder_;
  Random& random_;
  int base_;
  Mat3d axes_;
  Vec3d place_;
};

void Plane::four_bar() {
  const Vec3d b = crank_pin(angle());
  const Vec3d d = at(random_.uniform(0.45, 0.65), random_.uniform(-0.1, 0.1));
  const Vec3d c = tip(b, d);
  const int crank = hinge(base_, at(0.0, 0.0));
  const int coupler = hinge(crank, b);
  const int rocker = hinge(base_, d);
  builder_.add_loop(coupler, rocker, c);
  if (random_.chance(0.6))
    drive_one_of({crank});
  else
    drive_one_of({crank, coupler, rocker});
}

void Plane::slider_crank() {
  const double turn = angle();
  const Vec3d b = crank_pin(angle());
  const Vec3d along = direction(turn);
  // the rod at an angle of at most about 50 degrees to the slide
  const Vec3d c = b + random_.uniform(0.25, 0.5) * direction(turn + random_.uniform(-0.9, 0.9));
  const int crank = hinge(base_, at(0.0, 0.0));
  const int rod = hinge(crank, b);
  const int slider = slide(base_, along, c);
  builder_.add_loop(slider, rod, c);
  if (random_.chance(0.6))
    drive_one_of({crank});
  else
    drive_one_of({crank, slider});
}

void Plane::scotch_yoke() {
  const double turn = angle();
  const Vec3d b = crank_pin(angle());
  const int crank = hinge(base_, at(0.0, 0.0));
  const int first = slide(base_, direction(turn), b);
  const int second = slide(first, direction(turn + random_.uniform(1.0, 2.0)), b);
  builder_.add_loop(crank, second, b);
  drive_one_of({crank});
}

void Plane::slotted_rocker() {
  const Vec3d b = crank_pin(angle());
  const Vec3d d = at(random_.uniform(0.3, 0.6), random_.uniform(-0.1, 0.1));
  const int crank = hinge(base_, at(0.0, 0.0));
  const int rocker = hinge(base_, d);
  // the slot passes the rocker's hinge at some distance
  const Vec3d along =
      Eigen::AngleAxisd(random_.uniform(-0.5, 0.5), axes_.col(2)) * (b - d).normalized();
  const int block = slide(rocker, along, b);
  builder_.add_loop(crank, block, b);
  if (random_.chance(0.7))
    drive_one_of({crank});
  else
    drive_one_of({block, rocker});
}

void Plane::slide_and_rod() {
  const double turn = angle();
  const Vec3d b = crank_pin(angle());
  const Vec3d c = b + random_.uniform(0.25, 0.5) * direction(turn + random_.uniform(-0.9, 0.9));
  const int crank = hinge(base_, at(0.0, 0.0));
  const int slider = slide(base_, direction(turn), c);
  const int rod = hinge(slider, c);
  builder_.add_loop(crank, rod, b);
  if (random_.chance(0.6))
    drive_one_of({crank});
  else
    drive_one_of({crank, slider});
}

void Plane::five_bar() {
  const Vec3d b = crank_pin(angle());
  const double x = random_.uniform(0.6, 0.8);
  const double far_angle = angle();
  const double far_radius = random_.uniform(0.08, 0.2);
  const Vec3d d = at(x + far_radius * std::cos(far_angle), far_radius * std::sin(far_angle));
  const Vec3d c = tip(b, d);
  const int first = hinge(base_, at(0.0, 0.0));
  const int first_rod = hinge(first, b);
  const int second = hinge(base_, at(x, 0.0));
  const int second_rod = hinge(second, d);
  builder_.add_loop(first_rod, second_rod, c);
  drive_one_of({first});
  drive_one_of({second});
}

void Plane::six_bar() {
  const Vec3d b = crank_pin(angle());
  const Vec3d d = at(random_.uniform(0.45, 0.65), random_.uniform(-0.1, 0.1));
  const Vec3d c = tip(b, d);
  const int crank = hinge(base_, at(0.0, 0.0));
  const int coupler = hinge(crank, b);
  const int rocker = hinge(base_, d);
  builder_.add_loop(coupler, rocker, c);
  // second dyad between a pin on the rocker or the coupler and another hinge on the base
  const int driver = random_.chance(0.5) ? rocker : coupler;
  const Vec3d e = c + 0.15 * direction(angle());
  const Vec3d g = e + random_.uniform(0.3, 0.5) * direction(angle());
  const Vec3d f = tip(e, g);
  const int rod = hinge(driver, e);
  const int output = hinge(base_, g);
  builder_.add_loop(rod, output, f);
  drive_one_of({crank});
}

void Plane::spatial() {
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

}  // namespace

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
  Plane plane(builder, random, base, place);
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
  }
}

}  // namespace counterpoise::test
