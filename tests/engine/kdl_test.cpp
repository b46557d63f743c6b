#include <catch2/catch.hpp>
#include <numbers>

#include "tests/oracles/energy.hpp"
#include "tests/oracles/kdl_tree.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using std::numbers::pi;

std::array<double, 3> plain(const Vec3d& v) {
  return {v.x(), v.y(), v.z()};
}

std::vector<oracle::KdlLink> links_of(const Mechanism& mechanism) {
  std::vector<oracle::KdlLink> links;
  for (const Body& body : mechanism.bodies) {
    oracle::KdlLink link;
    link.parent = body.parent;
    link.joint = body.joint.type == JointType::fixed      ? oracle::KdlJoint::fixed
                 : body.joint.type == JointType::revolute ? oracle::KdlJoint::revolute
                                                          : oracle::KdlJoint::prismatic;
    link.axis = plain(body.joint.axis);
    link.origin = plain(body.joint.origin);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) link.rotation[3 * i + j] = body.joint.rotation(i, j);
    link.mass = body.mass;
    link.com = plain(body.com);
    const Mat3d& m = body.inertia;
    link.inertia = {m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(0, 2), m(1, 2)};
    links.push_back(link);
  }
  return links;
}

/// As most machines are built: joints along main axes in either sense, and often the next joint,
/// the centre of mass and the principal axes of inertia too.
void align(Mechanism& mechanism, Random& random) {
  for (Body& body : mechanism.bodies) {
    body.joint.axis = (random.chance(0.5) ? 1.0 : -1.0) * Vec3d::Unit(random.below(3));
    body.joint.rotation = Mat3d::Identity();
    if (random.chance(0.3)) body.joint.rotation = rotation_about(Vec3d::UnitY(), 0.5 * pi);
    if (random.chance(0.5)) continue;
    const Vec3d along = Vec3d::Unit(random.below(3));
    body.joint.origin = 0.3 * along;
    body.com = 0.1 * along;
    body.inertia = Mat3d(body.inertia.diagonal().asDiagonal());
  }
}

/// What the forces from outside do to each body at time t, as KDL takes it.
std::vector<oracle::KdlWrench> wrenches_of(const Sample& sample, const std::vector<double>& q,
                                           double t) {
  const Mechanism& mechanism = sample.mechanism;
  const auto poses = oracle::world_poses(mechanism, q);
  std::vector<Vec3d> forces(mechanism.bodies.size(), Vec3d::Zero()), moments = forces;
  for (std::size_t f = 0; f < mechanism.forces.size(); ++f) {
    const AppliedForce applied = force_at(sample, f, t);
    const Point& point = mechanism.points[applied.point];
    const Mat3d to_body = applied.turns_with_body
                              ? Mat3d(Mat3d::Identity())
                              : Mat3d(poses[point.body].topLeftCorner<3, 3>().transpose());
    const auto b = static_cast<std::size_t>(point.body);
    forces[b] += to_body * applied.force;
    moments[b] += to_body * applied.moment + point.position.cross(to_body * applied.force);
  }
  std::vector<oracle::KdlWrench> wrenches;
  for (std::size_t b = 0; b < forces.size(); ++b)
    wrenches.push_back({plain(forces[b]), plain(moments[b])});
  return wrenches;
}

/// Joint forces of random trees against KDL's.
void check_random_trees(bool aligned, bool forces = false) {
  Random random(20260401);
  for (int trial = 0; trial < test::trials(300); ++trial) {
    CAPTURE(trial);
    Sample sample = random_sample(
        random, {.tree_bodies = 12, .motors_only = true, .springs = false, .step = 0.05});
    if (aligned) align(sample.mechanism, random);
    if (forces) add_forces(random, sample);
    const Simulation simulation = run(sample.mechanism, sample.motion);
    const auto q = joint_samples(simulation, sample.mechanism, ".q");
    const auto v = joint_samples(simulation, sample.mechanism, ".qd");
    const auto a = joint_samples(simulation, sample.mechanism, ".qdd");
    const auto links = links_of(sample.mechanism);

    std::vector<std::vector<double>> expected;
    double largest = 0.0;
    for (std::size_t k = 0; k < q.size(); ++k) {
      expected.push_back(
          oracle::kdl_inverse_dynamics(links, plain(sample.mechanism.gravity), q[k], v[k], a[k],
                                       wrenches_of(sample, q[k], column(simulation, "t")[k])));
      largest = std::max(largest, peak(expected.back()));
    }
    for (const Actuator& actuator : sample.mechanism.actuators)
      for (std::size_t k = 0; k < q.size(); ++k) {
        CAPTURE(actuator.name, k, largest);
        REQUIRE(std::abs(column(simulation, actuator.name + ".load")[k] -
                         expected[k][actuator.joint]) <= 1e-10 * largest);
      }
  }
}

}  // namespace

TEST_CASE("inverse dynamics of random trees agrees with Orocos KDL") {
  check_random_trees(false);
}

TEST_CASE("loads under forces and moments from outside agree with Orocos KDL") {
  check_random_trees(false, true);
}

TEST_CASE("inverse dynamics of trees along main axes agrees with Orocos KDL") {
  check_random_trees(true);
}
