#include "studies/box_metrics.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/random.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

constexpr std::size_t springs = 3;
constexpr int samples = 41;

/// Random series: actuator 0 is loaded by all three springs, 1 by the last, 2 by none. Spring 0 has
/// eight laws, spring 1 four (two of them the same), spring 2 two.
BoxMotion random_motion(Random& random) {
  BoxMotion motion;
  motion.loads.samples = samples;
  motion.loads.step = 0.1;
  const auto series = [&](double low, double high) {
    std::vector<double> values;
    for (int k = 0; k < samples; ++k) values.push_back(random.uniform(low, high));
    return values;
  };
  for (std::size_t s = 0; s < springs; ++s) {
    AffineLoads::SpringShape& shape = motion.loads.springs.emplace_back();
    shape.length = series(0.2, 0.4);
    shape.shortest = *std::min_element(shape.length.begin(), shape.length.end());
    shape.longest = *std::max_element(shape.length.begin(), shape.length.end());
  }
  for (int a = 0; a < 3; ++a) {
    AffineLoads::ActuatorLoad& load = motion.loads.actuators.emplace_back();
    load.bare = series(-20.0, 20.0);
    load.velocity = series(-1.0, 1.0);
    for (int s = 0; s < static_cast<int>(springs); ++s)
      if (a == 0 || (a == 1 && s == 2)) load.influences.push_back({s, series(-1.0, 1.0)});
  }
  return motion;
}

/// The same laws in every motion.
std::vector<SpringCorners> random_corners(Random& random) {
  std::vector<SpringCorners> corners(springs);
  for (const std::size_t count : {8, 4, 2}) {
    SpringCorners& own = corners[count == 8 ? 0 : count == 4 ? 1 : 2];
    for (std::size_t c = 0; c < count; ++c)
      own.laws.push_back({random.uniform(50.0, 150.0), random.uniform(-20.0, 20.0)});
  }
  corners[1].laws[3] = corners[1].laws[0];
  for (SpringCorners& own : corners)
    for (const SpringLaw& law : own.laws) {
      Spring& spring = own.springs.emplace_back();
      spring.rate = law.rate;
      spring.free_length = 0.0;
      spring.initial_tension = law.offset;
    }
  return corners;
}

struct Box {
  explicit Box(std::uint64_t seed) : random(seed) {
    const auto corners = random_corners(random);
    for (int m = 0; m < 2; ++m) {
      motions.push_back(random_motion(random));
      motions.back().corners = corners;
    }
    base.actuators.resize(3);
    base.springs.resize(springs);
    base.actuators[2].max = 77.0;
    parts = {{&base, 4.0, 1.0}, {&base, 4.0, 2.0}};
  }

  Random random;
  std::vector<BoxMotion> motions;
  Metrics base;
  std::vector<MotionMetrics> parts;
};

/// By the definitions, one sample after the other.
ActuatorMetrics plain(const Box& box, std::size_t actuator, const std::vector<SpringLaw>& laws) {
  ActuatorMetrics all;
  double squares = 0.0;
  for (std::size_t m = 0; m < 2; ++m) {
    const AffineLoads& loads = box.motions[m].loads;
    const double share = m == 0 ? 1.0 / 3.0 : 2.0 / 3.0;
    std::vector<double> load, power;
    for (std::size_t k = 0; k < static_cast<std::size_t>(samples); ++k) {
      double sum = loads.actuators[actuator].bare[k];
      for (const auto& influence : loads.actuators[actuator].influences) {
        const auto s = static_cast<std::size_t>(influence.spring);
        const double tension = laws[s].rate * loads.springs[s].length[k] + laws[s].offset;
        sum += influence.per_tension[k] * tension;
      }
      load.push_back(std::abs(sum));
      power.push_back(std::abs(sum * loads.actuators[actuator].velocity[k]));
    }
    for (std::size_t k = 0; k < load.size(); ++k) {
      all.max = std::max(all.max, load[k]);
      all.peak_power = std::max(all.peak_power, power[k]);
      if (k == 0) continue;
      all.mean += share * 0.05 * (load[k] + load[k - 1]) / 4.0;
      squares += share * 0.05 * (load[k] * load[k] + load[k - 1] * load[k - 1]) / 4.0;
      all.energy += 0.05 * (power[k] + power[k - 1]);
    }
  }
  all.rms = std::sqrt(squares);
  return all;
}

bool close(const ActuatorMetrics& a, const ActuatorMetrics& b) {
  const auto near = [](double x, double y) { return std::abs(x - y) <= 1e-12 * std::abs(y); };
  return near(a.max, b.max) && near(a.mean, b.mean) && near(a.rms, b.rms) &&
         near(a.energy, b.energy) && near(a.peak_power, b.peak_power);
}

template <class Visit>
void for_every_corner(const Box& box, const Visit& visit) {
  const auto& corners = box.motions[0].corners;
  for (const SpringLaw& first : corners[0].laws)
    for (const SpringLaw& second : corners[1].laws)
      for (const SpringLaw& third : corners[2].laws)
        visit(std::vector<SpringLaw>{first, second, third});
}

}  // namespace

