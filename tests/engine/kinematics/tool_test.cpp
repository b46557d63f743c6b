#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <utility>

#include "engine/evaluation/simulation.hpp"
#include "engine/evaluation/structure.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/random.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

// Motions that give coordinates of points and angles of bodies, against trigonometry, forward
// kinematics of their own, and differences.

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using std::numbers::pi;

Drive of_point(int point, int axis, Profile profile) {
  return {{.point = point, .axis = axis}, std::move(profile)};
}
Drive of_turn(int body, int axis, Profile profile) {
  return {{.turned = body, .axis = axis}, std::move(profile)};
}

/// An arm of two links in a plane, whose tip is point 0, with its elbow bent to one side.
struct Arm {
  double first, second;  // lengths
  double side;           // of the elbow: 1 or -1
  Flat flat;

  Arm(double upper, double fore, double elbow) : first(upper), second(fore), side(elbow) {
    const int shoulder = flat.revolute(world_body, 0.0, 0.0, 0.2);
    const int fore_arm = flat.revolute(shoulder, upper, 0.0, elbow * 1.2);
    flat.load(shoulder, 2.0, upper / 2.0, 0.02);
    flat.load(fore_arm, 1.0, fore / 2.0, 0.01);
    flat.motor(shoulder);
    flat.motor(fore_arm);
    flat.point(fore_arm, fore, 0.0);
  }

  /// By how much a place is within reach, below 0 where it is beyond.
  [[nodiscard]] double margin(double x, double y) const {
    const double r = std::hypot(x, y);
    return std::min(r - std::abs(first - second), first + second - r);
  }
  /// The joints that bring the tip to a place within reach, by the law of cosines.
  [[nodiscard]] std::pair<double, double> joints(double x, double y) const {
    const double cosine =
        (x * x + y * y - first * first - second * second) / (2.0 * first * second);
    const double elbow = side * std::acos(cosine);
    const double shoulder =
        std::atan2(y, x) - std::atan2(second * std::sin(elbow), first + second * std::cos(elbow));
    return {shoulder, elbow};
  }
};

/// A smooth random path about the origin, which often leaves the ring that the arm reaches.
std::vector<Drive> random_path(Random& random, const Arm& arm, double duration) {
  std::vector<double> times, x, y;
  const int knots = 4 + random.below(4);
  double angle = random.uniform(-pi, pi);
  const double inner = std::abs(arm.first - arm.second), outer = arm.first + arm.second;
  for (int i = 0; i < knots; ++i) {
    times.push_back(duration * i / (knots - 1));
    const double r = i == 0 ? 0.5 * (inner + outer) : random.uniform(inner, outer * 1.1);
    angle += random.uniform(-0.8, 0.8);
    x.push_back(r * std::cos(angle));
    y.push_back(r * std::sin(angle));
  }
  return {of_point(0, 0, clamped_spline(times, x)), of_point(0, 1, clamped_spline(times, y))};
}

}  // namespace

