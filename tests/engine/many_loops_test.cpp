#include <Eigen/Dense>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/evaluation/structure.hpp"
#include "engine/falls/equations_of_motion.hpp"
#include "tests/oracles/energy.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/random.hpp"
#include "tests/support/simulation.hpp"

using namespace counterpoise;
using namespace counterpoise::test;
using Catch::Contains;

namespace {

using Owner = WrenchComponent::Owner;
enum class Arrangement { side_by_side, hung, row };

/// `count` four-bars of different sizes with masses out of their planes: each on the world, each on
/// the rocker of the one before, or in a row where the rocker of one is the crank of the next. Each
/// has its rocker and its coupler as the bodies after its crank, and is closed where they meet.
Flat four_bars(Arrangement arrangement, int count, LoopKeep keep) {
  Random random(20260904);
  Flat flat;
  flat.mechanism.gravity = Vec3d(1.0, -9.0, 3.0);
  const auto angle = [](const Eigen::Vector2d& way) { return std::atan2(way.y(), way.x()); };
  const auto vary = [&] { return random.uniform(0.97, 1.03); };
  const auto link = [&](int parent, const Eigen::Vector2d& at, double guess) {
    const int body = flat.revolute(parent, at.x(), at.y(), guess);
    flat.load(body, random.uniform(0.5, 2.0), random.uniform(0.05, 0.15));
    flat.mechanism.bodies[body].com.z() = random.uniform(-0.1, 0.1);
    return body;
  };
  int base = world_body, crank = -1;
  Eigen::Vector2d A(0.0, 0.0), B = A;  // pins of the crank, in the base's axes; B as seen from A
  for (int i = 0; i < count; ++i) {
    if (i == 0 || arrangement != Arrangement::row) {
      B = Eigen::Vector2d(0.1, 0.18) * vary();
      crank = link(base, A, angle(B));
      flat.motor(crank);
    }
    const Eigen::Vector2d C = B + Eigen::Vector2d(0.38, 0.0) * vary();
    const Eigen::Vector2d D = Eigen::Vector2d(0.38, 0.0) * vary();
    const int rocker = link(base, A + D, angle(C - D));
    const int coupler = link(crank, {B.norm(), 0.0}, angle(C - B) - angle(B));
    flat.loop(flat.point(rocker, (C - D).norm(), 0.0), flat.point(coupler, (C - B).norm(), 0.0));
    flat.mechanism.loops.back().keep = keep;
    if (arrangement == Arrangement::side_by_side) A.x() += 1.0;
    if (arrangement == Arrangement::row) {
      A += D;
      B = C - D;
      crank = rocker;
    }
    if (arrangement == Arrangement::hung) {
      base = rocker;
      A = Eigen::Vector2d((C - D).norm(), 0.0);
    }
  }
  return flat;
}

/// All motors move a little about where their joints are, each at its own pace, pose by pose.
Motion little_motion(const Mechanism& mechanism) {
  std::vector<Profile> profiles;
  for (const Actuator& actuator : mechanism.actuators) {
    const double middle = mechanism.bodies[actuator.joint].joint.guess;
    const double period = 1.0 + 0.1 * static_cast<double>(profiles.size() % 5);
    profiles.emplace_back(Sine{middle, 0.05, period, 0.4});
  }
  Motion motion = drive(0.2, 0.1, std::move(profiles));
  motion.inertia = false;
  return motion;
}

/// The wrenches through all joints, then through all closures, of bodies at rest that all lie in
/// loops and turn about z: in the axes of the world, about the joint or the closure. One dense
/// system says that all forces and moments on every body balance, that joints bear the motors'
/// loads about their axes and closures what they can, and that components of rules are zero or
/// equal; its solution of least norm, with moments divided by the reach of the loops, is what the
/// engine should find.
Eigen::VectorXd balanced_wrenches(const Mechanism& mechanism, const Simulation& simulation,
                                  std::size_t k) {
  const auto poses = oracle::world_poses(mechanism, joint_samples(simulation, mechanism, ".q")[k]);
  const int bodies = mechanism.body_count(), loops = static_cast<int>(mechanism.loops.size());
  std::vector<Vec3d> places;
  for (const auto& pose : poses) places.emplace_back(pose.topRightCorner<3, 1>());
  for (const Loop& loop : mechanism.loops)
    places.push_back(oracle::world_point(mechanism, poses, loop.points[1]));

  double reach = 0.0;
  for (int l = 0; l < loops; ++l) {
    const int rocker = mechanism.points[mechanism.loops[l].points[0]].body;
    const int coupler = mechanism.points[mechanism.loops[l].points[1]].body;
    const std::array<int, 4> pins = {rocker, coupler, mechanism.bodies[coupler].parent, bodies + l};
    for (const int one : pins)
      for (const int other : pins)
        reach = std::max(reach, (places[at(one)] - places[at(other)]).norm());
  }
  const int unknowns = 6 * (bodies + loops);
  std::vector<Eigen::RowVectorXd> rows;
  std::vector<double> right;
  const auto add_row = [&](double value) -> Eigen::RowVectorXd& {
    right.push_back(value);
    return rows.emplace_back(Eigen::RowVectorXd::Zero(unknowns));
  };
  for (int b = 0; b < bodies; ++b) {
    const Body& body = mechanism.bodies[b];
    const Vec3d centre = (poses[at(b)] * body.com.homogeneous()).head<3>();
    const Vec3d weight = body.mass * mechanism.gravity;
    const Vec3d turning = centre.cross(weight);
    for (int i = 0; i < 6; ++i) {
      Eigen::RowVectorXd& row = add_row(-(i < 3 ? weight(i) : turning(i - 3)));
      const auto act = [&](int place, double sign) {
        row(6 * place + i) += sign;
        if (i < 3) return;
        for (int j = 0; j < 3; ++j)
          row(6 * place + j) += sign * places[at(place)].cross(Vec3d(Vec3d::Unit(j)))(i - 3);
      };
      act(b, 1.0);
      for (int child = b + 1; child < bodies; ++child)
        if (mechanism.bodies[child].parent == b) act(child, -1.0);
      for (int l = 0; l < loops; ++l) {
        const auto& ends = mechanism.loops[l].points;
        if (mechanism.points[ends[0]].body == b) act(bodies + l, -1.0);
        if (mechanism.points[ends[1]].body == b) act(bodies + l, 1.0);
      }
    }
    double load = 0.0;
    for (const Actuator& actuator : mechanism.actuators)
      if (actuator.joint == b) load += column(simulation, actuator.name + ".load")[k];
    add_row(load)(6 * b + 5) = 1.0;
  }
  for (int l = 0; l < loops; ++l)
    for (int i = mechanism.loops[l].keep == LoopKeep::point ? 3 : 5; i < 6; ++i)
      add_row(0.0)(6 * (bodies + l) + i) = 1.0;
  for (const SharingRule& rule : mechanism.sharing) {  // of components along z
    Eigen::RowVectorXd& row = add_row(0.0);
    row(6 * rule.components[0].element + 2) = 1.0;
    row(6 * rule.components[1].element + 2) = -1.0;
  }

  const auto count = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd all(count, unknowns);
  for (Eigen::Index i = 0; i < count; ++i) all.row(i) = rows[static_cast<std::size_t>(i)];
  Eigen::VectorXd weights(unknowns);
  for (int i = 0; i < unknowns; ++i) weights(i) = i % 6 < 3 ? 1.0 : reach;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(1e-10);
  factor.compute(all * weights.asDiagonal());
  const Eigen::VectorXd values = Eigen::Map<const Eigen::VectorXd>(right.data(), count);
  const Eigen::VectorXd wrenches = weights.asDiagonal() * factor.solve(values);
  CHECK((all * wrenches - values).norm() <= 1e-9 * values.norm());
  return wrenches;
}

/// The same as the engine finds it.
Eigen::VectorXd engine_wrenches(const Mechanism& mechanism, const Simulation& simulation,
                                std::size_t k) {
  const auto poses = oracle::world_poses(mechanism, joint_samples(simulation, mechanism, ".q")[k]);
  Eigen::VectorXd wrenches(6 * (poses.size() + mechanism.loops.size()));
  Eigen::Index row = 0;
  const auto add = [&](const std::string& stem, int axes_of) {
    const Mat3d turn = poses[at(axes_of)].topLeftCorner<3, 3>();
    const Vec6 in_body = wrench(simulation, stem, k);
    wrenches.segment<3>(row) = turn * in_body.head<3>();
    wrenches.segment<3>(row + 3) = turn * in_body.tail<3>();
    row += 6;
  };
  for (int b = 0; b < mechanism.body_count(); ++b) add(mechanism.bodies[b].name + ".reaction", b);
  for (const Loop& loop : mechanism.loops)
    add(loop.name + ".closure", mechanism.points[loop.points[1]].body);
  return wrenches;
}

void check_wrenches(const Mechanism& mechanism, int open_numbers) {
  const Simulation simulation = run(mechanism, little_motion(mechanism), {.reactions = true});
  CHECK(simulation.open_reactions == open_numbers);
  // across the planes every joint and closure bears what nothing settles
  CHECK(simulation.open_joints.size() == mechanism.bodies.size() + mechanism.loops.size());
  const std::size_t last = samples(simulation) - 1;
  const Eigen::VectorXd expected = balanced_wrenches(mechanism, simulation, last);
  const Eigen::VectorXd found = engine_wrenches(mechanism, simulation, last);
  CHECK((found - expected).norm() <= 1e-8 * expected.norm());
  // what joints leave free is met to rounding
  for (int b = 0; b < mechanism.body_count(); ++b) {
    double load = 0.0;
    for (const Actuator& actuator : mechanism.actuators)
      if (actuator.joint == b) load += column(simulation, actuator.name + ".load")[last];
    CHECK(std::abs(found(6 * b + 5) - load) <= 1e-12 * found.norm());
  }
}

}  // namespace

