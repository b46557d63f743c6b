#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "input/reading/read.hpp"
#include "studies/instants.hpp"
#include "tests/cases/evaluated_arm.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// Every part of every load against the engine's own load, and each spring's share against what
/// the load loses when that spring alone is taken off.
void check_split(const Mechanism& mechanism, const Motion& motion) {
  const SplitLoads split(mechanism, motion);
  const Simulation whole = run(mechanism, motion);
  const Simulation bare = run(mechanism, motion, {.springs = false});
  Motion rest = motion;
  rest.inertia = false;
  const Simulation at_rest = run(mechanism, rest, {.springs = false});
  std::vector<Simulation> without;
  for (std::size_t s = 0; s < mechanism.springs.size(); ++s) {
    Mechanism other = mechanism;
    other.springs[s].rate = other.springs[s].initial_tension = 0.0;
    without.push_back(run(other, motion));
  }
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const std::string name = mechanism.actuators[a].name + ".load";
    const auto& load = column(whole, name);
    double size = std::max(peak(load), peak(column(bare, name)));
    for (const Simulation& other : without) size = std::max(size, peak(column(other, name)));
    const double tolerance = 1e-12 * size;
    const std::vector<double> series = split.load(a);
    for (std::size_t k = 0; k < load.size(); k += 7) {
      const LoadSplit parts = split.at(a, k);
      double sum = parts.gravity + parts.inertia;
      for (const LoadSplit::Share& share : parts.springs) sum += share.load;
      CHECK(std::abs(sum - load[k]) <= tolerance);
      CHECK(std::abs(parts.load - load[k]) <= tolerance);
      CHECK(std::abs(series[k] - load[k]) <= tolerance);
      CHECK(std::abs(parts.gravity - column(at_rest, name)[k]) <= tolerance);
      CHECK(std::abs(parts.gravity + parts.inertia - column(bare, name)[k]) <= tolerance);
      std::vector<double> shares(without.size(), 0.0);
      for (const LoadSplit::Share& share : parts.springs) shares[share.spring] = share.load;
      for (std::size_t s = 0; s < without.size(); ++s)
        CHECK(std::abs(shares[s] - (load[k] - column(without[s], name)[k])) <= 4.0 * tolerance);
    }
  }
}

/// Local maxima by their meaning: to both sides the values fall by more than `dip`, or end, before
/// one as large comes.
std::vector<std::size_t> peaks_by_meaning(const std::vector<double>& values, double dip) {
  std::vector<std::size_t> peaks;
  const auto n = static_cast<std::ptrdiff_t>(values.size());
  const auto at = [&](std::ptrdiff_t i) { return values[i]; };
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    const auto falls = [&](std::ptrdiff_t direction) {
      for (std::ptrdiff_t i = k + direction; i >= 0 && i < n; i += direction) {
        if (at(i) < at(k) - dip) return true;
        if (at(i) > at(k) || (at(i) == at(k) && direction < 0)) return false;
      }
      return true;
    };
    if (falls(-1) && falls(1)) peaks.push_back(static_cast<std::size_t>(k));
  }
  return peaks;
}

}  // namespace

