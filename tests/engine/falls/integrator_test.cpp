#include "engine/falls/integrator.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

using namespace counterpoise;

namespace {

using Numbers = std::vector<double>;
using In = std::span<const double>;
using Out = std::span<double>;

/// y'' = -y, and how often its slope was asked for.
struct Oscillator {
  long evaluations = 0;
  Integrator integrator;

  Oscillator(double relative, Numbers absolute)
      : integrator(
            [this](double, In y, Out slope) {
              ++evaluations;
              slope[0] = y[1];
              slope[1] = -y[0];
              return true;
            },
            0.0, {0.0, 1.0}, relative, std::move(absolute)) {}

  /// Returns how many steps led to the time.
  int go_to(double t) {
    int steps = 0;
    for (; integrator.time() < t; ++steps) REQUIRE(integrator.step(t));
    return steps;
  }
  [[nodiscard]] double error() const {
    const double t = integrator.time();
    return std::hypot(integrator.y()[0] - std::sin(t), integrator.y()[1] - std::cos(t));
  }
};

}  // namespace

TEST_CASE("the error of an oscillation follows the tolerances, and steps the error") {
  int before = 0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    CAPTURE(tolerance);
    Oscillator oscillator(tolerance, {tolerance, tolerance});
    const int steps = oscillator.go_to(20.0);
    CHECK(oscillator.integrator.time() == 20.0);
    CAPTURE(steps, oscillator.error());
    CHECK(oscillator.error() < 1e-3 * tolerance + 1e-14);
    CHECK(steps > before);
    before = steps;
  }
  CHECK(before < 600);
}

TEST_CASE("steps do not become short where errors are rounding of slopes") {
  // slopes that are known to 1e-13, as accelerations of closed loops are
  long evaluations = 0;
  Integrator integrator(
      [&](double, In y, Out slope) {
        const double rounding = ++evaluations % 3 == 0 ? 1e-13 : -1e-13;
        slope[0] = y[1] + rounding;
        slope[1] = -y[0] + rounding;
        return true;
      },
      0.0, {0.0, 1.0}, 1e-13, {1e-13, 1e-13});
  int steps = 0;
  for (; integrator.time() < 20.0 && steps < 10'000; ++steps) REQUIRE(integrator.step(20.0));
  CHECK(steps < 1000);
  CHECK(integrator.y()[0] == Approx(std::sin(20.0)).margin(1e-11));
}

TEST_CASE("each entry has its own absolute tolerance, and the strictest counts") {
  Oscillator loose(0.0, {1e-4, 1e-4}), strict(0.0, {1e-4, 1e-12});
  const int few = loose.go_to(20.0);
  CHECK(strict.go_to(20.0) > 2 * few);
  CHECK(strict.error() < 1e-10);
}

TEST_CASE("a step that a limit ends does not shorten the next one") {
  Oscillator whole(1e-10, {1e-10, 1e-10}), cut(1e-10, {1e-10, 1e-10});
  const int steps = whole.go_to(50.0);
  cut.go_to(10.0);
  for (int k = 1; k <= 20; ++k) cut.go_to(10.0 + 1e-6 * k);
  CHECK(cut.integrator.time() == 10.0 + 1e-6 * 20);
  const long before = cut.evaluations;
  REQUIRE(cut.integrator.step(50.0));
  CHECK(cut.evaluations == before + 13);
  CHECK(cut.integrator.time() - 10.0 > 0.5 * 50.0 / steps);
}

TEST_CASE("an integrator goes on from another state") {
  Oscillator oscillator(1e-10, {1e-10, 1e-10});
  oscillator.go_to(3.0);
  oscillator.integrator.reset(1.0, Numbers{std::sin(1.0), std::cos(1.0)});
  CHECK(oscillator.integrator.time() == 1.0);
  oscillator.go_to(2.0);
  CHECK(oscillator.error() < 1e-9);
}

TEST_CASE("where a state has no slope, steps end before it") {
  // the speed of a fall that ends at 0, as if nothing were known beyond
  Integrator integrator(
      [](double, In y, Out slope) {
        if (y[0] < 0.0) return false;
        slope[0] = -1.0 - y[0];
        return true;
      },
      0.0, {1.0}, 1e-10, {1e-10});
  const double end = std::log(2.0);
  int steps = 0;
  while (integrator.step(10.0) && steps < 1000) ++steps;
  CHECK(steps < 200);
  CHECK(integrator.time() == Approx(end).epsilon(1e-9));
  CHECK(integrator.y()[0] == Approx(0.0).margin(1e-9));
}

TEST_CASE("a slope that is not a number is refused") {
  Integrator integrator(
      [](double t, In, Out slope) {
        slope[0] = t > 1.0 ? std::nan("") : 1.0;
        return true;
      },
      0.0, {0.0}, 1e-10, {1e-10});
  int steps = 0;
  while (integrator.step(10.0) && steps < 1000) ++steps;
  CHECK(steps < 200);
  CHECK(integrator.time() == Approx(1.0).epsilon(1e-9));
  CHECK(integrator.y()[0] == Approx(1.0).epsilon(1e-9));
}

TEST_CASE("what a slope throws comes out of the step, which is not taken") {
  Integrator integrator(
      [](double t, In, Out slope) -> bool {
        if (t > 0.25) throw std::runtime_error("stopped by the caller");
        slope[0] = 1.0;
        return true;
      },
      0.0, {0.0}, 1e-10, {1e-10});
  double reached = 0.0;
  const auto go = [&] {
    for (; integrator.step(1.0);) reached = integrator.time();
  };
  CHECK_THROWS_WITH(go(), "stopped by the caller");
  CHECK(reached > 0.05);
  CHECK(integrator.time() == reached);
  CHECK(integrator.y()[0] == Approx(reached));
  REQUIRE(integrator.step(0.25));
  CHECK(integrator.y()[0] == Approx(integrator.time()));
}
