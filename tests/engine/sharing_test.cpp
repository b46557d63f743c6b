#include "engine/mechanism/mechanism.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/mechanism/finding.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/simulation.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using Kind = SharingRule::Kind;

/// "door.fz" of a body, else of a loop.
WrenchComponent part(const Mechanism& mechanism, const std::string& text) {
  const std::string owner = text.substr(0, text.find('.'));
  const std::string number = text.substr(text.find('.') + 1);
  WrenchComponent result;
  result.component =
      static_cast<int>(std::find(wrench_components.begin(), wrench_components.end(), number) -
                       wrench_components.begin());
  result.element = find_body(mechanism, owner);
  if (result.element >= 0) return result;
  result.owner = WrenchComponent::Owner::loop;
  result.element = 0;
  while (mechanism.loops[result.element].name != owner) ++result.element;
  return result;
}

void add_rule(Mechanism& mechanism, Kind kind, const std::vector<std::string>& parts) {
  SharingRule rule{kind, {}};
  for (const std::string& text : parts) rule.components.push_back(part(mechanism, text));
  mechanism.sharing.push_back(rule);
}

constexpr double door_mass = 30.0, width = 0.8, height = 2.0, door_inertia = 1.6;

/// A door that turns about the vertical on two hinges: its joint below, the closure "hinge" at the
/// height of the door. Five numbers are open: every force along and across, both moments.
Mechanism make_door() {
  Flat flat;
  flat.mechanism.gravity = Vec3d(0.0, 0.0, -Flat::g);
  const int door = flat.revolute(world_body, 0.0, 0.0);
  flat.loop(flat.point(world_body, 0.0, 0.0), flat.point(door, 0.0, 0.0));
  flat.motor(door);
  Mechanism& mechanism = flat.mechanism;
  for (Point& point : mechanism.points) point.position.z() = height;
  mechanism.loops[0].keep = LoopKeep::parallel;
  mechanism.loops[0].name = "hinge";
  Body& body = mechanism.bodies[0];
  body.name = "door";
  body.mass = door_mass;
  body.com = Vec3d(width / 2, 0.0, height / 2);
  body.inertia = Vec3d(10.0, 11.0, door_inertia).asDiagonal();
  return mechanism;
}

const Motion door_swings = drive(2.0, 0.1, {Sine{0.3, 0.5, 2.0, 0.7}});
const Motion still = drive(0.2, 0.1, {Hold{0.3}});

Simulation run_door(const Mechanism& door, const Motion& motion) {
  return run(door, motion, {.reactions = true});
}

/// What both hinges together carry, at the lower one: by Newton and Euler for this one body.
Vec6 door_total(const Simulation& simulation, std::size_t k) {
  const double v = column(simulation, "door.qd")[k], a = column(simulation, "door.qdd")[k];
  const double radial = -door_mass * v * v * width / 2, along = door_mass * a * width / 2;
  Vec6 total;
  total << radial, along, door_mass * Flat::g, -height / 2 * along,
      height / 2 * radial - door_mass * Flat::g * width / 2,
      (door_inertia + door_mass * width * width / 4) * a;
  return total;
}

/// Changes of the door's and the hinge's wrench, side by side, that keep the door in equilibrium.
std::vector<Eigen::Matrix<double, 12, 1>> self_stresses() {
  std::vector<Eigen::Matrix<double, 12, 1>> list;
  for (int i = 0; i < 5; ++i) {
    Eigen::Matrix<double, 12, 1> change = Eigen::Matrix<double, 12, 1>::Zero();
    change[i] = -1.0;
    change[6 + i] = 1.0;
    if (i == 0) change[4] = -height;  // a force along x at the top turns about y
    if (i == 1) change[3] = height;
    list.push_back(change);
  }
  return list;
}

/// Index of the rule that is refused, or -1 if none is.
int refused_rule(const Mechanism& mechanism, const Motion& motion) {
  try {
    run(mechanism, motion, {.reactions = true});
  } catch (const MechanismError& error) {
    CHECK(error.part == MechanismError::Part::sharing);
    CHECK_THAT(error.what(), Catch::Contains("equilibrium"));
    return static_cast<int>(error.element);
  }
  return -1;
}

}  // namespace

TEST_CASE("two hinges carry a door as the rules share its weight") {
  const double of_hinge = GENERATE(0.5, 0.0, 1.0);
  Mechanism door = make_door();
  if (of_hinge == 0.5) add_rule(door, Kind::equal, {"door.fz", "hinge.fz"});
  if (of_hinge == 0.0) add_rule(door, Kind::none, {"hinge.fz"});
  if (of_hinge == 1.0) add_rule(door, Kind::none, {"door.fz"});
  add_rule(door, Kind::none, {"door.mx", "door.my", "hinge.mx", "hinge.my"});
  const Simulation simulation = run_door(door, door_swings);
  CHECK(simulation.open_reactions == 0);
  CHECK(simulation.open_joints.empty());
  for (std::size_t k = 0; k < samples(simulation); ++k) {
    const Vec6 total = door_total(simulation, k);
    Vec6 upper = Vec6::Zero(), lower = total;
    upper[0] = total[4] / height;  // the moments leave only forces a door's height apart
    upper[1] = -total[3] / height;
    upper[2] = of_hinge * total[2];
    lower.head<3>() -= upper.head<3>();
    lower[3] = lower[4] = 0.0;
    CAPTURE(k, of_hinge);
    CHECK((wrench(simulation, "hinge.closure", k) - upper).norm() < 1e-11 * door_mass * Flat::g);
    CHECK((wrench(simulation, "door.reaction", k) - lower).norm() < 1e-11 * door_mass * Flat::g);
  }
}

