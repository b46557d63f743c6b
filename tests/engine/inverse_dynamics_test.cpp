#include "engine/dynamics/inverse_dynamics.hpp"

#include <catch2/catch.hpp>

#include "engine/math/pack.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// One of the 24 rotations that carry the main axes into one another, or their opposites.
Mat3d quarter_turns(Random& random) {
  Mat3d rotation = Mat3d::Identity();
  for (int i = 0; i < 6; ++i) {
    Mat3d turn;
    turn << 0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0;
    if (random.chance(0.5)) turn << 1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0;
    rotation = rotation * turn;
  }
  return rotation;
}

/// A tree whose joints lie along main axes in either sense, as most machines' do, with branches,
/// sliding and fixed joints, bodies without mass, and vectors that often lie along an axis.
Mechanism machine(Random& random) {
  Mechanism mechanism;
  mechanism.gravity = random.vector(10.0);
  for (int i = 0; i < 14; ++i) {
    Body body;
    body.parent = random.chance(0.6) ? i - 1 : random.below(i + 1) - 1;
    const int kind = random.below(8);
    body.joint.type = kind == 0  ? JointType::fixed
                      : kind < 3 ? JointType::prismatic
                                 : JointType::revolute;
    body.joint.axis = (random.chance(0.5) ? 1.0 : -1.0) * Vec3d::Unit(random.below(3));
    body.joint.rotation = random.chance(0.5) ? Mat3d::Identity() : quarter_turns(random);
    const bool along_axis = random.chance(0.5);
    const Vec3d along = Vec3d::Unit(random.below(3));
    body.joint.origin = along_axis ? Vec3d(0.3 * along) : random.vector(0.3);
    if (!random.chance(0.2)) {
      body.mass = random.uniform(0.5, 3.0);
      body.com = along_axis ? Vec3d(0.1 * along) : random.vector(0.1);
      body.inertia = random.inertia(body.mass, 0.2);
      if (along_axis) body.inertia = Mat3d(body.inertia.diagonal().asDiagonal());
    }
    mechanism.bodies.push_back(body);
  }
  return mechanism;
}

/// The same tree with every body described in other axes about its origin: R_BC given, C new.
Mechanism in_other_axes(const Mechanism& mechanism, std::span<const Mat3d> axes) {
  Mechanism other = mechanism;
  for (std::size_t i = 0; i < other.bodies.size(); ++i) {
    Body& body = other.bodies[i];
    const Mat3d& own = axes[i];
    const Mat3d parents = body.parent == world_body ? Mat3d(Mat3d::Identity()) : axes[body.parent];
    body.joint.origin = parents.transpose() * body.joint.origin;
    body.joint.rotation = parents.transpose() * body.joint.rotation * own;
    body.joint.axis = own.transpose() * body.joint.axis;
    body.com = own.transpose() * body.com;
    body.inertia = own.transpose() * body.inertia * own;
  }
  return other;
}

/// Joint forces and wrenches of a tree in one state, or in as many as a Pack has lanes.
template <class S>
struct Dynamics {
  JointMotion<S> motion;
  TreeModel model;
  InverseDynamicsScratch<S> scratch;
  std::vector<S> tau;

  explicit Dynamics(const Mechanism& mechanism) : tau(mechanism.bodies.size(), S(1.0)) {
    motion.resize(mechanism.body_count(), lanes<S>);
    scratch.resize(tau.size());
    model.prepare(mechanism);
  }
  void set(std::size_t b, int lane_index, double q, double v, double a) {
    const JointState<S> state = motion.block(0);
    set_lane(state.q[b], lane_index, q);
    set_lane(state.v[b], lane_index, v);
    set_lane(state.a[b], lane_index, a);
    set_lane(state.sine[b], lane_index, std::sin(q));
    set_lane(state.cosine[b], lane_index, std::cos(q));
  }
  void solve() { inverse_dynamics<S>(model, motion.block(0), scratch, tau); }
};

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

// a hundred or so sums and products a body, of numbers within a few times the largest
constexpr double rounding = 1e-12;

}  // namespace

TEST_CASE("the axes a body is described in change neither joint forces nor wrenches") {
  Random random(31);
  for (int trial = 0; trial < test::trials(300); ++trial) {
    CAPTURE(trial);
    const Mechanism mechanism = machine(random);
    std::vector<Mat3d> axes;
    for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) axes.push_back(random.rotation());
    Dynamics<double> given(mechanism), other(in_other_axes(mechanism, axes));
    for (std::size_t b = 0; b < axes.size(); ++b) {
      const double q = random.uniform(-3.0, 3.0), v = random.uniform(-3.0, 3.0),
                   a = random.uniform(-9.0, 9.0);
      given.set(b, 0, q, v, a);
      other.set(b, 0, q, v, a);
    }
    given.solve();
    other.solve();
    const double size = largest(given.tau) + 10.0;
    for (std::size_t b = 0; b < axes.size(); ++b)
      REQUIRE(std::abs(given.tau[b] - other.tau[b]) <= rounding * size);
    REQUIRE(given.model.bodies.size() == other.model.bodies.size());
    for (std::size_t i = 0; i < given.model.bodies.size(); ++i) {
      const TreeModel::Body &first = given.model.bodies[i], &second = other.model.bodies[i];
      const auto b = static_cast<std::size_t>(first.index);
      const Vec3d force = first.axes * given.scratch.force[b];
      const Vec3d moment = first.axes * given.scratch.moment[b];
      const Vec3d force_other = axes[b] * second.axes * other.scratch.force[b];
      const Vec3d moment_other = axes[b] * second.axes * other.scratch.moment[b];
      REQUIRE((force - force_other).norm() <= rounding * (size + force.norm()));
      REQUIRE((moment - moment_other).norm() <= rounding * (size + force.norm()));
    }
  }
}

TEST_CASE("every lane of a pack of states gives the joint forces of its state") {
  Random random(33);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    CAPTURE(trial);
    const Mechanism mechanism = machine(random);
    Dynamics<Pack> together(mechanism);
    std::vector<Dynamics<double>> alone(pack_width, Dynamics<double>(mechanism));
    for (int i = 0; i < pack_width; ++i)
      for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
        const double q = random.uniform(-3.0, 3.0), v = random.uniform(-3.0, 3.0),
                     a = random.uniform(-9.0, 9.0);
        together.set(b, i, q, v, a);
        alone[i].set(b, 0, q, v, a);
      }
    together.solve();
    for (int i = 0; i < pack_width; ++i) {
      Dynamics<double>& single = alone[i];
      single.solve();
      for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
        REQUIRE(std::abs(lane(together.tau[b], i) - single.tau[b]) <=
                rounding * (largest(single.tau) + 10.0));
    }
  }
}
