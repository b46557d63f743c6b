#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "engine/math/scalar.hpp"

namespace counterpoise {

/// The largest lane of x, or NaN if any lane is NaN.
template <class S>
double largest_lane(const S& x) {
  double result = lane(x, 0);
  bool lost = std::isnan(result);
  for (int i = 1; i < lanes<S>; ++i) {
    result = std::max(result, lane(x, i));
    lost = lost | std::isnan(lane(x, i));
  }
  return lost ? std::numeric_limits<double>::quiet_NaN() : result;
}

/// The least and the greatest number of a series.
struct Extremes {
  double least = 0.0;
  double greatest = 0.0;

  [[nodiscard]] bool finite() const { return std::isfinite(least) && std::isfinite(greatest); }
};

/// Returns the extremes of a series; both are NaN if any number of the series is NaN.
template <class S>
Extremes extremes_of(std::span<const S> series) {
  S least = series.front(), greatest = least;
  auto lost = least != greatest;  // only NaN differs from itself
  for (const S& x : series) {
    const S& again = x;
    least = smaller(least, x);
    greatest = larger(greatest, x);
    lost = lost | (x != again);  // as the comparisons above skip NaN
  }
  const S none(std::numeric_limits<double>::quiet_NaN());
  return {-largest_lane(select(lost, none, S(-least))), largest_lane(select(lost, none, greatest))};
}

}  // namespace counterpoise
