#include <catch2/catch.hpp>
#include <cmath>

#include "formulations/parallel/momentum_screw.hpp"
#include "formulations/parallel/newton_euler.hpp"
#include "tests/formulations/parallel_case.hpp"
#include "tests/formulations/parallel_oracle.hpp"
#include "tests/support/interposed/allocations.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::parallel;
using Catch::Contains;

namespace {

constexpr double untouched = 1234.5;

/// What both formulations say about a pose; neither may give a force where one says it is singular.
std::array<std::optional<SingularPose>, 2> find_singular(const Manipulator& manipulator,
                                                         const PlatformMotion& motion) {
  static MomentumScrewScratch screw;
  static NewtonEulerScratch newton_euler;
  std::vector<LimbForces> forces(manipulator.limbs.size(), {.drive = untouched});
  std::vector<LimbReactions> reactions(manipulator.limbs.size());
  for (LimbReactions& at : reactions) at.drive = untouched;
  std::array found = {momentum_screw_forces(manipulator, motion, screw, forces),
                      newton_euler_reactions(manipulator, motion, newton_euler, reactions)};
  for (const LimbForces& at : forces) CHECK((at.drive == untouched) == found[0].has_value());
  for (const LimbReactions& at : reactions) CHECK((at.drive == untouched) == found[1].has_value());
  return found;
}

PlatformMotion random_schoenflies_motion(test::Random& random) {
  PlatformMotion motion;
  motion.position = random.vector(0.4) + Vec3d::UnitZ();
  motion.rotation = Eigen::AngleAxisd(random.uniform(-0.5, 0.5), Vec3d::UnitZ()).toRotationMatrix();
  motion.velocity = random.vector(1.0);
  motion.acceleration = random.vector(5.0);
  motion.omega = random.uniform(-1.0, 1.0) * Vec3d::UnitZ();
  motion.alpha = random.uniform(-5.0, 5.0) * Vec3d::UnitZ();
  return motion;
}

/// How fast each limb's length changes while the platform moves as the finding says.
double largest_rate_of_free_motion(const Manipulator& manipulator, const SingularPose& pose) {
  PlatformMotion free;
  free.position = pose.position;
  free.rotation = pose.rotation;
  free.velocity = pose.free_velocity;
  free.omega = pose.free_spin;
  double largest = 0.0;
  for (const Limb& limb : manipulator.limbs)
    largest = std::max(largest, std::abs(test::line_of(limb, free).rate));
  return largest;
}

}  // namespace

TEST_CASE(
    "with its corners in the base's order the Schoenflies manipulator is refused everywhere") {
  const Manipulator manipulator = test::schoenflies(test::Corners::aligned);
  REQUIRE(!find_fault(manipulator));
  test::Random random(4210);
  for (int trial = 0; trial < test::trials(50); ++trial) {
    const PlatformMotion motion =
        trial < 10 ? test::schoenflies_motion(0.2 * trial) : random_schoenflies_motion(random);
    CAPTURE(trial);

    // why: l1^2 - l2^2 + l3^2 - l4^2 = 0 wherever the platform is, so three lengths fix the fourth
    std::array<double, 4> square{};
    for (std::size_t i = 0; i < 4; ++i)
      square[i] = test::line_of(manipulator.limbs[i], motion).r.squaredNorm();
    CHECK(std::abs(square[0] - square[1] + square[2] - square[3]) < 1e-14 * 10.0);

    for (const auto& singular : find_singular(manipulator, motion)) {
      REQUIRE(singular);
      CHECK(singular->limb == -1);
      CHECK(singular->smallest < 1e-14);
      CHECK(singular->position == motion.position);
      CHECK(singular->rotation == motion.rotation);
      // the explanation is true: the platform can move, without tilting, while no length changes
      CHECK(std::hypot(singular->free_velocity.norm(), 0.212 * singular->free_spin.norm()) ==
            Approx(1.0).epsilon(1e-12));
      CHECK(largest_rate_of_free_motion(manipulator, *singular) < 1e-12);
      CHECK(singular->free_spin.head<2>().norm() < 1e-12);
      CHECK_THAT(describe(*singular), Contains("the limbs cannot hold the platform") &&
                                          Contains("with all lengths locked") &&
                                          Contains("smallest singular value"));
    }
  }
}

