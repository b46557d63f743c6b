#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

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

/// The extremes of numbers that are seen one after the other; both are NaN if any number is NaN.
template <class S>
class RunningExtremes {
 public:
  explicit RunningExtremes(const S& first)
      : least_(first),
        greatest_(first),
        lost_(least_ != greatest_) {}  // only NaN differs from itself

  void see(const S& x) {
    const S& again = x;
    least_ = smaller(least_, x);
    greatest_ = larger(greatest_, x);
    lost_ = lost_ | (x != again);  // as the comparisons above skip NaN
  }
  [[nodiscard]] Extremes extremes() const {
    const S none(std::numeric_limits<double>::quiet_NaN());
    return {-largest_lane(select(lost_, none, S(-least_))),
            largest_lane(select(lost_, none, greatest_))};
  }

 private:
  S least_, greatest_;
  decltype(std::declval<S>() != std::declval<S>()) lost_;
};

/// Returns the extremes of a series that comes in stretches, from its start to the end of this one.
/// `running` keeps them between the stretches, and starts anew where `starts`.
template <class S>
Extremes extremes_of(std::span<const S> series, bool starts,
                     std::optional<RunningExtremes<S>>& running) {
  RunningExtremes<S> now = starts ? RunningExtremes<S>(series.front()) : *running;
  for (const S& x : series) now.see(x);
  running = now;
  return now.extremes();
}

/// Returns the extremes of a series; both are NaN if any number of the series is NaN.
template <class S>
Extremes extremes_of(std::span<const S> series) {
  std::optional<RunningExtremes<S>> running;
  return extremes_of(series, true, running);
}

}  // namespace counterpoise