TEST_CASE("an arm of two links follows random paths of its tip as trigonometry does, or says why") {
  Random random(20261128);
  int followed = 0, refused = 0;
  for (int trial = 0; trial < trials(1000); ++trial) {
    const double upper = random.uniform(0.2, 0.6);
    Arm arm(upper, random.uniform(0.2, 0.6), random.chance(0.5) ? 1.0 : -1.0);
    Motion motion;
    motion.duration = 2.0;
    motion.step = 0.02;
    motion.drives = random_path(random, arm, motion.duration);
    const auto place = [&](double t) {
      return std::pair(evaluate(motion.drives[0].profile, t, motion.duration).position,
                       evaluate(motion.drives[1].profile, t, motion.duration).position);
    };
    const auto margin = [&](double t) {
      const auto [x, y] = place(std::clamp(t, 0.0, motion.duration));
      return arm.margin(x, y);
    };
    const auto [start_x, start_y] = place(0.0);
    const auto [shoulder, elbow] = arm.joints(start_x, start_y);
    motion.guess = {{0, shoulder + random.uniform(-0.1, 0.1)},
                    {1, elbow + arm.side * random.uniform(0.0, 0.1)}};
    double least = margin(0.0);
    for (double t = 0.0; t < motion.duration; t += 1e-3) least = std::min(least, margin(t));

    const auto result = simulate(arm.flat.mechanism, motion, {});
    CAPTURE(trial, arm.first, arm.second, least);
    if (const auto* finding = std::get_if<Finding>(&result)) {
      ++refused;
      CAPTURE(describe(*finding, arm.flat.mechanism, motion));
      // there the tip is beyond reach, or next to where the arm is stretched or folded
      double nearest = margin(finding->time);
      for (double t = -motion.step; t <= motion.step; t += 1e-3)
        nearest = std::min(nearest, margin(finding->time + t));
      CHECK(nearest < (finding->kind == FindingKind::point_unreachable ? 0.0 : 0.02));
      CHECK(finding->element == 0);
      continue;
    }
    ++followed;
    CHECK(least > 0.0);
    const auto& simulation = std::get<Simulation>(result);
    const auto& q0 = column(simulation, "b0.q");
    const auto& q1 = column(simulation, "b1.q");
    for (std::size_t k = 0; k < q0.size(); ++k) {
      const auto [x, y] = place(static_cast<double>(k) * motion.step);
      const double tip_x = arm.first * std::cos(q0[k]) + arm.second * std::cos(q0[k] + q1[k]);
      const double tip_y = arm.first * std::sin(q0[k]) + arm.second * std::sin(q0[k] + q1[k]);
      REQUIRE(std::hypot(tip_x - x, tip_y - y) < 1e-12 * (arm.first + arm.second));
      const auto [first, second] = arm.joints(x, y);
      REQUIRE(std::abs(std::remainder(q1[k] - second, 2.0 * pi)) < 1e-7);
      REQUIRE(std::abs(std::remainder(q0[k] - first, 2.0 * pi)) < 1e-7);
    }
  }
  CHECK(followed >= trials(1000) / 5);
  CHECK(refused >= trials(1000) / 10);
}

namespace {

/// An arm of six turning joints with random axes.
struct SpatialArm {
  Mechanism mechanism;

  explicit SpatialArm(Random& random) {
    for (int b = 0; b < 6; ++b) {
      Body body;
      body.name = numbered("b", static_cast<std::size_t>(b));
      body.parent = b - 1;
      body.joint.type = JointType::revolute;
      body.joint.axis = random.direction();
      body.joint.origin = random.vector(0.3);
      body.joint.rotation = random.rotation();
      body.joint.guess = random.uniform(-1.0, 1.0);
      body.mass = 1.0;
      body.inertia = Vec3d(0.01, 0.01, 0.01).asDiagonal();
      mechanism.bodies.push_back(body);
      Actuator motor;
      motor.name = numbered("a", static_cast<std::size_t>(b));
      motor.joint = b;
      mechanism.actuators.push_back(motor);
    }
    mechanism.points.push_back({"tip", 5, random.vector(0.3)});
    mechanism.gravity = Vec3d(0.0, 0.0, -9.81);
  }

  /// Rotation of the last body and place of the tip, joint by joint.
  [[nodiscard]] std::pair<Mat3d, Vec3d> tip(const std::vector<double>& q) const {
    Mat3d rotation = Mat3d::Identity();
    Vec3d place = Vec3d::Zero();
    for (std::size_t b = 0; b < q.size(); ++b) {
      const Joint& joint = mechanism.bodies[b].joint;
      place += rotation * joint.origin;
      rotation = rotation * joint.rotation *
                 Eigen::AngleAxisd(q[b], joint.axis.normalized()).toRotationMatrix();
    }
    return {rotation, place + rotation * mechanism.points[0].position};
  }
};

Mat3d turned(double roll, double pitch, double yaw) {
  return (Eigen::AngleAxisd(yaw, Vec3d::UnitZ()) * Eigen::AngleAxisd(pitch, Vec3d::UnitY()) *
          Eigen::AngleAxisd(roll, Vec3d::UnitX()))
      .toRotationMatrix();
}

}  // namespace

