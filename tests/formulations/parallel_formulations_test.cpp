#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "engine/math/orthogonal_decomposition.hpp"
#include "formulations/parallel/momentum_screw.hpp"
#include "formulations/parallel/newton_euler.hpp"
#include "tests/formulations/parallel_case.hpp"
#include "tests/formulations/parallel_oracle.hpp"
#include "tests/support/differences.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::parallel;

namespace {

/// Limbs of the kinds there are: six UPS, 4 + 1, 2 + 2, and three UPU.
constexpr std::array<int, 4> limb_counts = {6, 5, 4, 3};

struct Solved {
  MomentumScrewScratch screw;
  NewtonEulerScratch newton_euler;
  std::vector<LimbForces> forces;
  std::vector<LimbReactions> reactions;

  explicit Solved(const test::ParallelCase& mechanism)
      : forces(mechanism.manipulator.limbs.size()), reactions(forces.size()) {
    REQUIRE(!find_fault(mechanism.manipulator));
    REQUIRE(!momentum_screw_forces(mechanism.manipulator, mechanism.motion, screw, forces));
    REQUIRE(
        !newton_euler_reactions(mechanism.manipulator, mechanism.motion, newton_euler, reactions));
  }

  /// How far rounding may take a solution of the equations: elimination with pivots solves ones
  /// that are off by some n eps, which their condition number magnifies.
  [[nodiscard]] double rounding() const {
    const Eigen::MatrixXd equations = newton_euler.equations;
    const Eigen::VectorXd values = singular_values(equations);
    const auto n = static_cast<double>(values.size());
    return n * std::numeric_limits<double>::epsilon() * values.maxCoeff() / values.minCoeff() *
           newton_euler.unknowns.norm();
  }
};

/// Slopes at t = 0 of a vector along the case's path.
template <class Function>
void check_slope(const test::ParallelCase& mechanism, const Vec3d& rate, double tolerance,
                 Function vector_of) {
  const test::PlatformPath path = test::path_through(mechanism.motion);
  for (int k = 0; k < 3; ++k) {
    const auto component = [&](double t) { return vector_of(path(t))[k]; };
    const test::Slope slope = test::slope_at_zero(component, 1e-3, 1e-13);
    CAPTURE(k, rate[k], slope.value, slope.error, tolerance);
    CHECK(std::abs(rate[k] - slope.value) <= slope.error + tolerance);
    CHECK(slope.error < 1e-5);
  }
}

double total_mass(const Manipulator& manipulator) {
  double mass = manipulator.platform.mass;
  for (const Limb& limb : manipulator.limbs) mass += limb.lower.mass + limb.upper.mass;
  return mass;
}

/// Where all mass is, times its size.
Vec3d first_moment(const test::ParallelCase& mechanism) {
  const auto& [manipulator, motion] = mechanism;
  Vec3d sum =
      manipulator.platform.mass * (motion.position + motion.rotation * manipulator.platform.com);
  for (const Limb& limb : manipulator.limbs) {
    const test::Line line = test::line_of(limb, motion);
    sum += limb.lower.mass * (limb.base_point + limb.lower.com * line.e) +
           limb.upper.mass * (limb.base_point + line.r - limb.upper.com * line.e);
  }
  return sum;
}

}  // namespace

TEST_CASE("momentum screw and Newton-Euler give the same forces on random parallel manipulators") {
  test::Random random(4201);
  for (int trial = 0; trial < test::trials(200); ++trial) {
    const int limbs = limb_counts[trial % 4];
    const test::ParallelCase mechanism = test::random_parallel_case(random, limbs);
    const Solved solved(mechanism);
    CHECK(solved.newton_euler.unknowns.size() == 12 * limbs + 6);
    const double tolerance = solved.rounding();
    for (std::size_t i = 0; i < solved.forces.size(); ++i) {
      CAPTURE(trial, i, tolerance);
      const LimbForces& screw = solved.forces[i];
      const LimbReactions& plain = solved.reactions[i];
      CHECK(std::abs(screw.drive - plain.drive) <= tolerance);
      CHECK((screw.platform_force - plain.platform_force).norm() <= tolerance);
      CHECK(std::abs(screw.platform_torque - plain.platform_torque) <= tolerance);
    }
    CHECK(tolerance < 1e-6);
  }
}