TEST_CASE("every joint corner is given once, with the metrics that plain sums give") {
  Box box(1);
  BoxMetrics metrics(box.motions, box.parts, box.base, 48);
  REQUIRE(metrics.every_corner());
  CHECK(metrics.count() == 8 * 3 * 2);  // two laws of the second spring are the same
  std::vector<Metrics> found;
  for (std::size_t corner = 0; corner < metrics.count(); ++corner)
    found.push_back(metrics.at(corner));
  std::vector<bool> matched(found.size(), false);
  for_every_corner(box, [&](const std::vector<SpringLaw>& laws) {
    const ActuatorMetrics first = plain(box, 0, laws), second = plain(box, 1, laws);
    const auto fits = [&](const Metrics& m) {
      return close(m.actuators[0], first) && close(m.actuators[1], second);
    };
    REQUIRE(std::count_if(found.begin(), found.end(), fits) == 1);
    const auto at = std::find_if(found.begin(), found.end(), fits);
    matched[at - found.begin()] = true;
    CHECK(at->actuators[2].max == 77.0);
    for (std::size_t s = 0; s < springs; ++s) {
      double size = 0.0, least = INFINITY;
      for (const BoxMotion& motion : box.motions)
        for (const double length : motion.loads.springs[s].length) {
          const double tension = laws[s].rate * length + laws[s].offset;
          size = std::max(size, std::abs(tension));
          least = std::min(least, tension);
        }
      CHECK(at->springs[s].max_tension == Approx(size).epsilon(1e-12));
      CHECK(at->springs[s].min_tension == Approx(least).epsilon(1e-12));
    }
  });
  CHECK(std::all_of(matched.begin(), matched.end(), [](bool hit) { return hit; }));
}

TEST_CASE(
    "beyond the corners it may look at, peaks stay exact and the rest is bounded from above") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Box box(seed);
    // 47: too few for all springs together and for each actuator's (48); 2: only actuator 1
    BoxMetrics metrics(box.motions, box.parts, box.base, 2);
    REQUIRE_FALSE(metrics.every_corner());
    CHECK(metrics.count() == 1);
    CHECK_FALSE(metrics.attained(0));
    CHECK(metrics.attained(1));
    const Metrics found = metrics.at(0);
    ActuatorMetrics first, second;
    const auto keep = [](const ActuatorMetrics& one, ActuatorMetrics& all) {
      for (const auto number :
           {&ActuatorMetrics::max, &ActuatorMetrics::mean, &ActuatorMetrics::rms,
            &ActuatorMetrics::energy, &ActuatorMetrics::peak_power})
        all.*number = std::max(all.*number, one.*number);
    };
    for_every_corner(box, [&](const std::vector<SpringLaw>& laws) {
      keep(plain(box, 0, laws), first);
      keep(plain(box, 1, laws), second);
    });
    CHECK(close(found.actuators[1], second));
    CHECK(found.actuators[0].max == Approx(first.max).epsilon(1e-12));
    CHECK(found.actuators[0].peak_power == Approx(first.peak_power).epsilon(1e-12));
    CHECK(found.actuators[0].mean > first.mean);
    CHECK(found.actuators[0].rms > first.rms);
    CHECK(found.actuators[0].energy > first.energy);
    CHECK(found.actuators[0].mean < 2.0 * first.mean);  // and not idly
    CHECK(found.actuators[2].max == 77.0);
  }
}

TEST_CASE("a load beyond its limit at some corner is found, whichever its sign") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (const double sign : {1.0, -1.0}) {
      Box box(seed);
      BoxMotion& motion = box.motions[0];
      AffineLoads::ActuatorLoad& load = motion.loads.actuators[0];
      for (double& bare : load.bare) bare = sign * (bare + 200.0);
      double largest = 0.0;
      for_every_corner(box, [&](const std::vector<SpringLaw>& laws) {
        largest = std::max(largest, metrics_of(motion.loads, 0, laws).max);
      });
      Mechanism mechanism;
      mechanism.actuators.resize(3);
      mechanism.actuators[0].max_load = largest * (1.0 + 1e-8);
      CHECK_FALSE(first_broken_limit(mechanism, motion.loads, motion.corners));
      mechanism.actuators[0].max_load = largest * (1.0 - 1e-8);
      const auto finding = first_broken_limit(mechanism, motion.loads, motion.corners);
      REQUIRE(finding);
      CHECK(finding->kind == FindingKind::actuator_overloaded);
      CHECK(finding->value == Approx(largest).epsilon(1e-12));
    }
}

TEST_CASE("one sample is a motion") {
  Box box(3);
  for (BoxMotion& motion : box.motions) {
    motion.loads.samples = 1;
    for (auto& spring : motion.loads.springs) spring.length.resize(1);
    for (auto& actuator : motion.loads.actuators) {
      actuator.bare.resize(1);
      actuator.velocity.resize(1);
      for (auto& influence : actuator.influences) influence.per_tension.resize(1);
    }
  }
  std::vector<SpringLaw> laws;
  for (const SpringCorners& corners : box.motions[0].corners) laws.push_back(corners.laws[0]);
  const ActuatorMetrics found = metrics_of(box.motions[0].loads, 0, laws);
  CHECK(found.mean == found.max);
  CHECK(found.rms == Approx(found.max));
  CHECK(found.energy == 0.0);
}

TEST_CASE("sums over very small and very large loads lose nothing") {
  Random random(20261106);
  const BoxMotion motion = random_motion(random);
  const std::vector<SpringLaw> laws(springs, {100.0, -5.0});
  const ActuatorMetrics plain = metrics_of(motion.loads, 0, laws);
  for (const double size : {1e-200, 1e200}) {
    CAPTURE(size);
    BoxMotion scaled = motion;
    for (double& load : scaled.loads.actuators[0].bare) load *= size;
    for (AffineLoads::Influence& influence : scaled.loads.actuators[0].influences)
      for (double& share : influence.per_tension) share *= size;
    const ActuatorMetrics metrics = metrics_of(scaled.loads, 0, laws);
    CHECK(metrics.max / size == Approx(plain.max));
    CHECK(metrics.mean / size == Approx(plain.mean));
    CHECK(metrics.rms / size == Approx(plain.rms));
    CHECK(metrics.energy / size == Approx(plain.energy));
    CHECK(metrics.peak_power / size == Approx(plain.peak_power));
  }
}
