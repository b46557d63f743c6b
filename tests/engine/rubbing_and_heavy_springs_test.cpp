#include <catch2/catch.hpp>
#include <cmath>

#include "engine/evaluation/evaluator.hpp"
#include "tests/oracles/energy.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// Lets about half of the springs between two points rub. Returns how many do.
int let_rub(Random& random, Mechanism& mechanism) {
  int rubbing = 0;
  for (Spring& spring : mechanism.springs) {
    if (spring.type == SpringType::torsion || spring.is_cable()) continue;
    spring.rubs = random.uniform(0.0, 1.0) < 0.6;
    if (spring.rubs) spring.friction = random.uniform(0.0, 30.0);
    rubbing += spring.rubs ? 1 : 0;
  }
  return rubbing;
}

Mechanism without_friction(Mechanism mechanism) {
  for (Spring& spring : mechanism.springs) spring.friction = 0.0;
  return mechanism;
}

}  // namespace

TEST_CASE("the actuators give what friction of springs takes, at the rate of their lengths") {
  Random random(44001);
  int moving = 0;
  for (int trial = 0; trial < test::trials(120); ++trial) {
    CAPTURE(trial);
    SampleOptions options{.tree_bodies = 4, .duration = 0.02, .step = 1e-4};
    if (trial % 3 == 1) options.linkage = Linkage::four_bar;
    Sample sample = random_sample(random, options);
    if (let_rub(random, sample.mechanism) == 0) continue;
    const Simulation rubs = run(sample.mechanism, sample.motion);
    const Simulation smooth = run(without_friction(sample.mechanism), sample.motion);
    for (std::size_t k = 1; k + 1 < rubs.columns.front().values.size(); ++k) {
      double given = 0.0, taken = 0.0, size = 1.0;
      for (const Actuator& actuator : sample.mechanism.actuators)
        given += (column(rubs, actuator.name + ".load")[k] -
                  column(smooth, actuator.name + ".load")[k]) *
                 column(rubs, actuator.name + ".velocity")[k];
      for (const Spring& spring : sample.mechanism.springs) {
        if (!spring.rubs) continue;
        const auto& length = column(rubs, spring.name + ".length");
        const double rate = (length[k + 1] - length[k - 1]) / (2.0 * sample.motion.step);
        taken += spring.friction * std::abs(rate);
        size += spring.friction * (1.0 + std::abs(rate));
        if (std::abs(rate) < 1e-3) continue;
        ++moving;
        CHECK(column(rubs, spring.name + ".friction")[k] ==
              Approx(std::copysign(spring.friction, rate)).margin(1e-12));
      }
      CHECK(given == Approx(taken).margin(1e-4 * size));
    }
  }
  CHECK(moving > 500);
}

TEST_CASE("whatever was evaluated before, friction of springs is that of the design") {
  Random random(44002);
  for (int trial = 0; trial < test::trials(60); ++trial) {
    CAPTURE(trial);
    Sample sample = random_sample(random, {.tree_bodies = 4, .duration = 0.3, .step = 0.01});
    if (let_rub(random, sample.mechanism) == 0) continue;
    Evaluator evaluator(sample.mechanism, sample.motion);
    Mechanism design = sample.mechanism;
    for (int step = 0; step < 12; ++step) {
      CAPTURE(step);
      const int what = random.below(4);
      for (Spring& spring : design.springs) {
        if (what == 0 && spring.rubs) spring.friction = random.uniform(0.0, 30.0);
        if (what == 1) spring.rate *= 1.1;
        if (what == 2 && spring.rubs)
          design.points[spring.points[0]].position += Vec3d(0.01, -0.02, 0.005);
      }
      if (what == 3) design = sample.mechanism;
      Metrics found, alone;
      REQUIRE(!evaluator.evaluate(design, {.limits = false}, found));
      REQUIRE(!Evaluator(design, sample.motion).evaluate(design, {.limits = false}, alone));
      const Simulation simulated = run(design, sample.motion);
      AffineLoads loads;
      REQUIRE(!evaluator.take_apart(design, loads));
      for (std::size_t a = 0; a < design.actuators.size(); ++a) {
        CHECK(found.actuators[a].max == alone.actuators[a].max);
        CHECK(found.actuators[a].rms == alone.actuators[a].rms);
        const auto& series = column(simulated, design.actuators[a].name + ".load");
        const double size = 1.0 + peak(series);
        for (std::size_t k = 0; k < series.size(); ++k) {
          double load = loads.actuators[a].bare[k];
          for (const AffineLoads::Influence& influence : loads.actuators[a].influences) {
            const auto s = static_cast<std::size_t>(influence.spring);
            load += influence.per_tension[k] *
                    tension_of(design.springs[s], loads.springs[s].length[k]);
          }
          REQUIRE(load == Approx(series[k]).margin(1e-9 * size));
        }
      }
    }
  }
}

