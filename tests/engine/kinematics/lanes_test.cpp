// Closed loops in lanes against the same one sample at a time: blocks of samples against Newton's
// method with rank-revealing decompositions.
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/evaluation/simulation.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

// Poses are no worse conditioned than 0.1, and so may be the system of the forces; accelerations
// take both positions and velocities from solutions before.
constexpr double tolerance = 1e-12;

void check_lanes(const Mechanism& mechanism, const Motion& motion) {
  const SimulationOptions options{.closure = Closure::newton};
  const Simulation packed = run(mechanism, motion, options);
  const Simulation single =
      run(mechanism, motion, {.closure = Closure::newton, .lanes_of_samples = Lanes::one});
  REQUIRE(packed.columns.size() == single.columns.size());
  for (std::size_t c = 0; c < packed.columns.size(); ++c) {
    const std::vector<double>&a = packed.columns[c].values, &b = single.columns[c].values;
    REQUIRE(a.size() == b.size());
    const double size = std::max(1.0, peak(b));
    double worst = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
    CAPTURE(packed.columns[c].name, worst, size);
    CHECK(worst <= tolerance * size);
  }
}

std::optional<Finding> finding_in(Lanes lanes_of_samples, const Mechanism& mechanism,
                                  const Motion& motion) {
  const auto result = simulate(mechanism, motion,
                               {.closure = Closure::newton, .lanes_of_samples = lanes_of_samples});
  if (const auto* finding = std::get_if<Finding>(&result)) return *finding;
  return std::nullopt;
}

/// Returns whether there is a finding, after checking that lanes find the same.
bool check_findings(const Mechanism& mechanism, const Motion& motion) {
  const auto packed = finding_in(Lanes::pack, mechanism, motion);
  const auto single = finding_in(Lanes::one, mechanism, motion);
  REQUIRE(packed.has_value() == single.has_value());
  if (!packed) return false;
  CAPTURE(describe(*packed, mechanism), describe(*single, mechanism));
  CHECK(packed->kind == single->kind);
  CHECK(packed->element == single->element);
  CHECK(packed->time == Approx(single->time).margin(1e-12));
  CHECK(packed->value == Approx(single->value).epsilon(1e-6).margin(1e-9));
  return true;
}

/// Crank of length `a`, coupler `b`, rocker `c` on a base of length `d`, nearly as it closes.
Flat heavy_four_bar(double a, double b, double c, double d, double crank) {
  const double x = d - a * std::cos(crank), y = -a * std::sin(crank), way = std::hypot(x, y);
  const double lift = std::acos((b * b + way * way - c * c) / (2.0 * b * way));
  const double coupler = std::atan2(y, x) + lift;
  const double rocker = std::atan2(b * std::sin(coupler) - y, b * std::cos(coupler) - x);
  Flat flat = four_bar(a, b, c, d, crank, coupler - crank, rocker);
  flat.load(1, 1.0, 0.1, 0.01);  // the coupler
  return flat;
}

}  // namespace

TEST_CASE("closed loops move in lanes as they do one sample after the other") {
  Random random(20270201);
  for (int trial = 0; trial < test::trials(10) * linkage_count; ++trial) {
    SampleOptions options{.tree_bodies = 3};
    options.linkage = static_cast<Linkage>(trial % linkage_count);
    options.more_linkages = trial % 4 == 3 ? 1 : 0;
    // one sample, less than a pack, a pack, one more, and many packs
    const int steps[] = {0, 6, 7, 8, 15, 64};
    options.step = trial % 2 == 0 ? 0.01 : 0.002;
    options.duration = std::max(0.5, steps[trial % 6] * 1.0) * options.step;
    CAPTURE(trial);
    Sample sample = random_sample(random, options);
    check_lanes(sample.mechanism, sample.motion);
  }
}

TEST_CASE("a long motion through many blocks stays on its branch") {
  Random random(20270202);
  for (int trial = 0; trial < test::trials(3) * linkage_count; ++trial) {
    SampleOptions options{.tree_bodies = 2};
    options.linkage = static_cast<Linkage>(trial % linkage_count);
    options.step = 0.005;
    options.duration = 600 * options.step;
    CAPTURE(trial);
    const Sample sample = random_sample(random, options);
    check_lanes(sample.mechanism, sample.motion);
  }
}

TEST_CASE("a loop that opens inside a block opens at the same sample") {
  Random random(20270203);
  int opened = 0;
  for (int trial = 0; trial < test::trials(60); ++trial) {
    // the crank cannot turn round: coupler and rocker get into line on the way
    const double a = random.uniform(0.3, 0.4), d = random.uniform(0.4, 0.5);
    const Flat flat =
        heavy_four_bar(a, random.uniform(0.25, 0.3), random.uniform(0.2, 0.25), d, 0.3);
    const int steps = 5 + random.below(60);
    CAPTURE(trial, steps);
    const Profile turn = PointToPoint{0.3, random.uniform(0.6, 3.0), 0.0, 1.0};
    opened += check_findings(flat.mechanism, drive(1.0, 1.0 / steps, {turn})) ? 1 : 0;
  }
  CHECK(opened > test::trials(30));
}

TEST_CASE("a singular pose inside a block, at a sample or between two, is found at the same time") {
  Random random(20270204);
  int found = 0;
  for (int trial = 0; trial < test::trials(80); ++trial) {
    // side rods pass their flat pose in the middle; every second time with redundant equations
    const double length = random.uniform(0.1, 0.4);
    Flat flat;
    const int first = flat.revolute(world_body, 0.0, 0.0, -0.8);
    const int bar = flat.revolute(first, length, 0.0, 0.8);
    flat.load(bar, 1.0, 0.1, 0.01);
    std::vector<double> places = {random.uniform(0.2, 0.5)};
    if (trial % 2 == 1) places.push_back(random.uniform(0.6, 0.9));
    for (const double place : places) {
      const int crank = flat.revolute(world_body, place, 0.0, -0.8);
      flat.loop(flat.point(bar, place, 0.0), flat.point(crank, length, 0.0));
    }
    flat.motor(first);
    const int steps = 8 + random.below(60);
    CAPTURE(trial, steps);
    const Profile swing = PointToPoint{-0.8, 0.8, 0.0, 2.0};
    found += check_findings(flat.mechanism, drive(2.0, 2.0 / steps, {swing})) ? 1 : 0;
  }
  CHECK(found == test::trials(80));
}

TEST_CASE("actuators that lose their hold inside a block lose it at the same time") {
  Random random(20270205);
  int found = 0;
  for (int trial = 0; trial < test::trials(60); ++trial) {
    // the motion gives the rocker, whose motor is on the crank: it passes a dead centre
    Flat flat = heavy_four_bar(random.uniform(0.1, 0.15), random.uniform(0.35, 0.45),
                               random.uniform(0.3, 0.35), random.uniform(0.4, 0.5), 0.9);
    const int steps = 8 + random.below(60);
    Motion motion = drive(1.0, 1.0 / steps, {});
    const double rocker = flat.mechanism.bodies[2].joint.guess;
    const double swing = random.signed_uniform(0.1, 0.5);
    motion.drives.push_back({{-1, 2}, PointToPoint{rocker, rocker + swing, 0.0, 1.0}});
    CAPTURE(trial, steps);
    found += check_findings(flat.mechanism, motion) ? 1 : 0;
  }
  CHECK(found > test::trials(20));
}
