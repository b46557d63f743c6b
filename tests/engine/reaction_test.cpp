#include <catch2/catch.hpp>

#include "tests/oracles/energy.hpp"
#include "tests/support/differences.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

constexpr double step = 5e-3;  // of differences along the motion [s]

bool carries(const Mechanism& mechanism, int body, int other) {
  while (other > body) other = mechanism.bodies[other].parent;
  return other == body;
}

/// All that one sample of a run says, and the parabola through it, along which momenta are
/// differentiated.
struct Moment {
  const Mechanism& mechanism;
  const Simulation& simulation;
  std::size_t k;
  std::vector<double> q, v, a;
  std::vector<Eigen::Matrix4d> poses = oracle::world_poses(mechanism, q);

  /// Rate of a vector that depends on positions and velocities; the largest error goes to `error`.
  template <class F>
  Vec3d rate(const F& f, double& error) const {
    Vec3d result;
    for (int axis = 0; axis < 3; ++axis) {
      const auto value = [&](double t) {
        std::vector<double> position(q.size()), velocity(q.size());
        for (std::size_t i = 0; i < q.size(); ++i) {
          position[i] = q[i] + t * (v[i] + t * a[i] / 2.0);
          velocity[i] = v[i] + t * a[i];
        }
        return f(position, velocity)[axis];
      };
      // momenta of some kilograms at some metres a second, each a few dozen roundings
      constexpr double rounding = 1e-14;
      const Slope slope = slope_at_zero(value, step, rounding);
      error = std::max(error, slope.error);
      result[axis] = slope.value;
    }
    return result;
  }
  [[nodiscard]] double at(const std::string& name) const { return column(simulation, name)[k]; }
  [[nodiscard]] Vec3d vector(const std::string& stem) const {
    return {at(stem + "x"), at(stem + "y"), at(stem + "z")};
  }
  [[nodiscard]] Mat3d turn(int body) const {
    if (body == world_body) return Mat3d::Identity();
    return poses[body].topLeftCorner<3, 3>();
  }
  [[nodiscard]] int body_of(int point) const { return mechanism.points[point].body; }
};

/// A force and a moment that a body gets at a place, in the world.
struct Applied {
  int body;
  Vec3d place, force, moment = Vec3d::Zero();
};

/// What the two ends of a linear actuator do to their bodies: its load, and what its own parts
/// take, from Newton's laws for the leg and for the rod along its line.
void add_actuator(const Moment& now, const Actuator& actuator, std::vector<Applied>& all,
                  double& error) {
  const Vec3d first = oracle::world_point(now.mechanism, now.poses, actuator.points[0]);
  const Vec3d second = oracle::world_point(now.mechanism, now.poses, actuator.points[1]);
  const Vec3d e = (second - first).normalized();
  const double length = (second - first).norm(), load = now.at(actuator.name + ".load");
  const auto momentum = [&](bool rod, bool angular) {
    return now.rate(
        [&](const std::vector<double>& q, const std::vector<double>& v) {
          const auto m = oracle::leg_momentum(now.mechanism, q, v, actuator, first, rod);
          return angular ? m.angular : m.linear;
        },
        error);
  };
  const Vec3d& g = now.mechanism.gravity;
  const Vec3d weight_moment =
      (actuator.tube.com * actuator.tube.mass + (length - actuator.rod.com) * actuator.rod.mass) *
      e.cross(g);
  const Vec3d about_first =
      momentum(false, true) - weight_moment;  // = (second - first) x on_second
  const double along = e.dot(momentum(true, false) - actuator.rod.mass * g) - load;
  const Vec3d on_second = about_first.cross(e) / length + along * e;
  const Vec3d on_first =
      momentum(false, false) - (actuator.tube.mass + actuator.rod.mass) * g - on_second;
  all.push_back({now.body_of(actuator.points[0]), first, -on_first});
  all.push_back({now.body_of(actuator.points[1]), second, -on_second});
}