TEST_CASE("a pendulum's load is m g l cos q by gravity and m l^2 alpha by inertia") {
  // axis out of the plane, q from the horizontal; a spring of no free length from a post above the
  // pivot pulls at r with moment -k h r cos q about it, so the load loses that
  constexpr double mass = 2.5, length = 0.4, post = 0.6, radius = 0.25, rate = 80.0, tension = 30.0;
  constexpr double amplitude = 0.7, period = 2.0, mean = 0.3;
  Flat flat;
  const int link = flat.revolute(world_body, 0.0, 0.0);
  flat.load(link, mass, length);
  flat.motor(link);
  Spring spring;
  spring.name = "spring";
  spring.points = {flat.point(world_body, 0.0, post), flat.point(link, radius, 0.0)};
  spring.rate = rate;
  flat.mechanism.springs.push_back(spring);
  spring.name = "gas";
  spring.type = SpringType::gas;
  spring.rate = 0.0;
  spring.initial_tension = tension;
  flat.mechanism.springs.push_back(spring);
  const Motion motion = drive(2.0, 0.02, {Sine{mean, amplitude, period, 0.0}});
  const SplitLoads split(flat.mechanism, motion);
  for (const std::size_t k : {0U, 13U, 25U, 60U, 100U}) {
    const double w = 2.0 * std::numbers::pi / period;
    const double t = 0.02 * static_cast<double>(k);
    const double q = mean + amplitude * std::sin(w * t);
    const double alpha = -amplitude * w * w * std::sin(w * t);
    const double distance = std::hypot(radius * std::cos(q), post - radius * std::sin(q));
    const LoadSplit parts = split.at(0, k);
    CHECK(parts.gravity == Approx(mass * 9.81 * length * std::cos(q)).epsilon(1e-12));
    CHECK(parts.inertia == Approx(mass * length * length * alpha).epsilon(1e-12).margin(1e-12));
    REQUIRE(parts.springs.size() == 2);
    CHECK(parts.springs[0].load == Approx(-rate * post * radius * std::cos(q)).epsilon(1e-12));
    CHECK(parts.springs[1].load ==
          Approx(-tension * post * radius * std::cos(q) / distance).epsilon(1e-12));
  }
}

TEST_CASE("a motion without inertia has loads by gravity and springs alone") {
  Flat flat;
  flat.load(flat.revolute(world_body, 0.0, 0.0), 1.0, 0.3);
  flat.motor(0);
  Motion motion = drive(1.0, 0.05, {Sine{0.1, 0.5, 1.0, 0.0}});
  motion.inertia = false;
  const SplitLoads split(flat.mechanism, motion);
  for (std::size_t k = 0; k < 21; ++k) CHECK(split.at(0, k).inertia == 0.0);
}

TEST_CASE("the parts of a load add up to it on random mechanisms") {
  Random random(77);
  for (int trial = 0; trial < test::trials(40); ++trial) {
    SampleOptions options;
    if (trial % 2 == 1) options.linkage = static_cast<Linkage>(trial % 3);
    options.inertia = trial % 5 != 0;
    const Sample sample = random_sample(random, options);
    CAPTURE(trial);
    check_split(sample.mechanism, sample.motion);
  }
}

TEST_CASE("the parts of a load add up to it on CHARMIE") {
  const Model model = charmie();
  const std::string folder = std::string(COUNTERPOISE_SOURCE_DIR) + "/examples/charmie24/";
  for (const char* name : {"motion_squat.json", "motion_reach.json"})
    check_split(model.nominal, read_motion(folder + name, model, read_text_file).nominal);
}

TEST_CASE("separate peaks are those that a search by their meaning finds") {
  Random random(3);
  for (int trial = 0; trial < test::trials(300); ++trial) {
    std::vector<double> values;
    const int count = 1 + random.below(40);
    double value = 1.0;
    for (int k = 0; k < count; ++k) {
      if (random.chance(0.7)) value += random.uniform(-1.0, 1.0);
      if (random.chance(0.2)) value = std::round(value);  // so that some are equal
      values.push_back(value);
    }
    for (const double dip : {0.0, 0.3, 1.5}) {
      CAPTURE(trial, dip, values);
      // without a dip a plateau has no fall at all: its first sample counts in both
      CHECK(separate_peaks(values, dip) == peaks_by_meaning(values, dip));
    }
  }
}

