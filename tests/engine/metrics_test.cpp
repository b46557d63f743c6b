#include "engine/evaluation/metrics.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "engine/evaluation/evaluator.hpp"
#include "engine/math/extremes.hpp"
#include "engine/math/pack.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

Metrics evaluated(const Mechanism& mechanism, const Motion& motion) {
  Evaluator evaluator(mechanism, motion);
  Metrics metrics;
  const auto finding = evaluator.evaluate(mechanism, {}, metrics);
  REQUIRE(!finding);
  return metrics;
}

/// A mass on a vertical slide with one motor: loads are m (g + a), by hand.
Flat lift(double mass) {
  Flat flat;
  const int slide = flat.prismatic(world_body, 0.0, 0.0, Vec3d::UnitY());
  flat.load(slide, mass, 0.0);
  flat.motor(slide);
  flat.mechanism.gravity = Vec3d(0.0, -10.0, 0.0);
  return flat;
}

}  // namespace

TEST_CASE("metrics of a lift that bangs up and brakes are those worked out by hand") {
  // 2 kg, 1 m/s^2 up then down, samples at 0 .. 4 s: loads 22 22 18 18 18 N, speeds 0 1 2 1 0
  const Metrics metrics = evaluated(lift(2.0).mechanism, drive(4.0, 1.0, {BangBang{0.0, 1.0}}));
  const ActuatorMetrics& m = metrics.actuators.at(0);
  CHECK(m.max == Approx(22.0));
  CHECK(m.mean == Approx((11.0 + 22.0 + 18.0 + 18.0 + 9.0) / 4.0));
  CHECK(m.rms == Approx(std::sqrt((242.0 + 484.0 + 324.0 + 324.0 + 162.0) / 4.0)));
  CHECK(m.energy == Approx(22.0 + 36.0 + 18.0));
  CHECK(m.peak_power == Approx(36.0));
}

TEST_CASE("sizes count: loads and powers of either sign") {
  // upside down the same motion pulls: loads -18 -18 -22 -22 -22 N
  Flat flat = lift(2.0);
  flat.mechanism.gravity = Vec3d(0.0, 10.0, 0.0);
  const Metrics metrics = evaluated(flat.mechanism, drive(4.0, 1.0, {BangBang{0.0, 1.0}}));
  const ActuatorMetrics& m = metrics.actuators.at(0);
  CHECK(m.max == Approx(22.0));
  CHECK(m.mean == Approx((9.0 + 18.0 + 22.0 + 22.0 + 11.0) / 4.0));
  CHECK(m.energy == Approx(18.0 + 44.0 + 22.0));
  CHECK(m.peak_power == Approx(44.0));
}

TEST_CASE(
    "a spring's metrics are its extreme lengths, its largest size of tension and its least "
    "tension") {
  Flat flat = lift(2.0);
  Spring spring;
  spring.name = "s";
  spring.points = {flat.point(world_body, 0.0, 3.0), flat.point(0, 0.0, 0.0)};
  spring.rate = 10.0;
  spring.free_length = 2.5;
  flat.mechanism.springs.push_back(spring);
  // the lift goes from 0 to 4 m in samples 0, 0.5, 2, 3.5, 4: lengths 3, 2.5, 1, 0.5, 1
  const Metrics metrics = evaluated(flat.mechanism, drive(4.0, 1.0, {BangBang{0.0, 1.0}}));
  CHECK(metrics.springs.at(0).min_length == Approx(0.5));
  CHECK(metrics.springs.at(0).max_length == Approx(3.0));
  CHECK(metrics.springs.at(0).max_tension == Approx(20.0));
  CHECK(metrics.springs.at(0).min_tension == Approx(-20.0));
}

