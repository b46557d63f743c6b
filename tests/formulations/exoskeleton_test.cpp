#include <Eigen/LU>
#include <catch2/catch.hpp>

#include "input/reading/read.hpp"
#include "tests/formulations/elimination_ways.hpp"
#include "tests/oracles/closure.hpp"
#include "tests/oracles/energy.hpp"
#include "tests/support/interposed/allocations.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const Mechanism& exoskeleton() {
  static const Mechanism mechanism =
      read_model(std::string(COUNTERPOISE_SOURCE_DIR) + "/examples/exoskeleton/model.json",
                 read_text_file)
          .nominal;
  return mechanism;
}

std::vector<double> guesses(const Mechanism& mechanism) {
  std::vector<double> q;
  for (const Body& body : mechanism.bodies) q.push_back(body.joint.guess);
  return q;
}

std::vector<double> zero_pose(const Mechanism& mechanism) {
  std::vector<double> q1;
  for (const Actuator& actuator : mechanism.actuators)
    q1.push_back(mechanism.bodies[actuator.joint].joint.guess);
  return q1;
}

/// shoulder_yaw, shoulder_roll, lift, elbow, pronation
std::vector<double> random_pose(Random& random) {
  return {random.uniform(-1.5, 1.5), random.uniform(-1.2, 1.2), random.uniform(-0.3, 1.2),
          random.uniform(-0.4, 1.4), random.uniform(-1.5, 1.5)};
}

/// The joints at q1 by brute force, led there from the zero configuration.
oracle::Closed closed_at(const Mechanism& mechanism, const std::vector<double>& q1) {
  const std::vector<double> zero = zero_pose(mechanism);
  oracle::Closed now{guesses(mechanism), 0.0};
  constexpr int steps = 12;
  for (int i = 0; i <= steps; ++i) {
    std::vector<double> between;
    for (std::size_t k = 0; k < q1.size(); ++k)
      between.push_back(zero[k] + (q1[k] - zero[k]) * i / steps);
    const auto closed = oracle::close_mechanism(mechanism, between, now.q);
    REQUIRE(closed);
    now = *closed;
  }
  return now;
}

/// Velocity of the point of a body that is at `place`, when its pose goes from `before` to `after`.
Vec3d velocity_at(const Vec3d& place, const Eigen::Matrix4d& now, const Eigen::Matrix4d& before,
                  const Eigen::Matrix4d& after, double time) {
  const Eigen::Vector4d on_body = now.inverse() * place.homogeneous();
  return ((after - before) * on_body).head<3>() / time;
}

}  // namespace

TEST_CASE("the gears of the exoskeleton roll: both bodies move alike at a pitch point") {
  const Mechanism& mechanism = exoskeleton();
  const auto body = [&](const char* name) {
    const int found = find_body(mechanism, name);
    REQUIRE(found >= 0);
    return static_cast<std::size_t>(found);
  };
  Random random(20260431);
  constexpr double h = 1e-4;
  for (int trial = 0; trial < test::trials(10); ++trial) {
    const std::vector<double> q1 = random_pose(random);
    const oracle::Closed closed = closed_at(mechanism, q1);
    std::vector<double> low = q1, high = q1;
    for (std::size_t k = 0; k < q1.size(); ++k) {
      const double rate = random.uniform(-1.0, 1.0);
      low[k] -= h * rate;
      high[k] += h * rate;
    }
    const auto now = oracle::world_poses(mechanism, closed.q);
    const auto before =
        oracle::world_poses(mechanism, oracle::close_mechanism(mechanism, low, closed.q)->q);
    const auto after =
        oracle::world_poses(mechanism, oracle::close_mechanism(mechanism, high, closed.q)->q);
    const auto origin = [&](std::size_t b) { return Vec3d(now[b].topRightCorner<3, 1>()); };
    const auto slip = [&](std::size_t a, std::size_t b, const Vec3d& pitch) {
      return (velocity_at(pitch, now[a], before[a], after[a], 2.0 * h) -
              velocity_at(pitch, now[b], before[b], after[b], 2.0 * h))
          .norm();
    };
    const std::size_t gear = body("central_gear");
    const Vec3d o4 = origin(body("upper_link")), o5 = origin(gear), o6 = origin(body("forearm"));
    CHECK((o5 - origin(body("lower_link"))).norm() < 1e-12);
    // central differences of turns at about 1 rad/s with radii of 0.3 m: h^2
    CHECK(slip(body("upper_arm"), gear, (o4 + o5) / 2.0) < h * h);
    CHECK(slip(gear, body("forearm"), (o5 + o6) / 2.0) < h * h);
    CHECK(slip(body("upper_arm"), gear, o5) > 1e-3);  // elsewhere they do slip
  }
}