/// What springs, two-point actuators and loop closures do to bodies.
std::vector<Applied> applied_forces(const Moment& now, double& error) {
  const Mechanism& mechanism = now.mechanism;
  std::vector<Applied> all;
  for (const Actuator& actuator : mechanism.actuators)
    if (actuator.linear()) add_actuator(now, actuator, all, error);
  for (const Spring& spring : mechanism.springs) {
    if (spring.type == SpringType::torsion) {
      const Body& body = mechanism.bodies[spring.joint];
      const Vec3d along =
          -now.turn(spring.joint) * body.joint.axis * now.at(spring.name + ".torque");
      const Vec3d origin = now.poses[spring.joint].topRightCorner<3, 1>();
      const bool turns = body.joint.type == JointType::revolute;
      const Vec3d none = Vec3d::Zero(), force = turns ? none : along, moment = turns ? along : none;
      all.push_back({spring.joint, origin, force, moment});
      all.push_back({body.parent, origin, -force, -moment});
      continue;
    }
    const Vec3d first = oracle::world_point(mechanism, now.poses, spring.points[0]);
    const Vec3d second = oracle::world_point(mechanism, now.poses, spring.points[1]);
    const Vec3d pull = (second - first).normalized() * now.at(spring.name + ".tension");
    all.push_back({now.body_of(spring.points[0]), first, pull});
    all.push_back({now.body_of(spring.points[1]), second, -pull});
  }
  for (const Loop& loop : mechanism.loops) {
    const int first = now.body_of(loop.points[0]), second = now.body_of(loop.points[1]);
    const Vec3d place = oracle::world_point(mechanism, now.poses, loop.points[1]);
    const Vec3d force = now.turn(second) * now.vector(loop.name + ".closure.f");
    const Vec3d moment = now.turn(second) * now.vector(loop.name + ".closure.m");
    all.push_back({first, place, -force, -moment});
    all.push_back({second, place, force, moment});
  }
  return all;
}

/// Rate of the momentum of the body's branch, less its weight and what acts on it besides, against
/// the wrench through its joint.
void check_body(const Moment& now, const std::vector<Applied>& applied, int body, double error) {
  const Mechanism& mechanism = now.mechanism;
  const Vec3d origin = now.poses[body].topRightCorner<3, 1>();
  const auto momentum = [&](bool angular) {
    return now.rate(
        [&](const std::vector<double>& q, const std::vector<double>& v) {
          const auto m = oracle::branch_momentum(mechanism, q, v, body, origin);
          return angular ? m.angular : m.linear;
        },
        error);
  };
  Vec3d force = momentum(false), moment = momentum(true);
  double size = 0.0;
  for (const Applied& other : applied) {
    if (other.body == world_body || !carries(mechanism, body, other.body)) continue;
    const Vec3d arm = other.force.isZero() ? Vec3d::Zero() : Vec3d(other.place - origin);
    force -= other.force;
    moment -= other.moment + arm.cross(other.force);
    size += other.force.norm() + other.moment.norm();
  }
  for (int b = body; b < mechanism.body_count(); ++b) {
    if (!carries(mechanism, body, b)) continue;
    const Body& part = mechanism.bodies[b];
    const Vec3d weight = part.mass * mechanism.gravity;
    const Vec3d centre = (now.poses[b] * part.com.homogeneous()).head<3>();
    force -= weight;
    moment -= (centre - origin).cross(weight);
  }
  const std::string stem = mechanism.bodies[body].name + ".reaction.";
  const double tolerance = 5.0 * error + 1e-10 * (1.0 + size + force.norm() + moment.norm());
  CAPTURE(body, now.k, tolerance, force.transpose(), moment.transpose());
  REQUIRE((now.turn(body) * now.vector(stem + "f") - force).norm() < tolerance);
  REQUIRE((now.turn(body) * now.vector(stem + "m") - moment).norm() < tolerance);
  REQUIRE(tolerance < 1e-6 * (1.0 + size + force.norm() + moment.norm()));
}

void check_bodies(const Sample& sample) {
  const Mechanism& mechanism = sample.mechanism;
  const Simulation simulation = run(mechanism, sample.motion, {.reactions = true});
  const auto q = joint_samples(simulation, mechanism, ".q");
  const auto v = joint_samples(simulation, mechanism, ".qd");
  const auto a = joint_samples(simulation, mechanism, ".qdd");
  for (std::size_t k = 0; k < q.size(); k += 2) {
    const Moment now{mechanism, simulation, k, q[k], v[k], a[k]};
    double error = 0.0;
    auto applied = applied_forces(now, error);
    for (std::size_t f = 0; f < mechanism.forces.size(); ++f) {
      const AppliedForce force = force_at(sample, f, now.at("t"));
      const int body = now.body_of(force.point);
      const Mat3d axes = now.turn(force.turns_with_body ? body : int{world_body});
      applied.push_back({body, oracle::world_point(mechanism, now.poses, force.point),
                         axes * force.force, axes * force.moment});
    }
    for (int body = 0; body < mechanism.body_count(); ++body) check_body(now, applied, body, error);
  }
}

}  // namespace

TEST_CASE("a reaction is what moves all that the joint carries, less all other forces on it") {
  Random random(20260801);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    CAPTURE(trial);
    check_bodies(
        random_sample(random, {.tree_bodies = 6, .motors_only = trial % 2 == 0, .step = 0.1}));
  }
}