TEST_CASE("the evaluator's metrics equal those of the simulated columns") {
  Random random(20260601);
  for (int trial = 0; trial < test::trials(60); ++trial) {
    CAPTURE(trial);
    std::optional<Linkage> linkage;
    if (trial % 2 == 1) linkage = static_cast<Linkage>(trial / 2 % linkage_count);
    // sample counts that fill packs and that do not
    const double duration = 0.01 * (30 + trial % 9);
    const Sample sample = random_sample(
        random, {.tree_bodies = 4, .linkage = linkage, .duration = duration, .step = 0.01});
    const Simulation simulation = run(sample.mechanism, sample.motion);
    const Metrics metrics = evaluated(sample.mechanism, sample.motion);
    for (std::size_t a = 0; a < sample.mechanism.actuators.size(); ++a) {
      const std::string& name = sample.mechanism.actuators[a].name;
      const auto& load = column(simulation, name + ".load");
      const auto& velocity = column(simulation, name + ".velocity");
      ActuatorMetrics expected;
      for (std::size_t k = 0; k < load.size(); ++k) {
        const double weight = k == 0 || k + 1 == load.size() ? 0.005 : 0.01;
        const double power = std::abs(load[k] * velocity[k]);
        expected.max = std::max(expected.max, std::abs(load[k]));
        expected.peak_power = std::max(expected.peak_power, power);
        expected.mean += weight * std::abs(load[k]) / duration;
        expected.rms += weight * load[k] * load[k] / duration;
        expected.energy += weight * power;
      }
      const ActuatorMetrics& m = metrics.actuators[a];
      // the same numbers in another order, and in other lanes: rounding of some forty terms
      const auto close = [&](double x, double y) {
        return std::abs(x - y) <= 1e-10 * (expected.max + expected.peak_power) + 1e-12;
      };
      CAPTURE(name);
      CHECK(close(m.max, expected.max));
      CHECK(close(m.mean, expected.mean));
      CHECK(close(m.rms, std::sqrt(expected.rms)));
      CHECK(close(m.energy, expected.energy));
      CHECK(close(m.peak_power, expected.peak_power));
    }
    for (std::size_t s = 0; s < sample.mechanism.springs.size(); ++s) {
      const Spring& spring = sample.mechanism.springs[s];
      const bool torsion = spring.type == SpringType::torsion;
      const auto& length = column(simulation, spring.name + (torsion ? ".angle" : ".length"));
      const auto& tension = column(simulation, spring.name + (torsion ? ".torque" : ".tension"));
      CAPTURE(spring.name);
      CHECK(metrics.springs[s].min_length ==
            Approx(*std::min_element(length.begin(), length.end())).margin(1e-12));
      CHECK(metrics.springs[s].max_length ==
            Approx(*std::max_element(length.begin(), length.end())).margin(1e-12));
      CHECK(metrics.springs[s].max_tension == Approx(peak(tension)).margin(1e-9));
      CHECK(metrics.springs[s].min_tension ==
            Approx(*std::min_element(tension.begin(), tension.end())).margin(1e-9));
    }
  }
}

TEST_CASE("several motions combine: extremes, weighted means, sums of energy") {
  const Metrics one{{{10.0, 4.0, 5.0, 7.0, 3.0}}, {{0.2, 0.5, 30.0, -30.0}}};
  const Metrics two{{{8.0, 6.0, 6.5, 9.0, 4.0}}, {{0.1, 0.4, 50.0, 12.0}}};
  const std::vector<MotionMetrics> motions = {{&one, 2.0, 1.0}, {&two, 3.0, 2.0}};
  Metrics all;
  combine(motions, all);
  const ActuatorMetrics& m = all.actuators.at(0);
  CHECK(m.max == 10.0);
  CHECK(m.peak_power == 4.0);
  CHECK(m.mean == Approx((2.0 * 4.0 + 6.0 * 6.0) / 8.0));
  CHECK(m.rms == Approx(std::sqrt((2.0 * 25.0 + 6.0 * 42.25) / 8.0)));
  CHECK(m.energy == Approx(16.0));
  CHECK(all.springs.at(0).min_length == 0.1);
  CHECK(all.springs.at(0).max_length == 0.5);
  CHECK(all.springs.at(0).max_tension == 50.0);
  CHECK(all.springs.at(0).min_tension == -30.0);

  combine(std::vector<MotionMetrics>{{&two, 3.0, 2.0}}, all);
  CHECK(all.actuators.at(0).rms == two.actuators[0].rms);
}

TEMPLATE_TEST_CASE("a series has no extremes if any number of it is NaN", "", double, Pack) {
  constexpr int blocks = 5;
  std::vector<TestType> series(blocks);
  for (int k = 0; k < blocks * lanes<TestType>; ++k)
    set_lane(series[k / lanes<TestType>], k % lanes<TestType>, std::cos(2.0 * k));
  const Extremes plain = extremes_of<TestType>(series);
  CHECK(plain.finite());
  CHECK(plain.greatest == 1.0);
  for (int k = 0; k < blocks * lanes<TestType>; ++k) {
    std::vector<TestType> spoilt = series;
    set_lane(spoilt[k / lanes<TestType>], k % lanes<TestType>,
             std::numeric_limits<double>::quiet_NaN());
    const Extremes extremes = extremes_of<TestType>(spoilt);
    CAPTURE(k);
    CHECK(std::isnan(extremes.least));
    CHECK(std::isnan(extremes.greatest));
  }
}

TEST_CASE("a motion that leaves the range of numbers is found at its first sample") {
  const Flat flat = lift(2.0);
  const Motion motion = drive(1e-3, 1e-4, {PointToPoint{0.0, 1e307, 3.5e-4, 1e-3}});
  Evaluator evaluator(flat.mechanism, motion);
  Metrics metrics;
  const auto finding = evaluator.evaluate(flat.mechanism, {}, metrics);
  REQUIRE(finding);
  CHECK(describe(*finding, flat.mechanism) ==
        "the position or velocity of actuator a0 is not a finite number at t=0.0004 s");
}

