#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "engine/kinematics/closure/continuation.hpp"
#include "engine/kinematics/closure/sample_state.hpp"
#include "tests/oracles/planar_linkage.hpp"
#include "tests/support/flat.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

constexpr double untouched = 1234.5;  // written where a block must be left alone

/// A crank at the origin, a coupler on it and a rocker, whose two hinges a loop determines.
struct Bars {
  Flat flat;
  Paths paths;
  std::vector<JointFrame> frames;
  BlockContinuation blocks;
  SampleState last;
  JointMotion<Pack> motion;

  Bars(double a, double b, double c, double d)
      : flat(make(a, b, c, d)),
        paths(flat.mechanism),
        blocks({{EquationKind::loop, 0, -1, 3}}, {1, 2}, flat.mechanism, paths, 0),
        last(3) {
    prepare_frames(flat.mechanism, frames);
    motion.resize(3, lanes<Pack>);
  }

  static Flat make(double a, double b, double c, double d) {
    Flat flat;
    const int first = flat.revolute(world_body, 0.0, 0.0);
    const int second = flat.revolute(first, a, 0.0);
    const int third = flat.revolute(world_body, d, 0.0);
    flat.loop(flat.point(second, b, 0.0), flat.point(third, c, 0.0));
    return flat;
  }

  /// Starts from these angles of the three hinges and rates of the crank and the rocker's hinges.
  void begin(const std::array<double, 3>& angles, const std::array<double, 3>& rates) {
    for (int body = 0; body < 3; ++body) {
      const auto b = static_cast<std::size_t>(body);
      last.set_position(frames, body, angles[b]);
      last.view().v[b] = rates[b];
    }
    blocks.begin({flat.mechanism, frames}, last.view());
  }

  /// Turns the crank at one rate from `angle` on, one radian a second, and follows it.
  bool follow(double angle, double step, int used) {
    const JointState<Pack> block = motion.block(0);
    for (int i = 0; i < lanes<Pack>; ++i) {
      const double q = angle + std::min(i + 1, used) * step;
      set_lane(block.q[0], i, q);
      set_lane(block.sine[0], i, std::sin(q));
      set_lane(block.cosine[0], i, std::cos(q));
    }
    block.v[0] = Pack(1.0);
    block.a[0] = Pack(0.0);
    for (const std::size_t b : {1u, 2u}) block.q[b] = block.v[b] = block.a[b] = Pack(untouched);
    return blocks.follow({flat.mechanism, frames}, block, step, step, used);
  }

  [[nodiscard]] bool is_untouched() const {
    const JointView<Pack> block = motion.block(0);
    PackMask same = block.q[0] == block.q[0];
    for (const std::size_t b : {1u, 2u})
      same = same & (block.q[b] == Pack(untouched)) & (block.v[b] == Pack(untouched)) &
             (block.a[b] == Pack(untouched));
    return holds(same);
  }
};

}  // namespace

TEST_CASE("blocks of a four-bar follow Freudenstein's equation, one after the other") {
  const double a = 0.1, b = 0.35, c = 0.3, d = 0.4, step = 0.01;
  Bars bars(a, b, c, d);
  const auto rocker_at = [&](double crank) { return oracle::four_bar(a, b, c, d, crank, false); };
  double crank = 0.5;
  const oracle::Output rocker = rocker_at(crank);
  const double coupler = std::atan2(c * std::sin(rocker.position) - a * std::sin(crank),
                                    d + c * std::cos(rocker.position) - a * std::cos(crank));
  // the coupler's rate is not known here: Newton's method does without, the watch of jumps does not
  const double rate = (c * rocker.ratio * std::cos(rocker.position) - a * std::cos(crank)) /
                      (b * std::cos(coupler));
  bars.begin({crank, coupler - crank, rocker.position}, {1.0, rate - 1.0, rocker.ratio});
  double before = rocker.position;
  for (int block = 0; block < 100; ++block) {
    const int used = block % 7 == 3 ? 1 + block % lanes<Pack> : lanes<Pack>;
    CAPTURE(block, used);
    REQUIRE(bars.follow(crank, step, used));
    const JointView<Pack> found = bars.motion.block(0);
    for (int i = 0; i < lanes<Pack>; ++i) {
      const oracle::Output expected = rocker_at(crank + std::min(i + 1, used) * step);
      CHECK(std::remainder(lane(found.q[2], i) - expected.position, 2.0 * std::numbers::pi) ==
            Approx(0.0).margin(1e-12));
      CHECK(lane(found.v[2], i) == Approx(expected.ratio).margin(1e-11));
      CHECK(std::abs(lane(found.q[2], i) - before) < 0.05);  // continuous
      before = lane(found.q[2], i);
    }
    crank += used * step;
  }
}

