// Singular poses between two samples: the sign of an independently computed lever or determinant
// says whether one was passed.
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "engine/evaluation/evaluator.hpp"
#include "engine/evaluation/simulation.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using std::numbers::pi;

std::optional<Finding> finding_of_run(const Mechanism& mechanism, const Motion& motion,
                                      const SimulationOptions& options = {}) {
  const auto result = simulate(mechanism, motion, options);
  if (const auto* finding = std::get_if<Finding>(&result)) return *finding;
  return std::nullopt;
}

/// A chain of revolute joints anywhere in space whose last body is held by as many rams.
struct HeldChain {
  Mechanism mechanism;
  std::vector<Profile> profiles;  // of the joints

  HeldChain(Random& random, int joints) {
    const Vec3d offset(0.3, 0.0, 0.0);
    for (int j = 0; j < joints; ++j) {
      Body body;
      body.name = numbered("b", mechanism.bodies.size());
      body.parent = j - 1;
      body.joint.type = JointType::revolute;
      body.joint.axis = random.direction();
      body.joint.origin = j == 0 ? Vec3d::Zero() : Vec3d(offset + random.vector(0.1));
      body.mass = 1.0;
      body.com = random.vector(0.2);
      body.joint.guess = random.uniform(-1.0, 1.0);
      mechanism.bodies.push_back(body);
      profiles.push_back(PointToPoint{
          body.joint.guess, body.joint.guess + random.signed_uniform(0.5, 2.0), 0.0, 1.0});
    }
    for (int a = 0; a < joints; ++a) {
      const auto first = static_cast<int>(mechanism.points.size());
      mechanism.points.push_back({numbered("p", mechanism.points.size()), world_body,
                                  random.direction() * random.uniform(0.6, 1.0)});
      mechanism.points.push_back({numbered("p", mechanism.points.size()), joints - 1,
                                  random.direction() * random.uniform(0.2, 0.4)});
      Actuator ram;
      ram.name = numbered("a", mechanism.actuators.size());
      ram.points = {first, first + 1};
      mechanism.actuators.push_back(ram);
    }
  }

  [[nodiscard]] Motion motion(int steps) const {
    Motion motion;
    motion.duration = 1.0;
    motion.step = 1.0 / steps;
    for (std::size_t j = 0; j < profiles.size(); ++j)
      motion.drives.push_back({{-1, static_cast<int>(j)}, profiles[j]});
    return motion;
  }

  /// Determinant of the lengths' slopes by the joints, by geometry alone.
  [[nodiscard]] double determinant(double time) const {
    const auto n = static_cast<Eigen::Index>(profiles.size());
    std::vector<Vec3d> axes, origins;
    Mat3d rotation = Mat3d::Identity();
    Vec3d at = Vec3d::Zero();
    for (std::size_t j = 0; j < profiles.size(); ++j) {
      const Joint& joint = mechanism.bodies[j].joint;
      at += rotation * joint.origin;
      axes.push_back(rotation * joint.axis);
      origins.push_back(at);
      rotation *= Eigen::AngleAxisd(evaluate(profiles[j], time, 1.0).position, joint.axis)
                      .toRotationMatrix();
    }
    Eigen::MatrixXd slopes(n, n);
    for (Eigen::Index a = 0; a < n; ++a) {
      const auto p = static_cast<std::size_t>(2 * a);
      const Vec3d tip = at + rotation * mechanism.points[p + 1].position;
      const Vec3d line = (tip - mechanism.points[p].position).normalized();
      for (Eigen::Index j = 0; j < n; ++j) {
        const auto i = static_cast<std::size_t>(j);
        slopes(a, j) = line.dot(axes[i].cross(tip - origins[i]));
      }
    }
    return slopes.determinant();
  }

  /// The first sample before which the determinant changed its sign, or 0.
  [[nodiscard]] int first_change(int steps) const {
    for (int k = 1; k <= steps; ++k)
      if (determinant(1.0 * (k - 1) / steps) * determinant(1.0 * k / steps) < 0.0) return k;
    return 0;
  }
};

/// Cranks of one length at these places, all pinned to one bar.
Flat coupled_side_rods(const std::vector<double>& places, double length, double angle) {
  Flat flat;
  const int first = flat.revolute(world_body, places[0], 0.0, angle);
  const int bar = flat.revolute(first, length, 0.0, -angle);
  flat.load(bar, 1.0, 0.1, 0.01);
  for (std::size_t i = 1; i < places.size(); ++i) {
    const int crank = flat.revolute(world_body, places[i], 0.0, angle);
    flat.loop(flat.point(bar, places[i] - places[0], 0.0), flat.point(crank, length, 0.0));
  }
  flat.motor(first);
  return flat;
}

}  // namespace