TEST_CASE("arms of six joints bring the tool where and how the motion has it") {
  Random random(20261129);
  int followed = 0;
  for (int trial = 0; trial < trials(200); ++trial) {
    const SpatialArm arm(random);
    std::vector<double> q;
    for (const Body& body : arm.mechanism.bodies) q.push_back(body.joint.guess);
    const auto [rotation, place] = arm.tip(q);
    const Vec3d angles(std::atan2(rotation(2, 1), rotation(2, 2)), std::asin(-rotation(2, 0)),
                       std::atan2(rotation(1, 0), rotation(0, 0)));
    if (std::abs(std::cos(angles(1))) < 0.2) continue;  // roll and yaw turn about nearly one axis
    Motion motion;
    motion.duration = 0.2;
    motion.step = 1e-3;
    const auto sine = [&](double mean, double size) {
      return Sine{mean, size * random.uniform(0.3, 1.0), random.uniform(0.4, 1.0),
                  random.uniform(0.0, 6.0)};
    };
    for (int axis = 0; axis < 3; ++axis) {
      motion.drives.push_back(of_point(0, axis, sine(place(axis), 0.01)));
      motion.drives.push_back(of_turn(5, axis, sine(angles(axis), 0.05)));
    }
    const auto result = simulate(arm.mechanism, motion, {});
    if (!std::holds_alternative<Simulation>(result)) continue;  // random arms may be singular
    const auto& simulation = std::get<Simulation>(result);
    const auto series = [&](std::size_t b, const char* of) -> const std::vector<double>& {
      return column(simulation, numbered("b", b) + of);
    };
    double fastest = 0.0;
    for (std::size_t b = 0; b < 6; ++b) fastest = std::max(fastest, peak(series(b, ".qdd")));
    if (fastest > 50.0) continue;  // next to a singular pose differences are off by too much
    ++followed;
    CAPTURE(trial);
    for (std::size_t k = 0; k < 201; ++k) {
      for (std::size_t b = 0; b < 6; ++b) q[b] = series(b, ".q")[k];
      const auto [turn, tip] = arm.tip(q);
      const auto given = [&](std::size_t drive) {
        return evaluate(motion.drives[drive].profile, static_cast<double>(k) * motion.step,
                        motion.duration)
            .position;
      };
      CAPTURE(k);
      REQUIRE((tip - Vec3d(given(0), given(2), given(4))).norm() < 1e-12);
      REQUIRE((turn - turned(given(1), given(3), given(5))).norm() < 1e-12);
      if (k < 2 || k > 198) continue;
      for (std::size_t b = 0; b < 6; ++b) {
        const auto check = [&](const char* of, const char* slope) {
          const auto& values = series(b, of);
          const auto difference = [&](std::size_t steps) {
            return (values[k + steps] - values[k - steps]) /
                   (2.0 * static_cast<double>(steps) * motion.step);
          };
          const double near = difference(1), far = difference(2);
          const double found = series(b, slope)[k];
          REQUIRE(std::abs((4.0 * near - far) / 3.0 - found) <
                  1e-5 * (1.0 + std::abs(found)) + 0.05 * std::abs(far - near));
        };
        check(".q", ".qd");
        check(".qd", ".qdd");
      }
    }
  }
  CHECK(followed >= trials(200) / 2);
}