TEST_CASE("critical instants are the largest loads over all motions, and those near them") {
  Ready ready(
      R"("variables": {"rate": {"values": [300, 520]}},
"sampling": {"method": "grid"}, "objectives": [
{"name": "peak", "minimize": "max", "of": ["elbow"]},
{"name": "ratio", "expression": "shoulder.max / without_springs.shoulder.max"}])",
      R"({"smaller": {"format": "counterpoise-motion/1", "duration": 2, "step": 0.01, "coordinates": {
"shoulder": {"type": "sine", "amplitude": 0.597, "period": 2},
"elbow": {"type": "sine", "mean": 0.4, "amplitude": 0.3, "period": 1}}},
"fold_less": {"format": "counterpoise-motion/1", "duration": 1, "step": 0.01, "coordinates": {
"shoulder": {"type": "point-to-point", "from": 0.1, "to": 0.69},
"elbow": {"type": "hold", "value": 0.2}}},
"swing": "swing.json", "fold": "fold.json"})");
  const auto motions = compared_motions(ready.study, ready.evaluator, std::vector<double>{1.0});
  REQUIRE(motions.size() == 4);
  const std::vector<int> named = named_actuators(ready.study);
  REQUIRE(named == std::vector<int>{0, 1});
  const auto all = critical_instants(motions, named);
  REQUIRE(all.size() == 2);
  std::size_t several = 0;
  for (const ActuatorInstants& of : all) {
    const std::string name = of.actuator == 0 ? "shoulder.load" : "elbow.load";
    double largest = 0.0;
    for (const ComparedMotion& motion : motions)
      largest = std::max(largest, peak(column(motion.robot.run, name)));
    struct Expected {
      std::size_t motion, sample;
      double size;
    };
    std::vector<Expected> expected;
    for (const ComparedMotion& motion : motions) {
      std::vector<double> sizes;
      for (const double load : column(motion.robot.run, name)) sizes.push_back(std::abs(load));
      for (const std::size_t k : peaks_by_meaning(sizes, 1e-6 * largest))
        if (sizes[k] >= 0.99 * largest) expected.push_back({motion.motion, k, sizes[k]});
    }
    std::sort(expected.begin(), expected.end(),
              [](const Expected& a, const Expected& b) { return a.size > b.size; });
    REQUIRE(of.instants.size() == std::min<std::size_t>(expected.size(), 4));
    CHECK(of.instants.size() + of.left_out == expected.size());
    several += of.instants.size() > 1 ? 1 : 0;
    CHECK(std::abs(of.instants.front().split.load) == Approx(largest).epsilon(1e-12));
    for (std::size_t i = 0; i < of.instants.size(); ++i) {
      const CriticalInstant& instant = of.instants[i];
      const ComparedMotion& motion = motions[instant.motion];
      CHECK(std::abs(instant.split.load) == Approx(expected[i].size).epsilon(1e-12));
      CHECK(instant.time == column(motion.robot.run, "t")[instant.sample]);
      CHECK(instant.split.load ==
            Approx(column(motion.robot.run, name)[instant.sample]).epsilon(1e-12));
      REQUIRE(instant.baseline);
      CHECK(*instant.baseline == column(motion.baseline->run, name)[instant.sample]);
      CHECK(std::count_if(expected.begin(), expected.end(), [&](const Expected& one) {
              return one.motion == instant.motion && one.sample == instant.sample;
            }) == 1);
    }
  }
  CHECK(several == 2);  // each motion is there twice, almost
}

TEST_CASE("a case with a motion variable is compared in its own motion alone") {
  Ready ready(R"("variables": {"rate": {"values": [300, 520]},
"move": {"motion": ["fold", "swing"]}}, "sampling": {"method": "grid"}, )" +
                  one_objective,
              R"({"swing": "swing.json", "fold": "fold.json"})");
  for (const double level : {0.0, 1.0}) {
    const auto motions =
        compared_motions(ready.study, ready.evaluator, std::vector<double>{1.0, level});
    REQUIRE(motions.size() == 1);
    CHECK(motions.front().motion == (level == 0.0 ? 1 : 0));
    CHECK(motions.front().robot.design.mechanism.springs[0].rate == 520.0);
    CHECK(motions.front().baseline->design.mechanism.springs[0].rate == 300.0);
  }
}
