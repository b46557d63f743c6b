#include "engine/math/cubic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace counterpoise {

double Cubic::at(double t) const {
  const double u = t / h, w = 1.0 - u;
  return w * w * ((1.0 + 2.0 * u) * x0 + u * h * v0) + u * u * ((1.0 + 2.0 * w) * x1 - w * h * v1);
}

Cubic::Extrema Cubic::extrema() const {
  // slope = a u^2 + b u + c with u = t / h
  const double rise = (x1 - x0) / h;
  const double a = 3.0 * (v0 + v1 - 2.0 * rise), b = 2.0 * (3.0 * rise - 2.0 * v0 - v1), c = v0;
  const double discriminant = b * b - 4.0 * a * c;
  Extrema extrema;
  if (discriminant < 0.0) return extrema;
  const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
  std::array<double, 2> roots = {q / a, c / q};
  if (roots[0] > roots[1]) std::swap(roots[0], roots[1]);
  for (const double u : roots)
    if (u > 0.0 && u < 1.0) extrema.at[extrema.count++] = u * h;
  return extrema;
}

double Cubic::largest() const {
  double largest = std::max(x0, x1);
  const Extrema all = extrema();
  for (int i = 0; i < all.count; ++i) largest = std::max(largest, at(all.at[i]));
  return largest;
}

double Cubic::least_inside() const {
  double least = std::numeric_limits<double>::infinity();
  const Extrema all = extrema();
  for (int i = 0; i < all.count; ++i) least = std::min(least, at(all.at[i]));
  return least;
}

double Cubic::error(double a0, double a1) const {
  const double rise = (x1 - x0) / h;
  const double begin = (6.0 * rise - 4.0 * v0 - 2.0 * v1) / h,
               end = (-6.0 * rise + 2.0 * v0 + 4.0 * v1) / h;
  return h * h / 32.0 * std::max(std::abs(a0 - begin), std::abs(a1 - end));
}

std::optional<double> Cubic::falls_below(double depth) const {
  const Extrema all = extrema();
  double from = 0.0, value = x0;
  for (int i = 0; i <= all.count; ++i) {
    const double to = i < all.count ? all.at[i] : h;
    const double end = i < all.count ? at(to) : x1;
    if (end < -depth && end < value) {
      if (value <= 0.0) return from;
      double low = from, high = to;
      for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (low + high);
        (at(middle) > 0.0 ? low : high) = middle;
      }
      return high;
    }
    from = to;
    value = end;
  }
  return std::nullopt;
}

std::optional<double> Cubic::last_beyond(double bound) const {
  if (std::abs(x1) > bound) return h;
  const Extrema all = extrema();
  double within = h;
  for (int i = all.count - 1; i >= -1; --i) {
    double beyond = i < 0 ? 0.0 : all.at[i];
    if (std::abs(i < 0 ? x0 : at(beyond)) > bound) {
      for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (beyond + within);
        (std::abs(at(middle)) > bound ? beyond : within) = middle;
      }
      return within;
    }
    within = beyond;
  }
  return std::nullopt;
}

}  // namespace counterpoise