TEST_CASE("many loops carry what one dense system of all bodies says") {
  const auto arrangement = GENERATE(Arrangement::side_by_side, Arrangement::hung, Arrangement::row);
  const auto keep = GENERATE(LoopKeep::parallel, LoopKeep::point);
  // loops in a row are one group, which is large
  const int large = arrangement == Arrangement::row ? 2 : 1;
  const int count = large * (keep == LoopKeep::point ? 17 : 11);
  CAPTURE(arrangement, keep);
  const Flat flat = four_bars(arrangement, count, keep);
  // across its plane each loop leaves a force open, and two moments if its closure bears moments
  check_wrenches(flat.mechanism, count * (keep == LoopKeep::point ? 1 : 3));
}

TEST_CASE("a rule across two loops that have nothing else in common holds in both") {
  Flat flat = four_bars(Arrangement::side_by_side, 11, LoopKeep::parallel);
  const int rocker = 1, other_rocker = 3 * 7 + 1;
  flat.mechanism.sharing = {
      {SharingRule::Kind::equal, {{Owner::body, rocker, 2}, {Owner::body, other_rocker, 2}}}};
  check_wrenches(flat.mechanism, 3 * 11 - 1);
}

TEST_CASE("rules hold in a row of many loops, beside each other and across them") {
  Flat flat = four_bars(Arrangement::row, 22, LoopKeep::parallel);
  const auto equal = [](int one, int other) {
    return SharingRule{SharingRule::Kind::equal, {{Owner::body, one, 2}, {Owner::body, other, 2}}};
  };
  flat.mechanism.sharing = {equal(1, 2 * 17 + 1), equal(2 * 4 + 1, 2 * 5 + 1)};
  check_wrenches(flat.mechanism, 3 * 22 - 2);
}

