#pragma once

#include <vector>

namespace counterpoise {

/// A number estimated from a sample, with its 95 % confidence interval.
struct Estimate {
  double value = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// How often a sample is drawn again from itself for an interval.
inline constexpr int default_resamples = 1000;

/// Estimates rest on at least this share of what was to be evaluated; below it there are none.
inline constexpr double least_usable_share = 0.5;

/// The percentile interval of a bootstrap (Efron 1979): the 2.5 % and 97.5 % quantiles of what the
/// resamples gave, which are sorted in place; the value itself where there are none.
Estimate with_interval(double value, std::vector<double>& resampled);

}  // namespace counterpoise