TEST_CASE("a block in which the loop opens is left alone") {
  // crank 0.4 on a base of 0.5 with 0.25 and 0.2: out of reach where the tip is 0.45 from the pivot
  Bars bars(0.4, 0.25, 0.2, 0.5);
  const double open = std::acos((0.16 + 0.25 - 0.45 * 0.45) / (2.0 * 0.4 * 0.5));
  for (int lane_open = 0; lane_open < lanes<Pack>; ++lane_open) {
    const double step = 0.002, crank = open - 1e-4 - lane_open * step;
    const oracle::Output rocker = oracle::four_bar(0.4, 0.25, 0.2, 0.5, crank, false);
    const double coupler =
        std::atan2(0.2 * std::sin(rocker.position) - 0.4 * std::sin(crank),
                   0.5 + 0.2 * std::cos(rocker.position) - 0.4 * std::cos(crank));
    bars.begin({crank, coupler - crank, rocker.position}, {1.0, -1.0, rocker.ratio});
    CAPTURE(lane_open);
    CHECK(!bars.follow(crank, step, lanes<Pack>));
    CHECK(bars.is_untouched());
  }
}

TEST_CASE("a block is left alone in which side rods pass their flat pose, or get to it") {
  // a parallelogram turns at one rate all the time; flat, it could turn over
  for (const double part : {0.0, 0.3, 0.5, 0.9})
    for (int flat_at = 0; flat_at < lanes<Pack>; ++flat_at) {
      Bars bars(0.2, 0.5, 0.2, 0.5);
      const double step = 0.05, crank = -(flat_at + 1 - part) * step;
      bars.begin({crank, -crank, crank}, {1.0, -1.0, 1.0});
      CAPTURE(part, flat_at);
      CHECK(!bars.follow(crank, step, lanes<Pack>));
      CHECK(bars.is_untouched());
    }
  Bars bars(0.2, 0.5, 0.2, 0.5);
  bars.begin({0.3, -0.3, 0.3}, {1.0, -1.0, 1.0});
  CHECK(bars.follow(0.3, 0.05, lanes<Pack>));
}

TEST_CASE("a block is left alone that the last velocities contradict") {
  Bars bars(0.2, 0.5, 0.2, 0.5);
  bars.begin({0.3, -0.3, 0.3}, {1.0, -1.0, 0.5});
  CHECK(!bars.follow(0.3, 0.05, lanes<Pack>));
  CHECK(bars.is_untouched());
}

TEST_CASE("poses near a singular one are no work for lanes, others are") {
  // a parallelogram is singular when flat; its sine is that of the crank's angle
  const Flat flat = Bars::make(0.2, 0.5, 0.2, 0.5);
  const Paths paths(flat.mechanism);
  std::vector<JointFrame> frames;
  prepare_frames(flat.mechanism, frames);
  GroupLanes group({{EquationKind::loop, 0, -1, 3}}, {1, 2}, flat.mechanism, paths);
  const double angles[] = {1.0, 1e-6, -0.3, 0.0};
  JointMotion<Pack> motion;
  motion.resize(3, lanes<Pack>);
  const JointState<Pack> block = motion.block(0);
  for (int i = 0; i < lanes<Pack>; ++i) {
    set_lane(block.q[0], i, angles[i % 4]);
    set_lane(block.q[1], i, -angles[i % 4]);
    set_lane(block.q[2], i, angles[i % 4]);
  }
  for (const std::size_t b : {0u, 1u, 2u}) sincos(block.q[b], block.sine[b], block.cosine[b]);
  group.linearise({flat.mechanism, frames}, block, {});
  const PackMask regular = group.regular(), met = group.met(1e-12);
  for (int i = 0; i < lanes<Pack>; ++i) {
    CAPTURE(i);
    CHECK((regular.bits[i] != 0) == (i % 2 == 0));
    CHECK(met.bits[i] != 0);
  }
}
