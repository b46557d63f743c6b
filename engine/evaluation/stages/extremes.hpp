#pragma once

#include <algorithm>
#include <span>

#include "engine/math/scalar.hpp"

namespace counterpoise {

template <class S>
double largest_lane(const S& x) {
  double result = lane(x, 0);
  for (int i = 1; i < lanes<S>; ++i) result = std::max(result, lane(x, i));
  return result;
}

/// The least and the greatest of a series.
struct Extremes {
  double least = 0.0;
  double greatest = 0.0;
};

template <class S>
Extremes extremes_of(std::span<const S> series) {
  S least = series.front(), greatest = least;
  for (const S& x : series) {
    least = smaller(least, x);
    greatest = larger(greatest, x);
  }
  return {-largest_lane(S(-least)), largest_lane(greatest)};
}

}  // namespace counterpoise