TEST_CASE("the exoskeleton stays far from singular poses where it works") {
  const Mechanism& mechanism = exoskeleton();
  std::vector<Eigen::Matrix4d> poses;
  const auto origin = [&](const char* name) {
    return Vec3d(poses[find_body(mechanism, name)].topRightCorner<3, 1>());
  };
  const auto end_of = [&](std::size_t loop) {
    return oracle::world_point(mechanism, poses, mechanism.loops[loop].points[0]);
  };
  const auto sine_at = [](const Vec3d& pin, const Vec3d& a, const Vec3d& b) {
    return (a - pin).normalized().cross((b - pin).normalized()).norm();
  };
  for (double lift = -0.3; lift < 1.25; lift += 0.3)
    for (double elbow = -0.4; elbow < 1.45; elbow += 0.3) {
      poses = oracle::world_poses(mechanism, closed_at(mechanism, {0.0, 0.0, lift, elbow, 0.0}).q);
      CAPTURE(lift, elbow);
      const Vec3d b = end_of(0), e = end_of(1), a = end_of(2);
      CHECK(sine_at(origin("coupling_rod"), origin("bell_crank"), b) > 0.8);
      CHECK(sine_at(e, origin("upper_arm"), origin("shoulder_lever")) > 0.8);
      CHECK((a - b).norm() > 0.05);
    }
}

TEST_CASE("three formulations agree on the exoskeleton at random poses") {
  const Mechanism& mechanism = exoskeleton();
  const MinimalPlan plan = plan_minimal(mechanism);
  REQUIRE(plan.freedoms() == 5);
  Random random(20260432);
  for (int trial = 0; trial < test::trials(500); ++trial) {
    CAPTURE(trial);
    agreed_terms(plan, random_pose(random));
  }
}

TEST_CASE("the three formulations allocate nothing") {
  const MinimalPlan plan = plan_minimal(exoskeleton());
  MinimalState<double> state(plan);
  Vector<double> g1(plan.freedoms());
  Matrix<double> M1(plan.freedoms(), plan.freedoms());
  const std::vector<double> q1 = zero_pose(exoskeleton());
  const long before = allocations();
  close_directly<double>(plan, q1, state);
  constrain(plan, state);
  projected_gravity(plan, state, g1);
  projected_mass_matrix(plan, state, M1);
  eliminate_directly<double>(plan, q1, state);
  eliminate_trigonometrically<double>(plan, q1, state);
  lagrangian_gravity(plan, state, g1);
  lagrangian_mass_matrix(plan, state, M1);
  CHECK(allocations() == before);
}

TEST_CASE("the exoskeleton's terms agree with its energies and the engine's loads") {
  const Mechanism& mechanism = exoskeleton();
  const MinimalPlan plan = plan_minimal(mechanism);
  Random random(20260433);
  for (int trial = 0; trial < 5; ++trial) {
    CAPTURE(trial);
    std::vector<double> q1 = random_pose(random);
    // where the strut is turned by less than a right angle from the zero configuration: beyond, a
    // motion that starts there would rather slide it through its own pin than turn it
    q1[3] = q1[2] + random.uniform(-0.7, 0.8);
    CAPTURE(q1);
    const Terms found = agreed_terms(plan, q1);
    check_energies(mechanism, q1, closed_at(mechanism, q1).q, found);
    check_loads(mechanism, q1, found);
  }
}
