#include "tests/formulations/elimination_ways.hpp"

#include <catch2/catch.hpp>

#include "tests/oracles/closure.hpp"
#include "tests/oracles/energy.hpp"
#include "tests/support/differences.hpp"
#include "tests/support/simulation.hpp"

namespace counterpoise::test {
namespace {

constexpr double step = 1e-3;     // of a coordinate, for slopes                        [rad or m]
constexpr double closed = 1e-12;  // what the brute-force solver leaves open            [rad or m]

std::vector<double> closed_at(const Mechanism& mechanism, std::vector<double> q1, std::size_t moved,
                              double by, const std::vector<double>& q) {
  q1[moved] += by;
  const auto found = oracle::close_mechanism(mechanism, q1, q);
  REQUIRE(found);
  return found->q;
}

}  // namespace

Terms agreed_terms(const MinimalPlan& plan, const std::vector<double>& q1) {
  const Terms first = terms(plan, q1, Way::implicit_constraints);
  const double force = first.g1.cwiseAbs().maxCoeff(), mass = first.M1.cwiseAbs().maxCoeff();
  for (const Way way : {Way::direct, Way::trigonometric}) {
    const Terms other = terms(plan, q1, way);
    CAPTURE(static_cast<int>(way), first.g1.transpose(), other.g1.transpose(), first.M1, other.M1);
    REQUIRE((other.g1 - first.g1).cwiseAbs().maxCoeff() <= 1e-10 * force);
    REQUIRE((other.M1 - first.M1).cwiseAbs().maxCoeff() <= 1e-10 * mass);
  }
  return first;
}

void check_energies(const Mechanism& mechanism, const std::vector<double>& q1,
                    const std::vector<double>& q, const Terms& found) {
  const std::size_t bodies = q.size(), freedoms = q1.size();
  // joint velocities per unit velocity of each coordinate
  std::vector<std::vector<double>> velocity(freedoms, std::vector<double>(bodies, 0.0));
  double slope_error = 0.0;
  for (std::size_t k = 0; k < freedoms; ++k)
    for (std::size_t b = 0; b < bodies; ++b) {
      if (!mechanism.moves(static_cast<int>(b))) continue;
      const auto joint = [&](double by) { return closed_at(mechanism, q1, k, by, q)[b]; };
      const Slope slope = slope_at_zero(joint, step, closed);
      velocity[k][b] = slope.value;
      slope_error = std::max(slope_error, slope.error);
    }
  const auto kinetic = [&](const std::vector<double>& v) {
    return oracle::kinetic_energy(mechanism, q, v).value;
  };
  // by Cauchy's inequality an entry of the tree's mass matrix is at most the product of two sizes
  std::vector<double> size(bodies), weighted(freedoms, 0.0);
  double sizes = 0.0;
  for (std::size_t b = 0; b < bodies; ++b) {
    std::vector<double> one(bodies, 0.0);
    one[b] = 1.0;
    size[b] = std::sqrt(2.0 * kinetic(one));
    sizes += size[b];
    for (std::size_t k = 0; k < freedoms; ++k) weighted[k] += size[b] * std::abs(velocity[k][b]);
  }
  for (std::size_t k = 0; k < freedoms; ++k)
    for (std::size_t l = 0; l <= k; ++l) {
      std::vector<double> both(bodies);
      for (std::size_t b = 0; b < bodies; ++b) both[b] = velocity[k][b] + velocity[l][b];
      const double expected = kinetic(both) - kinetic(velocity[k]) - kinetic(velocity[l]);
      const double reach = weighted[k] + weighted[l];
      const double tolerance = slope_error * sizes * reach + 100.0 * epsilon * reach * reach;
      const double entry = found.M1(static_cast<int>(k), static_cast<int>(l));
      CAPTURE(k, l, entry, expected, tolerance);
      REQUIRE(std::abs(entry - expected) <= tolerance);
      REQUIRE(tolerance <= 1e-5 * found.M1.cwiseAbs().maxCoeff());
    }

  const double largest = found.g1.cwiseAbs().maxCoeff();
  const double value_error =
      closed * largest + 20.0 * epsilon * oracle::potential_energy(mechanism, q, false).size;
  for (std::size_t k = 0; k < freedoms; ++k) {
    const auto potential = [&](double by) {
      return oracle::potential_energy(mechanism, closed_at(mechanism, q1, k, by, q), false).value;
    };
    const Slope expected = slope_at_zero(potential, step, value_error);
    const double entry = found.g1(static_cast<int>(k));
    CAPTURE(k, entry, expected.value, expected.error);
    REQUIRE(std::abs(entry - expected.value) <= expected.error + 1e-12 * largest);
    REQUIRE(expected.error < 1e-5 * (largest + 1.0));
  }
}

void check_loads(const Mechanism& mechanism, const std::vector<double>& q1, const Terms& found) {
  const int freedoms = static_cast<int>(q1.size());
  const double force = found.g1.cwiseAbs().maxCoeff(), mass = found.M1.cwiseAbs().maxCoeff();
  for (int moved = -1; moved < freedoms; ++moved) {
    Motion motion;
    motion.duration = 0.002;
    motion.step = 0.001;
    for (int k = 0; k < freedoms; ++k)
      motion.drives.push_back({{k, -1}, BangBang{q1[k], k == moved ? 1.0 : 0.0}});
    const Simulation simulation = run(mechanism, motion, {.springs = false});
    for (int k = 0; k < freedoms; ++k) {
      const auto& actuator = mechanism.actuators[k];
      const double load = column(simulation, actuator.name + ".load").front();
      const double expected = found.g1(k) + (moved < 0 ? 0.0 : found.M1(k, moved));
      CAPTURE(moved, k, load, expected);
      REQUIRE(std::abs(load - expected) <= 1e-10 * (force + mass));
    }
  }
}

}  // namespace counterpoise::test