TEST_CASE("integrals of very small and very large loads lose nothing") {
  for (const double size : {1e-200, 1e-160, 1e200, 1e300}) {
    CAPTURE(size);
    const Motion motion = drive(4.0, 1.0, {BangBang{0.0, 1.0}});
    const ActuatorMetrics m = evaluated(lift(2.0 * size).mechanism, motion).actuators.at(0);
    CHECK(m.max / size == Approx(22.0));
    CHECK(m.mean / size == Approx((11.0 + 22.0 + 18.0 + 18.0 + 9.0) / 4.0));
    CHECK(m.rms / size == Approx(std::sqrt((242.0 + 484.0 + 324.0 + 324.0 + 162.0) / 4.0)));
    CHECK(m.energy / size == Approx(22.0 + 36.0 + 18.0));
  }
}

TEST_CASE("several motions are combined by their weights, however large or small") {
  Metrics first, second, expected, metrics;
  first.actuators = {{3.0, 2.0, 2.5, 1.0, 1.0}};
  second.actuators = {{5.0, 4.0, 4.5, 1.0, 1.0}};
  combine(std::vector<MotionMetrics>{{&first, 2.0, 3.0}, {&second, 1.0, 4.0}}, expected);
  CHECK(expected.actuators[0].mean == Approx((6.0 * 2.0 + 4.0 * 4.0) / 10.0));
  for (const double unit : {1e307, 1e-310}) {
    CAPTURE(unit);
    combine(std::vector<MotionMetrics>{{&first, 2.0, 3.0 * unit}, {&second, 1.0, 4.0 * unit}},
            metrics);
    CHECK(metrics.actuators[0].mean == Approx(expected.actuators[0].mean));
    CHECK(metrics.actuators[0].rms == Approx(expected.actuators[0].rms));
  }
  for (const double size : {1e-200, 1e200}) {
    CAPTURE(size);
    Metrics a = first, b = second;
    a.actuators[0].rms *= size;
    b.actuators[0].rms *= size;
    combine(std::vector<MotionMetrics>{{&a, 2.0, 3.0}, {&b, 1.0, 4.0}}, metrics);
    CHECK(metrics.actuators[0].rms / size == Approx(expected.actuators[0].rms));
  }
}

TEST_CASE("a spring under tension whose ends meet has no direction") {
  const auto finding_of = [](double apart, double rate, double tension, const Motion& motion,
                             double at = 0.3) {
    Flat flat;
    const int slide = flat.prismatic(world_body, at, 0.0, Vec3d::UnitX());
    flat.load(slide, 2.0, 0.0);
    flat.motor(slide);
    Spring spring;
    spring.name = "s";
    spring.points = {flat.point(world_body, at, 0.0), flat.point(slide, apart, 0.0)};
    spring.rate = rate;
    spring.initial_tension = tension;
    flat.mechanism.springs.push_back(spring);
    flat.point(slide, 1e6 * at, 0.0);  // what is elsewhere changes nothing
    Evaluator evaluator(flat.mechanism, motion);
    Metrics metrics;
    const auto found = evaluator.evaluate(flat.mechanism, {.limits = false}, metrics);
    const auto simulated = simulate(flat.mechanism, motion, {});
    CHECK(std::holds_alternative<Finding>(simulated) == found.has_value());
    return found ? describe(*found, flat.mechanism) : std::string();
  };
  const Motion still = drive(1.0, 0.1, {Hold{0.0}});
  const std::string words = "spring s has no direction at t=0 s: its length of ";
  for (const double apart : {0.0, 2e-20, 5e-20, -5e-20, 1e-17})
    CHECK(finding_of(apart, 10.0, 5.0, still).substr(0, words.size()) == words);
  // a joint behind Newton's method is known to 1e-12 of the lengths around it, so that up to 1e-9
  // of them rounding may have a say in which way the spring pulls, whatever unit they are measured
  // in
  for (const double size : {1e-4, 0.3, 1e5}) {
    CHECK(finding_of(0.99 * 2e-9 * size, 10.0, 5.0, still, size).substr(0, words.size()) == words);
    CHECK(finding_of(1.01 * 2e-9 * size, 10.0, 5.0, still, size).empty());
  }
  CHECK(finding_of(1e-10, 10.0, 5.0, still) ==
        "spring s has no direction at t=0 s: its length of 1e-10 m is at most 6e-10 m, where its "
        "ends count as meeting, and it is under tension");
  // what pulls no more the nearer its ends come needs no direction
  for (const double apart : {0.0, 2e-20, 1e-13}) CHECK(finding_of(apart, 10.0, 0.0, still).empty());
  // the slide's own position is rounded as well: 0.4 less a way of 0.4
  const Motion through = drive(2.0, 0.1, {PointToPoint{-0.7, 0.7, 0.0, 2.0}});
  CHECK(finding_of(0.0, 10.0, 5.0, through).substr(0, 33) == "spring s has no direction at t=1 ");
  CHECK(finding_of(0.0, 10.0, 0.0, through).empty());
}