TEST_CASE("rams that lose their hold between two samples are found, and only those") {
  Random random(20261101);
  int passed = 0, held = 0;
  for (int trial = 0; trial < test::trials(300); ++trial) {
    const HeldChain chain(random, 1 + trial % 3);
    const int steps = 3 + random.below(30);  // in one pack of samples, or over several
    const int change = chain.first_change(steps);
    CAPTURE(trial, steps, change);
    for (const Lanes lanes_of_samples : {Lanes::pack, Lanes::one}) {
      const auto finding = finding_of_run(chain.mechanism, chain.motion(steps),
                                          {.lanes_of_samples = lanes_of_samples});
      REQUIRE(finding.has_value() == (change > 0));
      if (!finding) continue;
      CHECK(finding->kind == FindingKind::transmission_actuator_passed);
      CHECK(finding->element == 0);
      CHECK(finding->time > 1.0 * (change - 1) / steps);
      CHECK(finding->time < 1.0 * change / steps);
    }
    ++(change > 0 ? passed : held);
  }
  CHECK(passed > test::trials(50));
  CHECK(held > test::trials(50));
}

TEST_CASE("a coarse motion and a dense one find the same lost hold") {
  Random random(20261102);
  constexpr int finer = 32;
  for (int trial = 0; trial < test::trials(60); ++trial) {
    const HeldChain chain(random, 1 + trial % 3);
    const int steps = 5 + random.below(15);
    CAPTURE(trial, steps);
    const auto coarse = finding_of_run(chain.mechanism, chain.motion(steps));
    const auto dense = finding_of_run(chain.mechanism, chain.motion(steps * finer));
    if (coarse) {
      REQUIRE(dense);
      // a lever that came back within one coarse step may have been lost before
      CHECK(dense->time < coarse->time + 1.0 / steps);
      const int change = chain.first_change(steps * finer);
      if (change > (chain.first_change(steps) - 1) * finer)
        CHECK(coarse->time == Approx(dense->time).margin(0.5 / steps));
    } else if (dense) {
      // the dense one saw what the coarse one cannot: there and back within one step
      const int change = chain.first_change(steps * finer);
      const int step = (change - 1) / finer;
      CHECK(chain.determinant(1.0 * step / steps) * chain.determinant((step + 1.0) / steps) > 0.0);
    }
  }
}

TEST_CASE("the words name the ram and the time between the samples") {
  Flat flat;
  const int arm = flat.revolute(world_body, 0.0, 0.0, 0.5);
  flat.load(arm, 1.0, 0.2);
  flat.ram(flat.point(world_body, -0.5, 0.0), flat.point(arm, 0.3, 0.0));
  Motion motion = drive(2.0, 0.4, {});
  motion.drives.push_back({{-1, arm}, PointToPoint{0.5, -0.5, 0.0, 2.0}});
  Evaluator evaluator(flat.mechanism, motion);
  Metrics metrics;
  const auto finding = evaluator.evaluate(flat.mechanism, {}, metrics);
  REQUIRE(finding);
  CHECK(describe(*finding, flat.mechanism) ==
        "the actuators cannot hold the mechanism at t=1 s, between two samples, where actuator a0 "
        "passes a singular pose");
}

TEST_CASE("of several rams the one that is first lost is found, whatever their order") {
  // each arm passes its ram's line halfway through its way, the arms one after the other
  for (int trial = 0; trial < 12; ++trial) {
    Flat flat;
    Motion motion = drive(4.0, 0.01, {});
    const int rams = 2 + trial % 3;
    int first = -1;
    for (int a = 0; a < rams; ++a) {
      const int arm = flat.revolute(world_body, 0.0, 0.0, 0.5);
      flat.load(arm, 1.0, 0.2);
      flat.ram(flat.point(world_body, -0.5, 0.0), flat.point(arm, 0.3, 0.0));
      const int turn = (a + trial / 3) % rams;
      if (turn == 0) first = a;
      const double begin = 0.005 + 0.3 * turn;
      motion.drives.push_back({{-1, arm}, PointToPoint{0.5, -0.5, begin, begin + 2.0}});
    }
    CAPTURE(trial, rams);
    for (const Lanes lanes_of_samples : {Lanes::pack, Lanes::one})
      for (const Holding& holding : {Holding::whole(), Holding::at_most(8), Holding::at_most(64)}) {
        const auto finding = finding_of_run(
            flat.mechanism, motion, {.lanes_of_samples = lanes_of_samples, .holding = holding});
        REQUIRE(finding);
        CHECK(finding->element == first);
        CHECK(finding->time == Approx(1.005));
      }
  }
}

