#include <catch2/catch.hpp>

#include "engine/evaluation/evaluator.hpp"
#include "engine/evaluation/simulation.hpp"
#include "tests/support/flat.hpp"

using namespace counterpoise;
using namespace counterpoise::test;
using Catch::Contains;

namespace {

std::string refusal(const Mechanism& mechanism, const Motion& motion) {
  std::string text = "no refusal";
  try {
    static_cast<void>(simulate(mechanism, motion, {}));
  } catch (const MechanismError& error) {
    text = error.what();
  }
  CHECK_THROWS_AS(Evaluator(mechanism, motion), MechanismError);
  return text;
}

Flat two_links() {
  Flat flat;
  const int first = flat.revolute(world_body, 0.0, 0.0, 0.4);
  const int second = flat.revolute(first, 0.5, 0.0, 0.6);
  flat.load(second, 1.0, 0.2);
  return flat;
}

Flat four_bar() {
  Flat flat;
  const int crank = flat.revolute(world_body, 0.0, 0.0, 1.5);
  const int coupler = flat.revolute(crank, 0.2, 0.0, -1.3);
  const int rocker = flat.revolute(world_body, 0.5, 0.0, 1.7);
  flat.loop(flat.point(coupler, 0.45, 0.0), flat.point(rocker, 0.3, 0.0));
  return flat;
}

}  // namespace

TEST_CASE("too few actuators: the joints nothing determines are named") {
  Flat flat = two_links();
  flat.motor(0);
  CHECK_THAT(refusal(flat.mechanism, drive(1.0, 0.1, {Hold{}})), Contains("b1") && !Contains("b0"));
}

TEST_CASE("too many actuators: those one could do without are named") {
  Flat flat = two_links();
  flat.motor(0);
  flat.motor(1);
  flat.ram(flat.point(0, 0.1, 0.2), flat.point(1, 0.3, 0.0));
  const std::string text = refusal(flat.mechanism, drive(1.0, 0.1, {Hold{}}));
  CHECK_THAT(text, Contains("a1") && Contains("a2") && !Contains("a0"));
}

TEST_CASE("a loop has one degree of freedom: two motors on it are one too many") {
  Flat flat = four_bar();
  flat.motor(0);
  flat.motor(2);
  CHECK_THAT(refusal(flat.mechanism, drive(1.0, 0.1, {Hold{1.5}})),
             Contains("a0") && Contains("a1"));
  Flat none = four_bar();
  const std::string text = refusal(none.mechanism, drive(1.0, 0.1, {}));
  CHECK_THAT(text, Contains("b0") && Contains("b1") && Contains("b2"));
}

TEST_CASE("coordinates that say too much are refused, those that determine the motion suffice") {
  Flat flat = four_bar();
  flat.motor(0);
  Motion motion = drive(1.0, 0.1, {Hold{1.5}});
  motion.drives.push_back({-1, 2, Hold{1.7}});
  CHECK_THAT(refusal(flat.mechanism, motion), Contains("a0") && Contains("b2"));

  // the rocker is prescribed, whatever is actuated
  motion.drives.erase(motion.drives.begin());
  const auto result = simulate(flat.mechanism, motion, {});
  CHECK(std::holds_alternative<Simulation>(result));
}

TEST_CASE("a joint named in a motion displaces no actuator unless all is determined") {
  // two motors, one joint named that has none: the third coordinate is one too many
  Flat flat = two_links();
  flat.motor(0);
  flat.ram(flat.point(0, 0.1, 0.2), flat.point(1, 0.3, 0.0));
  Motion motion = drive(1.0, 0.1, {});
  motion.drives.push_back({-1, 1, Hold{0.6}});
  CHECK_THAT(refusal(flat.mechanism, motion), Contains("b1") && Contains("a1"));

  motion.drives.push_back({-1, 0, Hold{0.4}});
  CHECK(std::holds_alternative<Simulation>(simulate(flat.mechanism, motion, {})));
}
