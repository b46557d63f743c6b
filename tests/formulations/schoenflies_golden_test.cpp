#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "formulations/parallel/momentum_screw.hpp"
#include "formulations/parallel/newton_euler.hpp"
#include "tests/formulations/parallel_case.hpp"
#include "tests/formulations/parallel_oracle.hpp"
#include "tests/support/differences.hpp"
#include "tests/support/golden.hpp"

using namespace counterpoise;
using namespace counterpoise::parallel;

namespace {

using Four = std::array<double, 4>;

Four by_momentum_screw(const Manipulator& manipulator, double t) {
  MomentumScrewScratch scratch;
  std::array<LimbForces, 4> forces;
  REQUIRE(!momentum_screw_forces(manipulator, test::schoenflies_motion(t), scratch, forces));
  return {forces[0].drive, forces[1].drive, forces[2].drive, forces[3].drive};
}

Four by_newton_euler(const Manipulator& manipulator, double t) {
  NewtonEulerScratch scratch;
  std::array<LimbReactions, 4> reactions;
  REQUIRE(!newton_euler_reactions(manipulator, test::schoenflies_motion(t), scratch, reactions));
  CHECK(scratch.unknowns.size() == 54);
  return {reactions[0].drive, reactions[1].drive, reactions[2].drive, reactions[3].drive};
}

using Formulation = Four (*)(const Manipulator&, double t);
const std::array<Formulation, 2> formulations = {by_momentum_screw, by_newton_euler};

/// Rows of t, four forces, four lengths.
std::vector<std::vector<double>> golden_rows() {
  const test::Golden golden = test::read_golden("schoenflies/golden_forces.csv");
  REQUIRE(golden.names ==
          std::vector<std::string>{"t", "f1", "f2", "f3", "f4", "l1", "l2", "l3", "l4"});
  REQUIRE(golden.rows.size() == 14);
  return golden.rows;
}

/// Largest force of each limb over the paper's 6000 nodes, as parameters.json has them.
constexpr Four peaks = {194.53785376789403, 51.33236760650468, 118.177607237627, 92.58662758848754};
/// Arguments of sines up to 3 pi 6 carry 60 times the rounding of 1, forces some 1000 N of terms.
constexpr double rounding = 1e-10;

}  // namespace

TEST_CASE("both formulations give the golden forces and lengths of the Schoenflies manipulator") {
  const Manipulator manipulator = test::schoenflies(test::Corners::mirrored);
  REQUIRE(!find_fault(manipulator));
  const auto golden = golden_rows();
  REQUIRE(golden.size() == 14);
  for (const auto& row : golden) {
    for (const Formulation drives : formulations) {
      const Four found = drives(manipulator, row[0]);
      for (std::size_t i = 0; i < 4; ++i) {
        CAPTURE(row[0], i, found[i], row[i + 1]);
        CHECK(std::abs(found[i] - row[i + 1]) <= 1e-9 * peaks[i]);
      }
    }
    for (std::size_t i = 0; i < 4; ++i) {
      const auto line = test::line_of(manipulator.limbs[i], test::schoenflies_motion(row[0]));
      CHECK(line.length == Approx(row[i + 5]).epsilon(1e-13));
    }
  }
}

TEST_CASE("over the paper's nodes each limb's force peaks and averages as in the golden numbers") {
  const Manipulator manipulator = test::schoenflies(test::Corners::mirrored);
  const Four means = {42.578834959160574, 29.04549772218574, 46.18774777777143, 42.27357102261444};
  Four peak{}, sum{};
  constexpr int nodes = 6000;
  for (int k = 0; k < nodes; ++k) {
    const Four drive = by_momentum_screw(manipulator, 0.001 * k);
    for (std::size_t i = 0; i < 4; ++i) {
      peak[i] = std::max(peak[i], std::abs(drive[i]));
      sum[i] += std::abs(drive[i]);
    }
  }
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(peak[i] == Approx(peaks[i]).epsilon(1e-12));
    CHECK(sum[i] / nodes == Approx(means[i]).epsilon(1e-12));
  }
}

TEST_CASE(
    "the Schoenflies forces repeat after 2 s and run back as they came, about half a second") {
  const Manipulator manipulator = test::schoenflies(test::Corners::mirrored);
  for (const Formulation drives : formulations)
    for (double t = 0.0; t < 2.0; t += 0.037) {
      const Four now = drives(manipulator, t);
      const Four later = drives(manipulator, t + 2.0), mirrored = drives(manipulator, 1.0 - t);
      for (std::size_t i = 0; i < 4; ++i) {
        CAPTURE(t, i);
        CHECK(std::abs(later[i] - now[i]) < rounding);
        CHECK(std::abs(mirrored[i] - now[i]) < rounding);
      }
    }
}

TEST_CASE("the Schoenflies forces do the work that changes the energy") {
  const Manipulator manipulator = test::schoenflies(test::Corners::mirrored);
  for (const Formulation drives : formulations)
    for (double t = 0.01; t < 2.0; t += 0.083) {
      const auto energy = [&](double h) {
        return test::masses_in_motion(manipulator, test::schoenflies_motion(t + h)).energy;
      };
      const test::Slope slope = test::slope_at_zero(energy, 1e-3, 1e-14 * 100.0);
      const Four drive = drives(manipulator, t);
      double power = 0.0;
      for (std::size_t i = 0; i < 4; ++i)
        power += drive[i] * test::line_of(manipulator.limbs[i], test::schoenflies_motion(t)).rate;
      CAPTURE(t, power, slope.value, slope.error);
      CHECK(std::abs(power - slope.value) <= slope.error + rounding);
      CHECK(slope.error < 1e-6);
    }
}

TEST_CASE("which two limbs end in universal joints changes no driving force of the manipulator") {
  const Manipulator original = test::schoenflies(test::Corners::mirrored);
  for (std::size_t first = 0; first < 4; ++first)
    for (std::size_t second = first + 1; second < 4; ++second) {
      Manipulator manipulator = original;
      for (std::size_t i = 0; i < 4; ++i)
        manipulator.limbs[i].kind = i == first || i == second ? LimbKind::upu : LimbKind::ups;
      for (const double t : {0.13, 0.5, 1.2, 1.71}) {
        MomentumScrewScratch scratch;
        std::array<LimbForces, 4> forces;
        const auto singular =
            momentum_screw_forces(manipulator, test::schoenflies_motion(t), scratch, forces);
        if (singular) continue;  // two limbs in one vertical plane pass the same torque
        const Four drive = by_momentum_screw(original, t);
        for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(forces[i].drive - drive[i]) < 1e-9);
      }
    }
}
