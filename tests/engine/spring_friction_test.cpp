#include <catch2/catch.hpp>
#include <cmath>

#include "engine/evaluation/evaluator.hpp"
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
  CHECK(moving > 5000);
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
      const int what = static_cast<int>(random.uniform(0.0, 4.0));
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