TEST_CASE("a point on a coupler drives its four-bar") {
  Random random(20261130);
  for (int trial = 0; trial < trials(50); ++trial) {
    const double a = random.uniform(0.2, 0.3), b = random.uniform(0.5, 0.6);
    const double c = random.uniform(0.4, 0.5), d = random.uniform(0.5, 0.6);
    Flat flat = four_bar(a, b, c, d, 1.2, -0.9, 1.9);
    const int tip = flat.point(1, random.uniform(0.2, 0.4), random.uniform(0.1, 0.3));
    const auto zero = points_in_zero_configuration(flat.mechanism);
    Motion motion;
    motion.duration = 1.0;
    motion.step = 0.01;
    motion.drives = {of_point(tip, 0, Sine{zero[at(tip)].x(), 0.02, 1.0, 0.0})};
    const auto result = simulate(flat.mechanism, motion, {});
    if (!std::holds_alternative<Simulation>(result)) continue;
    const auto& simulation = std::get<Simulation>(result);
    const Vec3d& arm = flat.mechanism.points[tip].position;
    CAPTURE(trial);
    for (std::size_t k = 0; k < 101; ++k) {
      const double crank = column(simulation, "b0.q")[k], rocker = column(simulation, "b2.q")[k];
      const double coupler = crank + column(simulation, "b1.q")[k];
      const double x =
          a * std::cos(crank) + arm.x() * std::cos(coupler) - arm.y() * std::sin(coupler);
      const double given =
          evaluate(motion.drives[0].profile, static_cast<double>(k) * 0.01, 1.0).position;
      REQUIRE(std::abs(x - given) < 1e-12);
      REQUIRE(std::abs(a * std::cos(crank) + b * std::cos(coupler) - d - c * std::cos(rocker)) <
              1e-12);
      REQUIRE(std::abs(a * std::sin(crank) + b * std::sin(coupler) - c * std::sin(rocker)) < 1e-12);
    }
  }
}

TEST_CASE("coordinates of the tool that follow from others are checked") {
  Arm arm(0.4, 0.3, 1.0);
  Motion motion;
  motion.duration = 1.0;
  motion.step = 0.1;
  motion.drives = {of_point(0, 0, Hold{0.5}), of_point(0, 1, Hold{0.2}), of_point(0, 2, Hold{0.0})};
  CHECK(std::holds_alternative<Simulation>(simulate(arm.flat.mechanism, motion, {})));
  motion.drives[2].profile = PointToPoint{0.0, 0.01, 0.5, 1.0};
  const auto result = simulate(arm.flat.mechanism, motion, {});
  REQUIRE(std::holds_alternative<Finding>(result));
  const auto& finding = std::get<Finding>(result);
  CHECK(finding.kind == FindingKind::point_unreachable);
  CHECK(finding.time == Approx(0.6));
}

TEST_CASE("actuators that do not move the tool are held, others have to be named") {
  Arm arm(0.4, 0.3, 1.0);
  const int lid = arm.flat.revolute(world_body, 1.0, 0.0, 0.7);
  arm.flat.motor(lid);
  Motion motion;
  motion.duration = 1.0;
  motion.step = 0.1;
  motion.drives = {of_point(0, 0, Hold{0.5}), of_point(0, 1, Hold{0.2})};
  const auto result = simulate(arm.flat.mechanism, motion, {});
  REQUIRE(std::holds_alternative<Simulation>(result));
  CHECK(column(std::get<Simulation>(result), "b2.q").back() == 0.7);

  const int wrist = arm.flat.revolute(1, 0.3, 0.0, 0.1);
  arm.flat.motor(wrist);
  arm.flat.mechanism.points[0].body = wrist;
  arm.flat.mechanism.points[0].position = Vec3d(0.1, 0.0, 0.0);
  CHECK_THROWS_WITH(simulate(arm.flat.mechanism, motion, {}),
                    Catch::Contains("nothing determines the joints"));
  motion.drives.push_back({{.actuator = 3}, Hold{0.1}});
  CHECK(std::holds_alternative<Simulation>(simulate(arm.flat.mechanism, motion, {})));
}

TEST_CASE("a body is turned to where a motion begins by the shorter way round") {
  Flat flat;
  const int table = flat.revolute(world_body, 0.0, 0.0, 3.0);
  flat.motor(table);
  Motion motion;
  motion.duration = 1.0;
  motion.step = 0.1;
  motion.drives = {of_turn(table, 2, PointToPoint{-3.1, -2.9, 0.0, 1.0})};
  const auto result = simulate(flat.mechanism, motion, {});
  REQUIRE(std::holds_alternative<Simulation>(result));
  const auto& q = column(std::get<Simulation>(result), "b0.q");
  CHECK(q.front() == Approx(2.0 * pi - 3.1).epsilon(1e-12));
  CHECK(q.back() == Approx(2.0 * pi - 2.9).epsilon(1e-12));
}
