#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

namespace counterpoise::test {

/// Functions over the unit cube whose indices are known, as derived by hand: `first` and `total` of
/// every factor.
struct ClosedForm {
  double mean = 0.0, variance = 0.0;
  std::vector<double> first, total;
};

/// Ishigami and Homma 1990, with a = 7, b = 0.1, over [-pi, pi]^3.
inline double ishigami(std::span<const double> u) {
  const auto x = [&](std::size_t i) { return std::numbers::pi * (2.0 * u[i] - 1.0); };
  return std::sin(x(0)) + 7.0 * std::pow(std::sin(x(1)), 2) +
         0.1 * std::pow(x(2), 4) * std::sin(x(0));
}
inline ClosedForm ishigami_indices() {
  const double a = 7.0, b = 0.1, pi4 = std::pow(std::numbers::pi, 4);
  const double v1 = 0.5 * std::pow(1.0 + b * pi4 / 5.0, 2), v2 = a * a / 8.0;
  const double v13 = b * b * pi4 * pi4 * (1.0 / 18.0 - 1.0 / 50.0), v = v1 + v2 + v13;
  return {a / 2.0, v, {v1 / v, v2 / v, 0.0}, {(v1 + v13) / v, v2 / v, v13 / v}};
}

/// Sobol's g-function: the product of (|4u - 2| + a) / (1 + a).
inline const std::vector<double> g_weights = {0.0, 0.5, 3.0, 9.0, 99.0};
inline double g_function(std::span<const double> u) {
  double product = 1.0;
  for (std::size_t i = 0; i < u.size(); ++i)
    product *= (std::abs(4.0 * u[i] - 2.0) + g_weights[i]) / (1.0 + g_weights[i]);
  return product;
}
inline ClosedForm g_indices() {
  ClosedForm form{1.0, 1.0, {}, {}};
  std::vector<double> own;
  for (double a : g_weights) {
    own.push_back(1.0 / (3.0 * (1.0 + a) * (1.0 + a)));
    form.variance *= 1.0 + own.back();
  }
  const double product = form.variance;
  form.variance -= 1.0;
  for (double v : own) {
    form.first.push_back(v / form.variance);
    form.total.push_back(v * product / (1.0 + v) / form.variance);
  }
  return form;
}

/// A weighted sum and an offset; first = total = a^2 over the sum of squares.
inline const std::vector<double> linear_weights = {4.0, -3.0, 2.0, 0.5};
inline double linear(std::span<const double> u) {
  double sum = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += linear_weights[i] * u[i];
  return sum;
}
inline ClosedForm linear_indices() {
  ClosedForm form;
  double squares = 0.0;
  for (double a : linear_weights) {
    form.mean += a / 2.0;
    squares += a * a;
  }
  form.variance = squares / 12.0;
  for (double a : linear_weights) form.first.push_back(a * a / squares);
  form.total = form.first;
  return form;
}

/// Interaction and nothing else: no factor has an effect of its own.
inline double pure_interaction(std::span<const double> u) {
  return (u[0] - 0.5) * (u[1] - 0.5);
}
inline ClosedForm interaction_indices() {
  return {0.0, 1.0 / 144.0, {0.0, 0.0}, {1.0, 1.0}};
}

}  // namespace counterpoise::test
