#include <catch2/catch.hpp>

#include "tests/oracles/energy.hpp"
#include "tests/support/differences.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

constexpr double along_motion = 5e-3;  // of the differences along the motion [s]

/// Kinetic, gravity and spring energy along the parabola through one sample. Its slope there
/// depends on the sample's q, v and a alone.
Slope power_of_energies(const Mechanism& mechanism, const std::vector<double>& q,
                        const std::vector<double>& v, const std::vector<double>& a, bool springs) {
  const auto energies = [&](double t) {
    std::vector<double> position(q.size()), velocity(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) {
      position[i] = q[i] + t * (v[i] + t * a[i] / 2.0);
      velocity[i] = v[i] + t * a[i];
    }
    oracle::Energy sum = oracle::kinetic_energy(mechanism, position, velocity);
    const oracle::Energy potential = oracle::potential_energy(mechanism, position, springs);
    sum.value += potential.value;
    sum.size += potential.size;
    return sum;
  };
  // a term is a product of a few poses, each a handful of roundings
  const double rounding = 20.0 * epsilon * energies(0.0).size;
  return slope_at_zero([&](double t) { return energies(t).value; }, along_motion, rounding);
}

void check_balance(const Sample& sample, bool springs) {
  const Mechanism& mechanism = sample.mechanism;
  const Simulation simulation = run(mechanism, sample.motion, {.springs = springs});
  const auto q = joint_samples(simulation, mechanism, ".q");
  const auto v = joint_samples(simulation, mechanism, ".qd");
  const auto a = joint_samples(simulation, mechanism, ".qdd");
  for (std::size_t k = 0; k < q.size(); k += 5) {
    double power = 0.0;
    double size = 0.0;
    for (const Actuator& actuator : mechanism.actuators) {
      const double share = column(simulation, actuator.name + ".load")[k] *
                           column(simulation, actuator.name + ".velocity")[k];
      power += share;
      size += std::abs(share);
    }
    const Slope expected = power_of_energies(mechanism, q[k], v[k], a[k], springs);
    // a joint position that a loop gives is closed to 1e-11 or better, relative
    const double tolerance = expected.error + 1e-10 * (size + 0.01);
    CAPTURE(k, power, expected.value, tolerance);
    REQUIRE(std::abs(power - expected.value) < tolerance);
    REQUIRE(tolerance < 1e-6 * (size + 1.0));
  }
}

}  // namespace

TEST_CASE("the power of the actuators is the rate of all energies: trees") {
  Random random(20260101);
  for (int trial = 0; trial < test::trials(200); ++trial) {
    CAPTURE(trial);
    check_balance(random_sample(random, {.tree_bodies = 7}), trial % 4 != 0);
  }
}

TEST_CASE("the power of the actuators is the rate of all energies: linkages on linkages") {
  Random random(20260103);
  for (int trial = 0; trial < test::trials(25); ++trial) {
    CAPTURE(trial);
    check_balance(random_sample(random, {.tree_bodies = 2, .more_linkages = 2 + trial % 2}), true);
  }
}

TEST_CASE("the power of the actuators is the rate of all energies: linkages") {
  Random random(20260102);
  for (int trial = 0; trial < test::trials(30) * linkage_count; ++trial) {
    const auto kind = static_cast<Linkage>(trial % linkage_count);
    CAPTURE(trial, trial % linkage_count);
    check_balance(random_sample(random, {.tree_bodies = 3, .linkage = kind}), trial % 4 != 0);
  }
}
