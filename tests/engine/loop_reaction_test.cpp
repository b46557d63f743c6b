#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/oracles/energy.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const Motion swinging = drive(2.0, 0.1, {Sine{0.3, 0.5, 2.0, 0.7}});

/// A four-bar A B C D with a mass out of its plane on the coupler, under a gravity askew. Its loop
/// is closed at C, or at B. Bodies: crank, rocker, coupler; its frame lies on B, or on C.
Mechanism four_bar(bool closed_at_B) {
  const Eigen::Vector2d B(0.08, 0.18), C(0.46, 0.27), D(0.4, 0.0);
  const Eigen::Vector2d BC = C - B, DC = C - D;
  const auto angle = [](const Eigen::Vector2d& way) { return std::atan2(way.y(), way.x()); };
  Flat flat;
  flat.mechanism.gravity = Vec3d(1.0, -9.0, 3.0);
  const int crank = flat.revolute(world_body, 0.0, 0.0, angle(B));
  const int rocker = flat.revolute(world_body, D.x(), D.y(), angle(DC));
  const int carrier = closed_at_B ? rocker : crank;
  const int coupler = flat.revolute(carrier, closed_at_B ? DC.norm() : B.norm(), 0.0,
                                    angle(BC) - angle(closed_at_B ? DC : B));
  flat.load(crank, 0.7, 0.1, 0.004);
  flat.load(rocker, 0.9, 0.15, 0.006);
  flat.load(coupler, 1.3, closed_at_B ? 0.2 - BC.norm() : 0.2, 0.01);
  flat.mechanism.bodies[2].com += Vec3d(0.0, 0.03, 0.2);
  if (closed_at_B)
    flat.loop(flat.point(crank, B.norm(), 0.0), flat.point(coupler, -BC.norm(), 0.0));
  else
    flat.loop(flat.point(rocker, DC.norm(), 0.0), flat.point(coupler, BC.norm(), 0.0));
  flat.mechanism.loops[0].keep = LoopKeep::parallel;
  flat.motor(crank);
  // both ground pins carry alike across the plane, the rocker's none of the rest
  using Owner = WrenchComponent::Owner;
  flat.mechanism.sharing = {
      {SharingRule::Kind::equal, {{Owner::body, crank, 2}, {Owner::body, rocker, 2}}},
      {SharingRule::Kind::none, {{Owner::body, rocker, 3}, {Owner::body, rocker, 4}}}};
  return flat.mechanism;
}

}  // namespace

TEST_CASE("the joint of a gear bears the gear's force along its axis") {
  constexpr double ratio = -2.5, I1 = 0.3, I2 = 0.07;
  Flat flat;
  const int driving = flat.revolute(world_body, 0.0, 0.0), driven = flat.revolute(world_body, 1, 0);
  flat.load(driving, 1.0, 0.0, I1);
  flat.load(driven, 2.0, 0.0, I2);
  flat.motor(driving);
  flat.mechanism.couplings.push_back({"gear", driven, {{driving, ratio}}, 0.1});
  const Simulation simulation = run(flat.mechanism, swinging, {.reactions = true});
  CHECK(simulation.open_reactions == 0);
  for (std::size_t k = 0; k < samples(simulation); ++k) {
    const double v = column(simulation, "b0.qd")[k], a = column(simulation, "b0.qdd")[k];
    const double load = column(simulation, "a0.load")[k];
    const Vec6 of_driving = wrench(simulation, "b0.reaction", k);
    const Vec6 of_driven = wrench(simulation, "b1.reaction", k);
    CHECK(of_driving[5] == Approx(I1 * a).margin(1e-13));
    CHECK(of_driven[5] == Approx(I2 * ratio * a).margin(1e-13));
    CHECK(of_driving[5] * v + of_driven[5] * ratio * v == Approx(load * v).margin(1e-12));
    CHECK(of_driven.head<3>().norm() == Approx(2.0 * Flat::g));
  }
}

TEST_CASE("the gears of a closed five-bar pass on all power and none is lost") {
  Flat flat;
  const int left = flat.revolute(world_body, 0.0, 0.0, 2.0);
  const int left_rod = flat.revolute(left, 0.2, 0.0, -1.2);
  const int right = flat.revolute(world_body, 0.3, 0.0, 1.1);
  const int right_rod = flat.revolute(right, 0.2, 0.0, 1.2);
  for (int body : {left, left_rod, right, right_rod}) flat.load(body, 1.0, 0.1, 0.02);
  flat.loop(flat.point(left_rod, 0.35, 0.0), flat.point(right_rod, 0.35, 0.0));
  flat.mechanism.loops[0].keep = LoopKeep::parallel;
  flat.mechanism.couplings.push_back({"gear", right, {{left, -1.0}}, 3.1});
  flat.motor(left);
  const Simulation simulation =
      run(flat.mechanism, drive(1.0, 0.1, {Sine{2.0, 0.3, 1.0, 0.2}}), {.reactions = true});
  double largest = 0.0;
  for (std::size_t k = 0; k < samples(simulation); ++k) {
    const auto along = [&](const char* body) {
      return wrench(simulation, std::string(body) + ".reaction", k)[5];
    };
    const double rate = column(simulation, "b0.qd")[k], load = column(simulation, "a0.load")[k];
    largest = std::max(largest, std::abs(along("b2")));
    CHECK(std::abs(along("b1")) < 1e-10);
    CHECK(std::abs(along("b3")) < 1e-10);
    // the gear pushes the right crank with what the left joint bears beyond the motor's load
    CHECK(along("b0") - along("b2") == Approx(load).margin(1e-10));
    CHECK(column(simulation, "b2.qd")[k] == Approx(-rate).margin(1e-10));
  }
  CHECK(largest > 1.0);
}

