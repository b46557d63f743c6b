#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "engine/math/scalar.hpp"

namespace counterpoise {

/// Not a number if any lane is none.
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

/// The least and the greatest of a series.
struct Extremes {
  double least = 0.0;
  double greatest = 0.0;

  [[nodiscard]] bool finite() const { return std::isfinite(least) && std::isfinite(greatest); }
};

/// Both are not a number if any of the series is none.
template <class S>
Extremes extremes_of(std::span<const S> series) {
  S least = series.front(), greatest = least;
  auto lost = least != greatest;  // the same, so that only what is no number differs from itself
  for (const S& x : series) {
    const S& again = x;
    least = smaller(least, x);
    greatest = larger(greatest, x);
    lost = lost | (x != again);  // comparisons pass it by
  }
  const S none(std::numeric_limits<double>::quiet_NaN());
  return {-largest_lane(select(lost, none, S(-least))), largest_lane(select(lost, none, greatest))};
}

}  // namespace counterpoise
