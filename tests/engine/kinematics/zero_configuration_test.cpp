#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <variant>

#include "tests/oracles/planar_linkage.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/simulation.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

// a few roundings of the largest number
double few_roundings(double size) {
  return 1e-12 * std::max(1.0, std::abs(size));
}

void couple(Flat& flat, int joint, std::vector<CouplingTerm> terms, double offset) {
  flat.mechanism.couplings.push_back(
      {numbered("gear", flat.mechanism.couplings.size()), joint, std::move(terms), offset});
}

double at_rest(const Flat& flat, const std::vector<Profile>& held, const char* joint) {
  return column(run(flat.mechanism, drive(1.0, 1.0, held)), joint)[0];
}

}  // namespace

TEST_CASE("a gear meets its coupling from any guess") {
  for (const double ratio : {0.001, -1.0, 100.0, -3e4})
    for (const double offset : {0.0, 50.0, -2e6})
      for (const double guess : {0.0, -30.0, 1e5}) {
        CAPTURE(ratio, offset, guess);
        Flat flat;
        const int arm = flat.revolute(world_body, 0.0, 0.0, -0.3);
        const int rotor = flat.revolute(world_body, 0.0, 0.0, guess);
        flat.load(arm, 2.0, 0.3);
        couple(flat, rotor, {{arm, ratio}}, offset);
        flat.motor(arm);
        const double expected = -0.3 * ratio + offset;
        CHECK(std::abs(at_rest(flat, {}, "b1.q") - expected) <=
              few_roundings(std::abs(ratio) + std::abs(offset)));
        CHECK(std::abs(at_rest(flat, {Hold{0.7}}, "b1.q") - (0.7 * ratio + offset)) <=
              few_roundings(std::abs(ratio) + std::abs(offset)));
      }
}

TEST_CASE("the joints of a differential meet both its couplings from any guess") {
  for (const double guess : {0.0, 7.0, -400.0}) {
    CAPTURE(guess);
    Flat flat;
    const int first_motor = flat.revolute(world_body, 0.0, 0.0, 90.0);
    const int second_motor = flat.revolute(world_body, 0.0, 0.0, -50.0);
    const int swing = flat.revolute(world_body, 0.0, 0.0, guess);
    const int turn = flat.revolute(swing, 0.2, 0.0, -guess);
    flat.load(turn, 1.0, 0.1, 0.01);
    couple(flat, first_motor, {{swing, 100.0}, {turn, 100.0}}, 3.0);
    couple(flat, second_motor, {{swing, 100.0}, {turn, -100.0}}, 0.0);
    flat.motor(first_motor);
    flat.motor(second_motor);
    CHECK(std::abs(at_rest(flat, {}, "b2.q") - (87.0 - 50.0) / 200.0) <= few_roundings(1.0));
    CHECK(std::abs(at_rest(flat, {}, "b3.q") - (87.0 + 50.0) / 200.0) <= few_roundings(1.0));
  }
}

TEST_CASE("a loop that a gear closes together with it starts where the gear is met") {
  // the rotor turns with 60 times the crank and 40 times the rocker
  constexpr double a = 0.1, b = 0.35, c = 0.3, d = 0.4;
  for (const double offset : {0.0, 500.0}) {
    CAPTURE(offset);
    const double crank = 0.9, rocker = oracle::four_bar(a, b, c, d, crank, false).position;
    const double coupler = std::atan2(c * std::sin(rocker) - a * std::sin(crank),
                                      d + c * std::cos(rocker) - a * std::cos(crank));
    Flat flat = four_bar(a, b, c, d, crank - 0.4, coupler - crank, rocker - 0.2);
    flat.mechanism.actuators.clear();
    const double rotor_position = 60.0 * crank + 40.0 * rocker + offset;
    const int rotor = flat.revolute(world_body, 0.0, 0.0, rotor_position);
    flat.load(2, 1.0, 0.1);
    couple(flat, rotor, {{0, 60.0}, {2, 40.0}}, offset);
    flat.motor(rotor);
    CHECK(std::abs(at_rest(flat, {}, "b0.q") - crank) < 1e-8);
    CHECK(std::abs(at_rest(flat, {}, "b2.q") - rocker) < 1e-8);
  }
}

TEST_CASE("couplings that contradict each other are found") {
  Flat flat;
  const int arm = flat.revolute(world_body, 0.0, 0.0, -0.3);
  const int rotor = flat.revolute(world_body, 0.0, 0.0);
  couple(flat, rotor, {{arm, 100.0}}, 0.0);
  couple(flat, rotor, {{arm, 100.0}}, 1e-6);
  flat.motor(arm);
  const auto result = simulate(flat.mechanism, drive(1.0, 1.0, {}), {});
  REQUIRE(std::holds_alternative<Finding>(result));
  CHECK(std::get<Finding>(result).kind == FindingKind::coupling_open);
}