TEST_CASE("friction of springs at rest is in no load") {
  Random random(44003);
  for (int trial = 0; trial < test::trials(20); ++trial) {
    Sample sample =
        random_sample(random, {.tree_bodies = 4, .inertia = false, .duration = 0.1, .step = 0.01});
    if (let_rub(random, sample.mechanism) == 0) continue;
    const Simulation rubs = run(sample.mechanism, sample.motion);
    const Simulation smooth = run(without_friction(sample.mechanism), sample.motion);
    for (const Actuator& actuator : sample.mechanism.actuators)
      CHECK(column(rubs, actuator.name + ".load") == column(smooth, actuator.name + ".load"));
  }
}

namespace {

/// Adds a spring without a force of its own, but of this mass.
void add_rod(Mechanism& mechanism, const std::string& name, std::array<int, 2> bodies,
             std::array<Vec3d, 2> places, double mass) {
  Spring rod;
  rod.name = name;
  rod.type = SpringType::extension;
  rod.heavy = true;
  rod.mass = mass;
  for (const std::size_t end : {0u, 1u}) {
    Point point;
    point.name = name + (end == 0 ? ".first" : ".second");
    point.body = BodyIndex(bodies[end]);
    point.position = places[end];
    rod.points[end] = PointIndex(static_cast<int>(mechanism.points.size()));
    mechanism.points.push_back(point);
  }
  mechanism.springs.push_back(rod);
}

void check_same(const Simulation& one, const Simulation& other, const Mechanism& mechanism) {
  for (const Actuator& actuator : mechanism.actuators) {
    const auto& loads = column(one, actuator.name + ".load");
    const auto& expected = column(other, actuator.name + ".load");
    const double size = 1.0 + peak(expected);
    for (std::size_t k = 0; k < loads.size(); ++k)
      REQUIRE(loads[k] == Approx(expected[k]).margin(1e-9 * size));
  }
  for (const Body& body : mechanism.bodies)
    for (std::size_t k = 0; k < samples(one); k += 7) {
      const Vec6 found = wrench(one, body.name + ".reaction", k);
      const Vec6 expected = wrench(other, body.name + ".reaction", k);
      REQUIRE((found - expected).norm() <= 1e-8 * (1.0 + expected.norm()));
    }
}

}  // namespace

TEST_CASE("a spring between two points of one body is a rod of that body") {
  Random random(44011);
  for (int trial = 0; trial < test::trials(80); ++trial) {
    CAPTURE(trial);
    SampleOptions options{.tree_bodies = 4, .duration = 0.2, .step = 0.01};
    if (trial % 4 == 1) options.linkage = Linkage::four_bar;
    options.inertia = trial % 3 != 0;
    const Sample sample = random_sample(random, options);
    Mechanism heavy = sample.mechanism, rods = sample.mechanism;
    for (int i = 0; i < 2; ++i) {
      const int body = random.below(heavy.body_count());
      const double mass = random.uniform(0.1, 3.0);
      const Vec3d first = random.vector(0.3), second = random.vector(0.3);
      add_rod(heavy, "rod" + std::to_string(i), {body, body}, {first, second}, mass);
      // by Simpson's rule, which is exact for squares of places
      Body& of = rods.bodies[BodyIndex(body)];
      add_point_mass(of, mass / 6.0, first);
      add_point_mass(of, mass / 6.0, second);
      add_point_mass(of, mass * 2.0 / 3.0, 0.5 * (first + second));
    }
    check_same(run(heavy, sample.motion, {.reactions = true}),
               run(rods, sample.motion, {.reactions = true}), sample.mechanism);
    const Simulation without = run(heavy, sample.motion, {.springs = false});
    const Simulation bare = run(sample.mechanism, sample.motion, {.springs = false});
    for (const Actuator& actuator : sample.mechanism.actuators)
      CHECK(column(without, actuator.name + ".load") == column(bare, actuator.name + ".load"));
  }
}

TEST_CASE("of a spring from the world a third moves, and half of its weight hangs on the body") {
  Random random(44012);
  for (int trial = 0; trial < test::trials(80); ++trial) {
    CAPTURE(trial);
    const Sample sample = random_sample(random, {.tree_bodies = 4, .duration = 0.2, .step = 0.01});
    Mechanism heavy = sample.mechanism, explicit_mass = sample.mechanism;
    const int body = random.below(heavy.body_count());
    const double mass = random.uniform(0.1, 3.0);
    const Vec3d hook = random.vector(0.3);
    const bool first = random.chance(0.5);
    if (first)
      add_rod(heavy, "rod", {-1, body}, {random.vector(1.0), hook}, mass);
    else
      add_rod(heavy, "rod", {body, -1}, {hook, random.vector(1.0)}, mass);
    add_point_mass(explicit_mass.bodies[BodyIndex(body)], mass / 3.0, hook);
    AppliedForce rest;
    rest.name = "rest";
    rest.point = PointIndex(static_cast<int>(explicit_mass.points.size()));
    explicit_mass.points.push_back({.name = "hook", .body = BodyIndex(body), .position = hook});
    rest.force = mass / 6.0 * heavy.gravity;
    explicit_mass.forces.push_back(rest);
    check_same(run(heavy, sample.motion, {.reactions = true}),
               run(explicit_mass, sample.motion, {.reactions = true}), sample.mechanism);
  }
}

