#include <catch2/catch.hpp>

#include "input/reading/read.hpp"
#include "tests/oracles/closure.hpp"
#include "tests/support/differences.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

constexpr double step = 5e-3;       // of differences along the motion [s]
constexpr double rounding = 1e-14;  // of a place in the world or a length of about a metre

/// Loops, couplings and actuators at one sample, in position, velocity and acceleration, judged
/// along the parabola through the sample: q + v t + a t^2 / 2 agrees with the motion to second
/// order.
void check_sample(const Sample& sample, const std::vector<double>& q, const std::vector<double>& v,
                  const std::vector<double>& a, double time) {
  const Mechanism& mechanism = sample.mechanism;
  const auto along = [&](double t) {
    std::vector<double> position(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) position[i] = q[i] + t * (v[i] + t * a[i] / 2.0);
    return position;
  };
  const auto misfit = [&](Eigen::Index row) {
    return [&, row](double t) { return oracle::closure_misfit(mechanism, along(t))[row]; };
  };
  for (Eigen::Index row = 0; row < oracle::closure_misfit(mechanism, q).size(); ++row) {
    CAPTURE(row);
    REQUIRE(std::abs(misfit(row)(0.0)) < 1e-11);
    const Slope velocity = slope_at_zero(misfit(row), step, rounding);
    REQUIRE(std::abs(velocity.value) < velocity.error + 1e-10);
    const Slope acceleration = curvature_at_zero(misfit(row), step, rounding);
    REQUIRE(std::abs(acceleration.value) < acceleration.error + 1e-9);
  }
  for (const Drive& drive : sample.motion.drives) {
    CAPTURE(drive.actuator);
    const auto position = [&](double t) {
      return oracle::actuator_position(mechanism, along(t), drive.actuator);
    };
    const ProfileValue wanted = evaluate(drive.profile, time, sample.motion.duration);
    REQUIRE(std::abs(position(0.0) - wanted.position) < 1e-11);
    const Slope velocity = slope_at_zero(position, step, rounding);
    REQUIRE(std::abs(velocity.value - wanted.velocity) < velocity.error + 1e-10);
    const Slope acceleration = curvature_at_zero(position, step, rounding);
    REQUIRE(std::abs(acceleration.value - wanted.acceleration) < acceleration.error + 1e-9);
  }
}

void check_motion(const Sample& sample) {
  const Mechanism& mechanism = sample.mechanism;
  const Simulation simulation = run(mechanism, sample.motion);
  const auto q = joint_samples(simulation, mechanism, ".q");
  const auto v = joint_samples(simulation, mechanism, ".qd");
  const auto a = joint_samples(simulation, mechanism, ".qdd");
  const auto& t = column(simulation, "t");

  std::vector<double> before;  // the zero configuration of these samples is the guess
  for (const Body& body : mechanism.bodies) before.push_back(body.joint.guess);
  for (std::size_t k = 0; k < q.size(); ++k) {
    CAPTURE(k);
    if (k % 7 == 0) check_sample(sample, q[k], v[k], a[k], t[k]);
    // the branch of the start, kept: nothing moves far from one sample to the next
    for (std::size_t b = 0; b < q[k].size(); ++b)
      REQUIRE(std::abs(q[k][b] - before[b]) < (k == 0 ? 0.8 : 0.1));
    before = q[k];
  }
  for (std::size_t i = 0; i < mechanism.actuators.size(); ++i) {
    const Actuator& actuator = mechanism.actuators[i];
    for (std::size_t k = 0; k < q.size(); k += 7)
      REQUIRE(std::abs(column(simulation, actuator.name + ".position")[k] -
                       oracle::actuator_position(mechanism, q[k], static_cast<int>(i))) < 1e-11);
  }
}

}  // namespace

TEST_CASE("joints follow actuators and couplings in position, velocity and acceleration") {
  Random random(20260301);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    CAPTURE(trial);
    check_motion(random_sample(random, {.tree_bodies = 7, .springs = false}));
  }
}

TEST_CASE("loops stay closed in position, velocity and acceleration, on the branch of the start") {
  Random random(20260302);
  for (int trial = 0; trial < test::trials(15) * linkage_count; ++trial) {
    const auto kind = static_cast<Linkage>(trial % linkage_count);
    CAPTURE(trial, trial % linkage_count);
    check_motion(random_sample(random, {.tree_bodies = 3, .linkage = kind, .springs = false}));
  }
}
