#include <catch2/catch.hpp>

#include "tests/oracles/energy.hpp"
#include "tests/support/differences.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

constexpr double step = 5e-3;  // of differences along the motion [s]

Vec3d at(const Simulation& simulation, const std::string& stem, std::size_t k) {
  return {column(simulation, stem + "x")[k], column(simulation, stem + "y")[k],
          column(simulation, stem + "z")[k]};
}

bool carries(const Mechanism& mechanism, int body, int other) {
  while (other > body) other = mechanism.bodies[static_cast<std::size_t>(other)].parent;
  return other == body;
}

/// Force and moment about a place, in the world.
struct Wrench {
  Vec3d force = Vec3d::Zero();
  Vec3d moment = Vec3d::Zero();
};

/// What springs and two-point actuators do to the branch of a body: each pushes its two points
/// apart; those with both ends on the branch or none do nothing.
Wrench outer_forces(const Mechanism& mechanism, const Simulation& simulation,
                    std::span<const Eigen::Matrix4d> poses, int body, const Vec3d& about,
                    std::size_t k) {
  Wrench sum;
  const auto add = [&](const std::array<int, 2>& points, double push) {
    const Vec3d first = oracle::world_point(mechanism, poses, points[0]);
    const Vec3d second = oracle::world_point(mechanism, poses, points[1]);
    for (std::size_t end : {0u, 1u}) {
      const int on = mechanism.points[static_cast<std::size_t>(points[end])].body;
      if (!carries(mechanism, body, on)) continue;
      const Vec3d place = end == 0 ? first : second;
      const Vec3d force = (place - (end == 0 ? second : first)).normalized() * push;
      sum.force += force;
      sum.moment += (place - about).cross(force);
    }
  };
  for (const Actuator& actuator : mechanism.actuators)
    if (actuator.linear()) add(actuator.points, column(simulation, actuator.name + ".load")[k]);
  for (const Spring& spring : mechanism.springs) {
    if (spring.type != SpringType::torsion) {
      add(spring.points, -column(simulation, spring.name + ".tension")[k]);
    } else if (spring.joint == body) {
      const Mat3d turn = poses[static_cast<std::size_t>(body)].topLeftCorner<3, 3>();
      sum.moment -= turn * mechanism.bodies[static_cast<std::size_t>(body)].joint.axis *
                    column(simulation, spring.name + ".torque")[k];
    }
  }
  return sum;
}

/// Rate of the momentum of the body's branch, less its weight and what springs and two-point
/// actuators do, against the wrench through its joint.
void check_body(const Mechanism& mechanism, const Simulation& simulation, int body, std::size_t k,
                const std::vector<double>& q, const std::vector<double>& v,
                const std::vector<double>& a) {
  const auto poses = oracle::world_poses(mechanism, q);
  const Eigen::Matrix4d& pose = poses[static_cast<std::size_t>(body)];
  const Vec3d origin = pose.topRightCorner<3, 1>();
  const auto momentum = [&](double t, bool angular, int axis) {
    std::vector<double> position(q.size()), velocity(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) {
      position[i] = q[i] + t * (v[i] + t * a[i] / 2.0);
      velocity[i] = v[i] + t * a[i];
    }
    const auto now = oracle::branch_momentum(mechanism, position, velocity, body, origin);
    return angular ? now.angular[axis] : now.linear[axis];
  };
  const Wrench outer = outer_forces(mechanism, simulation, poses, body, origin, k);
  Vec3d force = -outer.force, moment = -outer.moment;
  const double size = outer.force.norm() + outer.moment.norm();
  for (int b = body; b < mechanism.body_count(); ++b) {
    if (!carries(mechanism, body, b)) continue;
    const Body& part = mechanism.bodies[static_cast<std::size_t>(b)];
    const Vec3d weight = part.mass * mechanism.gravity;
    const Vec3d centre = (poses[static_cast<std::size_t>(b)] * part.com.homogeneous()).head<3>();
    force -= weight;
    moment -= (centre - origin).cross(weight);
  }
  double error = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    // momenta of some kilograms at some metres a second, each a few dozen roundings
    constexpr double rounding = 1e-14;
    const auto rate = [&](bool angular) {
      const Slope slope =
          slope_at_zero([&](double t) { return momentum(t, angular, axis); }, step, rounding);
      error = std::max(error, slope.error);
      return slope.value;
    };
    force[axis] += rate(false);
    moment[axis] += rate(true);
  }
  const std::string stem = mechanism.bodies[static_cast<std::size_t>(body)].name + ".reaction.";
  const Mat3d turn = pose.topLeftCorner<3, 3>();
  const double tolerance = 3.0 * error + 1e-10 * (1.0 + size + force.norm() + moment.norm());
  CAPTURE(body, k, tolerance, force.transpose(), moment.transpose());
  REQUIRE((turn * at(simulation, stem + "f", k) - force).norm() < tolerance);
  REQUIRE((turn * at(simulation, stem + "m", k) - moment).norm() < tolerance);
  REQUIRE(tolerance < 1e-6 * (1.0 + size + force.norm() + moment.norm()));
}

}  // namespace

TEST_CASE("a reaction is what moves all that the joint carries, less all other forces on it") {
  Random random(20260801);
  for (int trial = 0; trial < 100; ++trial) {
    CAPTURE(trial);
    const Sample sample =
        random_sample(random, {.tree_bodies = 6, .motors_only = trial % 2 == 0, .step = 0.1});
    const Mechanism& mechanism = sample.mechanism;
    const Simulation simulation = run(mechanism, sample.motion, {.reactions = true});
    const auto q = joint_samples(simulation, mechanism, ".q");
    const auto v = joint_samples(simulation, mechanism, ".qd");
    const auto a = joint_samples(simulation, mechanism, ".qdd");
    for (std::size_t k = 0; k < q.size(); k += 2)
      for (int body = 0; body < mechanism.body_count(); ++body)
        check_body(mechanism, simulation, body, k, q[k], v[k], a[k]);
  }
}

TEST_CASE("bodies whose joint lies in a loop have no reaction columns, all others have") {
  Random random(20260802);
  for (int kind = 0; kind < linkage_count; ++kind) {
    const Sample sample =
        random_sample(random, {.tree_bodies = 3, .linkage = static_cast<Linkage>(kind)});
    const Simulation simulation = run(sample.mechanism, sample.motion, {.reactions = true});
    for (int b = 0; b < sample.mechanism.body_count(); ++b) {
      // in a loop: on the way from one of its points to the world, but not on the other's
      bool in_loop = false;
      for (const Loop& loop : sample.mechanism.loops) {
        int ways = 0;
        for (const int p : loop.points) {
          int body = sample.mechanism.points[static_cast<std::size_t>(p)].body;
          while (body != world_body && body != b)
            body = sample.mechanism.bodies[static_cast<std::size_t>(body)].parent;
          if (body == b) ++ways;
        }
        in_loop = in_loop || ways == 1;
      }
      const std::string name =
          sample.mechanism.bodies[static_cast<std::size_t>(b)].name + ".reaction.fx";
      const bool has = std::any_of(simulation.columns.begin(), simulation.columns.end(),
                                   [&](const Series& series) { return series.name == name; });
      CAPTURE(kind, b);
      CHECK(has == !in_loop);
    }
  }
}