TEST_CASE("no joint and no closure bears anything along what it leaves free") {
  Random random(20260803);
  std::array<int, 4> seen = {};
  for (int trial = 0; trial < test::trials(20) * linkage_count; ++trial) {
    CAPTURE(trial);
    const auto kind = static_cast<Linkage>(trial % linkage_count);
    const auto sample = random_sample(random, {.tree_bodies = 2, .linkage = kind, .step = 0.1});
    const Mechanism& mechanism = sample.mechanism;
    const Simulation simulation = run(mechanism, sample.motion, {.reactions = true});
    const auto q = joint_samples(simulation, mechanism, ".q");
    const auto turn = [](const std::vector<Eigen::Matrix4d>& poses, int body) -> Mat3d {
      if (body == world_body) return Mat3d::Identity();
      return poses[body].topLeftCorner<3, 3>();
    };
    for (std::size_t k = 0; k < q.size(); ++k) {
      const auto poses = oracle::world_poses(mechanism, q[k]);
      for (const Loop& loop : mechanism.loops) {
        ++seen[static_cast<std::size_t>(loop.keep)];
        const int first = mechanism.points[loop.points[0]].body;
        const int second = mechanism.points[loop.points[1]].body;
        const Vec6 carried = wrench(simulation, loop.name + ".closure", k);
        const Vec3d moment = carried.tail<3>();
        const Vec3d other = turn(poses, second).transpose() * (turn(poses, first) * loop.axes[0]);
        double free = 0.0;
        if (loop.keep == LoopKeep::point) free = moment.norm();
        if (loop.keep == LoopKeep::parallel) free = std::abs(moment.dot(loop.axes[1]));
        if (loop.keep == LoopKeep::perpendicular)
          free = std::max(std::abs(moment.dot(loop.axes[1])), std::abs(moment.dot(other)));
        CHECK(free <= 1e-11 * carried.norm());
      }
      for (int b = 0; b < mechanism.body_count(); ++b) {
        if (!mechanism.moves(b)) continue;
        const Body& body = mechanism.bodies[b];
        const Vec6 carried = wrench(simulation, body.name + ".reaction", k);
        const bool turns = body.joint.type == JointType::revolute;
        double along = body.joint.axis.dot(turns ? carried.tail<3>() : carried.head<3>());
        double load = 0.0;
        for (const Actuator& actuator : mechanism.actuators)
          if (actuator.joint == b) load += column(simulation, actuator.name + ".load")[k];
        bool geared = false;
        for (const Coupling& coupling : mechanism.couplings) {
          geared = geared || coupling.joint == b;
          for (const CouplingTerm& term : coupling.terms) geared = geared || term.of == b;
        }
        CAPTURE(body.name, along, load);
        if (!geared) CHECK(std::abs(along - load) <= 1e-9 * (1.0 + carried.norm()));
      }
    }
  }
  for (LoopKeep keep : {LoopKeep::parallel, LoopKeep::perpendicular, LoopKeep::weld})
    CHECK(seen[static_cast<std::size_t>(keep)] > 0);
}

TEST_CASE("where a loop is cut does not change what its joints carry") {
  const Motion motion = drive(1.0, 0.05, {Sine{std::atan2(0.18, 0.08), 0.4, 1.0, 0.3}});
  const bool rules = GENERATE(true, false);
  Mechanism cut_at_C = four_bar(false), cut_at_B = four_bar(true);
  if (!rules) cut_at_C.sharing.clear();
  if (!rules) cut_at_B.sharing.clear();
  const Simulation at_C = run(cut_at_C, motion, {.reactions = true});
  const Simulation at_B = run(cut_at_B, motion, {.reactions = true});
  CHECK((at_C.open_reactions == 0) == rules);
  CHECK((at_B.open_reactions == 0) == rules);
  for (std::size_t k = 0; k < samples(at_C); ++k) {
    CAPTURE(rules, k);
    const auto near = [](const Vec6& one, const Vec6& other) {
      return (one - other).norm() <= 1e-10 * (one.norm() + other.norm());
    };
    for (const char* joint : {"b0.reaction", "b1.reaction"})
      CHECK(near(wrench(at_C, joint, k), wrench(at_B, joint, k)));
    // pins B and C: both times on the coupler, whose axes are the same
    CHECK(near(wrench(at_C, "b2.reaction", k), wrench(at_B, "loop0.closure", k)));
    CHECK(near(wrench(at_C, "loop0.closure", k), wrench(at_B, "b2.reaction", k)));
    if (!rules) continue;
    CHECK(wrench(at_C, "b0.reaction", k)[2] ==
          Approx(wrench(at_C, "b1.reaction", k)[2]).epsilon(1e-11));
    CHECK(wrench(at_C, "b2.reaction", k)[5] == Approx(0.0).margin(1e-10));
    CHECK(std::abs(wrench(at_C, "b0.reaction", k)[3]) > 0.1);  // not a planar problem
  }
}
