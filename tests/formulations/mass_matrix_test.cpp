#include "engine/dynamics/mass_matrix.hpp"

#include <catch2/catch.hpp>

#include "engine/math/pack.hpp"
#include "tests/oracles/energy.hpp"
#include "tests/support/differences.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// Without its actuators, which may have mass themselves.
Mechanism random_tree(Random& random) {
  Mechanism mechanism = random_sample(random, {.tree_bodies = 8}).mechanism;
  mechanism.actuators.clear();
  return mechanism;
}

template <class S>
struct Tree {
  TreeModel model;
  MassMatrixScratch<S> scratch;
  JointMotion<S> motion;
  Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic> matrix;
  std::vector<S> gravity;

  Tree(const Mechanism& mechanism, const std::vector<double>& q)
      : matrix(mechanism.body_count(), mechanism.body_count()), gravity(q.size(), S(0.0)) {
    model.prepare(mechanism);
    scratch.prepare(model, q.size());
    motion.resize(mechanism.body_count(), 1);
    const JointState<S> state = motion.block(0);
    for (std::size_t b = 0; b < q.size(); ++b) {
      state.q[b] = S(q[b]);
      state.sine[b] = S(std::sin(q[b]));
      state.cosine[b] = S(std::cos(q[b]));
    }
    matrix.setConstant(S(0.0));
    mass_matrix<S>(model, state, scratch, matrix);
    gravity_forces<S>(model, state, scratch, gravity);
  }
};

}  // namespace

TEST_CASE("the mass matrix of a random tree is that of its kinetic energy, in lanes too") {
  Random random(20260421);
  for (int trial = 0; trial < test::trials(60); ++trial) {
    const Mechanism mechanism = random_tree(random);
    std::vector<double> q;
    for (int b = 0; b < mechanism.body_count(); ++b)
      q.push_back(mechanism.moves(b) ? random.uniform(-2.0, 2.0) : 0.0);
    const Tree<double> tree(mechanism, q);
    const Tree<Pack> lanes(mechanism, q);
    const auto kinetic = [&](std::size_t a, std::size_t b) {
      std::vector<double> v(q.size(), 0.0);
      v[a] += 1.0;
      v[b] += 1.0;
      return oracle::kinetic_energy(mechanism, q, v).value;
    };
    for (std::size_t a = 0; a < q.size(); ++a)
      for (std::size_t b = 0; b < q.size(); ++b) {
        const auto row = static_cast<int>(a), col = static_cast<int>(b);
        const double own = kinetic(a, a) / 4.0, other = kinetic(b, b) / 4.0;
        const double expected = a == b ? 2.0 * own : kinetic(a, b) - own - other;
        CAPTURE(trial, a, b, tree.matrix(row, col), expected);
        REQUIRE(std::abs(tree.matrix(row, col) - expected) <= 1000.0 * epsilon * (own + other));
        REQUIRE(std::abs(lane(lanes.matrix(row, col), 0) - expected) <=
                1000.0 * epsilon * (own + other));
      }
  }
}

TEST_CASE("gravity forces of a random tree are the slopes of its potential energy") {
  Random random(20260422);
  for (int trial = 0; trial < test::trials(60); ++trial) {
    const Mechanism mechanism = random_tree(random);
    std::vector<double> q;
    for (int b = 0; b < mechanism.body_count(); ++b)
      q.push_back(mechanism.moves(b) ? random.uniform(-2.0, 2.0) : 0.0);
    const Tree<double> tree(mechanism, q);
    const Tree<Pack> lanes(mechanism, q);
    const double size = oracle::potential_energy(mechanism, q, false).size;
    for (std::size_t b = 0; b < q.size(); ++b) {
      if (!mechanism.moves(static_cast<int>(b))) continue;
      const auto potential = [&](double by) {
        std::vector<double> moved = q;
        moved[b] += by;
        return oracle::potential_energy(mechanism, moved, false).value;
      };
      const Slope expected = slope_at_zero(potential, 1e-2, 20.0 * epsilon * size);
      CAPTURE(trial, b, tree.gravity[b], expected.value, expected.error);
      REQUIRE(std::abs(tree.gravity[b] - expected.value) <= expected.error);
      REQUIRE(expected.error < 1e-8 * (size + 1.0));
      REQUIRE(std::abs(lane(lanes.gravity[b], 0) - tree.gravity[b]) <= 1000.0 * epsilon * size);
    }
  }
}