TEST_CASE("of many loops the first rule that cannot hold is named") {
  const auto arrangement = GENERATE(Arrangement::side_by_side, Arrangement::row);
  CAPTURE(arrangement);
  Flat flat = four_bars(arrangement, 22, LoopKeep::parallel);
  const auto none = [](int body, int component) {
    return SharingRule{SharingRule::Kind::none, {{Owner::body, body, component}}};
  };
  // a force across the plane may be zero, but not one within it
  flat.mechanism.sharing = {none(1, 2), none(3 * 9 + 1, 1), none(3 * 4 + 1, 1)};
  std::size_t wrong = MechanismError::no_element;
  try {
    run(flat.mechanism, little_motion(flat.mechanism), {.reactions = true});
  } catch (const MechanismError& error) {
    CHECK(error.part == MechanismError::Part::sharing);
    wrong = error.element;
  }
  CHECK(wrong == 1);
}

TEST_CASE("a row of many loops moves in a fall as the loads of its motion say") {
  const auto keep = GENERATE(LoopKeep::parallel, LoopKeep::point);
  const bool follows = GENERATE(false, true);
  CAPTURE(keep, follows);
  const Mechanism mechanism = four_bars(Arrangement::row, 30, keep).mechanism;
  Motion motion = little_motion(mechanism);
  motion.inertia = true;
  const Simulation simulation = run(mechanism, motion);
  const auto q = joint_samples(simulation, mechanism, ".q");
  const auto v = joint_samples(simulation, mechanism, ".qd");
  const auto a = joint_samples(simulation, mechanism, ".qdd");
  const double load = column(simulation, "a0.load")[1];
  ActuatorRule rule;
  rule.profile_duration = 1.0;
  rule.profile_start = 0.1;
  rule.mode = follows ? ActuatorMode::follow : ActuatorMode::load;
  rule.profile = follows ? motion.drives.front().profile : Profile(Hold{load});
  EquationsOfMotion equations(mechanism, {.actuators = {rule}});
  REQUIRE(equations.choose(0.0, {q[1], v[1]}) == EquationsOfMotion::Result::solved);
  CHECK(equations.independent().size() == (follows ? 0 : 1));
  REQUIRE(equations.close(0.0, equations.independent_state()) == EquationsOfMotion::Result::solved);
  REQUIRE(equations.accelerate() == EquationsOfMotion::Result::solved);
  equations.find_loads();
  CHECK(equations.load(0) == Approx(load).epsilon(1e-9));
  double largest = 0.0;
  for (const double x : a[1]) largest = std::max(largest, std::abs(x));
  CHECK(largest > 0.1);
  for (std::size_t b = 0; b < q[1].size(); ++b) {
    CHECK(std::abs(equations.state().v[b] - v[1][b]) <= 1e-10 * (1.0 + largest));
    CHECK(std::abs(equations.state().a[b] - a[1][b]) <= 1e-9 * largest);
  }
}

