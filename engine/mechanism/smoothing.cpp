#include "engine/mechanism/smoothing.hpp"

#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

namespace counterpoise {
namespace {

// R stands beside lambda Q^T W^-1 Q, which is larger by up to 6 / (2 pi cutoff step)^4: 4e13 with
// 10,000 times in a period of the cut-off
using Real = long double;

}  // namespace

std::vector<double> smoothed(std::span<const double> x, std::span<const double> y, double cutoff) {
  const std::size_t n = x.size();
  assert(n >= 2 && y.size() == n);
  std::vector<double> smooth(y.begin(), y.end());
  if (n == 2) return smooth;  // a line
  const Real mean_step = (x[n - 1] - x[0]) / static_cast<double>(n - 1);

  // at equal steps h, with c = cos(2 pi f h), the gain is 1 / (1 + lambda / lambda_h) where
  // lambda_h = h^4 (2 + c) / (3 (2 - 2 c)^2), which is 1 / (2 pi f)^4 for small steps
  const Real half_sine = std::sin(std::numbers::pi * cutoff * mean_step);
  const Real bend = 4.0 * half_sine * half_sine / (mean_step * mean_step);
  const Real lambda = (1.0 - 2.0 / 3.0 * half_sine * half_sine) / (bend * bend);

  // second differences Q^T of knots i, i + 1, i + 2; the weight of a value is the time around it
  std::vector<Real> weight(n, mean_step);
  for (std::size_t i = 1; i + 1 < n; ++i) weight[i] = (x[i + 1] - x[i - 1]) / 2.0;
  const auto step = [&](std::size_t i) { return Real{x[i + 1]} - x[i]; };
  const auto difference = [&](std::size_t i) {
    return std::array<Real, 3>{1.0 / step(i), -1.0 / step(i) - 1.0 / step(i + 1),
                               1.0 / step(i + 1)};
  };

  // (R + lambda Q^T W^-1 Q) curvature = Q^T y, five diagonals, by Cholesky's L D L^T; `curvature`
  // holds the right side first
  const std::size_t m = n - 2;
  std::vector<Real> diagonal(m), first(m, 0.0), second(m, 0.0), curvature(m);
  for (std::size_t i = 0; i < m; ++i) {
    const auto q = difference(i);
    diagonal[i] = (step(i) + step(i + 1)) / 3.0;
    for (std::size_t k = 0; k < 3; ++k) diagonal[i] += lambda * q[k] * q[k] / weight[i + k];
    if (i + 1 < m) {
      const auto next = difference(i + 1);
      first[i] = step(i + 1) / 6.0 +
                 lambda * (q[1] * next[0] / weight[i + 1] + q[2] * next[1] / weight[i + 2]);
    }
    if (i + 2 < m) second[i] = lambda * q[2] * difference(i + 2)[0] / weight[i + 2];
    curvature[i] = (y[i + 2] - y[i + 1]) / step(i + 1) - (y[i + 1] - y[i]) / step(i);
  }
  for (std::size_t i = 0; i < m; ++i) {
    const Real by_first = first[i] / diagonal[i], by_second = second[i] / diagonal[i];
    if (i + 1 < m) {
      diagonal[i + 1] -= by_first * first[i];
      first[i + 1] -= by_first * second[i];
      curvature[i + 1] -= by_first * curvature[i];
    }
    if (i + 2 < m) {
      diagonal[i + 2] -= by_second * second[i];
      curvature[i + 2] -= by_second * curvature[i];
    }
    first[i] = by_first;
    second[i] = by_second;
  }
  for (std::size_t i = m; i-- > 0;) {
    curvature[i] /= diagonal[i];
    if (i + 1 < m) curvature[i] -= first[i] * curvature[i + 1];
    if (i + 2 < m) curvature[i] -= second[i] * curvature[i + 2];
  }
  std::vector<Real> moved(n, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    const auto q = difference(i);
    for (std::size_t k = 0; k < 3; ++k)
      moved[i + k] += lambda * q[k] * curvature[i] / weight[i + k];
  }
  for (std::size_t i = 0; i < n; ++i) smooth[i] = static_cast<double>(y[i] - moved[i]);
  return smooth;
}

}  // namespace counterpoise
