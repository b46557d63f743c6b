#include <catch2/catch.hpp>
#include <cmath>

#include "engine/evaluation/evaluator.hpp"
#include "engine/evaluation/simulation.hpp"
#include "engine/evaluation/structure.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"

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

/// An arm, and rotors that gears turn, each so many times as far as the joint before it.
Flat geared(const std::vector<double>& ratios) {
  Flat flat;
  int before = flat.revolute(world_body, 0.0, 0.0, 0.3);
  flat.load(before, 2.0, 0.4);
  for (const double ratio : ratios) {
    const int rotor = flat.revolute(world_body, 0.0, 0.0);
    flat.mechanism.couplings.push_back(
        {numbered("gear", flat.mechanism.couplings.size()), rotor, {{before, ratio}}, 0.0});
    before = rotor;
  }
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

TEST_CASE("of many joints that nothing determines the first are named, and the others counted") {
  for (const auto& [links, said] :
       {std::pair{13, "b11, b12"}, std::pair{20, "b10, b11 and 8 more"}}) {
    Flat flat;
    int last = world_body;
    for (int i = 0; i < links; ++i) last = flat.revolute(last, 0.1, 0.0, 0.0);
    CHECK_THAT(refusal(flat.mechanism, drive(1.0, 0.1, {})),
               Contains("the joints b0, b1, ") && Contains(said) && !Contains("b12 and"));
  }
}

TEST_CASE("too many actuators: the superfluous ones are named") {
  Flat flat = two_links();
  flat.motor(0);
  flat.motor(1);
  flat.ram(flat.point(0, 0.1, 0.2), flat.point(1, 0.3, 0.0));
  const std::string text = refusal(flat.mechanism, drive(1.0, 0.1, {Hold{}}));
  CHECK_THAT(text, Contains("a1") && Contains("a2") && !Contains("a0"));
}

TEST_CASE("a gear of any ratio holds its joints, from either side") {
  const double torque = 2.0 * Flat::g * 0.4 * std::cos(0.3);
  for (const std::vector<double>& ratios :
       std::vector<std::vector<double>>{{-4e4}, {1e7}, {1e-7}, {1e4, 1e4}, {1e-4, 1e4, 2e3}}) {
    double whole = 1.0;
    for (const double ratio : ratios) whole *= ratio;
    for (const bool last : {false, true}) {
      CAPTURE(whole, last);
      Flat flat = geared(ratios);
      flat.motor(last ? static_cast<int>(ratios.size()) : 0);
      const auto held = drive(1.0, 1.0, {Hold{last ? 0.3 * whole : 0.3}});
      const double load = column(run(flat.mechanism, held), "a0.load")[0];
      CHECK(load == Approx(last ? torque / whole : torque).epsilon(1e-12));
    }
  }
}

TEST_CASE("gears of a large ratio neither hold other joints nor need a second motor") {
  Flat loose = geared({1e7});
  loose.revolute(world_body, 0.0, 0.0);
  loose.motor(1);
  CHECK_THAT(refusal(loose.mechanism, drive(1.0, 0.1, {Hold{}})),
             Contains("b2") && !Contains("b0") && !Contains("b1"));

  Flat twice = geared({1e7});
  twice.motor(0);
  twice.motor(1);
  CHECK_THAT(refusal(twice.mechanism, drive(1.0, 0.1, {Hold{}})),
             Contains("more than enough") && Contains("a0") && Contains("a1"));

  Flat same = geared({1e7});
  same.mechanism.couplings.push_back({"same", 0, {{1, 1e-7}}, 0.0});
  same.motor(0);
  const Structure structure = examine_structure(same.mechanism);
  CHECK(structure.degrees_of_freedom == 1);
  CHECK(structure.redundant_equations == 1);
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
  motion.drives.push_back({{-1, 2}, Hold{1.7}});
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
  motion.drives.push_back({{-1, 1}, Hold{0.6}});
  CHECK_THAT(refusal(flat.mechanism, motion), Contains("b1") && Contains("a1"));

  motion.drives.push_back({{-1, 0}, Hold{0.4}});
  CHECK(std::holds_alternative<Simulation>(simulate(flat.mechanism, motion, {})));
}

TEST_CASE("closures count as the joints they are, and what they say twice is redundant") {
  Flat flat = four_bar();
  flat.motor(0);
  const auto structure_of = [&](LoopKeep keep) {
    Loop& loop = flat.mechanism.loops[0];
    loop.keep = keep;
    loop.axes = {Vec3d::UnitZ(), keep == LoopKeep::perpendicular ? Vec3d::UnitX() : Vec3d::UnitZ()};
    return examine_structure(flat.mechanism);
  };
  // in a plane a loop needs two equations
  const Structure ball = structure_of(LoopKeep::point);
  CHECK(ball.point_closures == 1);
  CHECK(ball.redundant_equations == 1);
  const Structure pin = structure_of(LoopKeep::parallel);
  CHECK(pin.revolute_joints == 4);
  CHECK(pin.point_closures == 0);
  CHECK(pin.redundant_equations == 3);
  const Structure cross = structure_of(LoopKeep::perpendicular);
  CHECK(cross.universal_joints == 1);
  CHECK(cross.redundant_equations == 2);
  for (const Structure& structure : {ball, pin, cross}) {
    CHECK(structure.degrees_of_freedom == 1);
    CHECK(structure.loops == 1);
    CHECK(structure.joints() == 4);
  }
}

TEST_CASE("a loop that closes nowhere is named, whatever mobility seems to be") {
  Flat flat = four_bar();
  flat.motor(0);
  flat.mechanism.loops[0].keep = LoopKeep::parallel;
  flat.mechanism.loops[0].axes = {Vec3d::UnitZ(), Vec3d::UnitX()};
  std::string text;
  try {
    examine_structure(flat.mechanism);
  } catch (const MechanismError& error) {
    text = error.what();
    CHECK(error.part == MechanismError::Part::loops);
  }
  CHECK_THAT(text, Contains("loop loop0 cannot close") && Contains("off parallel"));
}

TEST_CASE("coordinates that depend on each other in every pose are no coordinates") {
  // two rams of a slide side by side leave a second slide to nobody
  Flat flat;
  const int first = flat.prismatic(world_body, 0.0, 0.0, Vec3d::UnitX(), 0.5);
  const int second = flat.prismatic(world_body, 0.0, 1.0, Vec3d::UnitX(), 0.5);
  flat.load(second, 1.0, 0.0);
  flat.ram(flat.point(world_body, 0.0, 0.0), flat.point(first, 0.0, 0.0));
  flat.ram(flat.point(world_body, 0.0, 0.2), flat.point(first, 0.0, 0.2));
  const std::string text = refusal(flat.mechanism, drive(1.0, 0.1, {Hold{0.5}}));
  CHECK_THAT(text, Contains("in every pose tried a0, a1 depend on each other") && Contains("b1"));
}

TEST_CASE("Newton works on the smallest groups that settle, and dyads follow behind them") {
  Random random(20260501);
  for (const auto& [kind, newton] :
       {std::pair{Linkage::stevenson, std::size_t{2}}, {Linkage::cardan, std::size_t{1}}}) {
    WorldBuilder builder(random);
    add_linkage(builder, random, kind, world_body, Vec3d::Zero());
    // a four-bar on the last link hangs on the group and needs no Newton
    const int last = builder.mechanism.body_count() - 1;
    const int crank_before = builder.mechanism.body_count();
    add_linkage(builder, random, Linkage::four_bar, last, builder.origin(last));
    builder.mechanism.actuators.back() = {};
    builder.mechanism.actuators.back().name = "crank";
    builder.mechanism.actuators.back().joint = crank_before;

    const Mechanism& mechanism = builder.mechanism;
    const Paths paths(mechanism);
    const Mobility mobility(mechanism, paths);
    const Plan plan = plan_actuators(mechanism, paths, mobility, Closure::closed_form);
    std::size_t groups = 0, dyads = 0;
    for (const Step& step : plan.steps) {
      dyads += step.kind == StepKind::dyad ? 1 : 0;
      if (step.kind != StepKind::group) continue;
      ++groups;
      CHECK(step.equations.size() == newton);
    }
    CHECK(groups == 1);
    CHECK(dyads == 1);
  }
}