TEST_CASE("many loops have the freedoms and the redundant equations of each together") {
  const auto arrangement = GENERATE(Arrangement::side_by_side, Arrangement::hung, Arrangement::row);
  CAPTURE(arrangement);
  constexpr int count = 20;
  Flat flat = four_bars(arrangement, count, LoopKeep::parallel);
  const int freedoms = arrangement == Arrangement::row ? 1 : count;
  Structure structure = examine_structure(flat.mechanism);
  CHECK(structure.degrees_of_freedom == freedoms);
  CHECK(structure.redundant_equations == 3 * count);

  // a parallelogram whose guess is folded flat, which is a singular pose
  const int base = flat.revolute(world_body, -1.0, 0.0);
  const int coupler = flat.revolute(base, 0.2, 0.0);
  const int rocker = flat.revolute(world_body, -0.6, 0.0);
  flat.loop(flat.point(coupler, 0.4, 0.0), flat.point(rocker, 0.2, 0.0));
  flat.motor(base);
  structure = examine_structure(flat.mechanism);
  CHECK(structure.degrees_of_freedom == freedoms + 1);
  CHECK(structure.redundant_equations == 3 * count + 1);
}

TEST_CASE("among many loops one without moving joints is met, or named") {
  Flat flat = four_bars(Arrangement::side_by_side, 17, LoopKeep::point);
  const int first = flat.revolute(world_body, -1.0, 0.0), second = flat.revolute(first, 0.2, 0.0);
  for (const int body : {first, second}) flat.mechanism.bodies[body].joint.type = JointType::fixed;
  flat.loop(flat.point(second, 0.1, 0.0), flat.point(world_body, -0.7, 0.0));
  const Structure structure = examine_structure(flat.mechanism);
  CHECK(structure.degrees_of_freedom == 17);
  CHECK(structure.redundant_equations == 17 + 3);
  const Simulation simulation =
      run(flat.mechanism, little_motion(flat.mechanism), {.reactions = true});
  CHECK(simulation.open_reactions == 17 + 3);
  // nothing is carried that could as well be zero: both bodies have no mass
  for (const std::string stem : {"b51.reaction", "b52.reaction", "loop17.closure"})
    CHECK(wrench(simulation, stem, 0).norm() < 1e-9);

  flat.mechanism.points.back().position.x() += 0.01;
  CHECK_THROWS_WITH(examine_structure(flat.mechanism), Contains("loop17"));
}
