
#include <cmath>
#include <numbers>

#include "tests/engine/falls/falling.hpp"
#include "tests/oracles/closure.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const Scenario seconds{.duration = all_trials() ? 10.0 : 2.0, .step = 0.02, .tolerance = 1e-12};

/// Two coupled four-bars of five uniform rods of 1 m and 1 kg: three cranks, 1 m apart, and two
/// couplers that stay level.
Mechanism double_four_bar() {
  Flat flat;
  const auto rod = [&](int parent, double x) {
    const int body = flat.revolute(parent, x, 0.0);
    flat.load(body, 1.0, 0.5, 1.0 / 12.0);
    return body;
  };
  const int first = rod(world_body, 0.0), left = rod(first, 1.0), middle = rod(world_body, 1.0),
            right = rod(middle, 1.0), third = rod(world_body, 2.0);
  flat.loop(flat.point(left, 1.0, 0.0), flat.point(middle, 1.0, 0.0));
  flat.loop(flat.point(right, 1.0, 0.0), flat.point(third, 1.0, 0.0));
  return flat.mechanism;
}

JointStart cranks_at(double angle, double speed) {
  return {{angle, -angle, angle, -angle, angle}, {speed, -speed, speed, -speed, speed}};
}

/// The largest misfit of loops and couplings over all rows, by the oracle [m].
double largest_misfit(const Fall& fall, const Mechanism& mechanism) {
  double worst = 0.0;
  std::vector<double> q(mechanism.bodies.size());
  for (std::size_t k = 0; k < values(fall, "t").size(); ++k) {
    for (std::size_t b = 0; b < q.size(); ++b)
      if (mechanism.moves(static_cast<int>(b)))
        q[b] = values(fall, mechanism.bodies[b].name + ".q")[k];
    const Eigen::VectorXd misfit = oracle::closure_misfit(mechanism, q);
    if (misfit.size() > 0) worst = std::max(worst, misfit.cwiseAbs().maxCoeff());
  }
  return worst;
}

}  // namespace

TEST_CASE("coupled four-bars swing for seconds, keep their energy and stay closed") {
  // 0.5 degrees before the bars would be in one line with the ground
  for (const double angle : {-30.0, -10.0, -0.5}) {
    CAPTURE(angle);
    const Mechanism mechanism = double_four_bar();
    const Fall fall = let_go(mechanism, seconds, cranks_at(angle * std::numbers::pi / 180.0, 0.0));
    const double kinetic = peak(values(fall, "energy.kinetic"));
    CHECK(kinetic > 10.0);
    CHECK(energy_drift(fall) <= 1e-9 * kinetic);
    CHECK(largest_misfit(fall, mechanism) <= 1e-13);
  }
}

TEST_CASE("the benchmark of two four-bars ends where its bars are in one line, at the known time") {
  // The couplers do not turn, so that the angle a obeys 1.5 a'^2 + 3.5 g sin a = const: from the
  // upright at 1 rad/s to the level in the integral of 1 / a'.
  using std::numbers::pi;
  const auto slowness = [](double angle) {
    return 1.0 / std::sqrt(1.0 + 3.5 / 1.5 * Flat::g * (1.0 - std::sin(angle)));
  };
  constexpr int halves = 2000;
  constexpr double width = pi / 2.0 / halves;
  double known = 0.0;  // by Simpson's rule
  for (int i = 0; i < halves; i += 2)
    known += width / 3.0 *
             (slowness(i * width) + 4.0 * slowness((i + 1) * width) + slowness((i + 2) * width));

  const auto result = simulate_fall(double_four_bar(), seconds, cranks_at(pi / 2.0, -1.0), {});
  REQUIRE(std::holds_alternative<Fall>(result));
  const Fall& fall = std::get<Fall>(result);
  REQUIRE(fall.stopped);
  CHECK(fall.stopped->kind == FallStop::Kind::singular_pose);
  CHECK(fall.stopped->time == Approx(known).margin(1e-3));
  CHECK(fall.stopped->time <= known);
  CHECK(last(fall, "t") == Approx(known).margin(seconds.step));
  CHECK(energy_drift(fall) <= 1e-9 * peak(values(fall, "energy.kinetic")));
}

TEST_CASE("linkages of all kinds move freely for seconds, keep their energy and stay closed") {
  Random random(14);
  for (int kind = 0; kind < linkage_count; ++kind) {
    CAPTURE(kind);
    Sample sample = random_sample(
        random, {.tree_bodies = 2, .linkage = static_cast<Linkage>(kind), .duration = 0.1});
    const Simulation simulation = run(sample.mechanism, sample.motion);
    for (Body& body : sample.mechanism.bodies)
      if (body.mass == 0.0) {
        body.mass = 0.3;
        body.inertia = random.inertia(body.mass, 0.2);
      }
    const JointStart start = {joint_samples(simulation, sample.mechanism, ".q").front(),
                              joint_samples(simulation, sample.mechanism, ".qd").front()};
    const Fall fall = let_go(sample.mechanism, seconds, start);
    const double kinetic = peak(values(fall, "energy.kinetic"));
    CHECK(energy_drift(fall) <= 1e-8 * kinetic);
    CHECK(largest_misfit(fall, sample.mechanism) <= 1e-9);
  }
}

TEST_CASE("rounding makes no long arm that begins bent take short steps") {
  constexpr int links = 300;
  Flat flat;
  for (int i = 0; i < links; ++i) {
    const int body = flat.revolute(i - 1, i == 0 ? 0.0 : 0.1, 0.0);
    flat.load(body, 1.0, 0.05, 0.001);
  }
  const JointStart bent{std::vector<double>(links, 0.02), std::vector<double>(links, 0.0)};
  Fall falls[2];  // with the tolerance that is the default, and with a coarse one
  int steps[2] = {0, 0};
  for (const int coarse : {0, 1}) {
    const Scenario scenario{
        .duration = 0.05, .step = 0.01, .tolerance = coarse == 0 ? 1e-10 : 1e-7};
    auto result =
        simulate_fall(flat.mechanism, scenario, bent, {.between_steps = [&] { ++steps[coarse]; }});
    falls[coarse] = std::get<Fall>(std::move(result));
    REQUIRE_FALSE(falls[coarse].stopped);
  }
  CHECK(steps[1] > 5);
  // by its order the method needs 2.4 times as many steps for an error a thousandth as large
  CHECK(steps[0] < 12 * steps[1]);
  for (const Body& body : flat.mechanism.bodies)
    CHECK(values(falls[0], body.name + ".q").back() ==
          Approx(values(falls[1], body.name + ".q").back()).epsilon(1e-8));
}