TEST_CASE("the joints and closures of loops hold every body, and bear nothing along their axes") {
  Random random(20260802);
  for (int trial = 0; trial < test::trials(20) * linkage_count; ++trial) {
    const auto kind = static_cast<Linkage>(trial % linkage_count);
    CAPTURE(trial, trial % linkage_count);
    const Sample sample = random_sample(random, {.tree_bodies = 2, .linkage = kind, .step = 0.1});
    check_bodies(sample);
    const Mechanism& mechanism = sample.mechanism;
    const Simulation simulation = run(mechanism, sample.motion, {.reactions = true});
    for (const Loop& loop : mechanism.loops) {
      if (loop.keep != LoopKeep::parallel && loop.keep != LoopKeep::point) continue;
      for (std::size_t k = 0; k < simulation.columns.front().values.size(); ++k) {
        Vec3d moment;
        double force = 0.0;
        for (const int i : {0, 1, 2}) {
          const std::string axis(1, "xyz"[i]);
          moment[i] = column(simulation, loop.name + ".closure.m" + axis)[k];
          force += std::abs(column(simulation, loop.name + ".closure.f" + axis)[k]);
        }
        const double along =
            loop.keep == LoopKeep::point ? moment.norm() : moment.dot(loop.axes[1]);
        REQUIRE(std::abs(along) <= 1e-12 * (moment.norm() + force));
      }
    }
  }
}

TEST_CASE("joints bear forces and moments from outside") {
  Random random(20260804);
  for (int trial = 0; trial < test::trials(20) * linkage_count; ++trial) {
    const auto kind = static_cast<Linkage>(trial % linkage_count);
    CAPTURE(trial, trial % linkage_count);
    Sample sample = random_sample(random, {.tree_bodies = 3, .linkage = kind, .step = 0.1});
    add_forces(random, sample);
    check_bodies(sample);
  }
}

TEST_CASE("along its axis a joint bears its actuator's load less its friction") {
  Random random(20260805);
  for (int trial = 0; trial < test::trials(20) * linkage_count; ++trial) {
    const auto kind = static_cast<Linkage>(trial % linkage_count);
    CAPTURE(trial, trial % linkage_count);
    Sample sample = random_sample(random, {.tree_bodies = 3, .linkage = kind, .step = 0.1});
    Mechanism& mechanism = sample.mechanism;
    add_friction(random, mechanism);
    std::vector<bool> alone(mechanism.bodies.size(), true);
    for (const Coupling& coupling : mechanism.couplings) {
      alone[static_cast<std::size_t>(coupling.joint)] = false;
      for (const CouplingTerm& term : coupling.terms)
        alone[static_cast<std::size_t>(term.of)] = false;
    }
    for (const Spring& spring : mechanism.springs)
      if (spring.type == SpringType::torsion) alone[static_cast<std::size_t>(spring.joint)] = false;
    check_bodies(sample);
    const Simulation simulation = run(mechanism, sample.motion, {.reactions = true});
    const auto v = joint_samples(simulation, mechanism, ".qd");
    for (int b = 0; b < mechanism.body_count(); ++b) {
      const Body& body = mechanism.bodies[b];
      if (!mechanism.moves(b) || !alone[static_cast<std::size_t>(b)]) continue;
      const bool turns = body.joint.type == JointType::revolute;
      const std::string stem = body.name + ".reaction." + (turns ? "m" : "f");
      for (std::size_t k = 0; k < v.size(); ++k) {
        const double speed = v[k][static_cast<std::size_t>(b)];
        const double dry =
            std::abs(speed) <= 1e-9 ? 0.0 : std::copysign(body.friction.coulomb, speed);
        double expected = -dry - body.friction.viscous * speed;
        for (const Actuator& actuator : mechanism.actuators)
          if (actuator.joint == b) expected += column(simulation, actuator.name + ".load")[k];
        Vec3d wrench, all;
        for (const int i : {0, 1, 2}) {
          const std::string axis(1, "xyz"[i]);
          wrench[i] = column(simulation, stem + axis)[k];
          all[i] = column(simulation, body.name + ".reaction.f" + axis)[k];
        }
        CAPTURE(body.name, k, expected);
        REQUIRE(std::abs(wrench.dot(body.joint.axis) - expected) <
                1e-9 * (1.0 + wrench.norm() + all.norm()));
      }
    }
  }
}

TEST_CASE("a reaction is what moves all that the joint carries, where loops hang on loops") {
  Random random(20260803);
  for (int trial = 0; trial < test::trials(15); ++trial) {
    CAPTURE(trial);
    check_bodies(
        random_sample(random, {.tree_bodies = 2, .more_linkages = 2 + trial % 2, .step = 0.1}));
  }
}
