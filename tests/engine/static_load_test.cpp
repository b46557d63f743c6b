#include <catch2/catch.hpp>

#include "tests/oracles/closure.hpp"
#include "tests/oracles/energy.hpp"
#include "tests/support/differences.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

constexpr double small_move = 5e-4;  // of an actuator's position [rad or m]

void check_slopes(const Sample& sample) {
  const Mechanism& mechanism = sample.mechanism;
  const Simulation simulation = run(mechanism, sample.motion);
  const auto q = joint_samples(simulation, mechanism, ".q");
  const std::size_t actuators = mechanism.actuators.size();
  for (std::size_t k = 0; k < q.size(); k += q.size() / 2) {
    std::vector<double> positions;
    double largest = 0.0;
    for (const Actuator& actuator : mechanism.actuators) {
      positions.push_back(column(simulation, actuator.name + ".position")[k]);
      largest = std::max(largest, std::abs(column(simulation, actuator.name + ".load")[k]));
    }
    for (std::size_t moved = 0; moved < actuators; ++moved) {
      const auto potential = [&](double by) {
        std::vector<double> perturbed = positions;
        perturbed[moved] += by;
        const auto closed = oracle::close_mechanism(mechanism, perturbed, q[k]);
        REQUIRE(closed);
        return oracle::potential_energy(mechanism, closed->q, true).value;
      };
      // closed to 1e-12 m or rad at a force of about `largest`, and rounded
      const double value_error =
          1e-12 * largest + 20.0 * epsilon * oracle::potential_energy(mechanism, q[k], true).size;
      const Slope expected = slope_at_zero(potential, small_move, value_error);
      const double load = column(simulation, mechanism.actuators[moved].name + ".load")[k];
      const double tolerance = expected.error + 1e-9 * largest;
      CAPTURE(k, moved, load, expected.value, tolerance);
      REQUIRE(std::abs(load - expected.value) <= tolerance);
      REQUIRE(tolerance < 1e-4 * (largest + 1.0));
    }
  }
}

}  // namespace

TEST_CASE("loads without motion are the slopes of the potential energy: trees") {
  Random random(20260201);
  for (int trial = 0; trial < test::trials(150); ++trial) {
    CAPTURE(trial);
    check_slopes(random_sample(random, {.tree_bodies = 7, .inertia = false, .step = 0.1}));
  }
}

TEST_CASE("loads without motion are the slopes of the potential energy: linkages") {
  Random random(20260202);
  for (int trial = 0; trial < test::trials(20) * linkage_count; ++trial) {
    const auto kind = static_cast<Linkage>(trial % linkage_count);
    CAPTURE(trial, trial % linkage_count);
    check_slopes(
        random_sample(random, {.tree_bodies = 3, .linkage = kind, .inertia = false, .step = 0.1}));
  }
}