TEST_CASE("joints carry a spring's mass by the virtual work of its pieces") {
  Random random(44013);
  for (int trial = 0; trial < test::trials(60); ++trial) {
    CAPTURE(trial);
    const Sample sample = random_sample(
        random,
        {.tree_bodies = 5, .motors_only = true, .springs = false, .duration = 0.1, .step = 0.01});
    Mechanism heavy = sample.mechanism;
    const int one = random.below(heavy.body_count()), other = random.below(heavy.body_count());
    const double mass = random.uniform(0.5, 3.0);
    add_rod(heavy, "rod", {one, other}, {random.vector(0.3), random.vector(0.3)}, mass);
    const Simulation with = run(heavy, sample.motion), bare = run(sample.mechanism, sample.motion);
    const auto q = joint_samples(with, heavy, ".q"), v = joint_samples(with, heavy, ".qd"),
               a = joint_samples(with, heavy, ".qdd");
    const Spring& rod = heavy.springs.back();
    constexpr int pieces = 40;  // by the midpoint rule, a share 1 / (4 pieces^2) too light
    for (std::size_t k = 0; k < q.size(); k += 3) {
      // places of both ends where each joint is moved by a step, or all along the motion
      const auto ends = [&](const std::vector<double>& at) {
        const auto poses = oracle::world_poses(heavy, at);
        return std::array<Vec3d, 2>{oracle::world_point(heavy, poses, rod.points[0]),
                                    oracle::world_point(heavy, poses, rod.points[1])};
      };
      constexpr double h = 1e-3, step = 1e-6;
      const auto along = [&](double t) {
        std::vector<double> at(q[k]);
        for (std::size_t i = 0; i < at.size(); ++i) at[i] += t * (v[k][i] + t * a[k][i] / 2.0);
        return ends(at);
      };
      const auto before = along(-h), now = along(0.0), after = along(h);
      for (const Actuator& actuator : heavy.actuators) {
        std::vector<double> ahead(q[k]), back(q[k]);
        ahead[static_cast<std::size_t>(int{actuator.joint})] += step;
        back[static_cast<std::size_t>(int{actuator.joint})] -= step;
        const auto there = ends(ahead), here = ends(back);
        double expected = 0.0;
        for (int i = 0; i < pieces; ++i) {
          const double share = (i + 0.5) / pieces;
          const auto piece = [&](const std::array<Vec3d, 2>& of) {
            return Vec3d((1.0 - share) * of[0] + share * of[1]);
          };
          const Vec3d acceleration = (piece(after) - 2.0 * piece(now) + piece(before)) / (h * h);
          const Vec3d slope = (piece(there) - piece(here)) / (2.0 * step);
          expected += mass / pieces * (acceleration - heavy.gravity).dot(slope);
        }
        const double found =
            column(with, actuator.name + ".load")[k] - column(bare, actuator.name + ".load")[k];
        CHECK(found == Approx(expected).margin(1e-3 * mass * 10.0));
      }
    }
  }
}

TEST_CASE("whatever was evaluated before, masses of springs are those of the design") {
  Random random(44014);
  for (int trial = 0; trial < test::trials(60); ++trial) {
    CAPTURE(trial);
    Sample sample = random_sample(random, {.tree_bodies = 4, .duration = 0.3, .step = 0.01});
    Mechanism& mechanism = sample.mechanism;
    let_rub(random, mechanism);
    const int body = random.below(mechanism.body_count());
    add_rod(mechanism, "rod", {body, mechanism.body_count() - 1},
            {random.vector(0.3), random.vector(0.3)}, 1.0);
    add_rod(mechanism, "rope", {-1, body}, {random.vector(0.3), random.vector(0.3)}, 0.0);
    Evaluator evaluator(mechanism, sample.motion);
    Mechanism design = mechanism;
    for (int step = 0; step < 16; ++step) {
      CAPTURE(step);
      const int what = random.below(7);
      Spring& spring = design.springs[design.springs.size() - 1 - random.below(2)];
      if (what == 0) spring.mass = random.uniform(0.0, 3.0);
      if (what == 1) design.points[spring.points[1]].position += random.vector(0.05);
      if (what == 2) design.gravity *= -0.9;
      if (what == 3) design.bodies[BodyIndex(body)].mass *= 1.2;
      if (what == 4) spring.rate = random.uniform(0.0, 300.0);
      if (what == 5) design.bodies[BodyIndex(body)].joint.origin += random.vector(0.01);
      if (what == 6) design = mechanism;
      Metrics found, alone;
      const auto failed = evaluator.evaluate(design, {.limits = false}, found);
      REQUIRE(
          Evaluator(design, sample.motion).evaluate(design, {.limits = false}, alone).has_value() ==
          failed.has_value());
      if (failed) continue;
      for (std::size_t a = 0; a < design.actuators.size(); ++a) {
        CHECK(found.actuators[a].max == alone.actuators[a].max);
        CHECK(found.actuators[a].rms == alone.actuators[a].rms);
      }
      Metrics springless;
      REQUIRE(!evaluator.evaluate(design, {.springs = false, .limits = false}, springless));
    }
  }
}