TEST_CASE("without rules the weighted sum of squares is least") {
  Mechanism door = make_door();
  const bool some_rules = GENERATE(false, true);
  if (some_rules) add_rule(door, Kind::equal, {"hinge.fx", "hinge.fy"});
  const Simulation simulation = run_door(door, door_swings);
  CHECK(simulation.open_reactions == (some_rules ? 4 : 5));
  CHECK(simulation.open_joints == std::vector<std::string>{"door", "hinge"});
  for (std::size_t k = 0; k < samples(simulation); ++k) {
    Eigen::Matrix<double, 12, 1> both, weight;
    both.head<6>() = wrench(simulation, "door.reaction", k);
    both.tail<6>() = wrench(simulation, "hinge.closure", k);
    const double lever = 1.0 / height;  // the reach of the only loop
    weight << 1, 1, 1, lever, lever, lever, 1, 1, 1, lever, lever, lever;
    const auto changes = self_stresses();
    CAPTURE(k, some_rules, both.transpose());
    // equilibrium
    Vec6 total = both.head<6>() + both.tail<6>();
    total[3] -= height * both[7];
    total[4] += height * both[6];
    CHECK((total - door_total(simulation, k)).norm() < 1e-11 * door_mass * Flat::g);
    // and no step along what equilibrium leaves open makes the sum smaller
    const auto slope = [&](const Eigen::Matrix<double, 12, 1>& change) {
      return weight.cwiseProduct(both).dot(weight.cwiseProduct(change));
    };
    for (std::size_t i = 2; i < 5; ++i)
      CHECK(std::abs(slope(changes[i])) < 1e-11 * door_mass * Flat::g);
    if (some_rules) {
      CHECK(std::abs(both[6] - both[7]) < 1e-11 * door_mass * Flat::g);
      CHECK(std::abs(slope(changes[0] + changes[1])) < 1e-11 * door_mass * Flat::g);
    } else {
      CHECK(std::abs(slope(changes[0])) < 1e-11 * door_mass * Flat::g);
      CHECK(std::abs(slope(changes[1])) < 1e-11 * door_mass * Flat::g);
    }
  }
}

TEST_CASE("a rule that contradicts equilibrium or the rules before it is refused by its index") {
  Mechanism door = make_door();
  SECTION("nobody carries the weight") {
    add_rule(door, Kind::equal, {"door.my", "hinge.my"});
    add_rule(door, Kind::none, {"door.fz"});
    add_rule(door, Kind::none, {"hinge.mx", "hinge.fz"});
    add_rule(door, Kind::none, {"door.mx"});
    CHECK(refused_rule(door, still) == 2);
  }
  SECTION("a hinge turns the door") {
    add_rule(door, Kind::none, {"door.mz"});
    CHECK(refused_rule(door, still) == -1);
    CHECK(refused_rule(door, door_swings) == 0);
    // at rest until half a second before the end
    CHECK(refused_rule(door, drive(1.0, 0.1, {PointToPoint{0.0, 1.0, 0.5, 1.0}})) == 0);
  }
  SECTION("three equal forces in two directions at right angles") {
    add_rule(door, Kind::none, {"door.mx", "door.my", "hinge.mx", "hinge.my"});
    add_rule(door, Kind::equal, {"door.fz", "hinge.fz"});
    add_rule(door, Kind::equal, {"door.fx", "hinge.fx"});
    CHECK(refused_rule(door, still) == 2);
  }
}

TEST_CASE("a rule that says nothing new changes nothing") {
  Mechanism door = make_door();
  add_rule(door, Kind::equal, {"door.fz", "hinge.fz"});
  add_rule(door, Kind::none, {"door.mx", "door.my", "hinge.mx", "hinge.my"});
  const Simulation plain = run_door(door, door_swings);
  add_rule(door, Kind::none, {"hinge.mz"});  // a hinge never does
  add_rule(door, Kind::equal, {"hinge.fz", "door.fz"});
  add_rule(door, Kind::equal, {"door.mx", "hinge.mx", "hinge.my", "door.my"});
  const Simulation more = run_door(door, door_swings);
  CHECK(more.open_reactions == 0);
  REQUIRE(more.columns.size() == plain.columns.size());
  for (std::size_t k = 0; k < samples(more); ++k)
    for (const char* stem : {"door.reaction", "hinge.closure"})
      CHECK((wrench(more, stem, k) - wrench(plain, stem, k)).norm() < 1e-11 * door_mass * Flat::g);
}