TEST_CASE("side rods that pass their flat pose between samples are found by Newton's method too") {
  Random random(20261103);
  for (int trial = 0; trial < test::trials(40); ++trial) {
    CAPTURE(trial);
    std::vector<double> places = {0.0, random.uniform(0.2, 0.5)};
    if (trial % 2 == 1) places.push_back(random.uniform(0.6, 0.9));  // and redundant equations
    const Flat flat = coupled_side_rods(places, random.uniform(0.1, 0.4), -0.8);
    const int steps = 2 * (4 + random.below(20)) + 1;
    const Motion motion = drive(2.0, 2.0 / steps, {PointToPoint{-0.8, 0.8, 0.0, 2.0}});
    const auto finding = finding_of_run(flat.mechanism, motion, {.closure = Closure::newton});
    REQUIRE(finding);
    const bool smooth = finding->kind == FindingKind::singular_loop_passed;
    CHECK((smooth || finding->kind == FindingKind::singular_loop ||
           finding->kind == FindingKind::loop_jump));
    CHECK(std::abs(finding->time - 1.0) <= 1.01 / steps);
    if (smooth) CHECK(std::abs(finding->time - 1.0) < 0.02 * motion.step);
  }
}

TEST_CASE("a coupling takes side rods through their flat pose, however coarse the samples") {
  Random random(20261104);
  for (int trial = 0; trial < test::trials(40); ++trial) {
    const double size = std::pow(10.0, random.uniform(-2.0, 1.0));
    CAPTURE(trial, size);
    Flat flat = coupled_side_rods({0.0, random.uniform(0.2, 0.9) * size}, 0.3 * size, -0.8);
    flat.mechanism.couplings.push_back({"rods", 2, {{0, 1.0}}, 0.0});
    const int steps = 2 * (2 + random.below(20)) + 1;
    const Motion motion = drive(2.0, 2.0 / steps, {PointToPoint{-0.8, 0.8, 0.0, 2.0}});
    for (const Closure closure : {Closure::closed_form, Closure::newton})
      CHECK(!finding_of_run(flat.mechanism, motion, {.closure = closure}));
  }
}

TEST_CASE("redundant equations that turn with the mechanism are no singular pose") {
  // two arms on one pivot, pinned together: three equations for one joint, whose slopes turn with
  // it
  Random random(20261105);
  for (int trial = 0; trial < test::trials(40); ++trial) {
    Flat flat;
    const int first = flat.revolute(world_body, 0.0, 0.0);
    const int second = flat.revolute(world_body, 0.0, 0.0);
    const double angle = random.uniform(-pi, pi), length = random.uniform(0.1, 2.0);
    flat.loop(flat.point(first, length, 0.0),
              flat.point(second, length * std::cos(angle), -length * std::sin(angle)));
    flat.mechanism.bodies[1].joint.guess = angle;
    flat.load(second, 1.0, 0.1);
    flat.motor(first);
    const int steps = 6 + random.below(6);  // up to 110 degrees each
    CAPTURE(trial, steps);
    CHECK(!finding_of_run(flat.mechanism,
                          drive(2.0, 2.0 / steps, {PointToPoint{0.0, 6.0, 0.0, 2.0}})));
  }
}

TEST_CASE("two slides that become parallel between two samples are found") {
  // a slide along a crank is pinned to one that is upright: parallel with the crank at 90 degrees
  Flat flat;
  const int crank = flat.revolute(world_body, 0.0, 0.0, 0.8);
  const int along = flat.prismatic(crank, 0.0, 0.0, Vec3d::UnitX(), 0.5);
  const int upright = flat.prismatic(world_body, 0.4, 0.0, Vec3d::UnitY(), 0.3);
  flat.load(along, 1.0, 0.0);
  flat.loop(flat.point(along, 0.0, 0.0), flat.point(upright, 0.0, 0.0));
  flat.motor(crank);
  const auto finding = finding_of_run(
      flat.mechanism, drive(1.0, 0.2, {PointToPoint{pi / 2 - 0.7, pi / 2 + 0.7, 0.0, 1.0}}));
  REQUIRE(finding);
  CHECK(finding->time == Approx(0.5));
  CHECK(describe(*finding, flat.mechanism) ==
        "loop loop0 passes a singular pose at t=0.5 s, between two samples");
}
