#include "engine/mechanism/smoothing.hpp"

#include <Eigen/Dense>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "engine/mechanism/motion.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using test::Random;

namespace {

double sine(double frequency, double t) {
  return std::sin(2.0 * std::numbers::pi * frequency * t + 0.3);
}

/// By how much a sine is reduced in the middle of a record of so many periods of the cut-off.
double gain_of(double frequency, double cutoff, double step) {
  const auto count = static_cast<std::size_t>(60.0 / cutoff / step);
  std::vector<double> times, values;
  for (std::size_t i = 0; i < count; ++i) {
    times.push_back(static_cast<double>(i) * step);
    values.push_back(sine(frequency, times.back()));
  }
  const std::vector<double> smooth = smoothed(times, values, cutoff);
  double product = 0.0, square = 0.0;
  for (std::size_t i = count / 3; i < 2 * count / 3; ++i) {
    product += smooth[i] * values[i];
    square += values[i] * values[i];
  }
  const double gain = product / square;
  for (std::size_t i = count / 3; i < 2 * count / 3; ++i)  // in phase
    CHECK(smooth[i] == Approx(gain * values[i]).margin(1e-8));
  return gain;
}

}  // namespace

TEST_CASE("a sine of the cut-off frequency comes out halved, in phase") {
  for (const double step : {1e-3, 0.01, 0.05, 0.2})
    CHECK(gain_of(2.0, 2.0, step) == Approx(0.5).epsilon(1e-8));
}

TEST_CASE("the gain is that of a Butterworth filter passed forward and backward") {
  const double cutoff = 5.0, step = 1e-3;
  for (const double frequency : {0.5, 2.0, 4.0, 7.0, 15.0}) {
    const double butterworth = 1.0 / (1.0 + std::pow(frequency / cutoff, 4.0));
    CHECK(gain_of(frequency, cutoff, step) == Approx(butterworth).epsilon(1e-3));
  }
}

TEST_CASE("the smoothing spline minimises deviation and bending at times of any steps") {
  Random random(21);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    const int n = 3 + random.below(30);
    std::vector<double> times = {random.uniform(-1.0, 1.0)}, values;
    for (int i = 1; i < n; ++i) times.push_back(times.back() + random.uniform(0.05, 0.2));
    for (int i = 0; i < n; ++i) values.push_back(random.uniform(-1.0, 1.0));
    const double mean_step = (times.back() - times.front()) / (n - 1);
    const double cutoff = random.uniform(0.05, 0.45) / mean_step;

    // the bending of the natural spline through unit vectors, exactly: its second derivative is
    // linear between knots
    std::vector<CubicSpline> units;
    for (int i = 0; i < n; ++i) {
      std::vector<double> unit(static_cast<std::size_t>(n), 0.0);
      unit[static_cast<std::size_t>(i)] = 1.0;
      units.push_back(natural_spline(times, unit));
    }
    Eigen::MatrixXd bending = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd weights = Eigen::VectorXd::Constant(n, mean_step), y(n);
    for (int i = 0; i < n; ++i) {
      const auto knot = static_cast<std::size_t>(i);
      y(i) = values[knot];
      if (i > 0 && i + 1 < n) weights(i) = (times[knot + 1] - times[knot - 1]) / 2.0;
      for (int j = 0; j < n; ++j)
        for (std::size_t k = 0; k + 1 < times.size(); ++k) {
          const auto& a = units[knot].curvature;
          const auto& b = units[static_cast<std::size_t>(j)].curvature;
          bending(i, j) +=
              (times[k + 1] - times[k]) / 6.0 *
              (2.0 * a[k] * b[k] + a[k] * b[k + 1] + a[k + 1] * b[k] + 2.0 * a[k + 1] * b[k + 1]);
        }
    }
    const double turn = 2.0 * std::numbers::pi * cutoff * mean_step, c = std::cos(turn);
    const double lambda =
        std::pow(mean_step, 4.0) * (2.0 + c) / (3.0 * (2.0 - 2.0 * c) * (2.0 - 2.0 * c));
    const Eigen::MatrixXd left = lambda * bending + Eigen::MatrixXd(weights.asDiagonal());
    const Eigen::VectorXd expected = left.ldlt().solve(weights.cwiseProduct(y));
    const std::vector<double> found = smoothed(times, values, cutoff);
    CAPTURE(trial, n);
    for (int i = 0; i < n; ++i)
      CHECK(found[static_cast<std::size_t>(i)] == Approx(expected(i)).margin(1e-9));
  }
}

TEST_CASE("a line stays, to its ends, and noise on it is smoothed there too") {
  std::vector<double> times, line, noisy;
  for (int i = 0; i < 201; ++i) {
    times.push_back(0.01 * i);
    line.push_back(0.3 - 2.0 * times.back());
    noisy.push_back(line.back() + (i % 2 == 0 ? 0.01 : -0.01));
  }
  const std::vector<double> still = smoothed(times, line, 3.0),
                            smooth = smoothed(times, noisy, 3.0);
  for (std::size_t i = 0; i < times.size(); ++i) {
    CHECK(still[i] == Approx(line[i]).margin(1e-10));
    CHECK(std::abs(smooth[i] - line[i]) < 0.003);
  }
  CHECK(smoothed(std::vector{0.0, 1.0}, std::vector{2.0, 5.0}, 0.3) == std::vector{2.0, 5.0});
}

TEST_CASE("a record with many rows in a period of the cut-off is smoothed without rounding") {
  const double cutoff = 1.0, step = 1.1e-4;
  std::vector<double> times, values;
  for (int i = 0; i < 100'000; ++i) {
    times.push_back(step * i);
    values.push_back(sine(0.5, times.back()));
  }
  const std::vector<double> smooth = smoothed(times, values, cutoff);
  for (std::size_t i = 40'000; i < 60'000; i += 100)
    CHECK(smooth[i] == Approx(values[i] / (1.0 + std::pow(0.5, 4.0))).margin(1e-6));
}