TEST_CASE(
    "with its corners mirrored the Schoenflies manipulator is singular nowhere on its motion") {
  const Manipulator manipulator = test::schoenflies(test::Corners::mirrored);
  for (int k = 0; k < 200; ++k)
    for (const auto& singular : find_singular(manipulator, test::schoenflies_motion(0.01 * k)))
      CHECK(!singular);
}

TEST_CASE("a Stewart platform whose limbs meet in one point is refused") {
  test::Random random(4211);
  for (int trial = 0; trial < test::trials(20); ++trial) {
    test::ParallelCase mechanism = test::random_parallel_case(random, 6);
    const Vec3d meeting = random.chance(0.3) ? Vec3d::Zero() : random.vector(0.5);
    for (Limb& limb : mechanism.manipulator.limbs) limb.platform_point = meeting;
    for (const auto& singular : find_singular(mechanism.manipulator, mechanism.motion)) {
      REQUIRE(singular);
      CHECK(singular->smallest < 1e-14);
      CHECK(largest_rate_of_free_motion(mechanism.manipulator, *singular) < 1e-12);
    }
  }
}

TEST_CASE("a limb along an axis of its own universal joint is named") {
  test::Random random(4212);
  for (const bool at_platform : {false, true}) {
    test::ParallelCase mechanism = test::random_parallel_case(random, 4);
    Limb& limb = mechanism.manipulator.limbs[1];
    REQUIRE(limb.kind == LimbKind::upu);
    const Vec3d e = test::line_of(limb, mechanism.motion).e;
    (at_platform ? limb.platform_axis : limb.base_axis) =
        at_platform ? Vec3d(mechanism.motion.rotation.transpose() * e) : e;
    for (const auto& singular : find_singular(mechanism.manipulator, mechanism.motion)) {
      REQUIRE(singular);
      CHECK(singular->limb == 1);
      CHECK(singular->smallest < 1e-15);
      CHECK_THAT(describe(*singular), Contains("limb 2 lies along an axis"));
    }
  }
  // nor does one of no length have a direction
  test::ParallelCase mechanism = test::random_parallel_case(random, 6);
  const PlatformMotion& motion = mechanism.motion;
  Limb& limb = mechanism.manipulator.limbs[2];
  limb.base_point = motion.position + motion.rotation * limb.platform_point;
  for (const auto& singular : find_singular(mechanism.manipulator, motion)) {
    REQUIRE(singular);
    CHECK(singular->limb == 2);
    CHECK(singular->smallest == 0.0);
  }
}

TEST_CASE("what is no parallel manipulator of UPS and UPU limbs is said in words") {
  const Manipulator good = test::schoenflies(test::Corners::mirrored);
  CHECK(!find_fault(good));
  const auto fault = [&](auto spoil) {
    Manipulator bad = good;
    spoil(bad);
    return find_fault(bad).value_or("nothing");
  };
  CHECK(fault([](Manipulator& m) { m.limbs[0].kind = LimbKind::ups; }) ==
        "4 limbs, 1 of them UPU, pass 5 unknowns to the platform; its equations determine 6");
  CHECK_THAT(fault([](Manipulator& m) { m.limbs[1].base_axis *= 2.0; }),
             Contains("limb 2") && Contains("unit vector"));
  CHECK_THAT(fault([](Manipulator& m) { m.limbs[2].upper.mass = -1.0; }),
             Contains("limb 3 has a negative mass"));
  CHECK_THAT(fault([](Manipulator& m) { m.limbs[3].lower.com = std::nan(""); }),
             Contains("limb 4 has a number that is not finite"));
  CHECK_THAT(fault([](Manipulator& m) { m.platform.mass = -1.0; }), Contains("platform"));
  CHECK_THAT(fault([](Manipulator& m) { m.gravity.x() = std::nan(""); }), Contains("gravity"));
}

TEST_CASE("no node of a parallel manipulator allocates") {
  const Manipulator manipulator = test::schoenflies(test::Corners::mirrored);
  MomentumScrewScratch screw;
  NewtonEulerScratch newton_euler;
  std::array<LimbForces, 4> forces;
  std::array<LimbReactions, 4> reactions;
  for (int k = 0; k < 10; ++k) {
    const PlatformMotion motion = test::schoenflies_motion(0.13 * k);
    const long before = test::allocations();
    const bool singular = momentum_screw_forces(manipulator, motion, screw, forces) ||
                          newton_euler_reactions(manipulator, motion, newton_euler, reactions);
    CHECK(test::allocations() == before);
    CHECK(!singular);
  }
}