TEST_CASE("driving forces of random parallel manipulators do the work that changes the energy") {
  test::Random random(4202);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    const int limbs = limb_counts[trial % 4];
    const test::ParallelCase mechanism = test::random_parallel_case(random, limbs);
    const Solved solved(mechanism);
    double power = 0.0, screw_power = 0.0, rates = 0.0;
    for (std::size_t i = 0; i < solved.forces.size(); ++i) {
      const double rate = test::line_of(mechanism.manipulator.limbs[i], mechanism.motion).rate;
      power += solved.reactions[i].drive * rate;
      screw_power += solved.forces[i].drive * rate;
      rates += std::abs(rate);
    }
    const test::PlatformPath path = test::path_through(mechanism.motion);
    const auto energy = [&](double t) {
      return test::masses_in_motion(mechanism.manipulator, path(t)).energy;
    };
    const double size = test::masses_in_motion(mechanism.manipulator, mechanism.motion).size;
    const test::Slope slope = test::slope_at_zero(energy, 1e-3, 1e-14 * size);
    CAPTURE(trial, limbs, power, screw_power, slope.value, slope.error);
    const double tolerance = slope.error + rates * solved.rounding();
    CHECK(std::abs(power - slope.value) <= tolerance);
    CHECK(std::abs(screw_power - slope.value) <= tolerance);
    CHECK(slope.error < 1e-5);
  }
}

TEST_CASE("what a parallel manipulator's base and slides pass changes the momenta beyond them") {
  test::Random random(4203);
  for (int trial = 0; trial < test::trials(40); ++trial) {
    const int limbs = limb_counts[trial % 4];
    const test::ParallelCase mechanism = test::random_parallel_case(random, limbs);
    const Manipulator& manipulator = mechanism.manipulator;
    const PlatformMotion& motion = mechanism.motion;
    const Solved solved(mechanism);
    const double rounding = 10.0 * solved.rounding();  // sums of up to ten of the forces, arms 1 m

    // the whole: the base's wrenches and gravity
    Vec3d force = total_mass(manipulator) * manipulator.gravity;
    Vec3d moment = first_moment(mechanism).cross(manipulator.gravity);
    for (std::size_t i = 0; i < solved.reactions.size(); ++i) {
      const LimbReactions& at = solved.reactions[i];
      force += at.base_force;
      moment += manipulator.limbs[i].base_point.cross(at.base_force) +
                at.base_torque * solved.newton_euler.limbs[i].base_torque;
    }
    const auto momentum = [&](const PlatformMotion& now) {
      return test::masses_in_motion(manipulator, now).momentum;
    };
    const auto moment_of_momentum = [&](const PlatformMotion& now) {
      return test::masses_in_motion(manipulator, now).moment;
    };
    check_slope(mechanism, force, rounding, momentum);
    check_slope(mechanism, moment, rounding, moment_of_momentum);

    // each upper part: what the slide and the platform pass to it
    for (std::size_t i = 0; i < solved.reactions.size(); ++i) {
      const Limb& limb = manipulator.limbs[i];
      const LimbReactions& at = solved.reactions[i];
      const test::Line line = test::line_of(limb, motion);
      const Vec3d weight = limb.upper.mass * manipulator.gravity;
      const Vec3d on_upper = at.slide_force + at.platform_force + weight;
      Vec3d about_base = at.slide_moment + line.r.cross(at.platform_force) +
                         (line.r - limb.upper.com * line.e).cross(weight);
      if (limb.kind == LimbKind::upu)
        about_base += at.platform_torque * solved.newton_euler.limbs[i].platform_torque;
      check_slope(mechanism, on_upper, rounding, [&](const PlatformMotion& now) -> Vec3d {
        return test::upper_momentum(limb, now).momentum;
      });
      check_slope(mechanism, about_base, rounding, [&](const PlatformMotion& now) -> Vec3d {
        return test::upper_momentum(limb, now).moment;
      });
    }
  }
}

TEST_CASE("torques of universal joints act across both of their axes") {
  test::Random random(4204);
  for (int trial = 0; trial < test::trials(40); ++trial) {
    const test::ParallelCase mechanism = test::random_parallel_case(random, 3);
    const Solved solved(mechanism);
    for (std::size_t i = 0; i < 3; ++i) {
      const Limb& limb = mechanism.manipulator.limbs[i];
      const LimbMotion& m = solved.newton_euler.limbs[i];
      const Vec3d platform_axis = mechanism.motion.rotation * limb.platform_axis;
      CHECK(std::abs(m.base_torque.dot(limb.base_axis)) < 1e-14);
      CHECK(std::abs(m.base_torque.dot(limb.base_axis.cross(m.e))) < 1e-14);
      CHECK(std::abs(m.platform_torque.dot(platform_axis)) < 1e-14);
      CHECK(std::abs(m.platform_torque.dot(platform_axis.cross(m.e))) < 1e-14);
      CHECK(m.base_torque.norm() == Approx(1.0).epsilon(1e-14));
    }
  }
}

TEST_CASE("a ball passes no torque and then neither does the universal joint at the limb's base") {
  test::Random random(4205);
  const Solved solved(test::random_parallel_case(random, 6));
  for (const LimbReactions& at : solved.reactions) {
    CHECK(at.platform_torque == 0.0);
    CHECK(std::abs(at.base_torque) <= solved.rounding());
  }
}
